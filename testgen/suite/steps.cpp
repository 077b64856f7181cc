#include "testgen/suite/steps.hpp"

#include <charconv>

namespace espalier {

namespace {

constexpr std::string_view name_space = "urn:espalier:suite:1";

bool choice(SuiteElements& elements, const XmlElement& e, SuiteEvent& made) {
    made.kind = SuiteEvent::Kind::choice;
    if (!elements.attributes_are(e, {"taken"}, {"of"}) || !elements.no_children(e)) return false;
    const auto taken = elements.number(e, "taken", UINT32_MAX), of = elements.number(e, "of", UINT32_MAX);
    if (!taken) return false;
    if (of && *taken >= *of) {
        elements.error(elements.find(e, "taken")->value_at, "choices are counted from 0: of " + std::to_string(*of) +
                                                                " the last is " + std::to_string(*of - 1));
        return false;
    }
    made.taken = static_cast<uint32_t>(*taken);
    made.alternatives = static_cast<uint32_t>(of.value_or(0));
    return true;
}

bool schedule(SuiteElements& elements, const XmlElement& e, SuiteEvent& made) {
    made.kind = SuiteEvent::Kind::schedule;
    if (!elements.attributes_are(e, {"turn", "of"}, {}) || !elements.no_children(e)) return false;
    const auto turn = elements.number(e, "turn", UINT32_MAX);
    if (!turn) return false;
    made.taken = static_cast<uint32_t>(*turn);
    const XmlAttribute& of = *elements.find(e, "of");
    std::string_view rest = without_blanks(of.value);
    while (!rest.empty()) {
        uint32_t n = 0;
        const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), n);
        const auto length = static_cast<size_t>(end - rest.data());
        const bool parted = length == rest.size() || rest.find_first_of(" \t\n\r") == length;
        if (problem != std::errc() || !parted) {
            elements.error(of.value_at, "`of` lists the thread of each turn that was possible");
            return false;
        }
        made.ready.push_back(n);
        rest = without_blanks(rest.substr(length));
    }
    if (made.taken < made.ready.size()) return true;
    elements.error(elements.find(e, "turn")->value_at,
                   "turns are counted from 0, and `of` lists " + std::to_string(made.ready.size()));
    return false;
}

} // namespace

bool read_head(SuiteElements& elements, const XmlElement& root, Suite& suite) {
    if (root.name != "suite") {
        elements.error(root.at, "the root element of a suite is `suite`, this is " + shown(root.name));
        return false;
    }
    bool good = elements.no_text(root);
    const XmlAttribute* space = elements.find(root, "xmlns");
    if (space == nullptr || space->value != name_space) {
        elements.error(space == nullptr ? root.at : space->value_at,
                       "a suite is in the namespace xmlns=\"" + std::string(name_space) + "\"");
        good = false;
    }
    for (const XmlAttribute& a : elements.attributes(root)) {
        const bool known = a.name == "xmlns" || a.name == "model" || a.name == "depth" || a.name == "seed" ||
                           a.name == "complete" || a.name.starts_with("xmlns:") || a.name.starts_with("xsi:");
        if (known) continue;
        elements.error(a.name_at, "`suite` has no attribute " + shown(a.name));
        good = false;
        if (elements.full()) return false;
    }
    if (elements.find(root, "model") == nullptr) {
        elements.error(root.at, "`suite` needs the attribute `model`");
        good = false;
    }
    suite.model = elements.value(root, "model");
    if (const XmlAttribute* depth = elements.find(root, "depth");
        depth != nullptr && depth->value == depth_text(no_bound))
        suite.depth = no_bound;
    else
        suite.depth = static_cast<uint32_t>(elements.number(root, "depth", UINT32_MAX).value_or(0));
    suite.seed = elements.number(root, "seed", UINT64_MAX).value_or(0);
    suite.complete = elements.boolean(root, "complete").value_or(true);
    return good;
}

bool read_open_end(SuiteElements& elements, const XmlElement& test) {
    const XmlAttribute* end = elements.find(test, "end");
    if (end == nullptr) return false;
    if (end->value != "open")
        elements.error(end->value_at, "`end` is open, or not there");
    else if (elements.find(test, "error") != nullptr)
        elements.error(end->name_at, "a test that ends in a model error says nothing else of its end");
    return true;
}

bool read_step(SuiteElements& elements, const XmlElement& e, SuiteEvent& made) {
    if (e.name == "wait") {
        made.kind = SuiteEvent::Kind::wait;
        const bool good = elements.attributes_are(e, {"units"}, {}) && elements.no_children(e);
        if (!good) return false;
        const XmlAttribute& written = *elements.find(e, "units");
        const auto units = Units::parse(without_blanks(written.value));
        if (!units) elements.error(written.value_at, "`units` is a whole number, 0 or more");
        made.units = units.value_or(Units());
        return true;
    }
    if (e.name == "choice") return choice(elements, e, made);
    if (e.name == "schedule") return schedule(elements, e, made);
    return elements.unknown(e, "test");
}

} // namespace espalier
