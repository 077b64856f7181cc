#include <algorithm>
#include <tuple>
#include <unordered_set>

#include "flowanalysis/machine.hpp"
#include "flowanalysis/mistakes.hpp"
#include "flowanalysis/primitives.hpp"

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

void CertainErrors::note(VariantId variant, BlockId id, const Outcome& outcome) {
    const Block& block = program_[id];
    const auto call = [&](VariantId callee, bool waits) { calls_.push_back({variant, callee, id, waits}); };
    for (VariantId callee : outcome.callees) call(callee, true);
    for (VariantId demanded : outcome.demands) call(demanded, false);
    for (const auto& [position, started] : outcome.spawns) call(started, false);
    if (program_[block.lambda].prelude) {
        if (std::holds_alternative<terminator::Select>(block.terminator.kind)) waiting_.insert(index(variant));
        return;
    }
    auto mistake = machine_.mistake();
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
        if (!program_[machine_.variant(v).lambda].prelude || machine_.result(v) != bottom) return std::nullopt;
    std::string given;
    const auto args = program_.list(call != nullptr ? call->args : tail->args);
    for (size_t i = 0; i < args.size(); ++i)
        given += (i == 0 ? "" : i + 1 == args.size() ? " and " : ", ") + noun_of(machine_.kinds_of(args[i]));
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
        if (!program_[machine_.variant(v).lambda].prelude || waiting_.count(index(v)) > 0) return false;
        // Blocks are noted variant by variant, so the calls of one stand together.
        for (auto c = std::lower_bound(calls_.begin(), calls_.end(), v, order); c != calls_.end() && c->caller == v;
             ++c)
            pending.push_back(c->callee);
    }
    return true;
}

