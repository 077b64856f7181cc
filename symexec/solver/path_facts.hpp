// What a path says of each variable by itself: bounds, exclusions, and what it is equal to.
//
// Facts grow with the path and shrink when the search turns to another one: questions about one path mostly share
// their beginning, so only the conditions that are new are looked at. Each condition notes what it changed, and
// leaving it undoes that.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "symexec/terms/term.hpp"

namespace espalier::sym {

// Of an integer; nothing where there is no bound, or none of a moderate size.
struct Range {
    std::optional<int64_t> low, high;
};

class PathFacts {
public:
    static constexpr int64_t far = int64_t{1} << 55; // beyond is unbounded, so that sums of two stay in range
    static bool is_moderate(Value v) { return v.is_fixnum() && v.as_fixnum() > -far && v.as_fixnum() < far; }

    explicit PathFacts(Terms& terms) : terms_(terms) {}
    void follow(std::span<const Value> path); // from now on facts are of this path

    // Does the path hold this very condition, or its opposite? Nothing where it holds neither.
    std::optional<bool> stated(Value condition) const;
    // The condition with what the path equates put in; the same one where that changes nothing.
    Value reduce(Value condition);
    // Is it true, or false, for all values within their ranges? Nothing where both may be.
    std::optional<bool> truth(Value condition) const;
    // Where every condition on the path that speaks of the condition's only variable speaks of that one alone, and is
    // of a kind known here: is there a solution, and which value of the variable is one?
    struct Solved {
        bool satisfiable;
        Value value;
    };
    std::optional<Solved> solve(Value condition);
    // What an integer can be, by the ranges of its variables.
    Range range(Value integer) const;

private:
    struct Fact {
        Value variable = Value::unbound(); // unbound: nothing is known
        std::optional<int64_t> low, high;  // of an integer without a list of values
        uint64_t allowed = ~uint64_t{0};   // of a boolean or a listed one: a bit for each value
        Value fixed = Value::unbound();    // of a string, or of a symbol among very many
        uint32_t excluded = 0;             // how many of its exclusions count
        uint32_t others = 0;               // conditions that are not covered by the above
        uint32_t defined = 0;              // number of its definition from 1; 0: none
    };
    struct Undo {
        uint32_t ordinal;
        Fact before;
    };
    struct Mark {
        size_t undo, definitions, conditions;
    };

    void add(Value condition);
    void note(Value condition, bool top);
    bool narrow(Fact& fact, std::vector<Value>& excluded, Value condition);
    bool narrow_integer(Fact& fact, std::vector<Value>& excluded, Value atom, bool negated);
    bool narrow_constant(Fact& fact, std::vector<Value>& excluded, Value atom, bool negated);
    bool is_domain(Value variable, Value condition) const;
    uint64_t allowed_by(Value condition);
    void define(Value condition, bool negated);
    bool define_variable(Value variable, Value as);
    Fact& touch(Value variable);
    const Fact* fact(uint32_t ordinal) const;
    std::optional<Value> only_value(const Fact& fact) const;
    std::optional<Value> replacement(uint32_t ordinal) const;
    Range range_of(Value integer) const;
    Range range_of_part(Value integer) const;
    Range range_of_variable(Value variable) const;
    static std::optional<Solved> choose(const Fact& fact, const std::vector<Value>& excluded, Terms& terms);
    struct Alone { // of a condition on one variable
        Value variable = Value::unbound();
        bool is_listed = false; // then which of the values it allows is known
        uint64_t allowed = 0;
    };
    Alone& alone(Value condition);
    Value variable_of(Value condition);

    Terms& terms_;
    std::vector<Value> path_;
    std::vector<Mark> marks_;
    std::vector<Undo> undo_;
    std::vector<Fact> facts_;                            // by ordinal
    std::vector<std::vector<Value>> excluded_;           // by ordinal
    std::vector<Value> definitions_;                     // what a variable is equal to
    std::vector<uint32_t> conditions_;                   // terms that hold
    std::vector<uint32_t> holds_;                        // by term: how often it is in conditions_
    std::vector<Alone> alone_;                           // by term, where it was asked for
    mutable std::unordered_map<uint32_t, Range> ranges_; // of the parts of the term at hand
};

} // namespace espalier::sym
