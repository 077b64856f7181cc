// Calls. A call of a primitive, of what a record or message definition gives, or of a prelude procedure that comes down
// to primitives becomes operations; everything else stays a call.
#include "lang/expand/expander.hpp"

namespace espalier {

uint32_t Expander::add_operator(Operator op) {
    operators_.push_back(std::move(op));
    return static_cast<uint32_t>(operators_.size() - 1);
}

CoreId Expander::expand_call(DatumId d, const Context& ctx) {
    const auto parts = elements(d);
    if (!parts) return fail(d, "a call must be a proper list", "remove the dot");
    const DatumId head = parts->front();
    Binding b;
    if (is_identifier(head)) b = lookup(head, ctx.scope);
    if (b.kind == Binding::Kind::constant && constants_[b.id].is_port()) {
        return fail(head, "`" + show(head) + "` is a port, not a procedure",
                    "use (read " + show(head) + ") or (write " + show(head) + " message)");
    }
    const bool direct =
        b.kind == Binding::Kind::op || (b.kind == Binding::Kind::global && program_.globals[b.id].prelude);
    CoreId callee = no_core;
    if (!direct) callee = expand(head, ctx);
    std::vector<CoreId> args;
    args.reserve(parts->size());
    for (size_t i = 1; i < parts->size(); ++i) args.push_back(expand((*parts)[i], ctx));
    const size_t own = program_.nodes.size();
    if (b.kind == Binding::Kind::op) {
        const CoreId done = apply_operator(b.id, std::move(args), span(d));
        number_sites(own, ctx);
        return done;
    }
    if (direct) {
        if (auto done = integrate(program_.globals[b.id].name, args, span(d))) {
            number_sites(own, ctx);
            return *done;
        }
        callee = expand(head, ctx);
    }
    return node(core::Call{callee, program_.add_list(args), false}, span(d));
}

CoreId Expander::apply_operator(uint32_t which, std::vector<CoreId> args, Span at) {
    operators_[which].used = true;
    const Operator op = operators_[which];
    if (op.arity >= 0 && args.size() != static_cast<size_t>(op.arity)) {
        const std::string expected =
            (op.arity == 0 ? "no" : std::to_string(op.arity)) + (op.arity == 1 ? " argument" : " arguments");
        std::string hint;
        if (op.kind == Operator::Kind::make_message) {
            hint = "its shape is (" + std::string(name_of(op.name));
            for (const FieldDef& f : program_.messages[op.which].fields) hint += " " + std::string(name_of(f.name));
            hint += ")";
        }
        return fail(at,
                    "`" + std::string(name_of(op.name)) + "` takes " + expected + ", here it has " +
                        (args.empty() ? "none" : std::to_string(args.size())),
                    hint);
    }
    switch (op.kind) {
    case Operator::Kind::primitive: return node(core::PrimCall{op.prim, program_.add_list(args)}, at);
    case Operator::Kind::make_record: {
        const RecordDef& def = program_.records[op.which];
        // Fields in the order of the record; evaluation stays in the order of the arguments.
        bool straight = op.order.size() == def.fields.size();
        for (uint32_t i = 0; i < op.order.size(); ++i) straight = straight && op.order[i] == i;
        if (straight) return node(core::MakeRecord{RecordId{op.which}, program_.add_list(args)}, at);
        std::vector<LocalId> temps;
        for (size_t i = 0; i < args.size(); ++i) temps.push_back(temporary("field", at));
        std::vector<CoreId> fields(def.fields.size(), no_core);
        for (uint32_t i = 0; i < op.order.size(); ++i) fields[op.order[i]] = local_ref(temps[i], at);
        for (CoreId& f : fields) {
            if (f == no_core) f = constant(Value::boolean(false), at);
        }
        const CoreId make = node(core::MakeRecord{RecordId{op.which}, program_.add_list(fields)}, at);
        if (temps.empty()) return make;
        return node(core::Let{program_.add_list(temps), program_.add_list(args), make}, at);
    }
    case Operator::Kind::record_ref: return node(core::RecordRef{RecordId{op.which}, op.field, args[0]}, at);
    case Operator::Kind::record_set: return node(core::RecordSet{RecordId{op.which}, op.field, args[0], args[1]}, at);
    case Operator::Kind::record_is: return node(core::RecordIs{RecordId{op.which}, args[0]}, at);
    case Operator::Kind::make_message:
        for (uint32_t i = 0; i < args.size(); ++i) {
            if (const auto* c = std::get_if<core::Const>(&program_[args[i]].kind))
                check_field(MessageId{op.which}, i, c->value, program_[args[i]].span);
        }
        return node(core::MakeMessage{MessageId{op.which}, program_.add_list(args)}, at);
    case Operator::Kind::message_ref: return node(core::MessageRef{MessageId{op.which}, op.field, args[0]}, at);
    case Operator::Kind::message_is: return node(core::MessageIs{MessageId{op.which}, args[0]}, at);
    }
    return unspecified(at);
}

// The procedure that an operator is as a value, made once and kept with the prelude's definitions.
CoreId Expander::operator_value(uint32_t which, Span at) {
    operators_[which].used = true;
    if (operators_[which].value == GlobalId{UINT32_MAX}) {
        const Operator op = operators_[which];
        const GlobalId global = new_global(op.name, op.span, true);
        operators_[which].value = global;
        std::vector<LocalId> params;
        std::vector<CoreId> args;
        for (int i = 0; i < op.arity; ++i) {
            params.push_back(temporary(std::string(1, static_cast<char>('a' + i % 26)), op.span));
            args.push_back(local_ref(params.back(), op.span));
        }
        const CoreId body = apply_operator(which, std::move(args), op.span);
        const auto first = static_cast<uint32_t>(program_.cases.size());
        program_.cases.push_back({program_.add_list(params), false, body, op.span});
        const CoreId lambda = node(core::Lambda{first, 1, op.name, true}, op.span);
        program_.global_lambda[index(global)] = lambda;
        prelude_definitions_[index(global)] = node(core::GlobalSet{global, lambda, true}, op.span);
        prelude_globals_.push_back(global);
    }
    return node(core::GlobalRef{operators_[which].value}, at);
}

// (< a b c): every operand is evaluated once, then compared in pairs.
CoreId Expander::chain(Prim p, std::span<const CoreId> args, Span at, bool chars) {
    auto operand = [&](CoreId a) { return chars ? prim(Prim::char_to_integer, {a}, at) : a; };
    if (args.size() == 2) {
        const CoreId a = operand(args[0]);
        return prim(p, {a, operand(args[1])}, at);
    }
    std::vector<LocalId> temps;
    std::vector<CoreId> inits;
    for (CoreId a : args) {
        temps.push_back(temporary("operand", at));
        inits.push_back(operand(a));
    }
    std::vector<CoreId> pairs; // in the order in which they stand, since each may be numbered
    for (size_t i = 0; i + 1 < temps.size(); ++i)
        pairs.push_back(prim(p, {local_ref(temps[i], at), local_ref(temps[i + 1], at)}, at));
    CoreId rest = pairs.back();
    for (size_t i = pairs.size() - 1; i-- > 0;)
        rest = node(core::If{pairs[i], rest, constant(Value::boolean(false), at), BranchOrigin::generated, 0}, at);
    return node(core::Let{program_.add_list(temps), program_.add_list(inits), rest}, at);
}

std::optional<CoreId> Expander::integrate(Symbol symbol, std::vector<CoreId>& args, Span at) {
    const std::string_view name = name_of(symbol);
    const size_t n = args.size();
    auto number = [&](int64_t v) { return constant(Value::fixnum(v), at); };
    auto fold = [&](Prim p, int64_t unit) -> CoreId {
        if (n == 0) return number(unit);
        if (n == 1) return prim(p, {args[0], number(unit)}, at);
        CoreId sum = args[0];
        for (size_t i = 1; i < n; ++i) sum = prim(p, {sum, args[i]}, at);
        return sum;
    };
    struct Chain {
        std::string_view name;
        Prim prim;
        bool chars;
    };
    static constexpr Chain chains[] = {
        {"=", Prim::num_eq, false},
        {"<", Prim::lt, false},
        {">", Prim::gt, false},
        {"<=", Prim::le, false},
        {">=", Prim::ge, false},
        {"char=?", Prim::num_eq, true},
        {"char<?", Prim::lt, true},
        {"char>?", Prim::gt, true},
        {"char<=?", Prim::le, true},
        {"char>=?", Prim::ge, true},
        {"string=?", Prim::string_eq, false},
        {"string<?", Prim::string_lt, false},
    };
    for (const Chain& c : chains) {
        if (name == c.name && n >= 2) return chain(c.prim, args, at, c.chars);
    }
    if (name == "+") return fold(Prim::add, 0);
    if (name == "*") return fold(Prim::mul, 1);
    if (name == "-" || name == "/") {
        const Prim p = name == "-" ? Prim::sub : Prim::div;
        if (n == 1) return prim(p, {number(name == "-" ? 0 : 1), args[0]}, at);
        if (n >= 2) return fold(p, 0);
    }
    if (name == "bitwise-and" && n == 2) return prim(Prim::bitwise_and, {args[0], args[1]}, at);
    if (name == "bitwise-or" && n == 2) return prim(Prim::bitwise_or, {args[0], args[1]}, at);
    if (name == "bitwise-xor" && n == 2) return prim(Prim::bitwise_xor, {args[0], args[1]}, at);
    if (n == 1 && name == "zero?") return prim(Prim::num_eq, {args[0], number(0)}, at);
    if (n == 1 && name == "positive?") return prim(Prim::gt, {args[0], number(0)}, at);
    if (n == 1 && name == "negative?") return prim(Prim::lt, {args[0], number(0)}, at);
    if (name == "list") {
        CoreId rest = constant(Value::null(), at);
        for (size_t i = n; i-- > 0;) rest = prim(Prim::cons, {args[i], rest}, at);
        return rest;
    }
    if (name == "vector") return node(core::PrimCall{Prim::vector, program_.add_list(args)}, at);
    if (name == "values") {
        if (n == 1) return args[0];
        return node(core::PrimCall{Prim::values, program_.add_list(args)}, at);
    }
    if (name == "string-append" && n >= 2) {
        CoreId sum = args[0];
        for (size_t i = 1; i < n; ++i) sum = prim(Prim::string_append, {sum, args[i]}, at);
        return sum;
    }
    if (name == "make-vector" && n == 2) return prim(Prim::make_vector, {args[0], args[1]}, at);
    if (name == "substring" && n == 3) return prim(Prim::substring, {args[0], args[1], args[2]}, at);
    if (name == "number->string" && n == 1) return prim(Prim::number_to_string, {args[0], number(10)}, at);
    if (name == "string->number" && n == 1) return prim(Prim::string_to_number, {args[0], number(10)}, at);
    if (name == "newline" && n == 0) return prim(Prim::display, {constant(program_.literals->string("\n"), at)}, at);
    if (name == "error" && n >= 1) {
        CoreId rest = constant(Value::null(), at);
        for (size_t i = n; i-- > 1;) rest = prim(Prim::cons, {args[i], rest}, at);
        return prim(Prim::error, {args[0], rest}, at);
    }
    // apply with arguments before the list: still one call.
    if (name == "apply" && n >= 2) {
        return node(core::Call{args[0], program_.add_list(std::span(args).subspan(1)), true}, at);
    }
    // cadr and its kind
    if (n == 1 && name.size() >= 4 && name.size() <= 6 && name.front() == 'c' && name.back() == 'r' &&
        name.find_first_not_of("ad", 1) == name.size() - 1) {
        CoreId v = args[0];
        for (size_t i = name.size() - 1; i-- > 1;) v = prim(name[i] == 'a' ? Prim::car : Prim::cdr, {v}, at);
        return v;
    }
    return std::nullopt;
}

} // namespace espalier
