// The chain, assembled: and the short steps of it. Longer ones have files of their own.
#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>

#include "symexec/solver/solver.hpp"

namespace espalier::sym {

namespace {

// The path's current solution satisfies one side of every branch: that side needs no question.
class ModelReuse : public Solver {
public:
    ModelReuse(std::unique_ptr<Solver> next, Terms& terms, SolverStatistics& statistics)
        : next_(std::move(next)), terms_(terms), statistics_(statistics) {}
    Answer ask(const Question& q) override {
        if (q.known != nullptr && terms_.evaluate(q.condition, *q.known).is_true()) {
            ++statistics_.answered_by_model;
            return {.verdict = Verdict::sat, .is_known = true};
        }
        return next_->ask(q);
    }

private:
    std::unique_ptr<Solver> next_;
    Terms& terms_;
    SolverStatistics& statistics_;
};

// Where the path is known to be satisfiable, only conditions that share variables with the question, directly or
// through others, can contradict it. (Independence as in EXE and KLEE.)
class Independence : public Solver {
public:
    Independence(std::unique_ptr<Solver> next, Terms& terms, SolverStatistics& statistics)
        : next_(std::move(next)), terms_(terms), statistics_(statistics) {}
    Answer ask(const Question& q) override {
        if (q.known == nullptr || !q.condition.is_term()) return next_->ask(q);
        mark_related(q);
        std::vector<Value> slice;
        for (size_t i = 0; i < q.path.size(); ++i)
            if (taken_[i] != 0) slice.push_back(q.path[i]);
        statistics_.conditions_left_out += q.path.size() - slice.size();
        Answer answer = next_->ask({slice, q.condition, q.known});
        if (answer.verdict == Verdict::sat && !answer.is_known) complete(answer.model, *q.known);
        return answer;
    }

private:
    // Newest first: a condition mostly shares variables with those shortly before it, so that few passes do.
    void mark_related(const Question& q) {
        taken_.assign(q.path.size(), 0);
        ++round_;
        relate(q.condition);
        for (bool more = true; more;) {
            more = false;
            for (size_t i = q.path.size(); i-- > 0;) {
                if (taken_[i] != 0) continue;
                const auto vars = terms_.variables(q.path[i]);
                if (std::none_of(vars.begin(), vars.end(), [&](uint32_t v) { return is_related(v); })) continue;
                taken_[i] = 1;
                more = relate(q.path[i]) || more;
            }
        }
    }

    bool is_related(size_t v) const { return v < related_.size() && related_[v] == round_; }

    // Is one of its variables new?
    bool relate(Value condition) {
        bool is_new = false;
        for (uint32_t v : terms_.variables(condition)) {
            if (related_.size() <= v) related_.resize(v + 1, 0);
            is_new = is_new || related_[v] != round_;
            related_[v] = round_;
        }
        return is_new;
    }

    // The slice's solution says nothing of other variables, though a cached one may hold something for them. A related
    // one that it leaves open is worth its fallback in it, not what was known before.
    void complete(Assignment& model, const Assignment& known) const {
        if (model.size() < known.size()) model.resize(known.size(), Value::unbound());
        for (size_t i = 0; i < model.size(); ++i)
            if (!is_related(i)) model[i] = i < known.size() ? known[i] : Value::unbound();
    }

    std::unique_ptr<Solver> next_;
    Terms& terms_;
    SolverStatistics& statistics_;
    std::vector<uint8_t> taken_;
    std::vector<uint64_t> related_; // by variable: the last round in which it was
    uint64_t round_ = 0;
};

// For tests: a second opinion on every answer, its model and its core.
class Validator : public Solver {
public:
    Validator(std::unique_ptr<Solver> next, std::unique_ptr<Solver> judge, Terms& terms)
        : next_(std::move(next)), judge_(std::move(judge)), terms_(terms) {}
    Answer ask(const Question& q) override {
        if (q.known != nullptr && !all_hold(q, *q.known)) fail("the path's known model is no solution", q);
        Answer answer = next_->ask(q);
        const Verdict other = judge_->ask(q).verdict;
        if (answer.verdict != other && answer.verdict != Verdict::unknown && other != Verdict::unknown)
            fail(answer.verdict == Verdict::sat ? "sat, where plain Z3 says unsat" : "unsat, where plain Z3 says sat",
                 q);
        const Assignment& model = solution(q, answer);
        if (answer.verdict == Verdict::sat && (!all_hold(q, model) || !holds(q.condition, model)))
            fail("sat, with a model that is no solution", q);
        if (!answer.core.empty()) check_core(q, answer.core);
        return answer;
    }

private:
    bool holds(Value condition, const Assignment& model) const { return terms_.evaluate(condition, model).is_true(); }
    bool all_hold(const Question& q, const Assignment& model) const {
        return std::all_of(q.path.begin(), q.path.end(), [&](Value c) { return holds(c, model); });
    }
    void check_core(const Question& q, const std::vector<Value>& core) {
        for (Value c : core)
            if (c != q.condition && std::find(q.path.begin(), q.path.end(), c) == q.path.end())
                fail("a core with a condition that was not asked about", q);
        if (judge_->ask({core, Value::boolean(true), nullptr}).verdict == Verdict::sat)
            fail("a core that can be satisfied", q);
    }
    [[noreturn]] void fail(const std::string& what, const Question& q) const {
        std::string text = "the solver chain is wrong: " + what + "; asked: " + terms_.to_text(q.condition) + " with";
        for (Value c : q.path) text += ' ' + terms_.to_text(c);
        throw std::logic_error(text);
    }

