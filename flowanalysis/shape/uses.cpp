// One pass over the program for each table; all of them are linear but for sorting the uses.
#include "flowanalysis/shape/uses.hpp"

#include <algorithm>

#include "flowanalysis/shape/operands.hpp"

namespace espalier::flow {

namespace {

using Use = std::pair<uint32_t, uint32_t>; // a variable's place among all, and a block

class UseCollector {
public:
    UseCollector(const Program& program, const std::vector<Definition>& definitions, const Lists& jumps)
        : program_(program), definitions_(definitions), jumps_(jumps), traced_(definitions.size()) {}

    // All uses, each once, in ascending order.
    std::vector<Use> collect() {
        for (uint32_t b = 0; b < program_.blocks.size(); ++b) collect(program_.blocks[b], b);
        std::sort(uses_.begin(), uses_.end());
        uses_.erase(std::unique(uses_.begin(), uses_.end()), uses_.end());
        return std::move(uses_);
    }

private:
    void collect(const Block& block, uint32_t b) {
        const uint32_t first = program_[block.lambda].first_name;
        const auto plain = [&](VarId v) { uses_.emplace_back(first + index(v), b); };
        const auto traced = [&](VarId v) { trace(first, v, b, trace_depth); };
        for (const Operation& o : program_.operations(block)) {
            operands(program_, o.kind, plain);
            if (std::holds_alternative<op::Assume>(o.kind) || std::holds_alternative<op::Assert>(o.kind))
                operands(program_, o.kind, traced);
        }
        operands(program_, block.terminator.kind, plain);
        if (std::holds_alternative<terminator::Branch>(block.terminator.kind))
            operands(program_, block.terminator.kind, traced);
    }

    // Many ways may lead to one variable, so a way that comes no deeper than an earlier one ends. `first` is the place
    // of the λ's first variable.
    void trace(uint32_t first, VarId v, uint32_t block, int depth) {
        Traced& traced = traced_[first + index(v)];
        if (traced.block == block && traced.depth >= depth) return;
        traced = {block, depth};
        uses_.emplace_back(first + index(v), block);
        if (depth == 0) return;
        const Definition& d = definitions_[first + index(v)];
        if (d.kind == Definition::Kind::operation && is_test(program_.ops[d.where].kind)) {
            operands(program_, program_.ops[d.where].kind, [&](VarId each) { trace(first, each, block, depth - 1); });
        } else if (d.kind == Definition::Kind::parameter) {
            for (uint32_t from : jumps_[d.where]) {
                const auto& jump = std::get<terminator::Jump>(program_.blocks[from].terminator.kind);
                trace(first, program_.list(jump.args)[d.position], block, depth - 1);
            }
        }
    }

    struct Traced { // last, for that block, with so much depth left
        uint32_t block = UINT32_MAX;
        int depth = 0;
    };

    const Program& program_;
    const std::vector<Definition>& definitions_;
    const Lists& jumps_;
    std::vector<Traced> traced_; // by variable
    std::vector<Use> uses_;
};

} // namespace

Uses::Uses(const Program& program, const Lists& jumps)
    : program_(program), definitions_(program.variable_names.size()) {
    find_definitions();
    const std::vector<Use> uses = UseCollector(program, definitions_, jumps).collect();
    users_ = Lists(definitions_.size(), [&](const auto& add) {
        for (const auto& [variable, block] : uses) add(variable, block);
    });
    find_last_uses();
}

void Uses::find_definitions() {
    for (uint32_t b = 0; b < program_.blocks.size(); ++b) {
        const Block& block = program_.blocks[b];
        uint32_t position = 0;
        for (VarId v : program_.list(block.params))
            definitions_[at(block.lambda, v)] = {Definition::Kind::parameter, b, position++};
        for (uint32_t i = block.first_op; i < block.first_op + block.op_count; ++i)
            results(program_, program_.ops[i].kind, [&](VarId v) {
                definitions_[at(block.lambda, v)] = {Definition::Kind::operation, i, 0};
            });
    }
}

// A fact on what was read from an object helps as long as the object may be read again. Blocks are in topological
// order, so the object's last use is known before that of what is read from it.
void Uses::find_last_uses() {
    last_use_.assign(definitions_.size(), 0);
    for (uint32_t i = 0; i < definitions_.size(); ++i)
        if (!users_[i].empty()) last_use_[i] = users_[i].back();
    for (const Block& block : program_.blocks)
        for (const Operation& o : program_.operations(block)) {
            if (!reads_part(o.kind)) continue;
            results(program_, o.kind, [&](VarId dst) {
                uint32_t& last = last_use_[at(block.lambda, dst)];
                operands(program_, o.kind,
                         [&](VarId from) { last = std::max(last, last_use_[at(block.lambda, from)]); });
            });
        }
    keep_globals();
}

// A fact on what was read from a global, or defines it, helps while the λ still reads the global.
void Uses::keep_globals() {
    std::vector<std::pair<LambdaId, uint32_t>> last_read(program_.globals.size(), {no_lambda, 0});
    for (uint32_t b = static_cast<uint32_t>(program_.blocks.size()); b-- > 0;) {
        const Block& block = program_.blocks[b];
        for (const Operation& o : program_.operations(block)) {
            const auto* ref = std::get_if<op::GlobalRef>(&o.kind);
            const auto* set = std::get_if<op::GlobalSet>(&o.kind);
            if (ref == nullptr && set == nullptr) continue;
            auto& [lambda, last] = last_read[index(ref != nullptr ? ref->global : set->global)];
            if (lambda != block.lambda) lambda = block.lambda, last = b;
            uint32_t& use = last_use_[at(block.lambda, ref != nullptr ? ref->dst : set->value)];
            use = std::max(use, last);
        }
    }
}

} // namespace espalier::flow
