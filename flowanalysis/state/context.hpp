// What the parts of the analysis share: the program, the tables that grow, and the block that is evaluated.
#pragma once

#include <cstdint>

#include "flowanalysis/domain/domain.hpp"
#include "flowanalysis/shape/shape.hpp"
#include "flowanalysis/state/facts.hpp"
#include "flowanalysis/state/options.hpp"
#include "flowanalysis/state/outcome.hpp"
#include "flowanalysis/state/store.hpp"
#include "flowanalysis/state/variants.hpp"
#include "flowanalysis/state/worklist.hpp"

namespace espalier::flow {

// The block that is evaluated. After its evaluation: what was known where control left it, and what it does.
struct Point {
    VariantId variant{};
    LambdaId lambda{};
    Slot slot{};
    uint32_t block = 0;
    uint32_t first_value = 0; // of the variant's variables, see Variants::value_at
    Facts facts;              // that hold at the operation whose turn it is
    Outcome outcome;
    bool fails = false; // the operation, for some of what its operands may be

    Slot slot_of(uint32_t other) const { return Slot{index(slot) + other - block}; } // a block of the same variant
};

struct Context {
    Context(const Program& analysed, FlowOptions asked)
        : program(analysed), options(std::move(asked)), shape(program), domain(objects),
          store(domain, shape.integers, options.patience), variants(program, shape, store, options.call_sites),
          worklist(variants) {}
    Context(const Context&) = delete; // its members refer to each other
    Context& operator=(const Context&) = delete;

    const Program& program;
    const FlowOptions options;
    const Shape shape;
    Objects objects;
    Domain domain;
    Store store;
    Variants variants;
    Worklist worklist;
    Point here;
};

} // namespace espalier::flow
