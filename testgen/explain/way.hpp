// A path of the automaton as the author of the model would tell it: the procedures and states that it enters, what it
// waits for, and which way it takes at each decision, at places of the text.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "flowanalysis/flowanalysis.hpp"
#include "testgen/explain/places.hpp"

namespace espalier {

struct WayStep {
    enum class Kind : uint8_t {
        procedure, // is called
        state,     // of a machine, is entered
        thread,    // is started
        message,   // comes from the tester, or from another thread
        time,      // passes
        other,     // the `else` of a wait
        branch,    // has that value
        choice,    // of the environment
        target,    // is reached
    };
    Kind kind;
    Span at;
    std::string what;    // for a message, and for what no clause names: what is taken
    size_t step = 0;     // of the automaton's path, counted from 0, that it tells
    uint32_t stable = 0; // the number of the stable state that it leaves, from 1; 0: it leaves none
};

std::string to_text(const WayStep& step); // "take Invite"

class WayTeller {
public:
    // All must outlive this.
    WayTeller(const Program& program, const Flow& flow, const Sources& sources, const Places& places);
    // The steps of a path from the start that the author can see; what happens in prelude code is left out.
    std::vector<WayStep> tell(pda::NodeId start, const std::vector<pda::Step>& path, TargetId target) const;

private:
    void enter(const pda::Step& step, pda::NodeId from, std::vector<WayStep>& way) const;
    void wait(const Place& at, const pda::Step& step, uint32_t stable, std::vector<WayStep>& way) const;
    void decide(const Place& at, const pda::Step& step, std::vector<WayStep>& way) const;
    std::string clause_text(const SelectClause& clause) const;
    Span author_span(const Place& at) const;
    bool prelude(VariantId v) const { return program_[flow_[v].lambda].prelude; }

    const Program& program_;
    const Flow& flow_;
    const Sources& sources_;
    const Places& places_;
    std::unordered_map<uint64_t, std::string> states_; // names, by where their λ begins
};

} // namespace espalier
