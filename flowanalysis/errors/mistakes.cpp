#include "flowanalysis/errors/mistakes.hpp"

#include <vector>

#include "flowanalysis/evaluate/primitives.hpp"

namespace espalier::flow {

namespace {

constexpr std::pair<Families, const char*> nouns[] = {
    {family::boolean, "a boolean"},     {family::symbol, "a symbol"},     {family::character, "a character"},
    {family::string, "a string"},       {family::null, "the empty list"}, {family::number, "a number"},
    {family::integer, "an integer"},    {family::rational, "a fraction"}, {family::unspecified, "no value"},
    {family::fresh, "a fresh value"},   {family::any_output, "`(any)`"},  {family::pair, "a pair"},
    {family::vector, "a vector"},       {family::bytevector, "bytes"},    {family::procedure, "a procedure"},
    {family::record, "a record"},       {family::message, "a message"},   {family::table, "a hash table"},
    {family::channel, "a channel"},     {family::timer, "a timer"},       {family::port, "a port"},
    {family::values, "several values"},
};

} // namespace

std::string noun_of(Families kinds) {
    constexpr size_t most = 3;
    std::vector<std::string> parts;
    for (const auto& [family, noun] : nouns) {
        if ((kinds & family) != family) continue;
        kinds &= ~family;
        parts.emplace_back(noun);
    }
    if (parts.empty() || parts.size() > most) return "something else";
    std::string text = parts[0];
    for (size_t i = 1; i < parts.size(); ++i) text += (i + 1 == parts.size() ? " or " : ", ") + parts[i];
    return text;
}

void Mistake::join(const Mistake& other) {
    if (kind == other.kind && operand == other.operand) given |= other.given;
}

std::optional<Mistake> MistakeFinder::find() const {
    const Program& program = e_.context.program;
    const Block& block = program.blocks[e_.context.here.block];
    const Outcome& outcome = e_.context.here.outcome;
    if (outcome.terminates) return in_terminator(block.terminator.kind);
    return in_operation(program.ops[block.first_op + outcome.completed]);
}

std::optional<Mistake> MistakeFinder::in_terminator(const TerminatorKind& kind) const {
    std::optional<Mistake> none;
    return std::visit(Overloaded{
                          [&](const terminator::Call& t) { return in_call(t.callee); },
                          [&](const terminator::TailCall& t) { return in_call(t.callee); },
                          [&](const terminator::Select& t) { return in_select(t); },
                          // These never end a run.
                          [&](const terminator::Jump&) { return none; },
                          [&](const terminator::Branch&) { return none; },
                          [&](const terminator::Return&) { return none; },
                          [&](const terminator::Accept&) { return none; },
                          [&](const terminator::Refuse&) { return none; },
                          [&](const terminator::Choose&) { return none; },
                      },
                      kind);
}

std::optional<Mistake> MistakeFinder::in_call(VarId callee) const {
    if (!e_.context.here.outcome.callees.empty()) return std::nullopt;
    const Families given = families(callee);
    const bool is_procedure = (given & family::procedure) != 0;
    return Mistake{is_procedure ? Mistake::Kind::arguments : Mistake::Kind::callee, 0, given};
}

std::optional<Mistake> MistakeFinder::in_select(const terminator::Select& t) const {
    if (!e_.context.here.outcome.clauses.empty()) return std::nullopt;
    const auto clauses = e_.context.program.select_clauses(t);
    for (uint32_t i = 0; i < clauses.size(); ++i)
        if (clauses[i].source != no_var && e_.waits.waited_for(clauses[i]) == bottom)
            return Mistake{Mistake::Kind::source, i, families(clauses[i].source)};
    return std::nullopt;
}

std::optional<Mistake> MistakeFinder::in_operation(const Operation& o) const {
    using Kind = Mistake::Kind;
    const auto of = [&](VarId v, size_t operand = 0) { return std::optional(of_operand(v, operand)); };
    std::optional<Mistake> none;
    return std::visit(Overloaded{
                          [&](const op::GlobalRef&) { return std::optional(Mistake{Kind::undefined}); },
                          [&](const op::BoxRef&) { return std::optional(Mistake{Kind::undefined}); },
                          [&](const op::Primitive& k) { return in_primitive(k); },
                          [&](const op::RecordRef& k) { return of(k.object); },
                          [&](const op::RecordSet& k) { return of(k.object); },
                          [&](const op::MessageRef& k) { return of(k.object); },
                          [&](const op::MakeMessage& k) { return in_message(k); },
                          [&](const op::Write& k) { return of(k.port); },
                          [&](const op::Spawn& k) { return of(k.procedure); },
                          [&](const op::Send& k) { return of(k.channel); },
                          [&](const op::StartTimer& k) {
                              return (families(k.timer) & family::timer) == 0 ? of(k.timer) : of(k.delay, 1);
                          },
                          [&](const op::StopTimer& k) { return of(k.timer); },
                          // The text asks for these ends ...
                          [&](const op::Assume&) { return none; },
                          [&](const op::Assert&) { return none; },
                          // ... and these never end a run.
                          [&](const op::Constant&) { return none; },
                          [&](const op::GlobalSet&) { return none; },
                          [&](const op::MakeClosures&) { return none; },
                          [&](const op::MakeBox&) { return none; },
                          [&](const op::BoxSet&) { return none; },
                          [&](const op::MakeRecord&) { return none; },
                          [&](const op::RecordIs&) { return none; },
                          [&](const op::MessageIs&) { return none; },
                          [&](const op::Mark&) { return none; },
                          [&](const op::MakeFresh&) { return none; },
                          [&](const op::MarkBoundary&) { return none; },
                          [&](const op::MarkDetermined&) { return none; },
                      },
                      o.kind);
}

std::optional<Mistake> MistakeFinder::in_message(const op::MakeMessage& o) const {
    const auto fields = e_.context.program.list(o.fields);
    const MessageDef& def = e_.context.program.messages[index(o.message)];
    for (size_t i = 0; i < fields.size(); ++i)
        if (e_.inputs.limited_to(e_.knowledge.known(fields[i]), def.fields[i].type) == bottom)
            return of_operand(fields[i], i);
    return std::nullopt;
}

std::optional<Mistake> MistakeFinder::in_primitive(const op::Primitive& o) const {
    if (o.prim == Prim::error) return std::nullopt;
    const auto args = e_.context.program.list(o.args);
    for (size_t i = 0; i < args.size(); ++i)
        if ((families(args[i]) & operand_families(o.prim, i)) == 0) return of_operand(args[i], i);
    if (e_.operations.changes_literal(o)) return Mistake{Mistake::Kind::constant};
    std::vector<ValueId> operands;
    for (VarId v : args) operands.push_back(e_.knowledge.known(v));
    return Mistake{Mistake::Kind::values, 0, 0, e_.folding.complaint(o.prim, operands)};
}

} // namespace espalier::flow
