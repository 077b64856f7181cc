// Is an output the one that a suite expects? Values must be equal. Where the suite leaves a value open (`any`), every
// value matches. A name that the suite gives to a value of the system's choice stands for one value throughout a test.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "testgen/suite/suite.hpp"

namespace espalier {

// The fresh values of the suite and those of the run, one to one.
struct FreshBindings {
    std::map<uint32_t, uint32_t> actual; // by the suite's number
    std::map<uint32_t, uint32_t> expected;
};

struct ValueDifference {
    std::string place; // "items[2].id"; empty: the whole value
    std::string expected, found;
};

class OutputMatcher {
public:
    OutputMatcher(const Program& program, const SuiteTest& test) : program_(program), test_(test) {}

    // Where it matches, names are bound. Else the bindings stay as they were. `would_match` never binds.
    bool matches(const SuiteEvent& expected, const SuiteEvent& found);
    bool would_match(const SuiteEvent& expected, const SuiteEvent& found);
    // The parts that differ, a few of them; names that can be bound all the same are bound, so that one difference does
    // not bring others.
    std::vector<ValueDifference> differences(const SuiteEvent& expected, const SuiteEvent& found);

    const FreshBindings& bindings() const { return bindings_; }
    std::string name(uint32_t number) const; // that the suite gives to a fresh value
    // "output port value", with fresh values by the names that the suite gives them.
    std::string expected_text(const SuiteEvent& event) const;
    std::string found_text(const SuiteEvent& event) const; // of an event of the run

private:
    struct Walk;
    std::string found_name(uint32_t number) const;
    std::string expected_text(Value v) const;
    std::string found_text(Value v) const;
    void unbind(const std::vector<uint32_t>& expected);
    const Program& program_;
    const SuiteTest& test_;
    FreshBindings bindings_;
};

} // namespace espalier
