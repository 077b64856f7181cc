// What a thread waits for: the sources of its select. The states that go on from one wait share it, as they share
// frames; and all waits at one place share what the oracle found out about it, so that this is found out once.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "lang/lang.hpp"
#include "pda/pda.hpp"

namespace espalier::sym {

// One source of a select that a thread is in.
struct Wait {
    const SelectClause* clause; // the first that takes from it; all are of one kind
    Value source;
    Value deadline = Value::fixnum(0); // of `after`
    bool spent = false;
};

// How far it is from the nearest clause of each source to the nearest of some targets, and the least of those: of the
// sources that are channels (`inside`), and of those that are something outside, not counting how long that is on its
// way.
struct SourceDistances {
    std::vector<pda::Distance> each{}; // empty: not known yet
    pda::Distance inside = 0, outside = 0;
};

// Clauses of a source, each with how far it was from a target when that was last asked, the nearest first. Since then
// none has come nearer; one that is not asked about yet may be at a target.
struct ClauseDistance {
    pda::Distance distance;
    uint32_t clause;
    friend bool operator<(const ClauseDistance& a, const ClauseDistance& b) { // as a queue wants it: the last is first
        return std::tie(b.distance, b.clause) < std::tie(a.distance, a.clause);
    }
};
using ClauseQueue = std::priority_queue<ClauseDistance>;

// What becomes of a source before the next stable state: the channels that it is, and those that are sent to once a
// clause has taken something from it. A bit stands for a channel.
struct SourceNow {
    uint64_t takes, sends;
};

// What one cutter knows of waits at the same place: in the same select with the same stack, for messages of the same
// ports and of channels made at the same places. A search comes to few of them, and to each again and again.
struct WaitKnowledge {
    static constexpr uint32_t not_yet = UINT32_MAX;
    const void* cutter = nullptr; // whose it is
    // The channels and ports of all sources; and those by which, or whether by a timer, a target may be reached before
    // the next stable state.
    uint64_t takes = 0, takes_to_target = 0, ports = 0, ports_to_target = 0;
    uint64_t sent = 0, sent_then = 0; // when that was sent to channels and no target was reached, this was in the end
    uint32_t covered_now = not_yet;   // how many targets were, when that was found out: it may be further to the rest
    bool timer_to_target = false;
    uint32_t covered = 0;         // as covered_now, for the distances
    std::vector<SourceNow> now{}; // by source
    SourceDistances targets{};
    std::vector<ClauseQueue> nearest{};   // by source, for `targets`
    std::vector<SourceDistances> sends{}; // to each channel, by the cutter's number of it; they stay where they are
    std::vector<pda::NodeId> tests{};     // by clause; no nodes where no run comes
    std::vector<uint64_t> reached_in{};   // numbers of the sets that have all that lies ahead of the tests
    std::vector<uint32_t> place{};        // what makes it this place and no other
};

class Waits {
public:
    Waits() = default;
    // The clauses are those of the select, by their numbers in it.
    Waits(const ClauseIndex& clause_index, const SelectClause* clauses, std::vector<Wait> sources)
        : shared_(new Shared{&clause_index, clauses, std::move(sources), 1}) {}
    Waits(const Waits& other) : shared_(other.shared_), known_(other.known_) {
        if (shared_ != nullptr) ++shared_->refs;
    }
    Waits(Waits&& other) noexcept
        : shared_(std::exchange(other.shared_, nullptr)), known_(std::exchange(other.known_, nullptr)) {}
    Waits& operator=(Waits other) noexcept {
        std::swap(shared_, other.shared_);
        std::swap(known_, other.known_);
        return *this;
    }
    ~Waits() {
        if (shared_ != nullptr && --shared_->refs == 0) delete shared_;
    }

    // By source.
    size_t size() const { return shared_ == nullptr ? 0 : shared_->sources.size(); }
    const Wait* begin() const { return shared_ == nullptr ? nullptr : shared_->sources.data(); }
    const Wait* end() const { return begin() + size(); }
    const Wait& operator[](size_t i) const { return shared_->sources[i]; }
    // The clauses of the select; only of a thread that waits.
    const ClauseIndex& index() const { return *shared_->index; }
    const SelectClause& clause(uint32_t number) const { return shared_->clauses[number]; }
    const Wait& source_of(uint32_t clause) const { return shared_->sources[index().source_of(clause)]; }
    // The source's time has come and gone.
    void spend(size_t i) {
        if (shared_->refs > 1) *this = Waits(*shared_->index, shared_->clauses, shared_->sources);
        shared_->sources[i].spent = true;
    }
    // What a cutter knows, where it was told last; only of a thread that waits.
    WaitKnowledge* known_to(const void* cutter) const {
        if (known_ != nullptr && known_->cutter == cutter) return known_;
        assert(shared_ != nullptr);
        if (shared_->known == nullptr || shared_->known->cutter != cutter) return nullptr;
        if (shared_->own == nullptr) known_ = shared_->known;
        return shared_->known;
    }
    // It lives as long as the cutter, or, where it is given away, as long as this wait or until another is told.
    void remember(WaitKnowledge* known, std::unique_ptr<WaitKnowledge> own) const {
        known_ = own == nullptr ? known : nullptr;
        shared_->known = known;
        shared_->own = std::move(own);
    }

private:
    struct Shared {
        const ClauseIndex* index;
        const SelectClause* clauses;
        std::vector<Wait> sources;
        uint32_t refs;
        WaitKnowledge* known = nullptr;
        std::unique_ptr<WaitKnowledge> own{}; // where it is known of this one alone
    };
    Shared* shared_ = nullptr;
    mutable WaitKnowledge* known_ = nullptr; // the same as there, at hand; never what is its own
};

} // namespace espalier::sym
