// Symbolic terms: what an expression over inputs is, before any solver sees it.
//
// Terms are hash-consed, so that equal terms are one number and comparing them costs nothing; they are simplified as
// they are built, with linear sums in normal form, so that most conditions of a protocol model fold to #t, #f or a
// bound on one variable. An operand is a Value: a constant, or Value::term(id) of another term. Constants that are
// objects are copied to a heap of their own that is never collected: terms, models and caches need no rooting.
//
// A variable is numbered within its path, not within the search: the second integer that any path reads is the same
// term, so answers about one path serve its cousins.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "lang/lang.hpp"

namespace espalier::sym {

enum class Sort : uint8_t { boolean, integer, rational, symbol, string, lazy };

enum class Op : uint8_t {
    variable, // ordinal, domain
    sum,      // c, k1, t1, k2, t2, …: c + k1·t1 + …; the t are no sums, in order
    product,  // of two or more terms, in order
    quotient, // rounded towards zero
    floor_quotient,
    fraction,     // of two integers; never in a condition: see primitives_fraction.cpp
    length,       // of a string
    at_most_zero, // an integer
    is_zero,      // an integer
    same,         // two symbols, or two strings
    iff,          // two booleans
    negation,
    conjunction, // of two or more booleans, in order
    disjunction,
    lazy, // a value of a type that is looked into only where the model does: ordinal, store address, type, bound
    // Of two or more integers, in two's complement of unlimited width: a constant, where it does something, then terms
    // in order. The constant of an exclusive or is not negative.
    bitwise_and,
    bitwise_or,
    bitwise_xor,
};
inline bool is_bitwise(Op op) { return op == Op::bitwise_and || op == Op::bitwise_or || op == Op::bitwise_xor; }

enum class DomainId : uint32_t {};
// What a variable may be, by itself. Integers: bounds; symbols and integer enums: the values. The default belongs to
// it.
struct Domain {
    Sort sort = Sort::integer;
    std::optional<Value> low, high;
    std::vector<Value> values;
    Value fallback;
    std::optional<TypeId> type = {};
};

// Values by term, for as long as one term after the other is looked at: a hash table without deletions.
class TermTable {
public:
    const Value* find(Value term) const {
        if (count_ == 0) return nullptr;
        for (size_t at = start(term);; at = (at + 1) & (entries_.size() - 1)) {
            if (entries_[at].term == none) return nullptr;
            if (entries_[at].term == term.payload()) return &entries_[at].value;
        }
    }
    void add(Value term, Value value) { // of a term that has none
        if (2 * ++count_ > entries_.size()) grow();
        put({static_cast<uint32_t>(term.payload()), value});
    }

private:
    static constexpr uint32_t none = UINT32_MAX;
    struct Entry {
        uint32_t term = none;
        Value value = Value::unbound();
    };
    size_t start(Value term) const { return (term.payload() * 0x9E3779B1U) & (entries_.size() - 1); }
    void put(const Entry& entry) {
        size_t at = start(Value::term(entry.term));
        while (entries_[at].term != none) at = (at + 1) & (entries_.size() - 1);
        entries_[at] = entry;
    }
    void grow() {
        std::vector<Entry> before(entries_.empty() ? 32 : 2 * entries_.size());
        entries_.swap(before);
        for (const Entry& entry : before)
            if (entry.term != none) put(entry);
    }

    std::vector<Entry> entries_; // a power of two
    size_t count_ = 0;
};

// What the solver layer cannot express: ends the path, counted under this name.
struct Unsupported : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Term {
    Op op;
    Sort sort;
    uint16_t depth : 15;
    uint16_t has_bits : 1;         // whether it is a bit operation or has one in it
    uint32_t first, count;         // operands
    uint32_t first_var, var_count; // ordinals of its variables, ascending
};

// A solution: the value of each variable by ordinal; past its end, and where it holds `unbound`, the domain's fallback.
using Assignment = std::vector<Value>;

class Terms {
public:
    const Term& operator[](Value v) const { return terms_[v.payload()]; }
    std::span<const Value> operands(Value v) const { return {operands_.data() + (*this)[v].first, (*this)[v].count}; }
    std::span<const uint32_t> variables(Value v) const {
        if (!v.is_term()) return {};
        return {variables_.data() + (*this)[v].first_var, (*this)[v].var_count};
    }
    bool has_bits(Value v) const { return v.is_term() && (*this)[v].has_bits != 0; }
    bool is_sort(Value v, Sort sort) const { return v.is_term() && (*this)[v].sort == sort; }
    const Domain& domain(Value variable) const {
        return domains_[static_cast<size_t>(operands(variable)[1].as_fixnum())];
    }
    uint32_t ordinal(Value variable) const { return static_cast<uint32_t>(operands(variable)[0].as_fixnum()); }
    size_t size() const { return terms_.size(); }

