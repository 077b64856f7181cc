// Looking into terms: finding a variable, putting something in its place, and naming a term by its structure.
#include "symexec/terms/term.hpp"

#include <algorithm>

namespace espalier::sym {

Value Terms::variable_in(Value v, uint32_t ordinal) const {
    while ((*this)[v].op != Op::variable) {
        const auto parts = operands(v);
        v = *std::find_if(parts.begin(), parts.end(), [&](Value part) {
            const auto vars = variables(part);
            return std::binary_search(vars.begin(), vars.end(), ordinal);
        });
    }
    return v;
}

Value Terms::substitute(Value v, const std::function<Value(Value)>& replace) {
    Rebuilt done;
    return rebuild(v, replace, done);
}

// Terms are at most `deepest` deep, so recursion is safe. Operands are copied: building may move them.
Value Terms::rebuild(Value v, const std::function<Value(Value)>& replace, Rebuilt& done) {
    if (!v.is_term() || (*this)[v].var_count == 0) return v;
    if (const auto found = done.find(v.payload()); found != done.end()) return found->second;
    const std::vector<Value> parts(operands(v).begin(), operands(v).end());
    const auto part = [&](size_t i) { return rebuild(parts[i], replace, done); };
    Value result = v;
    switch ((*this)[v].op) {
    case Op::variable: result = replace(v); break;
    case Op::sum: {
        std::vector<Value> rebuilt = parts;
        for (size_t i = 1; i < parts.size(); i += 2) rebuilt[i + 1] = part(i + 1);
        result = sum_of(rebuilt);
        break;
    }
    case Op::product: {
        std::vector<Value> rebuilt;
        for (size_t i = 0; i < parts.size(); ++i) rebuilt.push_back(part(i));
        result = product_of(rebuilt);
        break;
    }
    // A divisor that turns out to be zero contradicts what the path says of it: then nothing is gained.
    case Op::quotient:
    case Op::floor_quotient: {
        const Value a = part(0), b = part(1);
        if (b != Value::fixnum(0)) result = (*this)[v].op == Op::quotient ? quotient(a, b) : floor_quotient(a, b);
        break;
    }
    case Op::fraction: result = fraction(part(0), part(1)); break;
    case Op::length: result = length(part(0)); break;
    case Op::at_most_zero: result = at_most_zero(part(0)); break;
    case Op::is_zero: result = is_zero(part(0)); break;
    case Op::same: result = same(part(0), part(1)); break;
    case Op::iff: result = iff(part(0), part(1)); break;
    case Op::negation: result = negation(part(0)); break;
    case Op::conjunction:
    case Op::disjunction: {
        std::vector<Value> conditions;
        for (size_t i = 0; i < parts.size(); ++i) conditions.push_back(part(i));
        result = (*this)[v].op == Op::conjunction ? all_of(conditions) : any_of(conditions);
        break;
    }
    case Op::bitwise_and:
    case Op::bitwise_or:
    case Op::bitwise_xor: {
        const Op op = (*this)[v].op;
        result = part(0);
        for (size_t i = 1; i < parts.size(); ++i) result = bitwise(op, result, part(i));
        break;
    }
    case Op::lazy: break;
    }
    done.emplace(v.payload(), result);
    return result;
}

// Numbers of terms depend on what was built before; this does not. Operands whose order means nothing are added up.
uint64_t Terms::structure(Value v) {
    const auto mix = [](uint64_t h, uint64_t with) {
        h = (h ^ with) * 0x9E3779B97F4A7C15U;
        return h ^ (h >> 29);
    };
    if (v.is_symbol()) { // by name: symbols are numbered in the order in which they were read
        uint64_t h = 1;
        for (char c : name_of(v.as_symbol())) h = mix(h, static_cast<unsigned char>(c));
        return h;
    }
    if (!v.is_term()) return mix(2, v.is_object() ? equal_hash(v) : v.bits());
    if (structures_.size() <= v.payload()) structures_.resize(terms_.size(), 0);
    if (structures_[v.payload()] != 0) return structures_[v.payload()];
    const std::vector<Value> parts(operands(v).begin(), operands(v).end());
    const Op op = (*this)[v].op;
    uint64_t h = mix(3, static_cast<uint64_t>(op));
    switch (op) {
    case Op::variable: h = mix(mix(h, ordinal(v)), static_cast<uint64_t>((*this)[v].sort)); break;
    case Op::sum:
        h += structure(parts[0]);
        for (size_t i = 1; i < parts.size(); i += 2) h += mix(structure(parts[i]), structure(parts[i + 1]));
        break;
    case Op::product:
    case Op::conjunction:
    case Op::disjunction:
    case Op::same:
    case Op::iff:
    case Op::bitwise_and:
    case Op::bitwise_or:
    case Op::bitwise_xor:
        for (Value part : parts) h += mix(4, structure(part));
        break;
    case Op::quotient:
    case Op::floor_quotient:
    case Op::fraction:
    case Op::length:
    case Op::at_most_zero:
    case Op::is_zero:
    case Op::negation:
    case Op::lazy:
        for (Value part : parts) h = mix(h, structure(part));
        break;
    }
    return structures_[v.payload()] = h == 0 ? 1 : h;
}

} // namespace espalier::sym
