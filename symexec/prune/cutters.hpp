// A cutter for each configuration, made when the first state of it is asked about. They share the targets.
#pragma once

#include <memory>
#include <vector>

#include "symexec/prune/configurations.hpp"
#include "symexec/prune/coverage.hpp"
#include "symexec/prune/cutter.hpp"

namespace espalier::sym {

class Cutters : public CoverageListener {
public:
    using Make = std::function<std::unique_ptr<Cutter>(const Flow& flow, const std::vector<bool>& wanted,
                                                       std::span<const Label> errors)>;
    // Without `forgets`, what was asked for once stays a target.
    Cutters(const Configurations& configurations, const Coverage& coverage, bool forgets, Make make)
        : configurations_(configurations), coverage_(coverage), forgets_(forgets), make_(std::move(make)) {}

    void target_covered(TargetId target) override {
        if (!forgets_) return;
        for (const auto& c : cutters_)
            if (c != nullptr) c->cover(target);
    }
    void error_found(Label at) override {
        if (!forgets_) return;
        for (const auto& c : cutters_)
            if (c != nullptr) c->find_error(at);
    }
    // As those of Cutter.
    bool may_reach(const State& state, uint32_t limit, Moment moment) {
        return of(state).may_reach(state, limit, moment);
    }
    void track(const State& state) { of(state).track(state); }
    void reach_from(const State& state, pda::ReachableSet& set) { of(state).reach_from(state, set); }
    pda::Distance distance(const State& state) { return of(state).distance(state); }
    double oracle_seconds() const { return sum(&Cutter::oracle_seconds); }
    double tracking_seconds() const { return sum(&Cutter::tracking_seconds); }
    uint64_t clauses_measured() const { return sum(&Cutter::clauses_measured); }

private:
    Cutter& of(const State& state) {
        const uint32_t configuration = configuration_of(state);
        if (configuration >= cutters_.size()) cutters_.resize(configuration + 1);
        auto& cutter = cutters_[configuration];
        if (cutter == nullptr)
            cutter = forgets_ ? make_(configurations_.flow(configuration), coverage_.wanted(), coverage_.errors_left())
                              : make_(configurations_.flow(configuration), coverage_.asked(), coverage_.errors());
        return *cutter;
    }
    template <typename Number>
    Number sum(Number (Cutter::*part)() const) const {
        Number all = 0;
        for (const auto& c : cutters_) all += c == nullptr ? 0 : ((*c).*part)();
        return all;
    }

    const Configurations& configurations_;
    const Coverage& coverage_;
    bool forgets_;
    Make make_;
    std::vector<std::unique_ptr<Cutter>> cutters_; // by configuration
};

} // namespace espalier::sym
