// Answers to questions asked before, on this path or another (the counterexample cache of KLEE: Cadar, Dunbar, Engler
// 2008, section 3.4).
//
// A question is the set of its conditions. The same set has the same answer; a set that contains an unsatisfiable core
// is unsatisfiable; a solution of a larger set is one of this set, and a solution of a smaller one, or of another that
// ends in the same condition, often is. Since a variable is numbered within its path, cousins ask the same questions.
#include <algorithm>
#include <deque>
#include <unordered_map>

#include "symexec/solver/solver.hpp"

namespace espalier::sym {

namespace {

using Key = std::vector<uint32_t>; // conditions, ascending
struct KeyHash {
    size_t operator()(const Key& key) const {
        uint64_t h = key.size();
        for (uint32_t id : key) h = (h ^ id) * 0x9E3779B97F4A7C15U, h ^= h >> 29;
        return h;
    }
};

bool contains(const Key& set, const Key& part) {
    return part.size() <= set.size() && std::includes(set.begin(), set.end(), part.begin(), part.end());
}

class Cache : public Solver {
public:
    Cache(std::unique_ptr<Solver> next, Terms& terms, SolverStatistics& statistics)
        : next_(std::move(next)), terms_(terms), statistics_(statistics) {}

    Answer ask(const Question& q) override {
        const Key key = key_of(q.path, q.condition);
        if (const auto found = answers_.find(key); found != answers_.end()) {
            ++statistics_.answered_by_cache;
            return found->second;
        }
        if (const Key* core = known_core(key)) {
            ++statistics_.answered_by_core;
            Answer answer{Verdict::unsat, {}, {}};
            for (uint32_t id : *core) answer.core.push_back(Value::term(id));
            return answer;
        }
        if (const Assignment* model = known_solution(q, key)) {
            ++statistics_.answered_by_cached_model;
            return {Verdict::sat, *model, {}};
        }
        Answer answer = next_->ask(q);
        if (answer.verdict != Verdict::unknown) remember(q, key, answer);
        return answer;
    }

private:
    static constexpr size_t most_answers = 200'000, most_recent = 16, most_cores = 64, most_alike = 8;
    struct Solution {
        Key key;
        Assignment model;
    };

    static Key key_of(std::span<const Value> conditions, Value last) {
        Key key;
        key.reserve(conditions.size() + 1);
        for (Value c : conditions)
            if (c.is_term()) key.push_back(c.payload());
        if (last.is_term()) key.push_back(last.payload());
        std::sort(key.begin(), key.end());
        key.erase(std::unique(key.begin(), key.end()), key.end());
        return key;
    }

    // Cores are filed under their newest condition, so that few are looked at.
    const Key* known_core(const Key& key) const {
        for (uint32_t id : key) {
            const auto cores = cores_.find(id);
            if (cores == cores_.end()) continue;
            for (const Key& core : cores->second)
                if (contains(key, core)) return &core;
        }
        return nullptr;
    }

    const Assignment* known_solution(const Question& q, const Key& key) {
        const auto solves = [&](const Assignment& model) {
            const auto holds = [&](Value c) { return terms_.evaluate(c, model).is_true(); };
            return holds(q.condition) && std::all_of(q.path.begin(), q.path.end(), holds);
        };
        if (q.condition.is_term()) {
            const auto alike = solutions_.find(q.condition.payload());
            if (alike != solutions_.end())
                for (const Solution& s : alike->second)
                    if (contains(s.key, key) || solves(s.model)) return &s.model;
        }
        for (const Assignment& model : recent_)
            if (solves(model)) return &model;
        return nullptr;
    }

    void remember(const Question& q, const Key& key, const Answer& answer) {
        if (answers_.size() >= most_answers) answers_.clear();
        answers_.emplace(key, answer);
        if (answer.verdict == Verdict::sat) {
            recent_.push_front(answer.model);
            if (recent_.size() > most_recent) recent_.pop_back();
            if (!q.condition.is_term()) return;
            auto& alike = solutions_[q.condition.payload()];
            alike.push_front({key, answer.model});
            if (alike.size() > most_alike) alike.pop_back();
        } else {
            Key core = answer.core.empty() ? key : key_of(answer.core, Value::boolean(true));
            if (core.empty()) return;
            auto& cores = cores_[core.back()];
            if (cores.size() < most_cores) cores.push_back(std::move(core));
        }
    }

    std::unique_ptr<Solver> next_;
    Terms& terms_;
    SolverStatistics& statistics_;
    std::unordered_map<Key, Answer, KeyHash> answers_;
    std::deque<Assignment> recent_;
    std::unordered_map<uint32_t, std::deque<Solution>> solutions_; // by the condition asked about
    std::unordered_map<uint32_t, std::vector<Key>> cores_;
};

} // namespace

std::unique_ptr<Solver> make_cache(std::unique_ptr<Solver> next, Terms& terms, SolverStatistics& statistics) {
    return std::make_unique<Cache>(std::move(next), terms, statistics);
}

} // namespace espalier::sym