// A global has a value from where the top level defines it. What runs only while the top level is at an earlier place
// is too early: code of the top level itself, and procedures that it has called until then.
void CertainErrors::find_early_uses() {
    std::vector<TopPlace> last(machine_.variant_count(), 0); // by variant: the last place at which it may run
    std::vector<std::vector<uint32_t>> calls(machine_.variant_count());
    for (uint32_t c = 0; c < calls_.size(); ++c) calls[index(calls_[c].caller)].push_back(c);
    std::vector<VariantId> pending{VariantId{0}};
    const auto is_top = [&](VariantId v) { return machine_.variant(v).lambda == program_.top; };
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
        TopPlace& latest = of_lambda[index(machine_.variant(VariantId{v}).lambda)];
        latest = std::max(latest, last[v]);
    }
    const std::vector<TopPlace> defined = definitions();
    for (auto& [b, end] : ends_) {
        const Block& block = program_.blocks[b];
        for (uint32_t i = 0; i < block.op_count && i < end.position; ++i) {
            const auto* ref = std::get_if<op::GlobalRef>(&program_.ops[block.first_op + i].kind);
            if (ref == nullptr || !ref->checked) continue;
            const TopPlace use = block.lambda == program_.top ? place(b, i) : of_lambda[index(block.lambda)];
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

// ── In words ──

CertainError CertainErrors::described(const Block& block, const Ended& end) const {
    const Mistake& m = *end.mistake;
    if (end.position < block.op_count) return described(block, program_.ops[block.first_op + end.position], m);
    const Span at = block.terminator.span;
    const auto* call = std::get_if<terminator::Call>(&block.terminator.kind);
    const auto* tail = std::get_if<terminator::TailCall>(&block.terminator.kind);
    switch (m.kind) {
    case Mistake::Kind::callee: return {at, "this is always an error: what is called is " + noun_of(m.given), {}};
    case Mistake::Kind::arguments: {
        const uint32_t count = (call != nullptr ? call->args : tail->args).count;
        const std::string many = count == 0   ? "no arguments"
                                 : count == 1 ? "1 argument"
                                              : std::to_string(count) + " arguments";
        return {at, "this is always an error: no procedure that is called here takes " + many, {}};
    }
    case Mistake::Kind::library: {
        std::string_view name = name_of(program_[machine_.variant(end.callees.front()).lambda].name);
        if (name.starts_with('%')) name.remove_prefix(1);
        const std::string given = m.complaint.empty() ? "" : ": it is given " + m.complaint;
        return {at, "`" + std::string(name) + "` is always an error here" + given, {}};
    }
    default: break;
    }
    const auto& select = std::get<terminator::Select>(block.terminator.kind);
    const SelectClause& clause = program_.clauses[select.first + m.operand];
    const bool delay = clause.kind == SelectClause::Kind::after;
    if (delay && m.given == family::integer)
        return {clause.span, "this is always an error: a delay must be positive", {}};
    const char* wanted = delay                                      ? "a delay in whole time units"
                         : clause.kind == SelectClause::Kind::timer ? "a timer"
                                                                    : "a port or a channel";
    return {clause.span,
            "this is always an error: it waits for " + std::string(wanted) + ", and is given " + noun_of(m.given),
            {}};
}

CertainError CertainErrors::described(const Block& block, const Operation& o, const Mistake& m) const {
    const auto takes = [&](const std::string& what, const std::string& wanted, std::string hint = {}) {
        return CertainError{
            o.span, what + " is always an error here: it takes " + wanted + ", and is given " + noun_of(m.given),
            std::move(hint)};
    };
    const auto quoted = [](std::string_view name) { return "`" + std::string(name) + "`"; };
    const auto early = [&](Symbol name) {
        return CertainError{o.span, quoted(name_of(name)) + " is used here before its definition has run", {}};
    };
    if (const auto* k = std::get_if<op::GlobalRef>(&o.kind)) return early(program_.globals[index(k->global)].name);
    if (const auto* k = std::get_if<op::BoxRef>(&o.kind))
        return early(program_.variable_names[program_[block.lambda].first_name + index(k->box)]);
    if (const auto* k = std::get_if<op::Primitive>(&o.kind)) {
        const std::string name = quoted(author_name(k->prim));
        if (m.kind == Mistake::Kind::constant)
            return {o.span, name + " is always an error here: a constant of the program's text may not be changed",
                    k->prim == Prim::vector_set ? "`(vector …)` makes a vector that may"
                                                : "`(bytevector …)` makes bytes that may"};
        if (m.kind == Mistake::Kind::values)
            return {o.span, "this is always an error" + (m.complaint.empty() ? "" : ": " + m.complaint), {}};
        const Families wanted = operand_families(k->prim, m.operand) & ~family::opaque;
        std::string hint;
        if (m.given == family::fresh)
            hint = "of a value that the system chooses only whether it is equal is known";
        else if (k->prim == Prim::num_eq)
            hint = "`equal?` compares values of every kind";
        else if (k->prim > Prim::num_eq && k->prim <= Prim::ge && m.given == family::string)
            hint = "`string<?` and its like compare strings";
        return takes(name, noun_of(wanted), hint);
    }
    if (const auto* k = std::get_if<op::MessageRef>(&o.kind)) {
        const MessageDef& def = program_.messages[index(k->message)];
        const std::string message{name_of(def.name)};
        const std::string given = m.given == family::message ? "another message" : noun_of(m.given);
        return {o.span,
                quoted(message + "-" + std::string(name_of(def.fields[k->field].name))) +
                    " is always an error here: it takes " + quoted(message) + ", and is given " + given,
                {}};
    }
    if (const auto* k = std::get_if<op::MakeMessage>(&o.kind)) {
        const MessageDef& def = program_.messages[index(k->message)];
        const FieldDef& field = def.fields[m.operand];
        return {o.span,
                quoted(name_of(def.name)) + " is always an error here: its field " + quoted(name_of(field.name)) +
                    " is " + to_text(program_, field.type) + ", and is given another value",
                {}};
    }
    if (const auto* k = std::get_if<op::RecordRef>(&o.kind))
        return takes("this", "a record " + quoted(name_of(program_.records[index(k->record)].name)));
    if (const auto* k = std::get_if<op::RecordSet>(&o.kind))
        return takes("this", "a record " + quoted(name_of(program_.records[index(k->record)].name)));
    if (std::holds_alternative<op::Write>(o.kind)) return takes("`write`", "a port");
    if (std::holds_alternative<op::Send>(o.kind)) return takes("`send`", "a channel");
    if (std::holds_alternative<op::Spawn>(o.kind)) return takes("`spawn`", "a procedure");
    if (std::holds_alternative<op::StopTimer>(o.kind)) return takes("`stop`", "a timer");
    if (m.operand == 0) return takes("`start`", "a timer");
    if (m.given == family::integer) return {o.span, "`start` is always an error here: a delay must be positive", {}};
    return takes("`start`", "a delay in whole time units");
}

} // namespace espalier::flow
