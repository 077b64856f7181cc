// Where an expression stands: the scope that its names are looked up in, the numbering that its branches are counted
// with, and whether a machine's arrow may stand there.
#pragma once

#include <functional>
#include <span>

#include "lang/ir/core.hpp"
#include "lang/names/scope.hpp"
#include "lang/read/datum.hpp"

namespace espalier {

// What coverage criteria speak of is numbered within a procedure or machine state, in the order of the text.
struct Counters {
    uint32_t decisions = 1, comparisons = 1, errors = 1, procedures = 1;
    void advance_to(const Counters& other);
};
struct Numbering {
    Counters next;
    Symbol scope{};    // the procedure or state
    bool named = true; // false until the procedure itself has been met, whose name the scope is
};

// Where an arrow may stand: how the machine stays if none is taken, and how one is taken.
struct ArrowContext {
    std::function<CoreId(Span)> stay;
    std::function<CoreId(std::span<const DatumId>, Span, const struct Context&)> arrow;
};

struct Context {
    Scope* scope = nullptr;
    Numbering* numbering = nullptr;
    const ArrowContext* arrows = nullptr; // set in tail position of a machine's action only

    Context in(Scope* s) const { return {s, numbering, arrows}; }
    Context not_tail() const { return {scope, numbering, nullptr}; }
};

} // namespace espalier
