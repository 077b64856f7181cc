// A state with its data veiled: each number, boolean and symbol that can still be read is a variable.
//
// The machine runs a veiled state as it runs any other one. So the conditions under which the run goes one way or the
// other come out as terms over the data of the state, with the meaning that the machine gives to each operation. What
// is not data in this sense stays as it is: control, which objects there are and how they hang together, texts, times.
#pragma once

#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "symexec/prune/portrait.hpp"

namespace espalier::sym {

// The variables of data by sort. They are numbered from 0, and the same in every state.
class DataVariables {
public:
    explicit DataVariables(Terms& terms);
    Value variable(uint32_t number, Sort sort) { return terms_.variable(number, domains_[static_cast<size_t>(sort)]); }

private:
    Terms& terms_;
    std::vector<DomainId> domains_; // by sort
};

struct Veiled {
    State state;                  // without path and records
    std::vector<Value> content;   // of each variable, by its number
    std::vector<Value> variables; // by number
};

class Veiler {
public:
    Veiler(const Program& program, const Code& code, Terms& terms, Heap& heap, DataVariables& variables)
        : program_(program), terms_(terms), heap_(heap), live_(program, code), variables_(variables) {}
    // Of a state whose outline has nothing else in it. Variables are numbered as data in the outline, as far as both
    // meet them in the same order.
    Veiled veil(const State& state);

private:
    void thread(Thread& thread);
    void veil_contents();
    Value veiled(Value v);
    Value unopened(Value lazy);
    Value copy_of(Value v);
    void fill(Value original, Value copy);
    void cells(uint32_t address);
    void set(uint32_t cell) { result_.state.store.set(cell, veiled(result_.state.store.get(cell))); }
    Value list(Value list, bool is_reversed);

    static constexpr uint32_t first_unopened = 1 << 28; // ordinals that no variable has
    const Program& program_;
    Terms& terms_;
    Heap& heap_;
    LiveSlots live_;
    DataVariables& variables_;
    Veiled result_;
    std::unordered_map<uint64_t, Value> copies_;  // of what was met; an address is its own
    std::deque<std::pair<Value, Value>> waiting_; // met, and its copy, whose contents are not veiled yet
};

} // namespace espalier::sym
