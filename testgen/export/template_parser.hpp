// A template's text as a tree, in which every name is resolved.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "testgen/export/template_things.hpp"

namespace espalier {

struct TemplateNode;
using TemplateNodes = std::vector<TemplateNode>;

struct TemplateValue {
    const ThingField* field = nullptr;
    size_t thing = 0; // which of the things at hand has it, from the outside
};
struct TemplateText {
    std::string text;
};
struct TemplateField {
    TemplateValue value;
    std::vector<const TemplateFilter*> filters;
};
struct TemplateEach {
    const ThingList* list = nullptr;
    TemplateNodes body;
};
struct TemplateIf {
    TemplateValue value;
    std::optional<std::string> equals; // none: is it there?
    bool negated = false;
    TemplateNodes then, otherwise;
};
struct TemplateNode {
    std::variant<TemplateText, TemplateField, TemplateEach, TemplateIf> what;
};

// Sections in sections, at most: deeper ones are a mistake, and the tree is walked by recursion.
inline constexpr size_t deepest_template = 100;

// Nothing after a mistake, which is in `diagnostics`.
std::optional<TemplateNodes> parse_template(const Sources& sources, FileId file, Diagnostics& diagnostics);

} // namespace espalier
