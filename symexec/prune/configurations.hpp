// A run chooses its settings when it begins: which transport, with or without some feature. From then on they hold, and
// targets of other settings are out of its reach; but the automaton of all runs believes in them for ever. So a path
// that has chosen is compared with an automaton of its own, of the runs that chose the same.
//
// That automaton is made by the same analysis, told what the settings are. This is sound: a global that is defined once
// and never assigned keeps its value, so the rest of the path is the end of a run that defined it so.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "flowanalysis/flowanalysis.hpp"
#include "symexec/state/state.hpp"

namespace espalier::sym {

// The configuration of a state; 0 until it has chosen everything.
uint32_t configuration_of(const State& state);

class Configurations {
public:
    // `all`: the analysis of all runs, which is configuration 0.
    Configurations(const Program& program, const Flow& all, std::function<bool()> stop)
        : program_(program), all_(all), stop_(std::move(stop)) {}

    // Notes in the state what it has chosen, once it has chosen everything. Its frames are its own then: the oracle
    // leaves nodes on them, which differ from automaton to automaton.
    void configure(State& state);
    const Flow& flow(uint32_t configuration) const { return configuration == 0 ? all_ : *flows_[configuration - 1]; }
    double seconds() const; // that the analyses took

private:
    // An analysis for each is worth its time while they are few.
    static constexpr size_t most = 8;
    const Program& program_;
    const Flow& all_;
    std::function<bool()> stop_;
    using Settings = std::vector<std::pair<GlobalId, Value>>;
    std::map<std::vector<uint64_t>, uint32_t> known_; // by the bits of the settings' values
    std::vector<std::unique_ptr<const Flow>> flows_;
    uint32_t make(const Settings& given);
    std::vector<std::shared_ptr<const SideRecord>> records_; // by configuration
};

} // namespace espalier::sym
