// A machine as it was read: its states in the order of the text, and what their parts say.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lang/names/context.hpp"
#include "lang/read/datum.hpp"

namespace espalier {

inline constexpr uint32_t no_state = UINT32_MAX;

struct StateForm {
    Symbol name{};
    Span span;
    uint32_t parent = no_state;
    std::vector<uint32_t> children;
    std::optional<DatumId> initial;
    bool final = false;
    std::optional<DatumId> value;     // of (final value)
    std::vector<DatumId> entry, exit; // forms
    std::vector<std::pair<DatumId, DatumId>> locals;
    std::vector<DatumId> clauses; // (on …) and (after …), as written
    std::vector<DatumId> ignores; // sources
    std::optional<DatumId> done;
    struct After {
        std::string text;
        DatumId delay;
        LocalId timer;
    };
    std::vector<After> timers; // one for each delay
    TargetId target{};
    LocalId enter = no_local, wait = no_local, entry_procedure = no_local, exit_procedure = no_local;
    Scope* scope = nullptr;
    Numbering numbering;
    std::unordered_map<uint32_t, Counters> numbered_from; // clause → first numbers in it
    std::unordered_map<uint64_t, TargetId> transitions;   // by clause, and which arrow in it; 0: it has none
    std::vector<uint32_t> arrows;                         // to states
    bool broken = false;                                  // an error was said already
};

struct MachineForm {
    Symbol name{};
    std::vector<StateForm> states;
    std::unordered_map<std::string_view, uint32_t> by_name; // the first of each
    std::vector<DatumId> names;                             // of its variables, its parameters
    std::vector<LocalId> params;
    Scope* scope = nullptr;

    bool is_leaf(uint32_t s) const { return states[s].children.empty(); }
    bool contains(uint32_t outer, uint32_t s) const {
        for (; s != no_state; s = states[s].parent) {
            if (s == outer) return true;
        }
        return false;
    }
    bool waits(uint32_t leaf) const {
        for (uint32_t s = leaf; s != no_state; s = states[s].parent) {
            if (!states[s].clauses.empty() || !states[s].ignores.empty()) return true;
        }
        return false;
    }
    std::string name_of_state(uint32_t s) const { return std::string(name_of(states[s].name)); }
};

} // namespace espalier
