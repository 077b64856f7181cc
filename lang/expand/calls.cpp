#include "lang/expand/calls.hpp"

#include "lang/expand/expansion.hpp"

namespace espalier {

CoreId Calls::expand(DatumId d, const Context& ctx) {
    const auto parts = syntax_.elements(d);
    if (!parts) return reports_.fail(d, "a call must be a proper list", "remove the dot");
    const Span at = syntax_.span(d);
    const DatumId head = parts->front();
    Binding b;
    if (syntax_.is_identifier(head)) b = names_.lookup(head, ctx.scope);
    if (b.kind == Binding::Kind::constant && names_.value(b.id).is_port()) {
        return reports_.fail(head, "`" + syntax_.show(head) + "` is a port, not a procedure",
                             "use (read " + syntax_.show(head) + ") or (write " + syntax_.show(head) + " message)");
    }
    const bool direct =
        b.kind == Binding::Kind::op || (b.kind == Binding::Kind::global && program_.globals[b.id].prelude);
    CoreId callee = no_core;
    if (!direct) callee = all_.walk.expand(head, ctx);
    std::vector<CoreId> args;
    args.reserve(parts->size());
    for (size_t i = 1; i < parts->size(); ++i) args.push_back(all_.walk.expand((*parts)[i], ctx));
    const size_t own = program_.nodes.size();
    if (b.kind == Binding::Kind::op) {
        const CoreId done = apply_operator(b.id, std::move(args), at);
        core_.number_sites(own, ctx);
        return done;
    }
    if (direct) {
        if (auto done = integrate(program_, core_, name_of(program_.globals[b.id].name), args, at)) {
            core_.number_sites(own, ctx);
            return *done;
        }
        callee = all_.walk.expand(head, ctx);
    }
    return core_.node(core::Call{callee, program_.add_list(args), false}, at);
}

CoreId Calls::wrong_count(const Operator& op, size_t count, Span at) {
    const std::string expected =
        (op.arity == 0 ? "no" : std::to_string(op.arity)) + (op.arity == 1 ? " argument" : " arguments");
    std::string hint;
    if (op.kind == Operator::Kind::make_message) {
        hint = "its shape is (" + std::string(name_of(op.name));
        for (const FieldDef& f : program_.messages[op.which].fields) hint += " " + std::string(name_of(f.name));
        hint += ")";
    }
    return reports_.fail(at,
                         "`" + std::string(name_of(op.name)) + "` takes " + expected + ", here it has " +
                             (count == 0 ? "none" : std::to_string(count)),
                         hint);
}

CoreId Calls::apply_operator(uint32_t which, std::vector<CoreId> args, Span at) {
    const Operator op = names_.op(which);
    if (op.arity >= 0 && args.size() != static_cast<size_t>(op.arity)) return wrong_count(op, args.size(), at);
    switch (op.kind) {
    case Operator::Kind::primitive: return core_.node(core::PrimCall{op.prim, program_.add_list(args)}, at);
    case Operator::Kind::make_record: return make_record(op, args, at);
    case Operator::Kind::record_ref: return core_.node(core::RecordRef{RecordId{op.which}, op.field, args[0]}, at);
    case Operator::Kind::record_set:
        return core_.node(core::RecordSet{RecordId{op.which}, op.field, args[0], args[1]}, at);
    case Operator::Kind::record_is: return core_.node(core::RecordIs{RecordId{op.which}, args[0]}, at);
    case Operator::Kind::make_message: return make_message(op, args, at);
    case Operator::Kind::message_ref: return core_.node(core::MessageRef{MessageId{op.which}, op.field, args[0]}, at);
    case Operator::Kind::message_is: return core_.node(core::MessageIs{MessageId{op.which}, args[0]}, at);
    }
    return core_.unspecified(at);
}

// Fields in the order of the record; evaluation stays in the order of the arguments.
CoreId Calls::make_record(const Operator& op, std::span<const CoreId> args, Span at) {
    const size_t count = program_.records[op.which].fields.size();
    bool straight = op.order.size() == count;
    for (uint32_t i = 0; i < op.order.size(); ++i) straight = straight && op.order[i] == i;
    if (straight) return core_.node(core::MakeRecord{RecordId{op.which}, program_.add_list(args)}, at);
    std::vector<LocalId> temps;
    for (size_t i = 0; i < args.size(); ++i) temps.push_back(core_.temporary("field", at));
    std::vector<CoreId> fields(count, no_core);
    for (uint32_t i = 0; i < op.order.size(); ++i) fields[op.order[i]] = core_.local_ref(temps[i], at);
    for (CoreId& f : fields) {
        if (f == no_core) f = core_.boolean(false, at);
    }
    const CoreId make = core_.node(core::MakeRecord{RecordId{op.which}, program_.add_list(fields)}, at);
    return temps.empty() ? make : core_.let(temps, args, make, at);
}

CoreId Calls::make_message(const Operator& op, std::span<const CoreId> args, Span at) {
    for (uint32_t i = 0; i < args.size(); ++i) {
        if (const auto* c = std::get_if<core::Const>(&program_[args[i]].kind))
            all_.messages.check_field(MessageId{op.which}, i, c->value, program_[args[i]].span);
    }
    return core_.node(core::MakeMessage{MessageId{op.which}, program_.add_list(args)}, at);
}

CoreId Calls::operator_value(uint32_t which, Span at) {
    if (names_.op(which).value == GlobalId{UINT32_MAX}) names_.op(which).value = define_procedure(which);
    return core_.node(core::GlobalRef{names_.op(which).value}, at);
}

GlobalId Calls::define_procedure(uint32_t which) {
    const Operator op = names_.op(which);
    const GlobalId global = core_.new_global(op.name, op.span, true);
    std::vector<LocalId> params;
    std::vector<CoreId> args;
    for (int i = 0; i < op.arity; ++i) {
        params.push_back(core_.temporary(std::string(1, static_cast<char>('a' + i % 26)), op.span));
        args.push_back(core_.local_ref(params.back(), op.span));
    }
    const CoreId body = apply_operator(which, std::move(args), op.span);
    const CoreId lambda = core_.lambda(params, body, op.name, true, op.span);
    program_.global_lambda[index(global)] = lambda;
    all_.prelude.add(global, core_.node(core::GlobalSet{global, lambda, true}, op.span));
    return global;
}

} // namespace espalier
