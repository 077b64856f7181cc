// What a term is worth under a solution, and how it reads.
#include "symexec/terms/term.hpp"

namespace espalier::sym {

namespace {

// A cousin's solution may hold something else under the same number.
bool has_sort(Value v, Sort sort) {
    switch (sort) {
    case Sort::boolean: return v.is_boolean();
    case Sort::integer: return number::is_integer(v);
    case Sort::rational: return number::is_number(v);
    case Sort::symbol: return v.is_symbol();
    case Sort::string: return is_type(v, ObjectType::string);
    case Sort::lazy: return false;
    }
    return false;
}

} // namespace

Value Terms::evaluate(Value v, const Assignment& model) {
    if (!v.is_term()) return v;
    if (memo_.size() < terms_.size()) {
        memo_.resize(terms_.size());
        memo_round_.resize(terms_.size(), 0);
    }
    ++round_;
    return compute(v, model);
}

// Each term once in a round; terms are at most `deepest` deep, so recursion is safe.
Value Terms::compute(Value v, const Assignment& model) {
    if (!v.is_term()) return v;
    const uint32_t id = v.payload();
    if (memo_round_[id] == round_) return memo_[id];
    ++work_;
    const auto parts = operands(v);
    const auto part = [&](size_t i) { return compute(parts[i], model); };
    Value result;
    switch ((*this)[v].op) {
    case Op::variable: {
        const auto n = static_cast<size_t>(parts[0].as_fixnum());
        result = n < model.size() && has_sort(model[n], (*this)[v].sort) ? model[n] : domain(v).fallback;
        break;
    }
    case Op::sum:
        result = parts[0];
        for (size_t i = 1; i < parts.size(); i += 2)
            result = number::add(heap_, result, number::mul(heap_, parts[i], part(i + 1)));
        break;
    case Op::product:
        result = part(0);
        for (size_t i = 1; i < parts.size(); ++i) result = number::mul(heap_, result, part(i));
        break;
    // A condition on the path keeps divisors from zero; a solution of something else may not.
    case Op::quotient: {
        const Value by = part(1);
        result = by == Value::fixnum(0) ? by : number::quotient(heap_, part(0), by);
        break;
    }
    case Op::floor_quotient: {
        const Value by = part(1);
        result = by == Value::fixnum(0) ? by : number::floor_quotient(heap_, part(0), by);
        break;
    }
    case Op::fraction: {
        const Value by = part(1);
        result = by == Value::fixnum(0) ? by : number::div(heap_, part(0), by);
        break;
    }
    case Op::length: result = Value::fixnum(part(0).as_object()->count); break;
    case Op::at_most_zero: result = Value::boolean(number::compare(part(0), Value::fixnum(0), "<=") <= 0); break;
    case Op::is_zero: result = Value::boolean(number::equal(part(0), Value::fixnum(0))); break;
    case Op::same: result = Value::boolean(equal(part(0), part(1))); break;
    case Op::iff: result = Value::boolean(part(0) == part(1)); break;
    case Op::negation: result = Value::boolean(part(0).is_false()); break;
    case Op::conjunction:
    case Op::disjunction: {
        const bool stop_at = (*this)[v].op == Op::disjunction;
        result = Value::boolean(!stop_at);
        for (size_t i = 0; i < parts.size() && result.is_true() != stop_at; ++i) result = part(i);
        break;
    }
    case Op::lazy: result = v; break;
    case Op::bitwise_and:
    case Op::bitwise_or:
    case Op::bitwise_xor:
        result = part(0);
        for (size_t i = 1; i < parts.size(); ++i) result = bitwise_constant((*this)[v].op, result, part(i));
        break;
    }
    memo_round_[id] = round_;
    return memo_[id] = result;
}

std::string Terms::to_text(Value v) const {
    if (!v.is_term()) return espalier::to_text(nullptr, v, Style::write, 200);
    const auto parts = operands(v);
    const auto call = [&](const char* name) {
        std::string text = std::string("(") + name;
        for (Value p : parts) text += ' ' + to_text(p);
        return text + ')';
    };
    switch ((*this)[v].op) {
    case Op::variable: return 'x' + std::to_string(ordinal(v));
    case Op::sum: {
        std::string text = "(+ " + to_text(parts[0]);
        for (size_t i = 1; i < parts.size(); i += 2)
            text += parts[i] == Value::fixnum(1) ? ' ' + to_text(parts[i + 1])
                                                 : " (* " + to_text(parts[i]) + ' ' + to_text(parts[i + 1]) + ')';
        return text + ')';
    }
    case Op::product: return call("*");
    case Op::quotient: return call("quotient");
    case Op::floor_quotient: return call("floor-quotient");
    case Op::fraction: return call("/");
    case Op::length: return call("string-length");
    case Op::at_most_zero: return "(<= " + to_text(parts[0]) + " 0)";
    case Op::is_zero: return "(= " + to_text(parts[0]) + " 0)";
    case Op::same: return call("equal?");
    case Op::iff: return call("eq?");
    case Op::negation: return call("not");
    case Op::conjunction: return call("and");
    case Op::disjunction: return call("or");
    case Op::bitwise_and: return call("bitwise-and");
    case Op::bitwise_or: return call("bitwise-or");
    case Op::bitwise_xor: return call("bitwise-xor");
    case Op::lazy: return "lazy" + std::to_string(parts[0].as_fixnum());
    }
    return {};
}

} // namespace espalier::sym
