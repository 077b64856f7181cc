#include "testgen/suite/values.hpp"

#include <algorithm>
#include <charconv>

#include "testgen/suite/fresh_names.hpp"
#include "testgen/suite/spelling.hpp"

namespace espalier {

namespace {

constexpr uint32_t first_own_number = 1'000'000'000; // of fresh values whose names are not "x<number>"

} // namespace

SuiteValues::SuiteValues(const Program& program, Heap& heap, SuiteElements& elements)
    : program_(program), heap_(heap), elements_(elements) {
    for (uint32_t p = 0; p < program.ports.size(); ++p) ports_.emplace(name_of(program.ports[p].name), PortId{p});
    for (uint32_t m = 0; m < program.messages.size(); ++m)
        messages_.emplace(name_of(program.messages[m].name), MessageId{m});
    for (uint32_t t = 0; t < program.types.size(); ++t) types_.emplace(type_word(program.types[t]), TypeId{t});
}

void SuiteValues::begin_test() {
    numbers_.clear();
    names_.clear();
    ranges_.clear();
}

const SuiteValues::Field& SuiteValues::fields_of(MessageId id) {
    auto [it, added] = fields_.try_emplace(id);
    if (added) {
        const auto& fields = program_.messages[index(id)].fields;
        for (uint32_t i = 0; i < fields.size(); ++i) it->second.emplace(name_of(fields[i].name), i);
    }
    return it->second;
}

bool SuiteValues::read(const XmlElement& e, SuiteEvent& event) {
    if (!elements_.attributes_are(e, {"port", "message"}, {}) || !elements_.no_text(e)) return false;
    input_ = event.kind == SuiteEvent::Kind::input;
    depth_ = 0;
    place_.clear();
    uses_.clear();
    binds_.clear();
    refs_.clear();
    const std::string port = elements_.value(e, "port"), name = elements_.value(e, "message");
    const auto on = ports_.find(port);
    if (on == ports_.end()) {
        elements_.error(elements_.find(e, "port")->value_at, "the model has no port " + shown(port));
        return false;
    }
    event.port = on->second;
    const PortDef& def = program_.ports[index(event.port)];
    const bool carries_bare = input_ ? def.bare_in : def.bare_out;
    std::optional<Value> value;
    if (carries_bare && name == "value") {
        value = bare(e, event);
    } else {
        const Span at = elements_.find(e, "message")->value_at;
        const auto sent = messages_.find(name);
        if (sent == messages_.end()) {
            elements_.error(at, "the model has no message " + shown(name));
            return false;
        }
        const auto& carried = input_ ? def.in : def.out;
        if (!(input_ && carries_bare) && std::find(carried.begin(), carried.end(), sent->second) == carried.end()) {
            elements_.error(at,
                            "the port " + shown(port) + " does not carry " + shown(name) + (input_ ? " in" : " out"));
            return false;
        }
        value = message(e, sent->second);
    }
    if (!value) return false;
    event.value = *value;
    event.fresh = std::move(uses_);
    return true;
}

// A message called `value` with one field of that name. Only an output may be something that cannot be spelt.
std::optional<Value> SuiteValues::bare(const XmlElement& e, SuiteEvent& event) {
    const XmlElement* field = elements_.first_child(e);
    if (field == nullptr) return fail(e.at, "a bare value stands in one field, `value`");
    if (field->name != "field") {
        elements_.unknown(*field, e.name);
        return std::nullopt;
    }
    if (const XmlElement* more = elements_.next(*field))
        return fail(more->at, "a bare value stands in one field, `value`");
    if (elements_.value(*field, "name") != "value")
        return fail(field->at, "the field of a bare value is called `value`");
    if (!input_ && elements_.value(*field, "type") == "other") {
        if (!elements_.attributes_are(*field, {"name", "type"}, {"escaped"})) return std::nullopt;
        const bool escaped = elements_.boolean(*field, "escaped").value_or(false);
        const auto plain = escaped ? unescape(field->text) : std::optional(std::string(field->text));
        if (!plain)
            return fail(field->at, "a backslash in escaped text begins `\\xHEX;`, with the number of a character");
        if (plain->empty()) return fail(field->at, "a value of type `other` is what the model would print");
        event.printed = *plain;
        return Value::unspecified();
    }
    return content(*field, std::nullopt);
}

// `e` is an input, an output or a `message`; its children are the fields, in any order.
std::optional<Value> SuiteValues::message(const XmlElement& e, MessageId id) {
    const MessageDef& def = program_.messages[index(id)];
    const Field& known = fields_of(id);
    std::vector<std::optional<Value>> values(def.fields.size());
    std::vector<bool> seen(def.fields.size(), false);
    const size_t before = elements_.errors();
    for (const XmlElement* f = elements_.first_child(e); f != nullptr && !elements_.full(); f = elements_.next(*f)) {
        if (f->name != "field") {
            elements_.unknown(*f, e.name);
            continue;
        }
        const XmlAttribute* name = elements_.find(*f, "name");
        if (name == nullptr) {
            fail(f->at, "`field` needs the attribute `name`");
            continue;
        }
        const auto found = known.find(from_attribute_text(name->value));
        if (found == known.end()) {
            fail(name->value_at, shown(name_of(def.name)) + " has no field " + shown(from_attribute_text(name->value)));
            continue;
        }
        if (seen[found->second]) {
            fail(name->value_at, "the field " + shown(found->first) + " is given twice");
            continue;
        }
        seen[found->second] = true;
        place_.push_back(found->second);
        values[found->second] = content(*f, def.fields[found->second].type);
        place_.pop_back();
    }
    for (size_t i = 0; i < values.size() && !elements_.full(); ++i) {
        if (!seen[i])
            fail(e.at,
                 "the field " + shown(name_of(def.fields[i].name)) + " of " + shown(name_of(def.name)) + " is missing");
    }
    if (elements_.errors() > before) return std::nullopt;
    Message* m = heap_.message(id, values.size());
    for (size_t i = 0; i < values.size(); ++i) {
        if (!values[i]) return std::nullopt; // the limit of errors was reached before this one
        m->fields[i] = *values[i];
    }
    return Value::object(m);
}

// Of a field or item: a value in words, or one of the ways to speak of values that the system chooses.
std::optional<Value> SuiteValues::content(const XmlElement& e, std::optional<TypeId> type) {
    const bool field = e.name == "field";
    if (field ? !elements_.attributes_are(e, {"name", "type"}, {"escaped", "bind", "within", "ref", "not", "any"})
              : !elements_.attributes_are(e, {"type"}, {"escaped", "bind", "within", "ref", "not", "any"}))
        return std::nullopt;
    const XmlAttribute& word = *elements_.find(e, "type");
    const std::string_view given = without_blanks(word.value);
    if (type && given != word_of(type_word(program_.types[index(*type)])))
        return fail(word.value_at, "the type is " + shown(word_of(type_word(program_.types[index(*type)]))) + ", not " +
                                       shown(given) + ": the model says " + to_text(program_, *type));
    const auto spoken = elements_.spoken_of(e, input_);
    if (!spoken) return std::nullopt;
    if (spoken->any) return Value::any();
    if (spoken->other != nullptr && !differs(e, *spoken->other)) return std::nullopt;
    if (spoken->bind != nullptr) return fresh(e, *spoken->bind, true, type);
    if (spoken->ref != nullptr) return fresh(e, *spoken->ref, false, type);
    auto value = spelt(e, given, type);
    if (value && type && !belongs(program_, *type, *value))
        return fail(e.at,
                    to_text(&program_, *value, Style::write, 200) + " is not of type " + to_text(program_, *type));
    return value;
}

std::optional<Value> SuiteValues::spelt(const XmlElement& e, std::string_view given, std::optional<TypeId> type) {
    const auto word = value_of<ValueWord>(given);
    if (depth_ >= deepest_spelt) return fail(e.at, "the value is nested too deeply");
    ++depth_;
    std::optional<Value> value;
    if (word == ValueWord::message) {
        value = nested_message(e, type);
    } else if (word == ValueWord::list) {
        value = list(e, type);
    } else if (const XmlElement* child = elements_.first_child(e)) {
        fail(child->at, "a value of type " + shown(given) + " is text");
    } else {
        value = text(e, given, type);
    }
    --depth_;
    return value;
}

std::optional<Value> SuiteValues::nested_message(const XmlElement& e, std::optional<TypeId> type) {
    const XmlElement* inside = elements_.first_child(e);
    if (!elements_.no_text(e)) return std::nullopt;
    if (inside == nullptr || inside->name != "message" || elements_.next(*inside) != nullptr)
        return fail(e.at, "a value of type `message` is one element `message`");
    if (!elements_.attributes_are(*inside, {"name"}, {}) || !elements_.no_text(*inside)) return std::nullopt;
    const std::string name = elements_.value(*inside, "name");
    const Span at = elements_.find(*inside, "name")->value_at;
    const auto found = messages_.find(name);
    if (found == messages_.end()) return fail(at, "the model has no message " + shown(name));
    if (type) {
        const auto& allowed = std::get<type::OneOf>(program_.types[index(*type)].kind).messages;
        if (std::find(allowed.begin(), allowed.end(), found->second) == allowed.end())
            return fail(at, shown(name) + " is not of type " + to_text(program_, *type));
    }
    return message(*inside, found->second);
}

std::optional<Value> SuiteValues::list(const XmlElement& e, std::optional<TypeId> type) {
    if (!elements_.no_text(e)) return std::nullopt;
    std::optional<TypeId> element;
    uint32_t most = UINT32_MAX;
    if (type) {
        const auto& of = std::get<type::ListOf>(program_.types[index(*type)].kind);
        element = of.element;
        most = of.max;
    }
    std::vector<Value> items;
    const size_t before = elements_.errors();
    uint32_t number = 0;
    for (const XmlElement* i = elements_.first_child(e); i != nullptr && !elements_.full(); i = elements_.next(*i)) {
        if (i->name != "item") {
            elements_.unknown(*i, "a value of type list");
            continue;
        }
        if (number >= most) return fail(i->at, "a list of type " + to_text(program_, *type) + " has no more items");
        place_.push_back(number++);
        if (const auto value = content(*i, element)) items.push_back(*value);
        place_.pop_back();
    }
    if (elements_.errors() > before || items.size() != number) return std::nullopt;
    return heap_.list(items);
}

std::optional<Value> SuiteValues::text(const XmlElement& e, std::string_view given, std::optional<TypeId> type) {
    const auto word = value_of<ValueWord>(given);
    std::string unescaped;
    std::string_view raw = e.text;
    if (elements_.boolean(e, "escaped").value_or(false)) {
        auto plain = unescape(raw);
        if (!plain) return fail(e.at, "a backslash in escaped text begins `\\xHEX;`, with the number of a character");
        unescaped = std::move(*plain);
        raw = unescaped;
    }
    if (word == ValueWord::string) return heap_.string(raw);
    const std::string_view trimmed = without_blanks(raw);
    if (word == ValueWord::integer) {
        const auto number = number::parse(heap_, trimmed, 10);
        if (!number) return fail(e.at, shown(trimmed) + " is not a number");
        return number;
    }
    if (word == ValueWord::boolean) {
        if (trimmed == "#t" || trimmed == "true") return Value::boolean(true);
        if (trimmed == "#f" || trimmed == "false") return Value::boolean(false);
        return fail(e.at, shown(trimmed) + " is not a boolean: #t or #f");
    }
    if (word == ValueWord::bytes) {
        const auto bytes = from_hex(trimmed);
        if (!bytes) return fail(e.at, shown(trimmed) + " are not bytes: two hexadecimal digits for each");
        return heap_.bytevector(*bytes);
    }
    if (word == ValueWord::enumeration) return datum(e, trimmed, type);
    return fail(elements_.find(e, "type")->value_at,
                "there is no type " + shown(given) + " of a value that is spelt out");
}

// An enum's values are data: symbols, numbers, strings in quotes. Those of a declared enum are looked up as they print.
std::optional<Value> SuiteValues::datum(const XmlElement& e, std::string_view text, std::optional<TypeId> type) {
    if (type) {
        auto [it, added] = enums_.try_emplace(*type);
        if (added) {
            for (const Value v : std::get<type::Enum>(program_.types[index(*type)].kind).values)
                it->second.emplace(without_blanks(to_text(program_, v)), v);
        }
        const auto found = it->second.find(std::string(text));
        if (found != it->second.end()) return found->second;
        return fail(e.at, shown(text) + " is not of type " + to_text(program_, *type));
    }
    Sources sources;
    Data data;
    Diagnostics problems;
    const auto read = read_data(sources, sources.add("value", std::string(text)), data, problems);
    const bool one = read.size() == 1 && !problems.has_errors();
    if (one && data.is(read[0], DatumKind::symbol)) return Value::symbol(data.symbol(read[0]));
    if (one && data.is(read[0], DatumKind::character)) return Value::character(static_cast<char32_t>(data[read[0]].a));
    return fail(e.at, shown(text) + " is not a symbol or character");
}

// "x<number>" is what suites that are generated say; other names get numbers of their own.
uint32_t SuiteValues::number_of(std::string_view name) {
    const auto known = numbers_.find(name);
    if (known != numbers_.end()) return known->second;
    uint32_t number = 0;
    constexpr size_t most_digits = 9;
    bool plain = name.size() > 1 && name.size() <= 1 + most_digits && name[0] == 'x' && name[1] != '0';
    if (plain) {
        const auto [end, problem] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
        plain = problem == std::errc() && end == name.data() + name.size();
    }
    if (!plain) {
        number = first_own_number + static_cast<uint32_t>(names_.size());
        names_.emplace(number, name);
    }
    numbers_.emplace(name, number);
    return number;
}

std::string SuiteValues::name(uint32_t number) const { return fresh_name(number, names_); }

std::optional<Value> SuiteValues::fresh(const XmlElement& e, const XmlAttribute& name, bool binds,
                                        std::optional<TypeId> type) {
    const std::string_view called = without_blanks(name.value);
    if (!is_ncname(called)) return fail(name.value_at, shown(called) + " is not a name");
    const uint32_t number = number_of(called);
    (binds ? binds_ : refs_).push_back(number);
    if (binds && elements_.find(e, "within") != nullptr) ranges_.emplace(number, elements_.value(e, "within"));
    // A bare value has no declared type: then it is of the first declared one that its word names, if there is any.
    const auto word = value_of<ValueWord>(without_blanks(elements_.find(e, "type")->value));
    const auto likely = word ? types_.find(*word) : types_.end();
    auto* made = static_cast<Fresh*>(heap_.allocate(ObjectType::fresh, sizeof(Fresh), number));
    made->of = type ? *type : likely != types_.end() ? likely->second : TypeId{UINT32_MAX};
    made->distinct_from_all = 1;
    made->differs_from = Value::null();
    made->told_apart = nullptr;
    return Value::object(made);
}

bool SuiteValues::differs(const XmlElement& e, const XmlAttribute& names) {
    std::string_view rest = without_blanks(names.value);
    if (rest.empty()) {
        elements_.error(e.at, "`not` names one or more values that outputs have bound");
        return false;
    }
    while (!rest.empty()) {
        const size_t end = std::min(rest.find_first_of(" \t\n\r"), rest.size());
        const std::string_view called = rest.substr(0, end);
        if (!is_ncname(called)) {
            elements_.error(names.value_at, shown(called) + " is not a name");
            return false;
        }
        if (const XmlAttribute* bind = elements_.find(e, "bind");
            bind != nullptr && without_blanks(bind->value) == called) {
            elements_.error(names.value_at, shown(called) + " cannot differ from itself");
            return false;
        }
        const uint32_t number = number_of(called);
        refs_.push_back(number);
        uses_.push_back({place_, number, false});
        rest = without_blanks(rest.substr(end));
    }
    return true;
}

} // namespace espalier
