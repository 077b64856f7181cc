// Depth-first, breadth-first and random order, and the nearest to a target first.
#include "symexec/search/search.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>

#include "symexec/search/mixed.hpp"

namespace espalier::sym {

namespace {

class DepthFirst : public Frontier {
public:
    void add(std::vector<Successor> siblings) override {
        for (auto s = siblings.rbegin(); s != siblings.rend(); ++s) states_.push_back(std::move(s->state));
    }
    void postpone(State state) override { states_.push_back(std::move(state)); }
    Successor take() override {
        State s = std::move(states_.back());
        states_.pop_back();
        return {std::move(s)};
    }
    size_t size() const override { return states_.size(); }
    void each(const std::function<void(const State&)>& visit) const override {
        for (const State& s : states_) visit(s);
    }

private:
    std::vector<State> states_;
};

// The fewest stable states first, so that a greater bound does not make short tests wait for long ones, however many
// branches they have on their way; then the oldest. Dropping a state leaves the others in their order.
class BreadthFirst : public Frontier {
public:
    void add(std::vector<Successor> siblings) override {
        for (Successor& s : siblings) postpone(std::move(s.state));
    }
    void postpone(State state) override { (state.left > level_ ? later_ : now_).push_back(std::move(state)); }
    Successor take() override {
        if (now_.empty()) {
            now_.swap(later_);
            level_ = now_.front().left;
        }
        State s = std::move(now_.front());
        now_.pop_front();
        return {std::move(s)};
    }
    size_t size() const override { return now_.size() + later_.size(); }
    void each(const std::function<void(const State&)>& visit) const override {
        for (const auto* states : {&now_, &later_})
            for (const State& s : *states) visit(s);
    }

private:
    uint32_t level_ = 0; // stable states on the way to those in `now_`; one more to those in `later_`
    std::deque<State> now_, later_;
};

// The least rank first.
class Random : public Frontier {
public:
    explicit Random(uint64_t seed) : seed_(seed) {}
    void add(std::vector<Successor> siblings) override {
        for (Successor& s : siblings) postpone(std::move(s.state));
    }
    void postpone(State state) override {
        const uint64_t at = rank(seed_, state.signature);
        states_.emplace(at, std::move(state));
    }
    Successor take() override {
        auto first = states_.extract(states_.begin());
        return {std::move(first.mapped())};
    }
    size_t size() const override { return states_.size(); }
    void each(const std::function<void(const State&)>& visit) const override {
        for (const auto& [rank, s] : states_) visit(s);
    }

private:
    uint64_t seed_;
    std::multimap<uint64_t, State> states_;
};

// The nearest to an uncovered target first, then the least rank; and last of all, what was postponed. A distance was
// true when it was asked for, and has at most grown since: so only what comes to the front is asked about again.
//
// States are large, and stay where they are; what is kept in order is small.
class NearestFirst : public Frontier {
public:
    NearestFirst(uint64_t seed, DistanceOf distance) : seed_(seed), distance_(std::move(distance)) {}
    void add(std::vector<Successor> siblings) override {
        for (Successor& s : siblings) add(s.state, false, s.is_near ? 0 : distance_(s.state));
    }
    void postpone(State state) override {
        const uint32_t distance = distance_(state);
        add(state, true, distance);
    }
    Successor take() override {
        for (;;) {
            std::pop_heap(order_.begin(), order_.end(), comes_later);
            Waiting first = order_.back();
            order_.pop_back();
            State& s = states_[first.slot];
            if (first.epoch == epoch_) {
                free_.push_back(first.slot);
                return {std::exchange(s, {})};
            }
            first.epoch = epoch_;
            first.distance = distance_(s);
            push(first);
        }
    }
    void target_covered() override { ++epoch_; }
    bool has_only_postponed() const override { return !order_.empty() && order_.front().is_postponed; }
    size_t size() const override { return order_.size(); }
    void each(const std::function<void(const State&)>& visit) const override {
        for (const Waiting& w : order_) visit(states_[w.slot]);
    }

private:
    struct Waiting {
        bool is_postponed;
        uint32_t distance, slot;
        uint32_t epoch; // for which the distance is true
        uint64_t rank;
    };
    static bool comes_later(const Waiting& a, const Waiting& b) {
        return std::tie(a.is_postponed, a.distance, a.rank) > std::tie(b.is_postponed, b.distance, b.rank);
    }
    void add(State& s, bool is_postponed, uint32_t distance) {
        const uint64_t order = rank(seed_, s.signature);
        push({is_postponed, distance, slot_for(s), epoch_, order});
    }
    void push(const Waiting& w) {
        order_.push_back(w);
        std::push_heap(order_.begin(), order_.end(), comes_later);
    }
    uint32_t slot_for(State& s) {
        if (free_.empty()) {
            states_.push_back(std::move(s));
            return static_cast<uint32_t>(states_.size() - 1);
        }
        const uint32_t slot = free_.back();
        free_.pop_back();
        states_[slot] = std::move(s);
        return slot;
    }

    uint64_t seed_;
    DistanceOf distance_;
    uint32_t epoch_ = 0;
    std::vector<Waiting> order_; // a heap
    std::deque<State> states_;
    std::vector<uint32_t> free_; // of their slots
};

} // namespace

uint64_t rank(uint64_t seed, const SignatureHash& signature) { // splitmix64
    uint64_t z = signature.value() + (seed + 1) * 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
}

std::unique_ptr<Frontier> make_frontier(Search search, uint64_t seed, const SearchView& view) {
    switch (search) {
    case Search::dfs: return std::make_unique<DepthFirst>();
    case Search::bfs: return std::make_unique<BreadthFirst>();
    case Search::random: return std::make_unique<Random>(seed);
    case Search::distance: return std::make_unique<NearestFirst>(seed, view.distance);
    case Search::mixed: return make_mixed(seed, view);
    }
    return nullptr;
}

} // namespace espalier::sym
