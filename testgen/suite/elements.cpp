#include "testgen/suite/elements.hpp"

#include <algorithm>
#include <charconv>

#include "testgen/suite/spelling.hpp"

namespace espalier {

std::string_view without_blanks(std::string_view text) {
    const size_t begin = text.find_first_not_of(" \t\n\r");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\n\r") + 1 - begin);
}

bool is_ncname(std::string_view text) {
    const auto letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (static_cast<uint8_t>(c) & 0x80U) != 0;
    };
    const auto part = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; };
    return !text.empty() && letter(text[0]) && std::all_of(text.begin(), text.end(), part);
}

bool SuiteElements::attributes_are(const XmlElement& e, std::initializer_list<std::string_view> required,
                                   std::initializer_list<std::string_view> optional) {
    bool good = true;
    const auto among = [](std::initializer_list<std::string_view> names, std::string_view name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    for (const XmlAttribute& a : attributes(e)) {
        if (among(required, a.name) || among(optional, a.name)) continue;
        error(a.name_at, shown(e.name) + " has no attribute " + shown(a.name));
        good = false;
        if (full()) return false;
    }
    for (const std::string_view name : required) {
        if (find(e, name) != nullptr) continue;
        error(e.at, shown(e.name) + " needs the attribute " + shown(name));
        good = false;
    }
    return good;
}

bool SuiteElements::no_text(const XmlElement& e) {
    if (without_blanks(e.text).empty()) return true;
    error(e.at, shown(e.name) + " holds no text");
    return false;
}

bool SuiteElements::no_children(const XmlElement& e) {
    if (first_child(e) == nullptr) return no_text(e);
    error(first_child(e)->at, shown(e.name) + " holds no elements");
    return false;
}

bool SuiteElements::unknown(const XmlElement& e, std::string_view inside) {
    error(e.at, "there is no element " + shown(e.name) + " in " + shown(inside));
    return false;
}

std::string SuiteElements::value(const XmlElement& e, std::string_view name) const {
    const XmlAttribute* a = find(e, name);
    return a == nullptr ? std::string() : from_attribute_text(a->value);
}

std::optional<uint64_t> SuiteElements::number(const XmlElement& e, std::string_view name, uint64_t most) {
    const XmlAttribute* a = find(e, name);
    if (a == nullptr) return std::nullopt;
    const std::string_view text = without_blanks(a->value);
    uint64_t n = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (problem == std::errc() && end == text.data() + text.size() && n <= most) return n;
    error(a->value_at, shown(name) + " is a whole number from 0 to " + std::to_string(most));
    return std::nullopt;
}

std::string shown(std::string_view name) {
    constexpr size_t longest = 200;
    return "`" + std::string(name.substr(0, longest)) + (name.size() > longest ? "…`" : "`");
}

std::optional<bool> SuiteElements::boolean(const XmlElement& e, std::string_view name) {
    const XmlAttribute* a = find(e, name);
    if (a == nullptr) return std::nullopt;
    const std::string_view text = without_blanks(a->value);
    if (text == "true" || text == "1") return true;
    if (text == "false" || text == "0") return false;
    error(a->value_at, shown(name) + " is true or false");
    return std::nullopt;
}

std::optional<SpokenOf> SuiteElements::spoken_of(const XmlElement& e, bool input) {
    const auto wrong = [this](Span at, std::string text) {
        error(at, std::move(text));
        return std::nullopt;
    };
    SpokenOf found{find(e, "bind"), find(e, "ref"), find(e, "not"), boolean(e, "any").value_or(false), nullptr};
    const auto& [bind, ref, other, any, range] = found;
    if (bind != nullptr && input) return wrong(bind->name_at, "only an output binds a name; an input says `ref`");
    if (any && input) return wrong(e.at, "an input has a value; only in an output it may be any");
    if (other != nullptr && !input && bind == nullptr)
        return wrong(other->name_at, "only an input, or an output that binds a name, says which values it is not");
    const int ways = (bind != nullptr ? 1 : 0) + (ref != nullptr ? 1 : 0) + (any ? 1 : 0);
    if (ways > 1 || (ways == 1 && other != nullptr && bind == nullptr))
        return wrong(e.at, "only one of `bind`, `ref`, `not` and `any` can hold");
    if (ways == 1 && !no_children(e)) return std::nullopt;
    if (const XmlAttribute* within = find(e, "within")) {
        if (bind == nullptr) return wrong(within->name_at, "only beside `bind` a range is given");
        const auto parsed = ValueRange::parse(value(e, "within"));
        if (!parsed) return wrong(within->value_at, parsed.problem().text);
        found.within = *parsed;
        const std::string_view type = without_blanks(find(e, "type")->value);
        if (!found.within->is_of(value_of<ValueWord>(type)))
            return wrong(within->value_at,
                         "no value of type " + shown(type) + " is within " + shown(found.within->text()));
    }
    return found;
}

} // namespace espalier
