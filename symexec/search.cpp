// Depth-first, breadth-first and random order.
#include "symexec/search.hpp"

#include <deque>
#include <map>

namespace espalier::sym {

namespace {

class DepthFirst : public Frontier {
public:
    void add(std::vector<State> siblings) override {
        for (auto s = siblings.rbegin(); s != siblings.rend(); ++s) states_.push_back(std::move(*s));
    }
    State take() override {
        State s = std::move(states_.back());
        states_.pop_back();
        return s;
    }
    size_t size() const override { return states_.size(); }
    void each(const std::function<void(const State&)>& visit) const override {
        for (const State& s : states_) visit(s);
    }

private:
    std::vector<State> states_;
};

// By the length of the signature, not by arrival: the same thing, since each step of the search extends it by one.
class BreadthFirst : public Frontier {
public:
    void add(std::vector<State> siblings) override {
        for (State& s : siblings) states_.push_back(std::move(s));
    }
    State take() override {
        State s = std::move(states_.front());
        states_.pop_front();
        return s;
    }
    size_t size() const override { return states_.size(); }
    void each(const std::function<void(const State&)>& visit) const override {
        for (const State& s : states_) visit(s);
    }

private:
    std::deque<State> states_;
};

// The least hash of seed and signature first: a function of the two alone.
class Random : public Frontier {
public:
    explicit Random(uint64_t seed) : seed_(seed) {}
    void add(std::vector<State> siblings) override {
        for (State& s : siblings) states_.emplace(rank(s.signature), std::move(s));
    }
    State take() override {
        auto first = states_.extract(states_.begin());
        return std::move(first.mapped());
    }
    size_t size() const override { return states_.size(); }
    void each(const std::function<void(const State&)>& visit) const override {
        for (const auto& [rank, s] : states_) visit(s);
    }

private:
    uint64_t rank(uint64_t signature) const { // splitmix64
        uint64_t z = signature + (seed_ + 1) * 0x9E3779B97F4A7C15U;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31);
    }
    uint64_t seed_;
    std::multimap<uint64_t, State> states_;
};

} // namespace

std::unique_ptr<Frontier> make_frontier(Search search, uint64_t seed) {
    switch (search) {
    case Search::dfs: return std::make_unique<DepthFirst>();
    case Search::bfs: return std::make_unique<BreadthFirst>();
    case Search::random: return std::make_unique<Random>(seed);
    }
    return nullptr;
}

} // namespace espalier::sym
