// What a stable state is, apart from the names in it: two states with the same portrait go on alike, as far as their
// path conditions let them.
//
// Threads, frames, the store and the objects in the heap are written down from the roots on, in one order; inputs,
// addresses, objects and fresh values get numbers as they are met. Only what can still be read is looked at: slots of
// frames that a later block reads, cells that can be reached. Times are those that are left. So the same portrait means
// that one renaming maps one state onto the other, and sharing (eq?) is part of it.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "symexec/prune/numbering.hpp"
#include "symexec/state/live_slots.hpp"
#include "symexec/state/state.hpp"

namespace espalier::sym {

// The sort of a value that an outline leaves open; nothing where it does not.
std::optional<Sort> sort_of_datum(const Terms& terms, Value v);

// Else the state is in the middle of something that a portrait does not show.
inline bool is_at_rest(const State& s) {
    return s.verified && s.to_ask.empty() && s.interrupted.empty() && s.held.empty() && !s.delivering;
}

struct Portrait {
    std::vector<uint64_t> words;
    std::vector<uint32_t> inputs; // ordinals, by their number in the portrait
};

// A portrait with plain data left open: numbers, booleans and symbols are mentioned by their sort alone.
struct Outline {
    std::vector<uint64_t> words;
    std::vector<Value> data; // what was left open, constants and terms, as they are met
    bool has_others = false; // something in the state has no place in an outline: see Portraitist::outline
};

class Portraitist {
public:
    Portraitist(const Program& program, const Code& code, Terms& terms)
        : program_(program), terms_(terms), live_(program, code), code_(code) {}

    // A cheap look first: states whose control or whose plain global values differ have different ones.
    uint64_t fingerprint(const State& state);
    Portrait portray(const State& state);
    // Also of a state between two stable ones. Fresh values, and inputs that were compared with some, depend on more
    // than a run from here sees: an outline only says that there are such.
    Outline outline(const State& state);
    // What the author calls its data, by their numbers.
    std::vector<std::string> names_of_data(const State& state);
    // A condition over inputs, in the numbers of a portrait; others get the numbers after those, as they are met.
    Value renamed(Value condition, std::unordered_map<uint32_t, uint32_t>& numbers);

private:
    void begin(const State& state);
    void thread(const Thread& thread);
    void trial(const Thread& thread, bool is_running);
    void middle(const State& state);
    void roots(const State& state);
    void value(Value v);
    void as_it_is(Value v); // also in an outline
    void datum(Value v, Sort sort);
    void symbolic(Value v);
    void object(Value v);
    void contents(Value v);
    void cells(Value address);
    void table(uint32_t address);
    void text(Value v);
    Value time_left(const State& state, Value deadline) const;
    void time(Value deadline); // how far away it is
    void fresh_facts();
    void put(uint64_t word) { portrait_.words.push_back(word); }
    void later(Value v);
    std::string part(std::string_view of) const { return called_ + "." + std::string(of); }
    std::string name_of_slot(LambdaId lambda, uint32_t slot) const;
    // A value that is called so; the name is only made where names are asked for.
    template <typename Name>
    void named(const Name& name, Value v) {
        if (names_ == nullptr) return value(v);
        const std::string before = std::exchange(called_, name());
        value(v);
        called_ = before;
    }
    uint32_t number_of_input(uint32_t ordinal);

    const Program& program_;
    Terms& terms_;
    LiveSlots live_;
    const Code& code_;
    const State* state_ = nullptr;
    Portrait portrait_;
    Outline outline_; // what is not in `portrait_`
    bool leaves_data_open_ = false;
    Numbering things_;
    std::unordered_map<uint32_t, uint32_t> inputs_; // ordinal → number
    // Conditions on one input, renamed: by the condition and the input's new number. Most of a path's conditions are of
    // this kind, and the same ones come back in most states.
    std::unordered_map<uint64_t, Value> renamed_;
    std::vector<Value> waiting_;                // met, and not written down yet
    std::vector<std::string>* names_ = nullptr; // of data, where they are asked for
    std::string called_;                        // what is written down
    std::vector<std::string> names_of_waiting_; // by number
    std::vector<Value> fresh_;                  // met
};

} // namespace espalier::sym
