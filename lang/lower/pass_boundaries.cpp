// Boundaries: behind a comparison, a mark for each side of its edge and for the edge itself.
#include "lang/lower/declarations.hpp"
#include "lang/lower/pass.hpp"
#include "lang/lower/writer.hpp"

namespace espalier {

namespace {

constexpr struct {
    const char* name;
    int32_t difference; // of the operands
} sides[] = {{":below", -1}, {":at", 0}, {":above", 1}};

class Boundaries : public Pass {
public:
    explicit Boundaries(const Program& program) : p_(program) {}

    void declare(Declarations& declared) override {
        for (const Operation& op : p_.ops) {
            const Site* site = comparison(op);
            if (site == nullptr) continue;
            for (const auto& side : sides)
                declared.target(TargetKind::boundary, numbered(site->scope, site->number) + side.name, op.span);
        }
    }
    void after(Writer& writer, const Operation& op) override {
        const Site* site = comparison(op);
        if (site == nullptr) return;
        const auto operands = p_.list(std::get<op::Primitive>(op.kind).args);
        const std::string name = numbered(site->scope, site->number);
        for (const auto& side : sides) {
            const TargetId target = writer.target(TargetKind::boundary, name + side.name);
            writer.emit(op::MarkBoundary{target, operands[0], operands[1], side.difference}, op.span);
        }
    }

private:
    const Site* comparison(const Operation& op) const {
        if (op.site == 0 || p_.sites[op.site - 1].kind != Site::Kind::comparison) return nullptr;
        return &p_.sites[op.site - 1];
    }

    const Program& p_;
};

} // namespace

std::unique_ptr<Pass> make_boundaries_pass(const Program& program) { return std::make_unique<Boundaries>(program); }

} // namespace espalier
