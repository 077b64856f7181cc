// Answers to questions asked before, on this path or another.
//
// A question is the set of its conditions. The same set has the same answer; a set with an unsatisfiable part is
// unsatisfiable; and a recent solution often satisfies the next question too (the counterexample cache of KLEE). Since
// a variable is numbered within its path, cousins ask the same questions.
#include <algorithm>
#include <deque>
#include <unordered_map>

#include "symexec/solver.hpp"

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

class Cache : public Solver {
public:
    Cache(std::unique_ptr<Solver> next, Terms& terms, Statistics& statistics)
        : next_(std::move(next)), terms_(terms), statistics_(statistics) {}

    Answer ask(const Question& q) override {
        const Key key = key_of(q);
        if (const auto found = answers_.find(key); found != answers_.end()) return hit(found->second);
        if (has_core(q, key)) return hit({Verdict::unsat, {}});
        if (const Assignment* model = recent_solution(q)) return hit({Verdict::sat, *model});
        Answer answer = next_->ask(q);
        if (answer.verdict != Verdict::unknown) remember(q, key, answer);
        return answer;
    }

private:
    static constexpr size_t most_answers = 200'000, most_recent = 16, most_cores = 64;

    static Key key_of(const Question& q) {
        Key key;
        key.reserve(q.path.size() + 1);
        for (Value c : q.path) key.push_back(c.payload());
        if (q.condition.is_term()) key.push_back(q.condition.payload());
        std::sort(key.begin(), key.end());
        key.erase(std::unique(key.begin(), key.end()), key.end());
        return key;
    }

    Answer hit(const Answer& answer) {
        ++statistics_.answered_by_cache;
        return answer;
    }

    // A path is satisfiable, so an unsatisfiable part has the condition in it: parts are found by that.
    bool has_core(const Question& q, const Key& key) const {
        if (!q.condition.is_term()) return false;
        const auto cores = cores_.find(q.condition.payload());
        return cores != cores_.end() && std::any_of(cores->second.begin(), cores->second.end(), [&](const Key& core) {
                   return std::includes(key.begin(), key.end(), core.begin(), core.end());
               });
    }

    const Assignment* recent_solution(const Question& q) {
        for (const Assignment& model : recent_) {
            const auto holds = [&](Value c) { return terms_.evaluate(c, model).is_true(); };
            if (holds(q.condition) && std::all_of(q.path.begin(), q.path.end(), holds)) return &model;
        }
        return nullptr;
    }

    void remember(const Question& q, const Key& key, const Answer& answer) {
        if (answers_.size() >= most_answers) answers_.clear();
        answers_.emplace(key, answer);
        if (answer.verdict == Verdict::sat) {
            recent_.push_front(answer.model);
            if (recent_.size() > most_recent) recent_.pop_back();
        } else if (q.condition.is_term()) {
            auto& cores = cores_[q.condition.payload()];
            if (cores.size() < most_cores) cores.push_back(key);
        }
    }

    std::unique_ptr<Solver> next_;
    Terms& terms_;
    Statistics& statistics_;
    std::unordered_map<Key, Answer, KeyHash> answers_;
    std::deque<Assignment> recent_;
    std::unordered_map<uint32_t, std::vector<Key>> cores_;
};

} // namespace

std::unique_ptr<Solver> make_cache(std::unique_ptr<Solver> next, Terms& terms, Statistics& statistics) {
    return std::make_unique<Cache>(std::move(next), terms, statistics);
}

} // namespace espalier::sym
