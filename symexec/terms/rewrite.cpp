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

// Terms are at most `deepest` deep, so recursion is safe. Operands are looked up anew each time: building may move
// them.
Value Terms::rebuild(Value v, const std::function<Value(Value)>& replace, Rebuilt& done) {
    if (!v.is_term() || (*this)[v].var_count == 0) return v;
    if (const Value* known = done.find(v)) return *known;
    Value result = v;
    if ((*this)[v].op == Op::variable) {
        result = replace(v);
    } else if ((*this)[v].op != Op::lazy) {
        std::vector<Value> parts;
        const size_t count = operands(v).size();
        parts.reserve(count);
        bool is_same = true;
        for (size_t i = 0; i < count; ++i) {
            const Value part = operands(v)[i];
            parts.push_back(rebuild(part, replace, done));
            is_same = is_same && parts.back() == part;
        }
        if (!is_same) result = again(v, parts);
    }
    done.add(v, result);
    return result;
}

// The same operation on other operands.
Value Terms::again(Value v, std::vector<Value>& parts) {
    switch ((*this)[v].op) {
    case Op::sum: return sum_of(parts);
    case Op::product: return product_of(parts);
    // A divisor that turns out to be zero contradicts what the path says of it: then nothing is gained.
    case Op::quotient: return parts[1] == Value::fixnum(0) ? v : quotient(parts[0], parts[1]);
    case Op::floor_quotient: return parts[1] == Value::fixnum(0) ? v : floor_quotient(parts[0], parts[1]);
    case Op::fraction: return fraction(parts[0], parts[1]);
    case Op::length: return length(parts[0]);
    case Op::at_most_zero: return at_most_zero(parts[0]);
    case Op::is_zero: return is_zero(parts[0]);
    case Op::same: return same(parts[0], parts[1]);
    case Op::iff: return iff(parts[0], parts[1]);
    case Op::negation: return negation(parts[0]);
    case Op::conjunction: return all_of(parts);
    case Op::disjunction: return any_of(parts);
    case Op::bitwise_and:
    case Op::bitwise_or:
    case Op::bitwise_xor: {
        Value result = parts[0];
        for (size_t i = 1; i < parts.size(); ++i) result = bitwise((*this)[v].op, result, parts[i]);
        return result;
    }
    case Op::variable:
    case Op::lazy: break;
    }
    return v;
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
