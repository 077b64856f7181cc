#include "testgen/export/template_things.hpp"

#include <iterator>

#include "testgen/text/escapes.hpp"

namespace espalier {

namespace {

std::string flag(bool b) { return b ? "true" : "false"; }
std::string joined(const auto& items, const auto& text) {
    std::string out;
    for (const auto& item : items) out += (out.empty() ? "" : " ") + text(item);
    return out;
}
const auto as_is = [](const std::string& s) { return s; };
const auto as_number = [](uint32_t n) { return std::to_string(n); };

std::string word(ValueView::Is is) {
    switch (is) {
    case ValueView::Is::text: return "text";
    case ValueView::Is::truth: return "truth";
    case ValueView::Is::list: return "list";
    case ValueView::Is::message: return "message";
    case ValueView::Is::bind: return "bind";
    case ValueView::Is::ref: return "ref";
    case ValueView::Is::any: return "any";
    case ValueView::Is::printed: return "printed";
    }
    return "";
}

template <SuiteEvent::Kind kind>
std::string is_step(const Thing& t) {
    return flag(t.step->kind == kind);
}

constexpr auto suite = ThingKind::suite, test = ThingKind::test, target = ThingKind::target, step = ThingKind::step,
               field = ThingKind::field, part = ThingKind::part;
using Kind = SuiteEvent::Kind;

std::string number(const Thing& t) { return std::to_string(t.number); }
std::string first(const Thing& t) { return flag(t.number == 1); }
std::string last(const Thing& t) { return flag(t.number == t.count); }
std::string field_name(const Thing& t) { return t.field->name; }
std::string field_type(const Thing& t) { return std::string(word_of(t.field->value.type)); }
std::string field_is(const Thing& t) { return word(t.field->value.is); }
std::string field_text(const Thing& t) { return t.field->value.text; }
std::string field_datum(const Thing& t) { return t.field->value.datum; }
std::string field_within(const Thing& t) { return t.field->value.within; }
std::string field_not(const Thing& t) { return joined(t.field->value.differs_from, as_is); }

constexpr ThingField fields[] = {
    {suite, "model", [](const Thing& t) { return t.suite->suite().model; }},
    {suite, "depth", [](const Thing& t) { return depth_text(t.suite->suite().depth); }},
    {suite, "seed", [](const Thing& t) { return std::to_string(t.suite->suite().seed); }},
    {suite, "complete", [](const Thing& t) { return flag(t.suite->suite().complete); }},
    {suite, "test_count", [](const Thing& t) { return std::to_string(t.suite->test_count()); }},
    {suite, "target_count", [](const Thing& t) { return std::to_string(t.suite->targets().size()); }},
    {test, "id", [](const Thing& t) { return t.test->id; }},
    {test, "identifier", [](const Thing& t) { return *t.identifier; }},
    {test, "signature", [](const Thing& t) { return t.test->signature; }},
    {test, "end", [](const Thing& t) { return std::string(t.test->open_end ? "open" : ""); }},
    {test, "error", [](const Thing& t) { return t.test->error; }},
    {test, "error_at", [](const Thing& t) { return t.test->error_at; }},
    {test, "step_count", [](const Thing& t) { return std::to_string(t.test->steps.size()); }},
    {test, "number", number},
    {test, "first", first},
    {test, "last", last},
    {target, "id", [](const Thing& t) { return t.target->id; }},
    {target, "criterion", [](const Thing& t) { return t.target->criterion; }},
    {target, "status", [](const Thing& t) { return t.target->status; }},
    {target, "proof", [](const Thing& t) { return t.target->proof; }},
    {target, "test", [](const Thing& t) { return t.target->test; }},
    {target, "at", [](const Thing& t) { return t.target->at; }},
    {target, "text", [](const Thing& t) { return t.target->text; }},
    {target, "number", number},
    {target, "first", first},
    {target, "last", last},
    {step, "kind", [](const Thing& t) { return std::string(kind_word(t.step->kind)); }},
    {step, "input", is_step<Kind::input>},
    {step, "output", is_step<Kind::output>},
    {step, "wait", is_step<Kind::wait>},
    {step, "choice", is_step<Kind::choice>},
    {step, "schedule", is_step<Kind::schedule>},
    {step, "port", [](const Thing& t) { return t.step->port; }},
    {step, "message", [](const Thing& t) { return t.step->message; }},
    {step, "bare", [](const Thing& t) { return flag(t.step->bare); }},
    {step, "datum", [](const Thing& t) { return t.step->datum; }},
    {step, "units", [](const Thing& t) { return t.step->kind == Kind::wait ? t.step->units.text() : ""; }},
    {step, "taken",
     [](const Thing& t) {
         return t.step->kind == Kind::choice || t.step->kind == Kind::schedule ? std::to_string(t.step->taken) : "";
     }},
    {step, "of",
     [](const Thing& t) { return t.step->of ? std::to_string(*t.step->of) : joined(t.step->threads, as_number); }},
    {step, "number", number},
    {step, "first", first},
    {step, "last", last},
    {field, "name", field_name},
    {field, "type", field_type},
    {field, "is", field_is},
    {field, "text", field_text},
    {field, "datum", field_datum},
    {field, "within", field_within},
    {field, "not", field_not},
    {field, "number", number},
    {field, "first", first},
    {field, "last", last},
    {part, "name", field_name},
    {part, "type", field_type},
    {part, "is", field_is},
    {part, "text", field_text},
    {part, "datum", field_datum},
    {part, "within", field_within},
    {part, "not", field_not},
    {part, "number", number},
    {part, "first", first},
    {part, "last", last},
};

constexpr ThingList lists[] = {
    {suite, "tests", test},  {suite, "targets", target}, {test, "steps", step}, {test, "covers", target},
    {step, "fields", field}, {field, "parts", part},     {part, "parts", part},
};

constexpr TemplateFilter filters[] = {
    {"xml", xml_attribute},    {"json", json_string},      {"c", c_string},
    {"python", python_string}, {"csv", csv_string},        {"markdown", markdown_text},
    {"ttcn3", ttcn3_string},   {"identifier", identifier}, {"line", printable},
};

template <typename Table>
std::string names_of(const Table& table, ThingKind of) {
    std::string out;
    for (const auto& entry : table)
        if (entry.of == of) out += (out.empty() ? "" : ", ") + std::string(entry.name);
    return out;
}

} // namespace

std::string_view kind_name(ThingKind kind) {
    switch (kind) {
    case ThingKind::suite: return "suite";
    case ThingKind::test: return "test";
    case ThingKind::target: return "target";
    case ThingKind::step: return "step";
    case ThingKind::field: return "field";
    case ThingKind::part: return "part";
    }
    return "";
}

const ThingField* find_field(ThingKind of, std::string_view name) {
    for (const ThingField& f : fields)
        if (f.of == of && f.name == name) return &f;
    return nullptr;
}

const ThingList* find_list(ThingKind of, std::string_view name) {
    for (const ThingList& l : lists)
        if (l.of == of && l.name == name) return &l;
    return nullptr;
}

std::string field_names(ThingKind of) { return names_of(fields, of); }
std::string list_names(ThingKind of) { return names_of(lists, of); }

const TemplateFilter* find_filter(std::string_view name) {
    for (const TemplateFilter& f : filters)
        if (f.name == name) return &f;
    return nullptr;
}

std::string filter_names() {
    std::string out;
    for (const TemplateFilter& f : filters) out += (out.empty() ? "" : ", ") + std::string(f.name);
    return out;
}

} // namespace espalier
