// Taking conditions in and out, and solving for one variable; path_facts_ranges.cpp has what follows for sums.
#include "symexec/solver/path_facts.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <unordered_set>

#include "symexec/solver/solver.hpp"

namespace espalier::sym {

namespace {

constexpr size_t most_listed = 64;
constexpr int most_rounds = 8;

std::span<const Value> listed(const Domain& d) {
    static constexpr Value booleans[] = {Value::boolean(false), Value::boolean(true)};
    if (d.sort == Sort::boolean) return booleans;
    return d.values.size() <= most_listed ? std::span<const Value>(d.values) : std::span<const Value>();
}

// How many conditions two paths share at their beginnings. Mostly that is nearly all of them, so blocks are compared.
size_t shared_beginning(std::span<const Value> a, std::span<const Value> b) {
    static_assert(std::has_unique_object_representations_v<Value>);
    constexpr size_t block = 16;
    const size_t most = std::min(a.size(), b.size());
    size_t n = 0;
    while (n + block <= most && std::memcmp(&a[n], &b[n], block * sizeof(Value)) == 0) n += block;
    while (n < most && a[n] == b[n]) ++n;
    return n;
}

// Which integers are excluded, of those that are no farther from a number than there are exclusions. A wait with
// thousands of literals excludes as many: so each exclusion is looked at once, and not for each integer.
class Nearby {
public:
    Nearby(const std::vector<Value>& excluded, int64_t around)
        : reach_(static_cast<int64_t>(excluded.size())), first_(around - reach_),
          is_excluded_(2 * excluded.size() + 1) {
        for (Value e : excluded)
            if (const int64_t n = e.as_fixnum(); n >= first_ && n <= around + reach_)
                is_excluded_[static_cast<size_t>(n - first_)] = true;
    }
    bool is_excluded(int64_t n) const { return is_excluded_[static_cast<size_t>(n - first_)]; }

private:
    int64_t reach_, first_;
    std::vector<bool> is_excluded_;
};

} // namespace

// ── Along the path ──

void PathFacts::follow(std::span<const Value> path) {
    const size_t shared = shared_beginning(path_, path);
    if (shared < path_.size()) {
        const Mark& to = marks_[shared];
        for (; undo_.size() > to.undo; undo_.pop_back()) {
            facts_[undo_.back().ordinal] = undo_.back().before;
            excluded_[undo_.back().ordinal].resize(undo_.back().before.excluded);
        }
        definitions_.resize(to.definitions);
        for (; conditions_.size() > to.conditions; conditions_.pop_back()) --holds_[conditions_.back()];
        marks_.resize(shared);
        path_.resize(shared);
    }
    for (size_t i = shared; i < path.size(); ++i) add(path[i]);
}

void PathFacts::add(Value condition) {
    marks_.push_back({undo_.size(), definitions_.size(), conditions_.size()});
    path_.push_back(condition);
    note(condition, true);
}

void PathFacts::note(Value condition, bool top) {
    const uint32_t id = condition.payload();
    if (holds_.size() <= id) holds_.resize(terms_.size(), 0);
    ++holds_[id];
    conditions_.push_back(id);
    // Of a term that may make others, parts are taken one at a time: those may move them.
    const size_t count = terms_.variables(condition).size();
    if (top && count == 1) {
        const Value variable = variable_of(condition);
        Fact& f = touch(variable);
        if (!narrow(f, excluded_[terms_.ordinal(variable)], condition)) ++f.others;
    } else if (top) {
        for (size_t i = 0; i < count; ++i)
            ++touch(terms_.variable_in(condition, terms_.variables(condition)[i])).others;
    }
    const Op op = terms_[condition].op;
    if (op == Op::conjunction) {
        for (size_t i = 0; i < terms_.operands(condition).size(); ++i) {
            const Value part = terms_.operands(condition)[i];
            if (top && terms_.variables(part).size() == 1 && count > 1) {
                const Value variable = variable_of(part);
                narrow(touch(variable), excluded_[terms_.ordinal(variable)], part); // others is up already
            }
            note(part, false);
        }
    } else if (op == Op::negation) {
        define(terms_.operands(condition)[0], true);
    } else {
        define(condition, false);
    }
}

PathFacts::Fact& PathFacts::touch(Value variable) {
    const uint32_t n = terms_.ordinal(variable);
    if (facts_.size() <= n) {
        facts_.resize(n + 1);
        excluded_.resize(n + 1);
    }
    undo_.push_back({n, facts_[n]});
    facts_[n].variable = variable;
    return facts_[n];
}

const PathFacts::Fact* PathFacts::fact(uint32_t ordinal) const {
    return ordinal < facts_.size() && !facts_[ordinal].variable.is_unbound() ? &facts_[ordinal] : nullptr;
}

// The only one that it has; unbound where it has several.
Value PathFacts::variable_of(Value condition) {
    return terms_.variables(condition).size() == 1 ? alone(condition).variable : Value::unbound();
}

PathFacts::Alone& PathFacts::alone(Value condition) {
    const uint32_t id = condition.payload();
    if (alone_.size() <= id) alone_.resize(terms_.size());
    Alone& a = alone_[id];
    if (a.variable.is_unbound()) a.variable = terms_.variable_in(condition, terms_.variables(condition)[0]);
    return a;
}

// ── One variable ──

// Takes a condition on one variable into its facts. False: it is not of a kind known here, or only in part, which
// still narrows what is true anyway.
bool PathFacts::narrow(Fact& f, std::vector<Value>& excluded, Value condition) {
    if (!listed(terms_.domain(f.variable)).empty()) {
        f.allowed &= allowed_by(condition);
        return true;
    }
    const Op op = terms_[condition].op;
    if (op == Op::conjunction) {
        bool all = true;
        for (size_t i = 0; i < terms_.operands(condition).size(); ++i)
            all = narrow(f, excluded, terms_.operands(condition)[i]) && all;
        return all;
    }
    const bool negated = op == Op::negation;
    const Value atom = negated ? terms_.operands(condition)[0] : condition;
    switch (terms_[f.variable].sort) {
    case Sort::symbol: return is_domain(f.variable, condition) || narrow_constant(f, excluded, atom, negated);
    case Sort::string: return narrow_constant(f, excluded, atom, negated);
    default: return narrow_integer(f, excluded, atom, negated);
    }
}

// Does the condition only say that the variable is one of its values? It is made so, and each value is in it once.
bool PathFacts::is_domain(Value variable, Value condition) const {
    const auto parts = terms_.operands(condition);
    return terms_[condition].op == Op::disjunction && parts.size() == terms_.domain(variable).values.size() &&
           std::all_of(parts.begin(), parts.end(), [&](Value part) {
               return terms_[part].op == Op::same && terms_.operands(part)[0] == variable &&
                      !terms_.operands(part)[1].is_term();
           });
}

bool PathFacts::narrow_integer(Fact& f, std::vector<Value>& excluded, Value atom, bool negated) {
    const Op kind = terms_[atom].op;
    if (kind != Op::at_most_zero && kind != Op::is_zero) return false;
    const Value v = terms_.operands(atom)[0];
    int64_t k = 1, c = 0; // k·x + c
    if (v != f.variable) {
        const auto parts = terms_.operands(v);
        if (terms_[v].op != Op::sum || parts.size() != 3 || parts[2] != f.variable) return false;
        if (!is_moderate(parts[0]) || (parts[1] != Value::fixnum(1) && parts[1] != Value::fixnum(-1))) return false;
        k = parts[1].as_fixnum();
        c = parts[0].as_fixnum();
    }
    const int64_t at = k == 1 ? -c : c; // where it is zero
    const bool below = kind == Op::is_zero || k == 1, above = kind == Op::is_zero || k == -1;
    if (negated) {
        if (kind != Op::is_zero) return false; // never built
        excluded.push_back(Value::fixnum(at));
        f.excluded = static_cast<uint32_t>(excluded.size());
        return true;
    }
    if (below && (!f.high || at < *f.high)) f.high = at;
    if (above && (!f.low || at > *f.low)) f.low = at;
    return true;
}

bool PathFacts::narrow_constant(Fact& f, std::vector<Value>& excluded, Value atom, bool negated) {
    if (terms_[atom].op != Op::same || terms_.operands(atom)[0] != f.variable) return false;
    const Value constant = terms_.operands(atom)[1];
    if (constant.is_term()) return false;
    if (negated) {
        excluded.push_back(constant);
        f.excluded = static_cast<uint32_t>(excluded.size());
    } else if (f.fixed.is_unbound()) {
        f.fixed = constant;
    } else if (!equal(f.fixed, constant)) {
        return false; // a contradiction, which others will see
    }
    return true;
}

// A bit for each listed value of its only variable that satisfies it.
uint64_t PathFacts::allowed_by(Value condition) {
    if (const Alone& known = alone(condition); known.is_listed) return known.allowed;
    const Value variable = alone(condition).variable;
    const auto listing = listed(terms_.domain(variable));
    const std::vector<Value> values(listing.begin(), listing.end()); // evaluating may make terms
    const uint32_t n = terms_.ordinal(variable);
    Assignment model(n + 1, Value::unbound());
    uint64_t mask = 0;
    for (size_t i = 0; i < values.size(); ++i) {
        model[n] = values[i];
        if (terms_.evaluate(condition, model).is_true()) mask |= uint64_t{1} << i;
    }
    Alone& a = alone(condition); // evaluating may have moved it
    a.is_listed = true;
    a.allowed = mask;
    return mask;
}

std::optional<PathFacts::Solved> PathFacts::solve(Value condition) {
    const Value variable = variable_of(condition);
    if (variable.is_unbound()) return std::nullopt;
    const uint32_t n = terms_.ordinal(variable);
    Fact f;
    std::vector<Value> excluded;
    if (const Fact* known = fact(n)) {
        if (known->others > 0 || known->variable != variable) return std::nullopt;
        f = *known;
    }
    f.variable = variable;
    if (!narrow(f, excluded, condition)) return std::nullopt;
    if (n < excluded_.size()) excluded.insert(excluded.end(), excluded_[n].begin(), excluded_[n].end());
    return choose(f, excluded, terms_);
}

std::optional<PathFacts::Solved> PathFacts::choose(const Fact& f, const std::vector<Value>& excluded, Terms& terms) {
    const auto is_excluded = [&](Value v) {
        return std::any_of(excluded.begin(), excluded.end(), [&](Value e) { return equal(e, v); });
    };
    const Domain& domain = terms.domain(f.variable);
    if (domain.sort == Sort::symbol && domain.values.size() > most_listed) {
        if (!f.fixed.is_unbound()) return Solved{!is_excluded(f.fixed), f.fixed};
        std::unordered_set<uint64_t> words;
        for (Value e : excluded) words.insert(e.bits());
        const auto left = std::find_if(domain.values.begin(), domain.values.end(),
                                       [&](Value v) { return words.count(v.bits()) == 0; });
        return left == domain.values.end() ? Solved{false, {}} : Solved{true, *left};
    }
    if (const auto values = listed(domain); !values.empty()) {
        for (size_t i = 0; i < values.size(); ++i)
            if ((f.allowed >> i & 1) != 0) return Solved{true, values[i]};
        return Solved{false, {}};
    }
    if (domain.sort == Sort::string) {
        if (!f.fixed.is_unbound()) return Solved{!is_excluded(f.fixed), f.fixed};
        for (uint64_t i = 0;; ++i) {
            const Value v = terms.constant(terms.heap().string(nth_string(1, i)));
            if (!is_excluded(v)) return Solved{true, v};
        }
    }
    if (domain.sort != Sort::integer) return std::nullopt;
    if (f.low && f.high && *f.low > *f.high) return Solved{false, {}};
    int64_t start = 0;
    if (f.low) start = std::max(start, *f.low);
    if (f.high) start = std::min(start, *f.high);
    if (!is_excluded(Value::fixnum(start))) return Solved{true, Value::fixnum(start)};
    const Nearby nearby(excluded, start);
    for (int64_t d = 0; d <= static_cast<int64_t>(excluded.size()); ++d) {
        for (const int64_t n : {start + d, start - d}) {
            if ((f.low && n < *f.low) || (f.high && n > *f.high)) continue;
            if (!nearby.is_excluded(n)) return Solved{true, Value::fixnum(n)};
        }
    }
    // So near to its start there is none: all that is left would lie within both bounds.
    if (f.low && f.high) return Solved{false, {}};
    return std::nullopt;
}

// ── Equalities ──

// An equation with a variable that has no definition yet, and does not occur in what it is equal to.
void PathFacts::define(Value condition, bool negated) {
    const Op op = terms_[condition].op;
    if (op == Op::variable) {
        define_variable(condition, Value::boolean(!negated));
        return;
    }
    Value parts[2];
    const auto operands = terms_.operands(condition);
    std::copy_n(operands.begin(), std::min<size_t>(operands.size(), 2), parts);
    if (op == Op::same && !negated) {
        if (!define_variable(parts[0], parts[1]) && parts[1].is_term()) define_variable(parts[1], parts[0]);
    } else if (op == Op::iff) {
        if (!define_variable(parts[0], negated ? terms_.negation(parts[1]) : parts[1]))
            define_variable(parts[1], negated ? terms_.negation(parts[0]) : parts[0]);
    } else if (op == Op::is_zero && !negated) {
        const Value sum = parts[0];
        if (terms_[sum].op == Op::variable) {
            define_variable(sum, Value::fixnum(0));
            return;
        }
        if (terms_[sum].op != Op::sum) return;
        const std::vector<Value> linear(terms_.operands(sum).begin(), terms_.operands(sum).end());
        for (size_t i = linear.size() - 1; i >= 2; i -= 2) { // the newest first
            const Value variable = linear[i];
            if (terms_[variable].op != Op::variable) continue;
            // sum = k·x + rest = 0, so x = −k·rest for k = ±1
            Value as;
            if (linear[i - 1] == Value::fixnum(1))
                as = terms_.sub(variable, sum);
            else if (linear[i - 1] == Value::fixnum(-1))
                as = terms_.add(variable, sum);
            else
                continue;
            if (define_variable(variable, as)) return;
        }
    }
}

bool PathFacts::define_variable(Value variable, Value as) {
    if (!variable.is_term() || terms_[variable].op != Op::variable) return false;
    const uint32_t n = terms_.ordinal(variable);
    const auto used = terms_.variables(as);
    if (std::find(used.begin(), used.end(), n) != used.end()) return false;
    if (const Fact* known = fact(n); known != nullptr && known->defined != 0) return false;
    definitions_.push_back(as);
    touch(variable).defined = static_cast<uint32_t>(definitions_.size());
    return true;
}

std::optional<Value> PathFacts::only_value(const Fact& f) const {
    if (f.low && f.high && *f.low == *f.high) return Value::fixnum(*f.low);
    if (!f.fixed.is_unbound()) return f.fixed;
    const auto values = listed(terms_.domain(f.variable));
    const uint64_t mask = values.size() < most_listed ? (uint64_t{1} << values.size()) - 1 : ~uint64_t{0};
    const uint64_t left = f.allowed & mask;
    if (values.empty() || left == 0 || (left & (left - 1)) != 0) return std::nullopt;
    return values[static_cast<size_t>(__builtin_ctzll(left))];
}

std::optional<Value> PathFacts::replacement(uint32_t ordinal) const {
    const Fact* f = fact(ordinal);
    if (f == nullptr) return std::nullopt;
    if (const auto only = only_value(*f)) return only;
    if (f->defined != 0) return definitions_[f->defined - 1];
    return std::nullopt;
}

// A definition may speak of variables that were defined later, and those of others: a few rounds, not until the end.
Value PathFacts::reduce(Value condition) {
    for (int round = 0; round < most_rounds && condition.is_term(); ++round) {
        const auto ordinals = terms_.variables(condition);
        if (std::none_of(ordinals.begin(), ordinals.end(), [&](uint32_t n) { return replacement(n).has_value(); }))
            break;
        condition = terms_.substitute(condition, [&](Value v) { return replacement(terms_.ordinal(v)).value_or(v); });
    }
    return condition;
}

std::optional<bool> PathFacts::stated(Value condition) const {
    const auto has = [&](Value c) { return c.is_term() && c.payload() < holds_.size() && holds_[c.payload()] > 0; };
    if (has(condition)) return true;
    if (has(terms_.negation(condition))) return false;
    return std::nullopt;
}

} // namespace espalier::sym
