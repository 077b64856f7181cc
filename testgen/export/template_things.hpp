// What a template can speak of: the suite, its tests, their steps, … and the fields and lists of each.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "testgen/suite/view.hpp"

namespace espalier {

enum class ThingKind : uint8_t { suite, test, target, step, field, part };
std::string_view kind_name(ThingKind kind);

// One thing at hand: the members that its kind has are there, and those of the things around it.
struct Thing {
    ThingKind kind = ThingKind::suite;
    size_t number = 0, count = 0; // in its list, from 1
    const SuiteView* suite = nullptr;
    const TestView* test = nullptr;
    const std::string* identifier = nullptr; // of the test
    const StepView* step = nullptr;
    const FieldView* field = nullptr; // field and part
    const TargetView* target = nullptr;
};

struct ThingField {
    ThingKind of;
    std::string_view name;
    std::string (*get)(const Thing&);
};
struct ThingList {
    ThingKind of;
    std::string_view name;
    ThingKind items;
};

const ThingField* find_field(ThingKind of, std::string_view name);
const ThingList* find_list(ThingKind of, std::string_view name);
std::string field_names(ThingKind of); // "id, signature, …", for messages
std::string list_names(ThingKind of);

// A way to write a field, by name: as it is, or fit for XML, JSON, …
struct TemplateFilter {
    std::string_view name;
    std::string (*apply)(std::string_view);
};
const TemplateFilter* find_filter(std::string_view name);
std::string filter_names();

} // namespace espalier
