// Conditions: a mark on each way out of each condition of a decision.
#include "lang/lower/decisions.hpp"
#include "lang/lower/declarations.hpp"
#include "lang/lower/pass.hpp"
#include "lang/lower/writer.hpp"

namespace espalier {

namespace {

class ConditionsPass : public Pass {
public:
    explicit ConditionsPass(const Program& program) : p_(program), conditions_(program) {}

    void declare(Declarations& declared) override {
        for (uint32_t d = 0; d < p_.decisions.size(); ++d)
            for (uint32_t i = 0; i < conditions_.atoms(d).size(); ++i)
                for (const bool value : {true, false})
                    declared.target(TargetKind::condition, conditions_.name(d, i, value), conditions_.span(d, i));
    }
    bool marks_edges() const override { return true; }
    void on_edge(Writer& writer, const Edge& edge) override {
        const std::string name = conditions_.name(edge.branch.number - 1, conditions_.place(edge.from), edge.way);
        writer.mark(TargetKind::condition, name, edge.span);
    }

private:
    const Program& p_;
    Conditions conditions_;
};

} // namespace

std::unique_ptr<Pass> make_conditions_pass(const Program& program) { return std::make_unique<ConditionsPass>(program); }

} // namespace espalier
