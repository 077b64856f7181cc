// Procedures: a mark where the author's procedure is entered.
#include <map>
#include <tuple>

#include "lang/lower/declarations.hpp"
#include "lang/lower/pass.hpp"
#include "lang/lower/writer.hpp"

namespace espalier {

namespace {

// "foo" for the procedure itself, "foo/loop" for one inside it, "foo/loop#2" for the second of that name.
std::vector<std::string> procedure_names(const Program& program) {
    std::map<std::tuple<Symbol, Symbol, uint32_t>, uint32_t> ordinals; // scope, name, number → which of that name
    std::map<std::pair<Symbol, Symbol>, uint32_t> count;
    for (const ProcedureName& n : program.procedures) ordinals[{n.scope, n.name, n.number}] = 0;
    for (auto& [key, ordinal] : ordinals)
        if (std::get<2>(key) != 0) ordinal = ++count[{std::get<0>(key), std::get<1>(key)}];
    std::vector<std::string> names;
    for (const ProcedureName& n : program.procedures) {
        std::string name{name_of(n.scope)};
        const uint32_t ordinal = ordinals[{n.scope, n.name, n.number}];
        if (n.number != 0) name += "/" + std::string(name_of(n.name));
        if (ordinal > 1) name += "#" + std::to_string(ordinal);
        names.push_back(std::move(name));
    }
    return names;
}

class Procedures : public Pass {
public:
    explicit Procedures(const Program& program) : p_(program), names_(procedure_names(program)) {}

    void declare(Declarations& declared) override {
        for (const Lambda& l : p_.lambdas)
            if (l.procedure != 0) declared.target(TargetKind::procedure, names_[l.procedure - 1], l.span);
    }
    void at_start(Writer& writer, BlockId block) override {
        const Lambda& lambda = p_[p_[block].lambda];
        if (index(block) != lambda.first_block || lambda.procedure == 0) return;
        writer.mark(TargetKind::procedure, names_[lambda.procedure - 1], lambda.span);
    }

private:
    const Program& p_;
    std::vector<std::string> names_; // by procedure
};

} // namespace

std::unique_ptr<Pass> make_procedures_pass(const Program& program) { return std::make_unique<Procedures>(program); }

} // namespace espalier
