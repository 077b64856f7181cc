#include "flowanalysis/errors/certain_errors.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "flowanalysis/errors/error_text.hpp"

namespace espalier::flow {

namespace {

// A place of the top level: places that come later in a run are greater, for its blocks are in topological order.
using TopPlace = uint64_t;
constexpr TopPlace no_place = UINT64_MAX;
TopPlace place(uint32_t block, uint32_t position) { return uint64_t{block} << 32U | position; }
TopPlace end_of(BlockId block) { return place(index(block), UINT32_MAX); }

// What stands at a span: copies of it (of a clause that several states inherit) have the same, and so may other
// operations of one macro use.
using Spot = std::tuple<uint32_t, uint32_t, uint32_t, size_t, uint32_t>;
Spot spot_of(const Operation& o) {
    const auto* prim = std::get_if<op::Primitive>(&o.kind);
    return {index(o.span.file), o.span.begin, o.span.end, o.kind.index(),
            prim == nullptr ? 0 : static_cast<uint32_t>(prim->prim)};
}
Spot spot_of(const Terminator& t) {
    return {index(t.span.file), t.span.begin, t.span.end, std::variant_size_v<OpKind> + t.kind.index(), 0};
}

} // namespace

// ── While the blocks are evaluated ──

void CertainErrors::note(VariantId variant, BlockId id, const Outcome& outcome, std::optional<Mistake> mistake) {
    const Block& block = program_[id];
    const auto call = [&](VariantId callee, bool waits) { calls_.push_back({variant, callee, id, waits}); };
    for (VariantId callee : outcome.callees) call(callee, true);
    for (VariantId demanded : outcome.demands) call(demanded, false);
    for (const auto& [position, started] : outcome.spawns) call(started, false);
    if (program_[block.lambda].prelude) {
        if (std::holds_alternative<terminator::Select>(block.terminator.kind)) waiting_.insert(index(variant));
        return;
    }
    if (!mistake) mistake = library_call(block, outcome);
    const bool passed = outcome.terminates && !mistake;
    const uint32_t position = passed ? block.op_count + 1 : outcome.completed;
    const auto [at, is_new] = ends_.try_emplace(index(id));
    Ended& end = at->second;
    if (is_new || position > end.position) {
        end = {position, std::move(mistake), {}};
        if (end.mistake && end.mistake->kind == Mistake::Kind::library)
            end.callees.assign(outcome.callees.begin(), outcome.callees.end());
    } else if (position == end.position && mistake && end.mistake) {
        end.mistake->join(*mistake);
        if (mistake->kind == Mistake::Kind::library)
            end.callees.insert(end.callees.end(), outcome.callees.begin(), outcome.callees.end());
    }
}

// Does it never return? Procedures of the language do, unless they fail or what they are given to call does not.
std::optional<Mistake> CertainErrors::library_call(const Block& block, const Outcome& outcome) const {
    const auto* call = std::get_if<terminator::Call>(&block.terminator.kind);
    const auto* tail = std::get_if<terminator::TailCall>(&block.terminator.kind);
    if (!outcome.terminates || (call == nullptr && tail == nullptr) || outcome.callees.empty()) return std::nullopt;
    for (VariantId v : outcome.callees)
        if (!program_[variants_[v].lambda].prelude || analyser_.result(v) != bottom) return std::nullopt;
    const auto families = [&](VarId v) {
        return analyser_.context().domain.families(analyser_.evaluator().knowledge.known(v));
    };
    std::string given;
    const auto args = program_.list(call != nullptr ? call->args : tail->args);
    for (size_t i = 0; i < args.size(); ++i)
        given += (i == 0 ? "" : i + 1 == args.size() ? " and " : ", ") + noun_of(families(args[i]));
    return Mistake{Mistake::Kind::library, 0, 0, given};
}

// ── When all are known ──

std::vector<CertainError> CertainErrors::all() {
    for (auto& [block, end] : ends_)
        if (end.mistake && end.mistake->kind == Mistake::Kind::library && !stays_in_prelude(end.callees))
            end.mistake.reset();
    find_early_uses();
    std::set<Spot> failing, passed;
    const auto each_spot = [&](const auto& f) {
        for (const auto& [b, end] : ends_) {
            const Block& block = program_.blocks[b];
            for (uint32_t i = 0; i < block.op_count && i <= end.position; ++i)
                f(spot_of(program_.ops[block.first_op + i]), i == end.position && end.mistake);
            if (end.position >= block.op_count)
                f(spot_of(block.terminator), end.position == block.op_count && end.mistake);
        }
    };
    each_spot([&](const Spot& spot, bool fails) {
        if (fails) failing.insert(spot);
    });
    each_spot([&](const Spot& spot, bool fails) {
        if (!fails && failing.count(spot) > 0) passed.insert(spot);
    });
    std::vector<CertainError> found;
    for (const auto& [b, end] : ends_) {
        if (!end.mistake) continue;
        const Block& block = program_.blocks[b];
        const Spot spot = end.position < block.op_count ? spot_of(program_.ops[block.first_op + end.position])
                                                        : spot_of(block.terminator);
        if (passed.count(spot) > 0 || failing.erase(spot) == 0) continue;
        CertainError error = described(block, end);
        if (error.at.known()) found.push_back(std::move(error));
    }
    return found;
}

bool CertainErrors::stays_in_prelude(const std::vector<VariantId>& from) const {
    std::unordered_set<uint32_t> seen;
    std::vector<VariantId> pending = from;
    const auto order = [](const Call& c, VariantId caller) { return c.caller < caller; };
    while (!pending.empty()) {
        const VariantId v = pending.back();
        pending.pop_back();
        if (!seen.insert(index(v)).second) continue;
        if (!program_[variants_[v].lambda].prelude || waiting_.count(index(v)) > 0) return false;
        // Blocks are noted variant by variant, so the calls of one stand together.
        for (auto c = std::lower_bound(calls_.begin(), calls_.end(), v, order); c != calls_.end() && c->caller == v;
             ++c)
            pending.push_back(c->callee);
    }
    return true;
}

// By λ: the last place of the top level at which it may run.
std::vector<TopPlace> CertainErrors::last_places() const {
    std::vector<TopPlace> last(variants_.size(), 0); // by variant
    std::vector<std::vector<uint32_t>> calls(variants_.size());
    for (uint32_t c = 0; c < calls_.size(); ++c) calls[index(calls_[c].caller)].push_back(c);
    std::vector<VariantId> pending{VariantId{0}};
    const auto is_top = [&](VariantId v) { return variants_[v].lambda == program_.top; };
    while (!pending.empty()) {
        const VariantId v = pending.back();
        pending.pop_back();
        for (uint32_t c : calls[index(v)]) {
            const Call& call = calls_[c];
            const TopPlace until = !call.waits ? no_place : is_top(v) ? end_of(call.block) : last[index(v)];
            if (until <= last[index(call.callee)]) continue;
            last[index(call.callee)] = until;
            pending.push_back(call.callee);
        }
    }
    std::vector<TopPlace> of_lambda(program_.lambdas.size(), 0);
    for (uint32_t v = 0; v < last.size(); ++v) {
        TopPlace& latest = of_lambda[index(variants_[VariantId{v}].lambda)];
        latest = std::max(latest, last[v]);
    }
    return of_lambda;
}

// A global has a value from where the top level defines it. What runs only while the top level is at an earlier place
// is too early: code of the top level itself, and procedures that it has called until then.
void CertainErrors::find_early_uses() {
    const std::vector<TopPlace> last = last_places();
    const std::vector<TopPlace> defined = definitions();
    for (auto& [b, end] : ends_) {
        const Block& block = program_.blocks[b];
        for (uint32_t i = 0; i < block.op_count && i < end.position; ++i) {
            const auto* ref = std::get_if<op::GlobalRef>(&program_.ops[block.first_op + i].kind);
            if (ref == nullptr || !ref->checked) continue;
            const TopPlace use = block.lambda == program_.top ? place(b, i) : last[index(block.lambda)];
            if (defined[index(ref->global)] != no_place && use < defined[index(ref->global)])
                end = {i, Mistake{Mistake::Kind::undefined}, {}};
        }
    }
}

// By global: where it gets its first value; no_place where something else than the top level may give it one.
std::vector<uint64_t> CertainErrors::definitions() const {
    std::vector<TopPlace> defined(program_.globals.size(), no_place);
    std::vector<bool> elsewhere(program_.globals.size(), false);
    for (uint32_t b = 0; b < program_.blocks.size(); ++b) {
        const Block& block = program_.blocks[b];
        for (uint32_t i = 0; i < block.op_count; ++i) {
            const auto* set = std::get_if<op::GlobalSet>(&program_.ops[block.first_op + i].kind);
            if (set == nullptr) continue;
            TopPlace& at = defined[index(set->global)];
            if (block.lambda == program_.top)
                at = std::min(at, place(b, i));
            else
                elsewhere[index(set->global)] = true;
        }
    }
    for (uint32_t g = 0; g < defined.size(); ++g)
        if (elsewhere[g]) defined[g] = no_place;
    return defined;
}

CertainError CertainErrors::described(const Block& block, const Ended& end) const {
    if (end.position < block.op_count)
        return flow::described(program_, block, program_.ops[block.first_op + end.position], *end.mistake);
    const bool library = end.mistake->kind == Mistake::Kind::library;
    return flow::described(program_, block, *end.mistake,
                           library ? name_of(program_[variants_[end.callees.front()].lambda].name) : "");
}

} // namespace espalier::flow
