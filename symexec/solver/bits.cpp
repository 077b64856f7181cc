#include "symexec/solver/bits.hpp"

#include <algorithm>
#include <bit>
#include <unordered_set>

namespace espalier::sym {

namespace {

constexpr Value zero = Value::fixnum(0), one = Value::fixnum(1);
constexpr int64_t width_of_unbounded = 64;
constexpr std::optional<size_t> width_of_symbol = 32; // which is its own number

class Writer {
public:
    Writer(Terms& terms, const Question& q, Unbounded how)
        : terms_(terms), conditions_(q.path.begin(), q.path.end()), how_(how) {
        conditions_.push_back(q.condition);
        std::erase_if(conditions_, [](Value c) { return !c.is_term() && c.is_true(); });
        sort_by_structure(conditions_);
        conditions_.erase(std::unique(conditions_.begin(), conditions_.end()), conditions_.end());
    }

    std::optional<WrittenQuestion> write() {
        PathBounds bounds(terms_, conditions_);
        bounds_ = &bounds;
        select();
        if (std::none_of(conditions_.begin(), conditions_.end(), [&](Value c) { return terms_.has_bits(c); }))
            return std::nullopt;
        for (Value c : conditions_) {
            const std::string condition = name(c); // which defines it
            out_.text += "(assert " + condition + ")\n";
        }
        return std::move(out_);
    }

private:
    void sort_by_structure(std::vector<Value>& all) const {
        std::sort(all.begin(), all.end(), [&](Value a, Value b) { return terms_.structure(a) < terms_.structure(b); });
    }

    // Conditions that can be written, and how wide the vectors must be for them: for any part, the sign, and a
    // remainder.
    void select() {
        out_.width = 2;
        std::vector<Value> selected;
        for (Value c : conditions_) {
            if (const auto width = width_needed(c)) {
                out_.width = std::max(out_.width, *width + 2);
                selected.push_back(c);
            } else {
                out_.is_part = true;
            }
        }
        conditions_ = std::move(selected);
    }

    std::optional<size_t> width_needed(Value condition) {
        if (!condition.is_term()) return 1;
        std::vector<Value> pending{condition}, parts;
        std::unordered_set<uint32_t> seen;
        size_t widest_part = 1;
        while (!pending.empty()) {
            const Value v = pending.back();
            pending.pop_back();
            parts.push_back(v);
            const Op op = terms_[v].op;
            if (terms_[v].sort == Sort::string || op == Op::fraction || op == Op::lazy) return std::nullopt;
            if (op == Op::variable) {
                if (!narrow(v)) return std::nullopt;
                continue;
            }
            for (Value part : terms_.operands(v)) {
                if (part.is_object() && !number::is_number(part)) return std::nullopt;
                if (number::is_number(part) && (op == Op::quotient || op == Op::floor_quotient))
                    widest_part = std::max(widest_part, width_of(part));
                if (part.is_term() && seen.insert(part.payload()).second) pending.push_back(part);
            }
        }
        for (Value v : parts) {
            if (terms_[v].sort == Sort::boolean) continue;
            const auto width = terms_[v].sort == Sort::symbol ? width_of_symbol : width_of(bounds_->of(v));
            if (!width) return std::nullopt;
            widest_part = std::max(widest_part, *width);
        }
        return widest_part <= widest ? std::optional(widest_part) : std::nullopt;
    }

    // False where its condition is to be left out.
    bool narrow(Value variable) {
        if (terms_[variable].sort != Sort::integer || bounds_->of(variable).are_both()) return true;
        if (how_ == Unbounded::left_out) return false;
        Bounds b = bounds_->of(variable);
        Heap& heap = terms_.heap();
        const Value span = number::arithmetic_shift(heap, one, Value::fixnum(width_of_unbounded));
        if (!b.low && !b.high) b.high = span;
        if (!b.low) b.low = number::sub(heap, *b.high, number::add(heap, span, span));
        if (!b.high) b.high = number::add(heap, *b.low, span);
        bounds_->narrow(variable, b);
        out_.is_narrowed = true;
        return true;
    }

