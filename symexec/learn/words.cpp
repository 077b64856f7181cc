#include "symexec/learn/words.hpp"

#include <algorithm>

namespace espalier::sym {

namespace {

class Words {
public:
    Words(const Terms& terms, const std::vector<std::string>& names) : terms_(terms), names_(names) {}

    std::string condition(Value v) const {
        if (!v.is_term()) return constant(v);
        const auto parts = terms_.operands(v);
        switch (terms_[v].op) {
        case Op::variable: return term(v) + " is true";
        case Op::negation: return negation(parts[0]);
        case Op::at_most_zero: return bound(parts[0], "at most", "at least", 0);
        case Op::is_zero: return equation(parts[0], " is ");
        case Op::same:
        case Op::iff: return term(parts[0]) + " is " + term(parts[1]);
        case Op::conjunction: return joined(parts, " and ");
        case Op::disjunction: return joined(parts, " or ");
        case Op::sum:
        case Op::product:
        case Op::quotient:
        case Op::floor_quotient:
        case Op::fraction:
        case Op::length:
        case Op::lazy:
        case Op::bitwise_and:
        case Op::bitwise_or:
        case Op::bitwise_xor: break;
        }
        return term(v);
    }

private:
    std::string negation(Value v) const {
        if (!v.is_term()) return "not " + constant(v);
        const auto parts = terms_.operands(v);
        switch (terms_[v].op) {
        case Op::variable: return term(v) + " is false";
        case Op::at_most_zero: return bound(parts[0], "at least", "at most", 1); // not s ≤ 0: s ≥ 1
        case Op::is_zero: return equation(parts[0], " is not ");
        case Op::same:
        case Op::iff: return term(parts[0]) + " is not " + term(parts[1]);
        default: return "not (" + condition(v) + ")";
        }
    }

    std::string joined(std::span<const Value> parts, const char* by) const {
        std::string all;
        for (const Value part : parts) all += (all.empty() ? "" : by) + condition(part);
        return all;
    }

    // s against the limit, where s is a constant and the terms of a sum: those with a positive factor stand on the
    // left.
    std::string bound(Value sum, const char* positive, const char* negative, int64_t limit) const {
        const auto [left, right, constant] = sides(sum);
        if (!constant) return term(sum) + " is " + positive + " " + std::to_string(limit);
        if (left.empty()) return right + " is " + negative + " " + std::to_string(*constant - limit);
        return left + " is " + positive + " " +
               (right.empty() ? std::to_string(limit - *constant) : right + plus(limit - *constant));
    }

    std::string equation(Value sum, const char* is) const {
        const auto [left, right, constant] = sides(sum);
        if (!constant) return term(sum) + is + "0";
        if (right.empty()) return left + is + std::to_string(-*constant);
        if (left.empty()) return right + is + std::to_string(*constant);
        return left + is + right + plus(-*constant);
    }

    static std::string plus(int64_t n) { return n == 0 ? "" : (n > 0 ? " + " : " - ") + std::to_string(std::abs(n)); }

    struct Sides {
        std::string left, right;
        std::optional<int64_t> constant; // nothing: too large
    };
    Sides sides(Value sum) const {
        if (!sum.is_term() || terms_[sum].op != Op::sum) return {term(sum), "", 0};
        const auto parts = terms_.operands(sum);
        Sides all;
        if (parts[0].is_fixnum()) all.constant = parts[0].as_fixnum();
        for (size_t i = 1; i + 1 < parts.size(); i += 2) {
            if (!parts[i].is_fixnum()) return {};
            const int64_t factor = parts[i].as_fixnum();
            std::string& side = factor > 0 ? all.left : all.right;
            const std::string times = std::abs(factor) == 1 ? "" : std::to_string(std::abs(factor)) + "·";
            side += (side.empty() ? "" : " + ") + times + term(parts[i + 1]);
        }
        return all;
    }

    std::string term(Value v) const {
        if (!v.is_term()) return constant(v);
        if (terms_[v].op == Op::variable) {
            const uint32_t n = terms_.ordinal(v);
            return n < names_.size() ? names_[n] : "an input";
        }
        if (terms_[v].op == Op::sum) {
            const auto [left, right, constant] = sides(v);
            if (constant) return "(" + left + (right.empty() ? "" : " - " + right) + plus(*constant) + ")";
        }
        return terms_.to_text(v);
    }

    static std::string constant(Value v) {
        if (v.is_symbol()) return "`" + std::string(name_of(v.as_symbol())) + "`";
        if (v.is_boolean()) return v.is_true() ? "true" : "false";
        return espalier::to_text(nullptr, v, Style::write, 60);
    }

    const Terms& terms_;
    const std::vector<std::string>& names_;
};

} // namespace

std::string in_words(const Terms& terms, const std::vector<Value>& conditions, const std::vector<std::string>& names) {
    constexpr size_t most = 4;
    const Words words(terms, names);
    std::string all;
    for (size_t i = 0; i < std::min(conditions.size(), most); ++i)
        all += (i == 0 ? "" : i + 1 == conditions.size() ? " and " : ", ") + words.condition(conditions[i]);
    if (conditions.size() > most) all += ", and " + std::to_string(conditions.size() - most) + " more";
    return all;
}

} // namespace espalier::sym
