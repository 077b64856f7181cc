#include "symexec/learn/requirements.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "symexec/terms/projection.hpp"

namespace espalier::sym {

bool is_always_true(const Terms& terms, Value condition) {
    if (!condition.is_term() || terms[condition].op != Op::disjunction) return false;
    const auto parts = terms.operands(condition);
    return std::any_of(parts.begin(), parts.end(), [&](Value part) {
        return part.is_term() && terms[part].op == Op::negation &&
               std::find(parts.begin(), parts.end(), terms.operands(part)[0]) != parts.end();
    });
}

Value Requirements::of_content(Value condition) {
    if (!condition.is_term()) return condition;
    const auto ordinals = terms_.variables(condition);
    const auto is_constant = [&](uint32_t n) { return n < content_.size() && !content_[n].is_term(); };
    if (std::all_of(ordinals.begin(), ordinals.end(), is_constant)) return terms_.evaluate(condition, content_);
    const auto content = [&](Value variable) {
        const uint32_t n = terms_.ordinal(variable);
        return n < content_.size() ? content_[n] : variable;
    };
    return terms_.substitute(condition, content, as_content_);
}

bool Requirements::mentions_data(Value condition) const {
    const auto ordinals = terms_.variables(condition);
    return !ordinals.empty() && ordinals.front() < content_.size();
}

bool Requirements::mentions_inputs(Value condition) const {
    const auto ordinals = terms_.variables(condition);
    return !ordinals.empty() && ordinals.back() >= content_.size();
}

bool Requirements::add(std::span<const Value> way, Value condition) {
    if (!condition.is_term()) return condition.is_true() || fix(way, condition);
    if (std::find(way.begin(), way.end(), condition) != way.end()) return true;
    if (terms_[condition].op == Op::conjunction) {
        const std::vector<Value> parts(terms_.operands(condition).begin(), terms_.operands(condition).end());
        return std::all_of(parts.begin(), parts.end(), [&](Value part) { return add(way, part); });
    }
    return mentions_inputs(condition) ? add_with_inputs(way, condition) : add_without_inputs(way, condition);
}

// It speaks of data as they are at the beginning, and held at the end of the way: where none of them is symbolic, that
// shows that it holds at the beginning.
bool Requirements::add_unchanged(std::span<const Value> way, Value condition) {
    const auto mentioned = terms_.variables(condition);
    const auto is_constant = [&](uint32_t n) { return n < content_.size() && !content_[n].is_term(); };
    return std::all_of(mentioned.begin(), mentioned.end(), is_constant) ? keep(condition) : add(way, condition);
}

// Of the way, conditions on data alone say when it is taken; those on inputs alone can be satisfied whatever the data
// are. Others tie data to inputs: what they say of the data is found out only where it must be.
bool Requirements::add_without_inputs(std::span<const Value> way, Value condition) {
    condition = narrowed(condition);
    if (surely_holds(condition)) return keep(condition);
    std::vector<Value> where;
    bool is_tied = false;
    for (const Value w : way) {
        if (!mentions_data(w)) continue;
        if (mentions_inputs(w))
            is_tied = true;
        else if (of_content(w).is_term())
            where.push_back(w);
    }
    const Value when = terms_.all_of(where);
    condition = terms_.either(condition, terms_.negation(when));
    if (!is_tied || follows_from(path(), of_content(condition))) return keep(condition);
    return fix(way, condition);
}

// Of a choice of conditions: one that holds here, or those that may. So interpolants stay short, and are about what
// decides.
Value Requirements::narrowed(Value condition) {
    if (!condition.is_term() || terms_[condition].op != Op::disjunction) return condition;
    const std::vector<Value> parts(terms_.operands(condition).begin(), terms_.operands(condition).end());
    std::vector<Value> may;
    for (const Value part : parts) {
        if (surely_holds(part)) return part;
        if (!surely_holds(terms_.negation(part))) may.push_back(part);
    }
    return may.empty() ? condition : terms_.any_of(may);
}

// The cheapest first.
bool Requirements::add_with_inputs(std::span<const Value> way, Value condition) {
    tools_.of_way.follow(way);
    if (tools_.of_way.truth(condition).value_or(false)) return true;
    if (const auto rest = without_inputs(condition); rest && surely_holds(*rest)) return keep(*rest);
    if (const auto done = for_each_value(way, condition)) return *done;
    if (const auto worst = at_worst(condition); worst && surely_holds(*worst)) return keep(*worst);
    return follows_from(way, condition) || fix(way, condition);
}

// Of two bounds on the same sum: does the first imply the second?
bool Requirements::is_at_least(Value stronger, Value weaker) {
    if (terms_[stronger].op != Op::at_most_zero || terms_[weaker].op != Op::at_most_zero) return false;
    const auto all = terms_.variables(stronger), its = terms_.variables(weaker);
    if (!std::equal(all.begin(), all.end(), its.begin(), its.end())) return false;
    const Value apart = terms_.sub(terms_.operands(stronger)[0], terms_.operands(weaker)[0]);
    return apart.is_fixnum() && apart.as_fixnum() >= 0;
}

bool Requirements::keep(Value condition) {
    if (!condition.is_term()) return condition.is_true();
    if (std::find(all_.begin(), all_.end(), condition) != all_.end()) return true;
    for (Value& known : all_) {
        if (is_at_least(known, condition)) return true;
        if (!is_at_least(condition, known)) continue;
        known = condition;
        return true;
    }
    if (all_.size() == most) return false;
    all_.push_back(condition);
    return true;
}

// Where there are many, it is better to keep the data that they speak of as they are.
const std::vector<Value>& Requirements::all() {
    if (all_.size() <= many) return all_;
    std::set<uint32_t> data;
    for (const Value condition : all_)
        for (const uint32_t n : terms_.variables(condition)) data.insert(n);
    std::vector<Value> before = std::exchange(all_, {});
    if (!stay(data)) all_ = std::move(before);
    return all_;
}

const std::vector<Value>& Requirements::path() {
    if (!path_) path_ = state_.path.to_vector();
    return *path_;
}

// Data of the state may be symbolic: then its path must say so, at a look.
bool Requirements::surely_holds(Value condition) {
    const Value here = of_content(condition);
    if (!here.is_term()) return here.is_true();
    if (is_always_true(terms_, here)) return true;
    if (state_.model != nullptr && !terms_.evaluate(here, *state_.model).is_true()) return false;
    tools_.of_state.follow(path());
    return tools_.of_state.truth(here).value_or(false);
}

bool Requirements::follows_from(std::span<const Value> way, Value condition) {
    const Value opposite = terms_.negation(condition);
    if (!opposite.is_term()) return opposite.is_false();
    return tools_.solver.ask({way, opposite}).verdict == Verdict::unsat;
}

// Of a choice of conditions those that do not mention inputs.
std::optional<Value> Requirements::without_inputs(Value condition) {
    if (terms_[condition].op != Op::disjunction) return std::nullopt;
    std::vector<Value> parts(terms_.operands(condition).begin(), terms_.operands(condition).end());
    std::erase_if(parts, [&](Value part) { return mentions_inputs(part); });
    return parts.empty() ? std::nullopt : std::optional(terms_.any_of(parts));
}

// Of a bound on a sum: the inputs are what is worst for it, by what the way says of each.
std::optional<Value> Requirements::at_worst(Value condition) {
    const bool is_negated = terms_[condition].op == Op::negation;
    const Value bound = is_negated ? terms_.operands(condition)[0] : condition;
    if (terms_[bound].op != Op::at_most_zero) return std::nullopt;
    const Value whole = terms_.operands(bound)[0];
    if (terms_[whole].op != Op::sum) return std::nullopt;
    const std::vector<Value> parts(terms_.operands(whole).begin(), terms_.operands(whole).end());
    Value worst = parts[0];
    for (size_t i = 1; i + 1 < parts.size(); i += 2) {
        const Value part = terms_.mul(parts[i], parts[i + 1]);
        if (!mentions_inputs(part)) {
            worst = terms_.add(worst, part);
            continue;
        }
        if (mentions_data(part)) return std::nullopt;
        const Range range = tools_.of_way.range(part);
        const std::optional<int64_t> end = is_negated ? range.low : range.high;
        if (!end) return std::nullopt;
        worst = terms_.add(worst, Value::fixnum(*end));
    }
    const Value at_most = terms_.at_most_zero(worst);
    return is_negated ? terms_.negation(at_most) : at_most;
}

// An input of few values: the condition for each.
std::optional<bool> Requirements::for_each_value(std::span<const Value> way, Value condition) {
    const auto ordinals = terms_.variables(condition);
    for (size_t i = ordinals.size(); i-- > 0 && ordinals[i] >= content_.size();) {
        const uint32_t n = ordinals[i];
        const Domain& domain = terms_.domain(terms_.variable_in(condition, n));
        if (domain.values.empty() || domain.values.size() > most_values) continue;
        const std::vector<Value> values = domain.values;
        return std::all_of(values.begin(), values.end(), [&](Value v) {
            const auto with = [&](Value c) {
                return terms_.substitute(c, [&](Value x) { return terms_.ordinal(x) == n ? v : x; });
            };
            std::vector<Value> then;
            for (const Value w : way) {
                const Value c = with(w);
                if (!c.is_term() && c.is_false()) return true;
                if (c.is_term()) then.push_back(c);
            }
            return add(then, with(condition));
        });
    }
    return std::nullopt;
}

// Data that the condition and the way speak of stay as they are. First those that share inputs with the condition, then
// all of them.
bool Requirements::fix(std::span<const Value> way, Value condition) {
    std::vector<bool> is_chosen(way.size(), false);
    std::set<uint32_t> concerned;
    for (const uint32_t n : terms_.variables(condition)) concerned.insert(n);
    const auto choose = [&](bool all) {
        for (bool more = true; std::exchange(more, false);)
            for (size_t i = 0; i < way.size(); ++i) {
                const auto ordinals = terms_.variables(way[i]);
                const auto is_concerned = [&](uint32_t n) { return n >= content_.size() && concerned.count(n) > 0; };
                if (is_chosen[i] || !(all || std::any_of(ordinals.begin(), ordinals.end(), is_concerned))) continue;
                is_chosen[i] = more = true;
                concerned.insert(ordinals.begin(), ordinals.end());
            }
    };
    // As they are, does the condition hold?
    const auto is_enough = [&] {
        std::vector<Value> here = path();
        for (size_t i = 0; i < way.size(); ++i) {
            const Value c = is_chosen[i] ? of_content(way[i]) : Value::boolean(true);
            if (c.is_term()) here.push_back(c);
            if (c.is_false()) return true;
        }
        const Value wanted = of_content(condition);
        return wanted.is_true() || follows_from(here, wanted);
    };
    choose(false);
    if (!is_enough()) {
        choose(true);
        if (!is_enough()) return false;
    }
    std::set<uint32_t> data;
    for (const uint32_t n : concerned)
        if (n < content_.size()) data.insert(n);
    return stay(data);
}

// These data stay as they are: a constant is this constant, and what is symbolic is what the path of the state says.
bool Requirements::stay(const std::set<uint32_t>& data) {
    std::set<uint32_t> inputs;
    for (const uint32_t n : data)
        for (const uint32_t i : terms_.variables(content_[n])) inputs.insert(i);
    const std::vector<Value>& said_by_path = path();
    std::vector<Value> said;
    std::vector<bool> is_chosen(said_by_path.size(), false);
    for (bool more = !inputs.empty(); std::exchange(more, false);)
        for (size_t i = 0; i < said_by_path.size(); ++i) {
            const auto ordinals = terms_.variables(said_by_path[i]);
            if (is_chosen[i] ||
                std::none_of(ordinals.begin(), ordinals.end(), [&](uint32_t n) { return inputs.count(n) > 0; }))
                continue;
            is_chosen[i] = more = true;
            inputs.insert(ordinals.begin(), ordinals.end());
            said.push_back(said_by_path[i]);
        }
    std::unordered_map<uint32_t, Value> datum_of; // by the input that is its content
    for (uint32_t n = 0; n < content_.size(); ++n)
        if (content_[n].is_term() && terms_[content_[n]].op == Op::variable)
            datum_of.emplace(terms_.ordinal(content_[n]), variables_[n]);
    // Inputs that are no datum can still be anything that the path lets them be.
    const auto live = static_cast<uint32_t>(content_.size());
    uint32_t dead = live;
    const auto in_data = [&](Value v) {
        return terms_.substitute(v, [&](Value x) {
            const auto [at, is_new] = datum_of.try_emplace(terms_.ordinal(x));
            if (is_new)
                at->second =
                    terms_.variable(dead++, DomainId{static_cast<uint32_t>(terms_.operands(x)[1].as_fixnum())});
            return at->second;
        });
    };
    std::vector<Value> conditions;
    for (const uint32_t n : data) {
        const auto same = equal(variables_[n], in_data(content_[n]));
        if (!same) return false;
        if (same->is_term()) conditions.push_back(*same);
    }
    for (const Value c : said) conditions.push_back(in_data(c));
    if (dead > live) conditions = project(terms_, std::move(conditions), live);
    return std::all_of(conditions.begin(), conditions.end(), [&](Value c) { return !mentions_inputs(c) && keep(c); });
}

std::optional<Value> Requirements::equal(Value datum, Value content) {
    switch (terms_[datum].sort) {
    case Sort::integer: return terms_.equal_integers(datum, content);
    case Sort::boolean: return terms_.iff(datum, content);
    case Sort::symbol:
    case Sort::string: return terms_.same(datum, content);
    case Sort::rational:
    case Sort::lazy: break;
    }
    return std::nullopt;
}

} // namespace espalier::sym
