// Criteria into the λ-IR: which passes there are, and in which order they are asked.
#include "lang/lower/criteria.hpp"
#include "lang/lower/declarations.hpp"
#include "lang/lower/pass.hpp"
#include "lang/lower/writer.hpp"

namespace espalier {

namespace {

std::unique_ptr<Pass> make_pass(TargetKind kind, const Program& program) {
    switch (kind) {
    case TargetKind::checkpoint:
    case TargetKind::requirement:
    case TargetKind::state:
    case TargetKind::transition: return nullptr; // lowering has marked them; the writer keeps or drops the marks
    case TargetKind::procedure: return make_procedures_pass(program);
    case TargetKind::branch: return make_branches_pass(program);
    case TargetKind::condition: return make_conditions_pass(program);
    case TargetKind::mcdc: return make_mcdc_pass(program);
    case TargetKind::boundary: return make_boundaries_pass(program);
    case TargetKind::error: return make_errors_pass(program);
    }
    return nullptr;
}

} // namespace

Program instrument(const Program& program, Criteria criteria) {
    const auto plain = program.plain ? program.plain : std::make_shared<const Program>(program);
    Passes passes; // in the order of all_target_kinds
    for (const TargetKind kind : all_target_kinds)
        if (criteria.has(kind))
            if (auto pass = make_pass(kind, *plain)) passes.push_back(std::move(pass));
    Declarations declared(*plain, criteria);
    for (const auto& pass : passes) pass->declare(declared);
    declared.sort();
    Program written = Writer(*plain, declared, passes).write();
    written.plain = plain;
    return written;
}

} // namespace espalier
