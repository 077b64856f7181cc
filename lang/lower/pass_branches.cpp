// Branches: a mark where a decision has been made, for each way that it can go.
#include "lang/lower/decisions.hpp"
#include "lang/lower/declarations.hpp"
#include "lang/lower/pass.hpp"
#include "lang/lower/writer.hpp"

namespace espalier {

namespace {

class Branches : public Pass {
public:
    explicit Branches(const Program& program) : p_(program), ends_(decision_ends(program)) {}

    void declare(Declarations& declared) override {
        for (const Decision& d : p_.decisions) {
            if (d.then_block != no_block) declared.target(TargetKind::branch, name(d, true), d.span);
            if (d.else_block != no_block) declared.target(TargetKind::branch, name(d, false), d.span);
        }
    }
    void at_start(Writer& writer, BlockId block) override {
        const DecisionEnd& end = ends_[index(block)];
        if (end.decision != nullptr) writer.mark(TargetKind::branch, name(*end.decision, end.yes), end.decision->span);
    }

private:
    static std::string name(const Decision& d, bool yes) {
        return numbered(d.scope, d.number) + (yes ? ":then" : ":else");
    }

    const Program& p_;
    std::vector<DecisionEnd> ends_; // by block
};

} // namespace

std::unique_ptr<Pass> make_branches_pass(const Program& program) { return std::make_unique<Branches>(program); }

} // namespace espalier