    DomainId add_domain(Domain domain);
    Value variable(uint32_t ordinal, DomainId domain);
    Value lazy(uint32_t ordinal, uint32_t cell, TypeId type, uint32_t bound);

    // Integers: each operand an integer constant or a term of that sort.
    Value add(Value a, Value b) { return linear(a, b, Value::fixnum(1)); }
    Value sub(Value a, Value b) { return linear(a, b, Value::fixnum(-1)); }
    Value mul(Value a, Value b);
    Value quotient(Value a, Value b); // b is not zero
    Value floor_quotient(Value a, Value b);
    Value fraction(Value n, Value d) {
        const Value operands[] = {n, d};
        return make(Op::fraction, Sort::rational, operands);
    }
    Value bitwise(Op op, Value a, Value b);
    Value length(Value string);
    // Booleans.
    Value at_most_zero(Value a);
    Value is_zero(Value a);
    Value less(Value a, Value b) { return at_most_zero(add(sub(a, b), Value::fixnum(1))); }
    Value at_most(Value a, Value b) { return at_most_zero(sub(a, b)); }
    Value equal_integers(Value a, Value b) { return is_zero(sub(a, b)); }
    Value same(Value a, Value b);
    Value iff(Value a, Value b);
    Value negation(Value a);
    Value both(Value a, Value b) {
        const Value conditions[] = {a, b};
        return all_of(conditions);
    }
    Value either(Value a, Value b) {
        const Value conditions[] = {a, b};
        return any_of(conditions);
    }
    Value all_of(std::span<const Value> conditions) { return junction(Op::conjunction, conditions); }
    Value any_of(std::span<const Value> conditions) { return junction(Op::disjunction, conditions); }

    // The variable of that number in a term that has it.
    Value variable_in(Value v, uint32_t ordinal) const;
    // The term with each variable replaced, simplified again.
    Value substitute(Value v, const std::function<Value(Value)>& replace);
    // The same for several terms: what was rebuilt for one is known for the next, by term.
    using Rebuilt = TermTable;
    Value substitute(Value v, const std::function<Value(Value)>& replace, Rebuilt& done) {
        return rebuild(v, replace, done);
    }
    // The same for the same term in any search: what it is made of, whatever was built before it.
    uint64_t structure(Value v);
    uint64_t work() const { return work_; }     // operations that were built or computed so far
    uint64_t folded() const { return folded_; } // conditions on variables that were constant when they were built
    // What its domain alone demands of a variable; #t where that is nothing. It is built once for each variable.
    Value domain_condition(Value variable);
    Value evaluate(Value v, const Assignment& model);
    Value bitwise_constant(Op op, Value a, Value b); // of two integers
    Value constant(Value v);                         // a copy that is never collected
    Heap& heap() { return heap_; }                   // for such copies
    std::string to_text(Value v) const;

private:
    static constexpr uint16_t deepest = 2000;
    static constexpr size_t most_bits = size_t{1} << 16; // of a constant: the solver's time grows with their square
    Value make(Op op, Sort sort, std::span<const Value> operands);
    Value linear(Value a, Value b, Value factor);
    Value scale(Value a, Value factor);
    Value junction(Op op, std::span<const Value> conditions);
    void add_sum(std::vector<Value>& out, Value a);
    Value from_sum(std::vector<Value>& sum);
    Value sum_of(std::span<const Value> sum);
    Value product_of(std::span<const Value> factors);
    bool divide_by_common_factor(std::vector<Value>& sum, bool equality);
    Value build_domain_condition(Value variable);
    Value compute(Value v, const Assignment& model);
    Value rebuild(Value v, const std::function<Value(Value)>& replace, Rebuilt& done);
    Value again(Value v, std::vector<Value>& parts);
    Value fold(bool holds) {
        ++folded_;
        return Value::boolean(holds);
    }

    Heap heap_{Heap::Lifetime::immortal};
    std::vector<Term> terms_;
    std::vector<Value> operands_;
    std::vector<uint32_t> variables_;
    std::vector<Domain> domains_;
    HashIndex index_;
    std::unordered_multimap<uint64_t, Value> constants_;
    std::vector<uint64_t> structures_; // by term; 0: not known yet
    uint64_t folded_ = 0, work_ = 0;
    struct DomainCondition {
        Value condition = Value::unbound(); // unbound: not asked for yet
        uint64_t folded = 0;                // in building it
    };
    std::vector<DomainCondition> domain_conditions_; // by term
    std::vector<Value> memo_;                        // of an evaluation, by term
    std::vector<uint32_t> memo_round_;
    uint32_t round_ = 0;
};

} // namespace espalier::sym