    std::unique_ptr<Solver> next_, judge_;
    Terms& terms_;
};

class Counter : public Solver {
public:
    Counter(std::unique_ptr<Solver> next, SolverStatistics& statistics)
        : next_(std::move(next)), statistics_(statistics) {}
    Answer ask(const Question& q) override {
        const auto start = std::chrono::steady_clock::now();
        ++statistics_.sat_queries;
        Answer answer = next_->ask(q);
        statistics_.sat_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return answer;
    }

private:
    std::unique_ptr<Solver> next_;
    SolverStatistics& statistics_;
};

} // namespace

std::unique_ptr<Solver> make_model_reuse(std::unique_ptr<Solver> next, Terms& terms, SolverStatistics& statistics) {
    return std::make_unique<ModelReuse>(std::move(next), terms, statistics);
}
std::unique_ptr<Solver> make_independence(std::unique_ptr<Solver> next, Terms& terms, SolverStatistics& statistics) {
    return std::make_unique<Independence>(std::move(next), terms, statistics);
}
std::unique_ptr<Solver> make_validator(std::unique_ptr<Solver> next, std::unique_ptr<Solver> judge, Terms& terms) {
    return std::make_unique<Validator>(std::move(next), std::move(judge), terms);
}

// Cheapest first: the path's model, bounds, the slice that matters, what was asked before, all values
// where they are few, Z3.
std::unique_ptr<Solver> make_chain(const SolverChain& chain, Terms& terms, uint32_t resources,
                                   SolverStatistics& statistics, std::function<bool()> stop) {
    // Only the cache has a use for cores.
    auto solver = make_z3(terms, resources, chain.cache, statistics, std::move(stop));
    if (chain.enumeration) solver = make_enumeration(std::move(solver), terms, statistics);
    if (chain.cache) solver = make_cache(std::move(solver), terms, statistics);
    if (chain.independence) solver = make_independence(std::move(solver), terms, statistics);
    if (chain.intervals) solver = make_intervals(std::move(solver), terms, statistics);
    if (chain.models) solver = make_model_reuse(std::move(solver), terms, statistics);
    if (chain.validate) {
        static SolverStatistics unused;
        solver = make_validator(std::move(solver), make_z3(terms, resources, false, unused), terms);
    }
    return std::make_unique<Counter>(std::move(solver), statistics);
}

} // namespace espalier::sym

namespace espalier {

SolverChain parse_solver_chain(std::string_view list) {
    struct Step {
        std::string_view name;
        bool SolverChain::*step;
    };
    static constexpr Step steps[] = {{"models", &SolverChain::models},
                                     {"intervals", &SolverChain::intervals},
                                     {"independence", &SolverChain::independence},
                                     {"cache", &SolverChain::cache},
                                     {"enumeration", &SolverChain::enumeration},
                                     {"validate", &SolverChain::validate}};
    SolverChain chain{false, false, false, false, false, false};
    bool z3 = false;
    const auto fail = [&](const std::string& what) {
        throw std::invalid_argument("solver chain `" + std::string(list) + "`: " + what +
                                    " (a list of models, intervals, independence, cache, enumeration and z3; or all)");
    };
    for (size_t at = 0; at <= list.size();) {
        const size_t end = std::min(list.find(',', at), list.size());
        const std::string_view name = list.substr(at, end - at);
        at = end + 1;
        if (name == "all" || name == "z3") {
            if (z3) fail("`" + std::string(name) + "` names z3 a second time");
            z3 = true;
            if (name == "z3") continue;
            chain.models = chain.intervals = chain.independence = chain.cache = chain.enumeration = true;
            continue;
        }
        const auto* step =
            std::find_if(std::begin(steps), std::end(steps), [&](const Step& s) { return s.name == name; });
        if (step == std::end(steps))
            fail(name.empty() ? "a name is missing" : "there is no step `" + std::string(name) + "`");
        if (chain.*(step->step)) fail("`" + std::string(name) + "` stands there twice");
        chain.*(step->step) = true;
    }
    if (!z3) fail("without z3 many questions have no answer");
    return chain;
}

} // namespace espalier
