// What a thread waits for: the clauses of its select. The states that go on from one wait share it, as they share
// frames, and with it what the oracle found out about it, so that this is found out once and not in each of them.
#pragma once

#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "lang/lang.hpp"
#include "pda/pda.hpp"

namespace espalier::sym {

// One clause of a select that a thread is in.
struct Wait {
    const SelectClause* clause;
    Value source;
    int64_t deadline = 0; // of `after`
    bool spent = false;
};

// How far it is from each clause to the nearest of some targets, and the least of those: of the clauses that take from
// channels (`inside`), and of those that wait for something from outside, not counting how long that is on its way.
struct ClauseDistances {
    std::vector<pda::Distance> each{}; // empty: not known yet
    pda::Distance inside = 0, outside = 0;
};

// What becomes of a clause before the next stable state: the channels that it takes from, and those that are sent to
// once it has taken something. A bit stands for a channel.
struct ClauseNow {
    uint64_t takes, sends;
};

// What one cutter knows of a wait.
struct WaitKnowledge {
    const void* cutter = nullptr;
    // The channels and ports of all clauses; and those by which, or whether by a timer, a target may be reached before
    // the next stable state.
    uint64_t takes = 0, takes_to_target = 0, ports = 0, ports_to_target = 0;
    uint64_t sent = 0, sent_then = 0; // when that was sent to channels and no target was reached, this was in the end
    bool timer_to_target = false;
    bool is_placed = false;       // its clauses' places in the automaton were found; only where nobody asks
    uint64_t covered_now = 0;     // how many targets were, when that was found out: it may be further to the rest
    std::vector<ClauseNow> now{}; // empty: not known yet, nor the above
    uint64_t covered = 0;         // the same for the distances
    ClauseDistances targets{};
    std::vector<ClauseDistances> sends{}; // to each channel, by the cutter's number of it; they stay where they are
};

class Waits {
public:
    Waits() = default;
    explicit Waits(std::vector<Wait> clauses) : shared_(new Shared{{}, std::move(clauses), 1}) {}
    Waits(const Waits& other) : shared_(other.shared_) {
        if (shared_ != nullptr) ++shared_->refs;
    }
    Waits(Waits&& other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
    Waits& operator=(Waits other) noexcept {
        std::swap(shared_, other.shared_);
        return *this;
    }
    ~Waits() {
        if (shared_ != nullptr && --shared_->refs == 0) delete shared_;
    }

    size_t size() const { return shared_ == nullptr ? 0 : shared_->clauses.size(); }
    const Wait* begin() const { return shared_ == nullptr ? nullptr : shared_->clauses.data(); }
    const Wait* end() const { return begin() + size(); }
    const Wait& operator[](size_t i) const { return shared_->clauses[i]; }
    // The clause's time has come and gone.
    void spend(size_t i) {
        if (shared_->refs > 1) *this = Waits(shared_->clauses);
        shared_->clauses[i].spent = true;
    }
    // Only of a thread that waits.
    WaitKnowledge& knowledge() const {
        assert(shared_ != nullptr);
        return shared_->knowledge;
    }

private:
    struct Shared {
        WaitKnowledge knowledge; // what is looked at most comes first
        std::vector<Wait> clauses;
        uint32_t refs;
    };
    Shared* shared_ = nullptr;
};

} // namespace espalier::sym
