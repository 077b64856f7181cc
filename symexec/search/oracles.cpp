#include "symexec/search/oracles.hpp"

namespace espalier::sym {

Oracles::Oracles(const Program& program, const Code& code, const ExploreOptions& options, const Trials& trials,
                 const Coverage& coverage)
    : program_(program), code_(code), options_(options), coverage_(coverage) {
    const CutterOptions usual{.places = trials.places};
    const CutterOptions how{options.cut_parts != CutParts::track, options.target_info, options.bound_info,
                            trials.places};
    switch (options.cut) {
    case Cut::off: break;
    case Cut::v1: cutter_ = make(pda::OracleKind::v1, how); break;
    case Cut::v2: cutter_ = make(pda::OracleKind::v2, how); break;
    case Cut::v3: cutter_ = make(pda::OracleKind::v3, how); break;
    }
    // Distances are always those of v3 that is told everything, so that the order is the same with and without cutting.
    const bool same = options.cut == Cut::v3 && how == usual;
    if (options.search == Search::distance || (options.search == Search::mixed && options.flow != nullptr))
        guide_ = same ? cutter_ : make(pda::OracleKind::v3, usual);
    if (options.flow == nullptr) return;
    const CutterOptions without_oracle{.asks = false, .places = trials.places};
    places_ = cutter_ != nullptr ? cutter_ : guide_ != nullptr ? guide_ : make(pda::OracleKind::v3, without_oracle);
}

std::shared_ptr<Cutters> Oracles::make(pda::OracleKind kind, const CutterOptions& how) {
    if (!configurations_) configurations_.emplace(program_, *options_.flow, options_.stop);
    return std::make_shared<Cutters>(
        *configurations_, coverage_, how.target_info,
        [=, this](const Flow& flow, const std::vector<bool>& wanted, std::span<const Label> errors) {
            return std::make_unique<Cutter>(program_, code_, flow, kind, options_.depth, wanted, errors, how, stacks_);
        });
}

void Oracles::listen(Coverage& coverage) {
    if (cutter_ != nullptr) coverage.tell(*cutter_);
    if (guide_ != nullptr && guide_ != cutter_) coverage.tell(*guide_);
}

void Oracles::tell(Statistics& statistics) const {
    if (configurations_) statistics.flow_seconds = configurations_->seconds();
    for (const Cutters* c : {cutter_.get(), guide_ == cutter_ ? nullptr : guide_.get()}) {
        if (c == nullptr) continue;
        statistics.tracking_seconds += c->tracking_seconds();
        statistics.oracle_seconds += c->oracle_seconds();
        statistics.wait_looks += c->clauses_measured();
    }
}

} // namespace espalier::sym