    std::string vector_sort() const { return "(_ BitVec " + std::to_string(out_.width) + ")"; }
    std::string vector(Value integer) const {
        Heap& heap = terms_.heap();
        const Value power = number::arithmetic_shift(heap, one, Value::fixnum(static_cast<int64_t>(out_.width)));
        return "(_ bv" + number::to_text(number::modulo(heap, integer, power)) + " " + std::to_string(out_.width) + ")";
    }

    // The name of a term, defined after those of its parts. Terms are at most 2,000 deep, so recursion is safe.
    std::string name(Value v) {
        if (v.is_boolean()) return v.is_true() ? "true" : "false";
        if (v.is_symbol()) return vector(Value::fixnum(static_cast<int64_t>(v.as_symbol())));
        if (!v.is_term()) return vector(v);
        if (const auto found = names_.find(v.payload()); found != names_.end()) return found->second;
        const std::string text = terms_[v].op == Op::variable ? "" : spelt(v);
        std::string name = "t" + std::to_string(names_.size());
        if (terms_[v].op == Op::variable) {
            name = out_.name(out_.variables.size());
            out_.variables.push_back(v);
            if (terms_[v].sort == Sort::boolean)
                out_.text += "(declare-const " + name + " Bool)\n";
            else if (terms_[v].sort == Sort::symbol)
                declare(name, zero, Value::fixnum(UINT32_MAX));
            else
                declare(name, *bounds_->of(v).low, *bounds_->of(v).high);
        } else {
            out_.text += "(define-fun " + name + " () " + (terms_[v].sort == Sort::boolean ? "Bool" : vector_sort()) +
                         " " + text + ")\n";
        }
        names_.emplace(v.payload(), name);
        return name;
    }
    // Sums that the conditions make of it are exact between these only.
    void declare(const std::string& name, Value low, Value high) {
        out_.text += "(declare-const " + name + " " + vector_sort() + ")\n(assert (and (bvsle " + vector(low) + " " +
                     name + ") (bvsle " + name + " " + vector(high) + ")))\n";
    }

    std::string spelt(Value v) {
        std::vector<Value> parts(terms_.operands(v).begin(), terms_.operands(v).end());
        const auto call = [&](const char* function) {
            std::string text = std::string("(") + function;
            for (Value part : parts) text += " " + name(part);
            return text + ")";
        };
        const auto in_order = [&](const char* function) {
            sort_by_structure(parts);
            return call(function);
        };
        switch (terms_[v].op) {
        case Op::sum: return sum(parts);
        case Op::product: return in_order("bvmul");
        case Op::quotient: return quotient(parts[0], parts[1], false);
        case Op::floor_quotient: return quotient(parts[0], parts[1], true);
        case Op::at_most_zero: return "(bvsle " + name(parts[0]) + " " + vector(zero) + ")";
        case Op::is_zero: return "(= " + name(parts[0]) + " " + vector(zero) + ")";
        case Op::same:
        case Op::iff: return in_order("=");
        case Op::negation: return call("not");
        case Op::conjunction: return in_order("and");
        case Op::disjunction: return in_order("or");
        case Op::bitwise_and: return in_order("bvand");
        case Op::bitwise_or: return in_order("bvor");
        case Op::bitwise_xor: return in_order("bvxor");
        case Op::variable:
        case Op::fraction:
        case Op::length:
        case Op::lazy: break;
        }
        throw std::logic_error("a condition on bits that cannot be written was not left out");
    }

    std::string sum(const std::vector<Value>& parts) {
        std::vector<std::pair<Value, Value>> summands; // term, factor
        for (size_t i = 1; i < parts.size(); i += 2) summands.emplace_back(parts[i + 1], parts[i]);
        std::sort(summands.begin(), summands.end(),
                  [&](const auto& a, const auto& b) { return terms_.structure(a.first) < terms_.structure(b.first); });
        std::string text = "(bvadd " + vector(parts[0]);
        for (const auto& [term, factor] : summands) {
            const std::string part = name(term);
            if (factor == one)
                text += " " + part;
            else if (factor == Value::fixnum(-1))
                text += " (bvneg " + part + ")";
            else
                text += " (bvmul " + vector(factor) + " " + part + ")";
        }
        return text + ")";
    }

