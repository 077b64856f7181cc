// Calls: which variants are entered with which arguments, and what comes back from them.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "flowanalysis/domain/union.hpp"
#include "flowanalysis/evaluate/arguments.hpp"
#include "flowanalysis/evaluate/knowledge.hpp"
#include "flowanalysis/state/memory.hpp"

namespace espalier::flow {

class Calls {
public:
    Calls(Context& context, Memory& memory, Knowledge& knowledge, Arguments& arguments);
    VariantId enter(LambdaId lambda, Label site, bool is_shared = false); // control reaches its first block
    // A call or tail call: its result. The callees are told in the outcome.
    ValueId call(VarId callee, VarList args, bool last_is_list, Label label);
    // Threads that run one of the procedures, without arguments. No thread awaits their results.
    VariantSet spawn(ValueId procedures, Label label);
    // What a message's definition demands of it. The callees are told in the outcome.
    void demand(ValueId predicate, ValueId message);

private:
    // Where closures are called: the label for what the call itself makes, the site by which variants of the callees
    // are told apart, and whether it calls so many procedures that they are not.
    struct CallSite {
        Label label;
        Label site;
        bool is_shared = false;
    };
    // A call of many closures: those that were called with these arguments, the cell for all results, and the first
    // few of the procedures, for telling how many they are.
    struct CallState {
        Spread args;
        PartsId done = no_parts;
        CellId results;
        std::vector<uint32_t> first_callees;
    };
    Label site_of(Label label) const;
    ValueId call_many(ValueId closures, Spread args, Label label);
    void call_closures(ValueId closures, const Spread& args, CallSite at, VariantSet& callees, Union& result);
    ValueId call_closure(ValueId closures, LambdaId first, const Spread& args, const CallSite& at, VariantSet& callees);
    ValueId enter_with(LambdaId lambda, ValueId closures, const Spread& args, const CallSite& at, VariantSet& callees);

    const Program& program_;
    Domain& domain_;
    Store& store_;
    Variants& variants_;
    Worklist& worklist_;
    Memory& memory_;
    Knowledge& knowledge_;
    Arguments& arguments_;
    Point& here_;
    std::unordered_map<uint32_t, CallState> calls_; // by slot
    std::optional<CellId> results_;                 // of a call of many closures: they are not looked at one by one
};

} // namespace espalier::flow
