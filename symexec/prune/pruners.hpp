// The pruners of a search, the cheapest first. The first that does not say "follow" is heeded.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "symexec/prune/ledger.hpp"
#include "symexec/prune/pruner.hpp"

namespace espalier::sym {

class Pruners {
public:
    struct Opinion {
        Advice advice = Advice::follow;
        Dropped reason = Dropped::finished; // of those that drop or postpone
    };

    explicit Pruners(Ledger& ledger) : ledger_(ledger) {}
    // It is asked after those that are here already, and told of all entries of the ledger.
    void add(std::unique_ptr<Pruner> pruner) {
        ledger_.tell(*pruner);
        all_.push_back(std::move(pruner));
    }
    // A tail is followed in any case.
    Opinion ask(State& s, Moment moment) {
        if (!ledger_.is_in_tail())
            for (const auto& p : all_)
                if (const Advice advice = p->ask(s, moment); advice != Advice::follow) return {advice, p->reason()};
        return {};
    }
    bool must_be_explored(const State& s) const {
        return any([&](const Pruner& p) { return p.must_be_explored(s); });
    }
    bool is_doubted(const State& s) const {
        return any([&](const Pruner& p) { return p.is_doubted(s); });
    }
    void doubt(State& s) const {
        for (const auto& p : all_) p->doubt(s);
    }
    uint64_t steps_worth() const {
        uint64_t sum = 0;
        for (const auto& p : all_) sum += p->steps_worth();
        return sum;
    }
    size_t bytes() const {
        size_t sum = 0;
        for (const auto& p : all_) sum += p->bytes();
        return sum;
    }
    // The states that they keep.
    void each(const std::function<void(const State&)>& visit) const {
        for (const auto& p : all_) p->each(visit);
    }
    // What they keep is not needed any more. They are asked nothing after this.
    void forget() {
        for (const auto& p : all_) p->forget();
    }

private:
    template <typename Says>
    bool any(const Says& says) const {
        return std::any_of(all_.begin(), all_.end(), [&](const auto& p) { return says(*p); });
    }

    Ledger& ledger_;
    std::vector<std::unique_ptr<Pruner>> all_;
};

} // namespace espalier::sym
