// The oracle as a pruner: states that cannot come to a target within their bound are cut (cutter.hpp says why that
// loses nothing).
#pragma once

#include <memory>

#include "symexec/prune/coverage.hpp"
#include "symexec/prune/cutters.hpp"
#include "symexec/prune/pruner.hpp"

namespace espalier::sym {

class Cutting : public Pruner {
public:
    // `target_info`: the oracle is told which targets are covered.
    Cutting(std::shared_ptr<Cutters> cutters, const Coverage& coverage, CutParts parts, bool target_info)
        : cutters_(std::move(cutters)), coverage_(coverage), parts_(parts), target_info_(target_info) {}

    Advice ask(State& state, Moment moment) override;
    Dropped reason() const override { return Dropped::cut; }
    bool is_doubted(const State& state) const override { return state.records.has(RecordOf::cutting); }
    void doubt(State& state) const override;

    uint64_t questions() const { return questions_; }
    uint64_t cuts() const { return cuts_; }
    bool is_near() const { return is_near_; } // the last answer: a target is before the next stable state

private:
    bool may_reach(const State& state, Moment moment);

    std::shared_ptr<Cutters> cutters_;
    const Coverage& coverage_;
    CutParts parts_;
    bool target_info_;
    bool may_reach_ = true, is_near_ = false; // the last answer
    uint64_t questions_ = 0, cuts_ = 0;
};

} // namespace espalier::sym