    // By a constant: the q with a remainder that is small enough, which multiplies by the constant only. It is within
    // the bounds that it has by those of the dividend, so the remainder does not overflow.
    std::string quotient_by(Value dividend, Value divisor, bool is_floor) {
        Heap& heap = terms_.heap();
        std::string a = name(dividend);
        Bounds b = bounds_->of(dividend);
        if (number::compare(divisor, zero, "<") < 0) { // the same of the opposites
            a = "(bvneg " + a + ")";
            b = {number::sub(heap, zero, *b.high), number::sub(heap, zero, *b.low)};
            divisor = number::sub(heap, zero, divisor);
        }
        std::string q = "q" + std::to_string(quotients_++);
        const std::string none = vector(zero), by = vector(divisor);
        const auto divide = [&](Value v) {
            return is_floor ? number::floor_quotient(heap, v, divisor) : number::quotient(heap, v, divisor);
        };
        declare(q, divide(*b.low), divide(*b.high));
        const std::string r = "(bvsub " + a + " (bvmul " + by + " " + q + "))";
        const std::string positive = "(and (bvsle " + none + " " + r + ") (bvslt " + r + " " + by + "))";
        const std::string negative = "(and (bvsle " + r + " " + none + ") (bvslt (bvneg " + by + ") " + r + "))";
        const std::string rest =
            is_floor ? positive : "(ite (bvslt " + a + " " + none + ") " + negative + " " + positive + ")";
        out_.text += "(assert " + rest + ")\n";
        return q;
    }

    std::string quotient(Value dividend, Value divisor, bool is_floor) {
        if (is_floor && divisor.is_fixnum() && divisor.as_fixnum() > 0 &&
            std::has_single_bit(static_cast<uint64_t>(divisor.as_fixnum())))
            return "(bvashr " + name(dividend) + " " +
                   vector(Value::fixnum(static_cast<int64_t>(width_of(divisor)) - 1)) + ")";
        if (!divisor.is_term()) return quotient_by(dividend, divisor, is_floor);
        const std::string a = name(dividend), b = name(divisor), none = vector(zero);
        const std::string q = "(bvsdiv " + a + " " + b + ")", r = "(bvsub " + a + " (bvmul " + q + " " + b + "))";
        const std::string is_rounded_up = "(and (not (= " + r + " " + none + ")) (xor (bvslt " + r + " " + none +
                                          ") (bvslt " + b + " " + none + ")))";
        const std::string floor = "(ite " + is_rounded_up + " (bvsub " + q + " " + vector(one) + ") " + q + ")";
        // As when a solution is evaluated.
        return "(ite (= " + b + " " + none + ") " + none + " " + (is_floor ? floor : q) + ")";
    }

    Terms& terms_;
    std::vector<Value> conditions_;
    Unbounded how_;
    PathBounds* bounds_ = nullptr;
    std::unordered_map<uint32_t, std::string> names_; // by term
    size_t quotients_ = 0;
    WrittenQuestion out_;
};

} // namespace

bool is_about_bits(const Terms& terms, const Question& q) {
    return terms.has_bits(q.condition) ||
           std::any_of(q.path.begin(), q.path.end(), [&](Value c) { return terms.has_bits(c); });
}

std::optional<WrittenQuestion> write_question(Terms& terms, const Question& q, Unbounded how) {
    return Writer(terms, q, how).write();
}

Value read_value(Terms& terms, const WrittenQuestion& written, Value variable, const std::string& digits) {
    Heap& heap = terms.heap();
    const Value number = number::from_text(heap, digits);
    if (terms[variable].sort == Sort::symbol) return Value::symbol(Symbol{static_cast<uint32_t>(number.as_fixnum())});
    const auto power = [&](size_t n) {
        return number::arithmetic_shift(heap, one, Value::fixnum(static_cast<int64_t>(n)));
    };
    const bool is_negative = number::compare(number, power(written.width - 1), "<") >= 0;
    return terms.constant(is_negative ? number::sub(heap, number, power(written.width)) : number);
}

} // namespace espalier::sym
