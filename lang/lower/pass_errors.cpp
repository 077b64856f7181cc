// Errors: a mark before each `error`, and before an `assert` on the way on which it fails.
#include "lang/lower/declarations.hpp"
#include "lang/lower/pass.hpp"
#include "lang/lower/writer.hpp"

namespace espalier {

namespace {

class Errors : public Pass {
public:
    explicit Errors(const Program& program) : p_(program) {}

    void declare(Declarations& declared) override {
        for (const Operation& op : p_.ops)
            if (const Site* site = error(op))
                declared.target(TargetKind::error, numbered(site->scope, site->number), op.span);
    }
    // An assertion that fails is a way of its own: it ends in the assertion, behind the mark.
    void before(Writer& writer, const Operation& op) override {
        const Site* site = error(op);
        if (site == nullptr) return;
        if (const auto* assertion = std::get_if<op::Assert>(&op.kind)) {
            const BlockId failed = writer.following(1), held = writer.following(2);
            writer.split(terminator::Branch{assertion->condition, held, failed, BranchOrigin::generated, 0}, op.span);
        }
        writer.mark(TargetKind::error, numbered(site->scope, site->number), op.span);
    }
    void after(Writer& writer, const Operation& op) override {
        if (error(op) != nullptr && std::holds_alternative<op::Assert>(op.kind))
            writer.split(terminator::Jump{writer.following(1), {}}, op.span);
    }

private:
    const Site* error(const Operation& op) const {
        if (op.site == 0 || p_.sites[op.site - 1].kind != Site::Kind::error) return nullptr;
        return &p_.sites[op.site - 1];
    }

    const Program& p_;
};

} // namespace

std::unique_ptr<Pass> make_errors_pass(const Program& program) { return std::make_unique<Errors>(program); }

} // namespace espalier
