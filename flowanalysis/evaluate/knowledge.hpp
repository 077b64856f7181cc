// What is known of a variable at a point: its value in this variant, narrowed by the facts that hold there.
#pragma once

#include <cstdint>
#include <optional>

#include "flowanalysis/state/context.hpp"
#include "flowanalysis/state/memory.hpp"

namespace espalier::flow {

class Knowledge {
public:
    Knowledge(Context& context, Memory& memory);

    // ── Of a variable, where these facts hold; without any: at the point that is evaluated
    VarId canonical(const Facts& facts, VarId v) const; // the first name of the same value
    VarId canonical(VarId v) const { return canonical(here_.facts, v); }
    ValueId known(const Facts& facts, VarId v) const;
    ValueId known(VarId v) const { return known(here_.facts, v); }
    bool narrow(Facts& facts, VarId v, ValueId value); // to the value; false: a contradiction
    // What an operation demands of its operand, so that the run goes on.
    bool demand(VarId v, Families families) { return demand(v, domain_.keep(known(v), families)); }
    bool demand(VarId v, ValueId value) {
        here_.fails = here_.fails || value != known(v);
        return narrow(here_.facts, v, value);
    }

    // ── Of content that has a name
    // Reads it: what is known of it here, else what is stored. From now on both have one value.
    ValueId through(const Key& key, VarId dst, ValueId stored);
    void remember(const Key& key, VarId v); // it has the variable's value
    // Something was written through `object`: what is known of content that may be the same ends.
    void forget_aliases(Key::Kind kind, VarId object, uint32_t field);

    // ── Where control goes
    // Two ways into that block: only what is known on both holds there. True: less is known than before.
    bool merge(Facts& into, const Facts& facts, uint32_t where);
    void flow_to(BlockId target); // with what is known here

private:
    ValueId content(const Facts& facts, const Fact& fact) const;
    uint32_t last_use_of(const Key& key, VarId link) const;
    void learn(Facts& facts, const Key& key, VarId link, ValueId value = bottom);
    std::optional<Fact> weakened(const Fact& fact, const Facts& own, const Facts& other, uint32_t where);

    const Uses& uses_;
    Domain& domain_;
    Variants& variants_;
    Worklist& worklist_;
    Memory& memory_;
    Point& here_;
};

} // namespace espalier::flow
