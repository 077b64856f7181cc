#include "flowanalysis/shape/shape.hpp"

#include <algorithm>

#include "flowanalysis/shape/operands.hpp"

namespace espalier::flow {

namespace {

Lists find_jumps(const Program& program) {
    return {program.blocks.size(), [&](const auto& add) {
                for (uint32_t b = 0; b < program.blocks.size(); ++b)
                    if (const auto* jump = std::get_if<terminator::Jump>(&program.blocks[b].terminator.kind);
                        jump != nullptr && jump->args.count > 0)
                        add(index(jump->target), b);
            }};
}

Lists find_predecessors(const Program& program) {
    return {program.blocks.size(), [&](const auto& add) {
                for (uint32_t b = 0; b < program.blocks.size(); ++b)
                    successors(program, program.blocks[b].terminator.kind, [&](BlockId next) { add(index(next), b); });
            }};
}

Lists find_writers(const Program& program) {
    const auto writes = [](const Operation& o) {
        return std::holds_alternative<op::BoxSet>(o.kind) || std::holds_alternative<op::RecordSet>(o.kind);
    };
    return {program.lambdas.size(), [&](const auto& add) {
                for (uint32_t b = 0; b < program.blocks.size(); ++b) {
                    const auto operations = program.operations(program.blocks[b]);
                    if (std::any_of(operations.begin(), operations.end(), writes))
                        add(index(program.blocks[b].lambda), b);
                }
            }};
}

// Prelude code has the call site by which it was entered, so its own do not count.
std::vector<LambdaId> find_jump_sites(const Program& program) {
    std::vector<LambdaId> sites(program.label_count, no_lambda);
    for (const Block& block : program.blocks)
        if (const auto* call = std::get_if<terminator::TailCall>(&block.terminator.kind);
            call != nullptr && call->known != no_lambda && program[call->known].params() == 0 &&
            !program[call->known].prelude && !program[block.lambda].prelude)
            sites[index(block.terminator.label)] = call->known;
    return sites;
}

std::vector<int64_t> find_integers(const Program& program) {
    std::vector<int64_t> all;
    for (const Block& block : program.blocks)
        for (const Operation& o : program.operations(block))
            if (const auto* c = std::get_if<op::Constant>(&o.kind); c != nullptr && c->value.is_fixnum())
                for (int64_t n = c->value.as_fixnum() - 1; n <= c->value.as_fixnum() + 1; ++n) all.push_back(n);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

} // namespace

Shape::Shape(const Program& program)
    : jumps(find_jumps(program)), predecessors(find_predecessors(program)), writers(find_writers(program)),
      uses(program, jumps), clauses(program), jump_sites(find_jump_sites(program)), integers(find_integers(program)) {}

} // namespace espalier::flow
