#include "testgen/replay/match_outputs.hpp"

#include "testgen/suite/copy_value.hpp"
#include "testgen/suite/fresh_names.hpp"

namespace espalier {

namespace {

constexpr size_t longest_value = 1000; // of a value that is shown, in bytes
constexpr size_t most_differences = 5; // of one output

bool is_fresh(Value v) { return is_type(v, ObjectType::fresh); }

// With a name for each fresh value.
std::string text_of(const Program& program, Value v, const std::function<std::string(uint32_t)>& name) {
    if (v == Value::any()) return "any value";
    Heap heap(Heap::Lifetime::immortal);
    const FreshValue named = [&](uint32_t number) { return Value::symbol(intern(name(number))); };
    return to_text(&program, copy_value(heap, v, named), Style::write, longest_value);
}

std::string text_of(const Program& program, const SuiteEvent& e, const std::string& value) {
    switch (e.kind) {
    case SuiteEvent::Kind::wait: return "wait " + e.units.text();
    case SuiteEvent::Kind::choice:
        return "choice " + std::to_string(e.taken) +
               (e.alternatives == 0 ? "" : " of " + std::to_string(e.alternatives));
    case SuiteEvent::Kind::schedule: {
        std::string of;
        for (const uint32_t thread : e.ready) of += " " + std::to_string(thread);
        return "schedule turn " + std::to_string(e.taken) + " of the threads" + of;
    }
    case SuiteEvent::Kind::input:
    case SuiteEvent::Kind::output: break;
    }
    return std::string(e.kind == SuiteEvent::Kind::input ? "input " : "output ") +
           std::string(name_of(program.ports[index(e.port)].name)) + " " + (e.printed.empty() ? value : e.printed);
}

} // namespace

// Both values side by side. Expected values come out of a suite, so their depth is bounded, and so is this recursion.
struct OutputMatcher::Walk {
    OutputMatcher& of;
    std::vector<uint32_t> bound{}; // on the way
    std::vector<ValueDifference> found{};
    size_t count = 0;

    void differ(const std::string& place, Value expected, Value actual) {
        ++count;
        if (found.size() < most_differences)
            found.push_back({place, of.expected_text(expected), of.found_text(actual)});
    }

    void fresh(const std::string& place, Value expected, Value actual) {
        if (!is_fresh(actual)) return differ(place, expected, actual);
        const uint32_t ours = expected.as_object()->count, theirs = actual.as_object()->count;
        FreshBindings& bindings = of.bindings_;
        const auto known = bindings.actual.find(ours);
        const auto other = bindings.expected.find(theirs);
        if (known == bindings.actual.end() && other == bindings.expected.end()) {
            bindings.actual.emplace(ours, theirs);
            bindings.expected.emplace(theirs, ours);
            bound.push_back(ours);
        } else if (known == bindings.actual.end() || known->second != theirs) {
            ++count;
            if (found.size() >= most_differences) return;
            found.push_back({place, of.name(ours), of.found_text(actual)});
        }
    }

    void compare(const std::string& place, Value expected, Value actual) {
        if (expected == Value::any()) return;
        if (is_fresh(expected)) return fresh(place, expected, actual);
        if (is_type(expected, ObjectType::message)) {
            if (!is_type(actual, ObjectType::message) || as_message(actual).message != as_message(expected).message)
                return differ(place, expected, actual);
            const MessageDef& def = of.program_.messages[index(as_message(expected).message)];
            for (uint32_t i = 0; i < def.fields.size(); ++i) {
                std::string inner = place.empty() ? std::string() : place + ".";
                inner += name_of(def.fields[i].name);
                compare(inner, as_message(expected).fields[i], as_message(actual).fields[i]);
            }
        } else if (is_pair(expected)) {
            lists(place, expected, actual);
        } else if (is_fresh(actual) || !equal(expected, actual)) {
            differ(place, expected, actual);
        }
    }

    void lists(const std::string& place, Value expected, Value actual) {
        Value e = expected, a = actual;
        for (; is_pair(e) && is_pair(a); e = as_pair(e).cdr) a = as_pair(a).cdr;
        if (!e.is_null() || !a.is_null()) return differ(place, expected, actual);
        a = actual;
        uint32_t i = 0;
        for (e = expected; is_pair(e); e = as_pair(e).cdr, a = as_pair(a).cdr) {
            std::string item = place;
            item.append("[").append(std::to_string(i++)).append("]");
            compare(item, as_pair(e).car, as_pair(a).car);
        }
    }

    void events(const SuiteEvent& expected, const SuiteEvent& actual) {
        if (expected.printed.empty() && actual.printed.empty()) {
            compare("", expected.value, actual.value);
        } else if (expected.printed != actual.printed &&
                   !(expected.printed.empty() && expected.value == Value::any())) {
            ++count;
            found.push_back({"", expected.printed.empty() ? of.expected_text(expected.value) : expected.printed,
                             actual.printed.empty() ? of.found_text(actual.value) : actual.printed});
        }
    }
};

void OutputMatcher::unbind(const std::vector<uint32_t>& expected) {
    for (const uint32_t number : expected) {
        bindings_.expected.erase(bindings_.actual.at(number));
        bindings_.actual.erase(number);
    }
}

bool OutputMatcher::matches(const SuiteEvent& expected, const SuiteEvent& found) {
    Walk walk{*this};
    walk.events(expected, found);
    if (walk.count > 0) unbind(walk.bound);
    return walk.count == 0;
}

bool OutputMatcher::would_match(const SuiteEvent& expected, const SuiteEvent& found) {
    Walk walk{*this};
    walk.events(expected, found);
    unbind(walk.bound);
    return walk.count == 0;
}

std::vector<ValueDifference> OutputMatcher::differences(const SuiteEvent& expected, const SuiteEvent& found) {
    Walk walk{*this};
    walk.events(expected, found);
    return std::move(walk.found);
}

std::string OutputMatcher::name(uint32_t number) const { return fresh_name(number, test_.fresh_names); }

// A value that has no name in the suite has a number only.
std::string OutputMatcher::found_name(uint32_t number) const {
    const auto known = bindings_.expected.find(number);
    return known == bindings_.expected.end() ? "fresh-" + std::to_string(number) : name(known->second);
}

std::string OutputMatcher::expected_text(Value v) const {
    if (test_.fresh_names.empty())
        return v == Value::any() ? "any value" : to_text(&program_, v, Style::write, longest_value);
    return text_of(program_, v, [&](uint32_t number) { return name(number); });
}

std::string OutputMatcher::found_text(Value v) const {
    return text_of(program_, v, [&](uint32_t number) { return found_name(number); });
}

std::string OutputMatcher::expected_text(const SuiteEvent& e) const {
    return text_of(program_, e, e.printed.empty() ? expected_text(e.value) : "");
}

std::string OutputMatcher::found_text(const SuiteEvent& e) const {
    return text_of(program_, e, e.printed.empty() ? found_text(e.value) : "");
}

} // namespace espalier
