// How a test speaks of the values that the system chooses. The rules are here, once for all that write tests down:
//
//   - The first output that has such a value binds its name, and says what the system may choose. Whatever comes later
//     refers to the name.
//   - An output that binds a name says which values with names it must differ from. An input does so for each part that
//     is no such value itself, since a value that is sent back says it all.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "testgen/suite/suite.hpp"

namespace espalier {

// The name that the test gives to a fresh value: its own, or one made of the number.
std::string fresh_name(uint32_t number, const std::map<uint32_t, std::string>& own = {});

// One test, told from its first event to its last.
class FreshNames {
public:
    explicit FreshNames(const SuiteTest& test) : test_(test) {}

    void begin(const SuiteEvent& exchange); // an input or output

    // A part of the exchange is being told: a field, or an item of a list.
    class Part {
    public:
        Part(FreshNames& names, uint32_t number) : names_(names) { names_.place_.push_back(number); }
        ~Part() { names_.place_.pop_back(); }
        Part(const Part&) = delete;
        Part& operator=(const Part&) = delete;

    private:
        FreshNames& names_;
    };

    struct Said {
        bool binds = false; // or else refers
        std::string name;
        std::string within; // binds: what the system may choose; empty: anything of its type
        std::vector<std::string> differs_from;
    };
    Said say(uint32_t number); // a fresh value, in the current part
    // Of a current part that is no fresh value: the names that it must differ from.
    std::vector<std::string> differs_from() const;

private:
    std::string name(uint32_t number) const { return fresh_name(number, test_.fresh_names); }

    const SuiteTest& test_;
    std::set<uint32_t> bound_; // that one of the test's outputs has bound
    const SuiteEvent* exchange_ = nullptr;
    std::vector<uint32_t> place_; // of the current part
};

// Is it told as a bare value? A message called `value`, on a port for bare values, would read as one of those.
bool is_bare(const Program& program, const SuiteEvent& exchange);

} // namespace espalier
