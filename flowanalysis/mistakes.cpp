// Why control does not get past a place, where that is a mistake of the author's and no end that the text asks for.
#include "flowanalysis/mistakes.hpp"

#include <algorithm>

#include "flowanalysis/machine.hpp"
#include "flowanalysis/primitives.hpp"

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

std::optional<Mistake> Machine::mistake() {
    const Block& block = program_.blocks[block_];
    if (!outcome_.terminates) return mistake_in(program_.ops[block.first_op + outcome_.completed]);
    const auto called = [&](VarId callee) -> std::optional<Mistake> {
        if (!outcome_.callees.empty()) return std::nullopt;
        const Families given = domain_.families(known(callee));
        return Mistake{(given & family::procedure) != 0 ? Mistake::Kind::arguments : Mistake::Kind::callee, 0, given};
    };
    if (const auto* t = std::get_if<terminator::Call>(&block.terminator.kind)) return called(t->callee);
    if (const auto* t = std::get_if<terminator::TailCall>(&block.terminator.kind)) return called(t->callee);
    if (const auto* t = std::get_if<terminator::Select>(&block.terminator.kind);
        t != nullptr && outcome_.clauses.empty()) {
        const auto clauses = program_.select_clauses(*t);
        for (uint32_t i = 0; i < clauses.size(); ++i)
            if (clauses[i].source != no_var && waited_for(clauses[i]) == bottom)
                return Mistake{Mistake::Kind::source, i, domain_.families(known(clauses[i].source))};
    }
    return std::nullopt;
}

std::optional<Mistake> Machine::mistake_in(const Operation& o) {
    using Kind = Mistake::Kind;
    const auto of = [&](VarId v, size_t operand = 0) {
        return Mistake{Kind::operand, operand, domain_.families(known(v))};
    };
    std::optional<Mistake> none;
    return std::visit(
        Overloaded{
            [&](const op::GlobalRef&) { return std::optional(Mistake{Kind::undefined}); },
            [&](const op::BoxRef&) { return std::optional(Mistake{Kind::undefined}); },
            [&](const op::Primitive& k) { return mistake_in(k, o.label); },
            [&](const op::RecordRef& k) { return std::optional(of(k.object)); },
            [&](const op::RecordSet& k) { return std::optional(of(k.object)); },
            [&](const op::MessageRef& k) { return std::optional(of(k.object)); },
            [&](const op::MakeMessage& k) {
                const auto fields = program_.list(k.fields);
                for (size_t i = 0; i < fields.size(); ++i)
                    if (limited_to(known(fields[i]), program_.messages[index(k.message)].fields[i].type) == bottom)
                        return std::optional(of(fields[i], i));
                return none;
            },
            [&](const op::Write& k) { return std::optional(of(k.port)); },
            [&](const op::Spawn& k) { return std::optional(of(k.procedure)); },
            [&](const op::Send& k) { return std::optional(of(k.channel)); },
            [&](const op::StartTimer& k) {
                return std::optional(domain_.keep(known(k.timer), family::timer) == bottom ? of(k.timer)
                                                                                           : of(k.delay, 1));
            },
            [&](const op::StopTimer& k) { return std::optional(of(k.timer)); },
            // These say so themselves ...
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

std::optional<Mistake> Machine::mistake_in(const op::Primitive& o, Label label) {
    if (o.prim == Prim::error) return std::nullopt;
    const auto args = program_.list(o.args);
    for (size_t i = 0; i < args.size(); ++i) {
        const Families given = domain_.families(known(args[i]));
        if ((given & operand_families(o.prim, i)) == 0) return Mistake{Mistake::Kind::operand, i, given};
    }
    if (changes_constant(o)) return Mistake{Mistake::Kind::constant};
    return Mistake{Mistake::Kind::values, 0, 0, Primitives(*this, o, label).complaint()};
}

} // namespace espalier::flow
