#include "testgen/generate/proofs.hpp"

namespace espalier {

namespace {

void mark(TargetResult& target, Proof proof) {
    target.status = TargetStatus::infeasible;
    target.proof = proof;
}

} // namespace

void prove_by_flow(const Program& program, const std::vector<TargetId>& unreachable, Suite& suite) {
    for (const TargetId id : unreachable) {
        TargetResult& target = suite.targets[index(id)];
        if (target.status == TargetStatus::covered)
            suite.not_replayed.push_back("the flow analysis calls " + target_id(program.targets[index(id)]) +
                                         " unreachable, and a test covers it");
        else
            mark(target, proof::Flow{});
    }
}

void prove_by_exhaustion(const LeftOuts& left_out, const Exploration& found, const std::vector<bool>& sought,
                         Suite& suite) {
    for (uint32_t i = 0; i < sought.size(); ++i) {
        TargetResult& target = suite.targets[i];
        const bool is_missing = sought[i] && !found.covered[i] && target.status == TargetStatus::unreached;
        if (is_missing && left_out.saw_all(TargetId{i})) mark(target, proof::Exhausted{});
    }
}

} // namespace espalier
