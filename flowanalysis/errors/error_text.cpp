#include "flowanalysis/errors/error_text.hpp"

#include "flowanalysis/evaluate/primitives.hpp"

namespace espalier::flow {

namespace {

std::string quoted(std::string_view name) { return "`" + std::string(name) + "`"; }

// The words for one operation and the mistake in it.
class OperationText {
public:
    OperationText(const Program& program, const Block& block, const Operation& o, const Mistake& mistake)
        : program_(program), block_(block), o_(o), m_(mistake) {}

    CertainError operator()(const op::GlobalRef& k) const { return early(program_.globals[index(k.global)].name); }
    CertainError operator()(const op::BoxRef& k) const { return early(program_.variable_name(block_.lambda, k.box)); }
    CertainError operator()(const op::Primitive& k) const;
    CertainError operator()(const op::RecordRef& k) const { return record(k.record); }
    CertainError operator()(const op::RecordSet& k) const { return record(k.record); }
    CertainError operator()(const op::MessageRef& k) const;
    CertainError operator()(const op::MakeMessage& k) const;
    CertainError operator()(const op::Write&) const { return takes("`write`", "a port"); }
    CertainError operator()(const op::Send&) const { return takes("`send`", "a channel"); }
    CertainError operator()(const op::Spawn&) const { return takes("`spawn`", "a procedure"); }
    CertainError operator()(const op::StopTimer&) const { return takes("`stop`", "a timer"); }
    CertainError operator()(const op::StartTimer&) const;

    // MistakeFinder finds none in these.
    CertainError operator()(const op::Constant&) const { return {}; }
    CertainError operator()(const op::GlobalSet&) const { return {}; }
    CertainError operator()(const op::MakeClosures&) const { return {}; }
    CertainError operator()(const op::MakeBox&) const { return {}; }
    CertainError operator()(const op::BoxSet&) const { return {}; }
    CertainError operator()(const op::MakeRecord&) const { return {}; }
    CertainError operator()(const op::RecordIs&) const { return {}; }
    CertainError operator()(const op::MessageIs&) const { return {}; }
    CertainError operator()(const op::Mark&) const { return {}; }
    CertainError operator()(const op::Assume&) const { return {}; }
    CertainError operator()(const op::Assert&) const { return {}; }
    CertainError operator()(const op::MakeFresh&) const { return {}; }
    CertainError operator()(const op::MarkBoundary&) const { return {}; }
    CertainError operator()(const op::MarkDetermined&) const { return {}; }

private:
    CertainError early(Symbol name) const {
        return {o_.span, quoted(name_of(name)) + " is used here before its definition has run", {}};
    }
    CertainError takes(const std::string& what, const std::string& wanted, std::string hint = {}) const {
        return {o_.span, what + " is always an error here: it takes " + wanted + ", and is given " + noun_of(m_.given),
                std::move(hint)};
    }
    CertainError record(RecordId r) const {
        return takes("this", "a record " + quoted(name_of(program_.records[index(r)].name)));
    }

    const Program& program_;
    const Block& block_;
    const Operation& o_;
    const Mistake& m_;
};

CertainError OperationText::operator()(const op::Primitive& k) const {
    const std::string name = quoted(author_name(k.prim));
    if (m_.kind == Mistake::Kind::constant)
        return {o_.span, name + " is always an error here: a constant of the program's text may not be changed",
                k.prim == Prim::vector_set ? "`(vector …)` makes a vector that may"
                                           : "`(bytevector …)` makes bytes that may"};
    if (m_.kind == Mistake::Kind::values)
        return {o_.span, "this is always an error" + (m_.complaint.empty() ? "" : ": " + m_.complaint), {}};
    const Families wanted = operand_families(k.prim, m_.operand) & ~family::opaque;
    std::string hint;
    if (m_.given == family::fresh)
        hint = "of a value that the system chooses only whether it is equal is known";
    else if (k.prim == Prim::num_eq)
        hint = "`equal?` compares values of every kind";
    else if (k.prim > Prim::num_eq && k.prim <= Prim::ge && m_.given == family::string)
        hint = "`string<?` and its like compare strings";
    return takes(name, noun_of(wanted), hint);
}

CertainError OperationText::operator()(const op::MessageRef& k) const {
    const MessageDef& def = program_.messages[index(k.message)];
    const std::string message{name_of(def.name)};
    const std::string given = m_.given == family::message ? "another message" : noun_of(m_.given);
    return {o_.span,
            quoted(message + "-" + std::string(name_of(def.fields[k.field].name))) +
                " is always an error here: it takes " + quoted(message) + ", and is given " + given,
            {}};
}

CertainError OperationText::operator()(const op::MakeMessage& k) const {
    const MessageDef& def = program_.messages[index(k.message)];
    const FieldDef& field = def.fields[m_.operand];
    return {o_.span,
            quoted(name_of(def.name)) + " is always an error here: its field " + quoted(name_of(field.name)) + " is " +
                to_text(program_, field.type) + ", and is given another value",
            {}};
}

CertainError OperationText::operator()(const op::StartTimer&) const {
    if (m_.operand == 0) return takes("`start`", "a timer");
    if (m_.given == family::integer) return {o_.span, "`start` is always an error here: a delay must be positive", {}};
    return takes("`start`", "a delay in whole time units");
}

CertainError select_text(const SelectClause& clause, const Mistake& m) {
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

CertainError call_text(Span at, uint32_t arguments, const Mistake& m, std::string_view library) {
    if (m.kind == Mistake::Kind::callee)
        return {at, "this is always an error: what is called is " + noun_of(m.given), {}};
    if (m.kind == Mistake::Kind::library) {
        if (library.starts_with('%')) library.remove_prefix(1);
        const std::string given = m.complaint.empty() ? "" : ": it is given " + m.complaint;
        return {at, quoted(library) + " is always an error here" + given, {}};
    }
    const std::string many = arguments == 0   ? "no arguments"
                             : arguments == 1 ? "1 argument"
                                              : std::to_string(arguments) + " arguments";
    return {at, "this is always an error: no procedure that is called here takes " + many, {}};
}

} // namespace

CertainError described(const Program& program, const Block& block, const Operation& o, const Mistake& m) {
    return std::visit(OperationText(program, block, o, m), o.kind);
}

CertainError described(const Program& program, const Block& block, const Mistake& m, std::string_view library) {
    const Span at = block.terminator.span;
    return std::visit(
        Overloaded{
            [&](const terminator::Call& t) { return call_text(at, t.args.count, m, library); },
            [&](const terminator::TailCall& t) { return call_text(at, t.args.count, m, library); },
            [&](const terminator::Select& t) { return select_text(program.clauses[t.first + m.operand], m); },
            // MistakeFinder finds none in these.
            [](const terminator::Jump&) { return CertainError{}; },
            [](const terminator::Branch&) { return CertainError{}; },
            [](const terminator::Return&) { return CertainError{}; },
            [](const terminator::Accept&) { return CertainError{}; },
            [](const terminator::Refuse&) { return CertainError{}; },
            [](const terminator::Choose&) { return CertainError{}; },
        },
        block.terminator.kind);
}

} // namespace espalier::flow
