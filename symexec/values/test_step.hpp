// What the tester does, step by step, and the model errors that a path comes to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "symexec/state/signature.hpp"

namespace espalier {

// An input field that the model compared with a fresh value: the tester sends that value, or one that differs from it.
struct FreshUse {
    std::vector<uint32_t> place; // numbers of fields and list items, outside in; empty for a bare value
    uint32_t fresh = 0;          // its number: binding name "x<number>"
    bool equal = false;
};

struct TestStep {
    enum class Kind : uint8_t { input, wait, choice, schedule } kind = Kind::input;
    PortId port{};                 // input
    Value value{};                 // input: a message, or a bare value
    std::vector<FreshUse> fresh{}; // input
    Units units{};                 // wait: until the earliest deadline, so many units away
    Choice choice{};               // of the environment, at a (choose …); of the scheduler, among turns
};

} // namespace espalier
