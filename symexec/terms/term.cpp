// Building terms: every constructor returns the simplest equal term, the same one each time.
#include "symexec/terms/term.hpp"

#include <algorithm>
#include <numeric>

namespace espalier::sym {

namespace {

constexpr Value zero = Value::fixnum(0);
constexpr Value one = Value::fixnum(1);

uint64_t mix(uint64_t h, uint64_t with) {
    h = (h ^ with) * 0x9E3779B97F4A7C15U;
    return h ^ (h >> 31);
}

bool is_zero_constant(Value v) { return v == zero; }

} // namespace

Value Terms::constant(Value v) {
    if (!v.is_object() || (v.as_object()->flags & literal_flag) != 0) return v;
    const uint64_t hash = equal_hash(v);
    for (auto [i, end] = constants_.equal_range(hash); i != end; ++i)
        if (equal(i->second, v)) return i->second;
    Value copy;
    if (is_type(v, ObjectType::string)) {
        copy = heap_.string(to_utf8(as_string(v)));
    } else if (number::is_number(v)) {
        copy = number::copy(heap_, v);
    } else {
        throw Unsupported("a constant that is neither a number nor a string");
    }
    constants_.emplace(hash, copy);
    return copy;
}

Value Terms::make(Op op, Sort sort, std::span<const Value> operands) {
    ++work_;
    uint64_t hash = mix(static_cast<uint64_t>(op), operands.size());
    for (Value v : operands) hash = mix(hash, v.is_object() ? equal_hash(v) : v.bits());
    const uint32_t known = index_.find(hash, [&](uint32_t id) {
        const Term& t = terms_[id];
        const auto old = std::span<const Value>(operands_).subspan(t.first, t.count);
        return t.op == op && std::equal(old.begin(), old.end(), operands.begin(), operands.end(),
                                        [](Value a, Value b) { return a == b || eqv(a, b); });
    });
    if (known != HashIndex::none) return Value::term(known);
    uint16_t depth = 0;
    bool has_bits = is_bitwise(op);
    for (Value v : operands) {
        if (!v.is_term()) continue;
        depth = std::max<uint16_t>(depth, (*this)[v].depth);
        has_bits = has_bits || (*this)[v].has_bits != 0;
    }
    for (Value v : operands)
        if (v.is_object() && number::is_number(v) && number::bits(v) > most_bits)
            throw Unsupported("a symbolic value with a constant of more than " + std::to_string(most_bits) + " bits");
    if (depth >= deepest) throw Unsupported("a symbolic value nested more than " + std::to_string(deepest) + " deep");
    Term t{op,
           sort,
           static_cast<uint16_t>((depth + 1) & 0x7FFF),
           has_bits,
           static_cast<uint32_t>(operands_.size()),
           static_cast<uint32_t>(operands.size()),
           static_cast<uint32_t>(variables_.size()),
           0};
    std::vector<uint32_t> vars;
    if (op == Op::variable) vars.push_back(static_cast<uint32_t>(operands[0].as_fixnum()));
    for (Value v : operands) {
        const auto more = variables(v);
        vars.insert(vars.end(), more.begin(), more.end());
        operands_.push_back(constant(v));
    }
    std::sort(vars.begin(), vars.end());
    vars.erase(std::unique(vars.begin(), vars.end()), vars.end());
    t.var_count = static_cast<uint32_t>(vars.size());
    variables_.insert(variables_.end(), vars.begin(), vars.end());
    const auto id = static_cast<uint32_t>(terms_.size());
    terms_.push_back(t);
    index_.add(hash);
    return Value::term(id);
}

DomainId Terms::add_domain(Domain domain) {
    for (Value& v : domain.values) v = constant(v);
    if (domain.low) domain.low = constant(*domain.low);
    if (domain.high) domain.high = constant(*domain.high);
    domain.fallback = constant(domain.fallback);
    domains_.push_back(std::move(domain));
    return DomainId{static_cast<uint32_t>(domains_.size() - 1)};
}

Value Terms::variable(uint32_t ordinal, DomainId domain) {
    const Value operands[] = {Value::fixnum(ordinal), Value::fixnum(static_cast<uint32_t>(domain))};
    return make(Op::variable, domains_[static_cast<size_t>(domain)].sort, operands);
}

Value Terms::lazy(uint32_t ordinal, uint32_t cell, TypeId type, uint32_t bound) {
    const Value operands[] = {Value::fixnum(ordinal), Value::fixnum(cell), Value::fixnum(index(type)),
                              Value::fixnum(bound)};
    return make(Op::lazy, Sort::lazy, operands);
}

// ── Sums ──

// As c, k1, t1, …
void Terms::add_sum(std::vector<Value>& out, Value a) {
    if (!a.is_term()) {
        out = {a};
    } else if ((*this)[a].op == Op::sum) {
        const auto parts = operands(a);
        out.assign(parts.begin(), parts.end());
    } else {
        out = {zero, one, a};
    }
}

Value Terms::from_sum(std::vector<Value>& sum) {
    if (sum.size() == 1) return sum[0];
    if (sum.size() == 3 && sum[0] == zero && sum[1] == one) return sum[2];
    return make(Op::sum, Sort::integer, sum);
}

// a + factor·b, by merging two ordered lists.
Value Terms::linear(Value a, Value b, Value factor) {
    if (!a.is_term() && !b.is_term()) return number::add(heap_, a, number::mul(heap_, factor, b));
    std::vector<Value> x, y, out;
    add_sum(x, a);
    add_sum(y, b);
    out.reserve(x.size() + y.size());
    out.push_back(number::add(heap_, x[0], number::mul(heap_, factor, y[0])));
    size_t i = 1, j = 1;
    while (i < x.size() || j < y.size()) {
        const uint32_t left = i < x.size() ? x[i + 1].payload() : UINT32_MAX;
        const uint32_t right = j < y.size() ? y[j + 1].payload() : UINT32_MAX;
        Value k = zero;
        if (left <= right) k = x[i];
        if (right <= left) k = number::add(heap_, k, number::mul(heap_, factor, y[j]));
        if (!is_zero_constant(k)) {
            out.push_back(k);
            out.push_back(Value::term(std::min(left, right)));
        }
        if (left <= right) i += 2;
        if (right <= left) j += 2;
    }
    return from_sum(out);
}

// The same for any number of parts at once, in any order, each of which may be a sum or a constant itself: a constant,
// and then a factor and a part by turns.
Value Terms::sum_of(std::span<const Value> sum) {
    Value constant = sum[0];
    std::vector<std::pair<uint32_t, Value>> parts; // by term, with its factor
    std::vector<Value> inner;
    for (size_t i = 1; i < sum.size(); i += 2) {
        add_sum(inner, sum[i + 1]);
        constant = number::add(heap_, constant, number::mul(heap_, sum[i], inner[0]));
        for (size_t j = 1; j < inner.size(); j += 2)
            parts.emplace_back(inner[j + 1].payload(), number::mul(heap_, sum[i], inner[j]));
    }
    std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Value> out{constant};
    for (size_t i = 0; i < parts.size();) {
        const uint32_t term = parts[i].first;
        Value factor = zero;
        for (; i < parts.size() && parts[i].first == term; ++i) factor = number::add(heap_, factor, parts[i].second);
        if (is_zero_constant(factor)) continue;
        out.push_back(factor);
        out.push_back(Value::term(term));
    }
    return from_sum(out);
}

Value Terms::scale(Value a, Value factor) { return is_zero_constant(factor) ? zero : linear(zero, a, factor); }

Value Terms::mul(Value a, Value b) {
    const Value factors[] = {a, b};
    return product_of(factors);
}

// Constants scale what they stand beside; of terms, all factors are put into one product at once.
Value Terms::product_of(std::span<const Value> all) {
    Value constant = one;
    std::vector<Value> factors;
    size_t terms = 0;
    Value last = one; // of the terms
    for (Value v : all) {
        if (!v.is_term()) {
            constant = number::mul(heap_, constant, v);
            continue;
        }
        ++terms;
        last = v;
        if ((*this)[v].op == Op::product) {
            const auto parts = operands(v);
            factors.insert(factors.end(), parts.begin(), parts.end());
        } else {
            factors.push_back(v);
        }
    }
    if (terms == 0) return constant;
    std::sort(factors.begin(), factors.end(), [](Value x, Value y) { return x.payload() < y.payload(); });
    const Value product = terms == 1 ? last : make(Op::product, Sort::integer, factors);
    return constant == one ? product : scale(product, constant);
}

Value Terms::quotient(Value a, Value b) {
    if (!a.is_term() && !b.is_term()) return number::quotient(heap_, a, b);
    if (b == one || a == zero) return a;
    if (b == Value::fixnum(-1)) return scale(a, b);
    const Value operands[] = {a, b};
    return make(Op::quotient, Sort::integer, operands);
}

Value Terms::floor_quotient(Value a, Value b) {
    if (!a.is_term() && !b.is_term()) return number::floor_quotient(heap_, a, b);
    if (b == one || a == zero) return a;
    if (b == Value::fixnum(-1)) return scale(a, b);
    const Value operands[] = {a, b};
    return make(Op::floor_quotient, Sort::integer, operands);
}

// ── Bits ──

Value Terms::bitwise_constant(Op op, Value a, Value b) {
    if (op == Op::bitwise_and) return number::bitwise_and(heap_, a, b);
    return op == Op::bitwise_or ? number::bitwise_or(heap_, a, b) : number::bitwise_xor(heap_, a, b);
}

// Of the parts of parts, where those are of the same kind. An exclusive or with −1 is −1 − x, which is what
// `bitwise-not` makes: it is taken out of operands, and stands around the result.
Value Terms::bitwise(Op op, Value a, Value b) {
    const Value all_ones = Value::fixnum(-1), neutral = op == Op::bitwise_and ? all_ones : zero;
    const auto complement = [&](Value v) -> std::optional<Value> {
        if (!v.is_term() || (*this)[v].op != Op::sum) return std::nullopt;
        const auto sum = operands(v);
        return sum.size() == 3 && sum[0] == all_ones && sum[1] == all_ones ? std::optional(sum[2]) : std::nullopt;
    };
    Value mask = neutral;
    std::vector<Value> parts;
    const auto take = [&](Value v) {
        if (v.is_term())
            parts.push_back(v);
        else
            mask = bitwise_constant(op, mask, v);
    };
    for (Value v : {a, b}) {
        if (const auto opposite = complement(v); opposite && op == Op::bitwise_xor) {
            v = *opposite;
            take(all_ones);
        }
        if (v.is_term() && (*this)[v].op == op)
            for (Value part : operands(v)) take(part);
        else
            take(v);
    }
    if (op != Op::bitwise_xor && mask == (op == Op::bitwise_and ? zero : all_ones)) return mask;
    std::sort(parts.begin(), parts.end(), [](Value x, Value y) { return x.payload() < y.payload(); });
    std::vector<Value> left; // twice the same: once is enough, or nothing is left
    for (Value v : parts) {
        if (left.empty() || left.back() != v)
            left.push_back(v);
        else if (op == Op::bitwise_xor)
            left.pop_back();
    }
    if (left.empty()) return mask;
    const bool inverted = op == Op::bitwise_xor && number::compare(mask, zero, "<") < 0;
    if (inverted) mask = number::bitwise_not(heap_, mask);
    if (mask != neutral) left.insert(left.begin(), mask);
    const Value result = left.size() == 1 ? left[0] : make(op, Sort::integer, left);
    return inverted ? linear(all_ones, result, all_ones) : result;
}

Value Terms::length(Value string) {
    if (!string.is_term()) return Value::fixnum(string.as_object()->count);
    return make(Op::length, Sort::integer, {&string, 1});
}

// ── Conditions ──

// c + Σ k·t over integers, k with a common factor g: of the condition ≤ 0 divide by g, rounding c up; of = 0, false
// where g does not divide c. Only where all are small, as they are in all but strange models. False: = 0 has no
// solution.
bool Terms::divide_by_common_factor(std::vector<Value>& sum, bool equality) {
    int64_t g = 0;
    for (size_t i = 1; i < sum.size(); i += 2) {
        if (!sum[i].is_fixnum()) return true;
        g = std::gcd(g, sum[i].as_fixnum());
    }
    if (equality && sum[1].as_fixnum() < 0) g = -g;
    if (g == 1 || !sum[0].is_fixnum()) return true;
    const int64_t c = sum[0].as_fixnum();
    if (equality && c % g != 0) return false;
    int64_t q = c / g;
    if (!equality && c % g > 0) ++q;
    sum[0] = Value::fixnum(q);
    for (size_t i = 1; i < sum.size(); i += 2) sum[i] = Value::fixnum(sum[i].as_fixnum() / g);
    return true;
}

Value Terms::at_most_zero(Value a) {
    if (!a.is_term()) return fold(number::compare(a, zero, "<=") <= 0);
    std::vector<Value> sum;
    add_sum(sum, a);
    divide_by_common_factor(sum, false);
    if (sum.size() == 3 && (*this)[sum[2]].op == Op::length && sum[1] == Value::fixnum(-1) && sum[0].is_fixnum() &&
        sum[0].as_fixnum() <= 0)
        return fold(true); // 0 ≤ length
    const Value normal = from_sum(sum);
    return make(Op::at_most_zero, Sort::boolean, {&normal, 1});
}

Value Terms::is_zero(Value a) {
    if (!a.is_term()) return fold(number::equal(a, zero));
    std::vector<Value> sum;
    add_sum(sum, a);
    if (!divide_by_common_factor(sum, true)) return fold(false);
    const Value normal = from_sum(sum);
    return make(Op::is_zero, Sort::boolean, {&normal, 1});
}

Value Terms::same(Value a, Value b) {
    if (a == b) return fold(true);
    if (!a.is_term() && !b.is_term()) return Value::boolean(equal(a, b));
    if (a.is_term() && b.is_term() && a.payload() > b.payload()) std::swap(a, b);
    if (!a.is_term()) std::swap(a, b); // the constant stands second
    if (!b.is_term() && (*this)[a].op == Op::variable && !domain(a).values.empty()) {
        const auto& values = domain(a).values;
        if (std::none_of(values.begin(), values.end(), [&](Value v) { return equal(v, b); })) return fold(false);
        if (values.size() == 1) return fold(true);
    }
    const Value operands[] = {a, b};
    return make(Op::same, Sort::boolean, operands);
}

Value Terms::iff(Value a, Value b) {
    if (a == b) return fold(true);
    if (!a.is_term()) std::swap(a, b);
    if (!a.is_term()) return Value::boolean(a == b);
    if (!b.is_term()) return b.is_true() ? a : negation(a);
    if (a.payload() > b.payload()) std::swap(a, b);
    const Value operands[] = {a, b};
    return make(Op::iff, Sort::boolean, operands);
}

Value Terms::negation(Value a) {
    if (!a.is_term()) return Value::boolean(a.is_false());
    const Op op = (*this)[a].op;
    if (op == Op::negation) return operands(a)[0];
    if (op == Op::at_most_zero) return at_most_zero(linear(one, operands(a)[0], Value::fixnum(-1)));
    if (op == Op::conjunction || op == Op::disjunction) {
        std::vector<Value> parts(operands(a).begin(), operands(a).end());
        for (Value& v : parts) v = negation(v);
        return op == Op::conjunction ? any_of(parts) : all_of(parts);
    }
    return make(Op::negation, Sort::boolean, {&a, 1});
}

Value Terms::junction(Op op, std::span<const Value> conditions) {
    const Value neutral = Value::boolean(op == Op::conjunction);
    std::vector<Value> parts;
    for (Value v : conditions) {
        if (v == neutral) continue;
        if (!v.is_term()) return v;
        if ((*this)[v].op == op) {
            const auto more = operands(v);
            parts.insert(parts.end(), more.begin(), more.end());
        } else {
            parts.push_back(v);
        }
    }
    std::sort(parts.begin(), parts.end(), [](Value x, Value y) { return x.payload() < y.payload(); });
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    if (parts.empty()) return neutral;
    if (parts.size() == 1) return parts[0];
    return make(op, Sort::boolean, parts);
}

Value Terms::domain_condition(Value v) {
    if (v.payload() >= domain_conditions_.size()) domain_conditions_.resize(size());
    if (domain_conditions_[v.payload()].condition.is_unbound()) {
        const uint64_t before = folded_;
        const Value built = build_domain_condition(v);
        domain_conditions_[v.payload()] = {built, folded_ - std::exchange(folded_, before)};
    }
    const DomainCondition& known = domain_conditions_[v.payload()];
    folded_ += known.folded;
    return known.condition;
}

Value Terms::build_domain_condition(Value v) {
    const Domain d = domain(v);
    Value all = Value::boolean(true);
    if (d.low) all = both(all, at_most(*d.low, v));
    if (d.high) all = both(all, at_most(v, *d.high));
    if (!d.values.empty()) {
        // Each is a value of the domain, so `same` would search the domain for nothing.
        std::vector<Value> any;
        for (Value each : d.values) {
            const Value operands[] = {v, each};
            any.push_back(d.sort == Sort::integer ? equal_integers(v, each)
                          : d.values.size() == 1  ? fold(true)
                                                  : make(Op::same, Sort::boolean, operands));
        }
        all = both(all, any_of(any));
    }
    return all;
}

} // namespace espalier::sym
