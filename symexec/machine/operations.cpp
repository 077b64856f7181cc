// Straight-line operations.
#include <algorithm>

#include "symexec/machine/machine.hpp"

namespace espalier::sym {

void Machine::execute(State& s, Thread& t, const Operation& operation) {
    Value* v = t.frame->variables;
    const uint32_t* slots = code_.slots(t.frame->lambda);
    const auto at = [v, slots](VarId x) -> Value& { return v[slots[index(x)]]; };
    const OpKind& kind = operation.kind;
    switch (kind.index()) {
    case 0: {
        const auto& o = std::get<op::Constant>(kind);
        at(o.dst) = o.value;
        return;
    }
    case 1: {
        const auto& o = std::get<op::GlobalRef>(kind);
        const Value g = s.store.get(index(o.global));
        if (o.checked && g.is_unbound())
            throw Fault{std::string(name_of(program_.globals[index(o.global)].name)) +
                        " is used before its definition"};
        at(o.dst) = g;
        return;
    }
    case 2: {
        const auto& o = std::get<op::GlobalSet>(kind);
        s.store.set(index(o.global), at(o.value));
        return;
    }
    case 3: {
        const auto& o = std::get<op::Primitive>(kind);
        const auto args = program_.list(o.args);
        if (o.prim == Prim::make_channel) label_ = operation.label;
        if (args.size() <= 4) {
            Value few[4];
            for (size_t i = 0; i < args.size(); ++i) few[i] = at(args[i]);
            at(o.dst) = primitive(s, o.prim, {few, args.size()});
        } else {
            std::vector<Value> many;
            for (VarId x : args) many.push_back(at(x));
            at(o.dst) = primitive(s, o.prim, many);
        }
        return;
    }
    case 4: {
        const auto& o = std::get<op::MakeClosures>(kind);
        const auto defs = std::span(program_.closures).subspan(o.first, o.count);
        for (const ClosureDef& d : defs) at(d.dst) = Value::object(heap_.closure(d.lambda, d.captures.count));
        for (const ClosureDef& d : defs) {
            Value* to = as_closure(at(d.dst)).captures;
            for (VarId x : program_.list(d.captures)) *to++ = at(x);
        }
        return;
    }
    case 5: {
        const auto& o = std::get<op::MakeBox>(kind);
        at(o.dst) = box_at(s.store.allocate(1, o.init == no_var ? Value::unbound() : at(o.init)));
        return;
    }
    case 6: {
        const auto& o = std::get<op::BoxRef>(kind);
        const Value content = s.store.get(at(o.box).payload());
        if (o.checked && content.is_unbound()) {
            const std::string_view name = name_of(program_.variable_name(t.frame->lambda, o.box));
            throw Fault{std::string(name) + " is used before its definition"};
        }
        at(o.dst) = content;
        return;
    }
    case 7: {
        const auto& o = std::get<op::BoxSet>(kind);
        s.store.set(at(o.box).payload(), at(o.value));
        return;
    }
    case 8: {
        const auto& o = std::get<op::MakeRecord>(kind);
        const auto fields = program_.list(o.fields);
        const uint32_t a = s.store.allocate(1 + static_cast<uint32_t>(fields.size()), Value::unspecified());
        s.store.set(a, header(Kind::record, index(o.record)));
        for (uint32_t i = 0; i < fields.size(); ++i) s.store.set(a + 1 + i, at(fields[i]));
        at(o.dst) = Value::address(a);
        return;
    }
    case 9:
    case 10:
    case 11: {
        const bool setting = kind.index() == 10;
        const auto is_record = [&](RecordId id, Value object) {
            return is_kind(s.store, object, Kind::record) && number_of(s.store.get(object.payload())) == index(id);
        };
        if (kind.index() == 11) {
            const auto& o = std::get<op::RecordIs>(kind);
            at(o.dst) = Value::boolean(is_record(o.record, at(o.object)));
            return;
        }
        const auto check = [&](RecordId id, uint32_t field, Value object) {
            if (is_record(id, object)) return object.payload() + 1 + field;
            const RecordDef& def = program_.records[index(id)];
            throw Fault{std::string("cannot ") + (setting ? "set" : "take") + " the field " +
                        std::string(name_of(def.fields[field])) + " of " + describe(s, object) + ", which is not a " +
                        std::string(name_of(def.name))};
        };
        if (setting) {
            const auto& o = std::get<op::RecordSet>(kind);
            s.store.set(check(o.record, o.field, at(o.object)), at(o.value));
        } else {
            const auto& o = std::get<op::RecordRef>(kind);
            at(o.dst) = s.store.get(check(o.record, o.field, at(o.object)));
        }
        return;
    }
    case 12: {
        const auto& o = std::get<op::MakeMessage>(kind);
        scratch_.clear();
        for (VarId x : program_.list(o.fields)) scratch_.push_back(at(x));
        at(o.dst) = make_message(s, o, scratch_);
        return;
    }
    case 13: {
        const auto& o = std::get<op::MessageRef>(kind);
        at(o.dst) = take_field(s, o, at(o.object));
        return;
    }
    case 14: {
        const auto& o = std::get<op::MessageIs>(kind);
        const Value object = forced(s, at(o.object));
        at(o.dst) = Value::boolean(is_type(object, ObjectType::message) && as_message(object).message == o.message);
        return;
    }
    case 15: {
        ++t.pc;
        mark(s, std::get<op::Mark>(kind).target, Value::boolean(true));
        return;
    }
    case 16: {
        const auto& o = std::get<op::Write>(kind);
        write(s, at(o.port), at(o.value));
        return;
    }
    case 17: {
        const Value condition = truth(s, at(std::get<op::Assume>(kind).condition));
        if (condition.is_false() || (terms_.is_sort(condition, Sort::boolean) && !observer_.assume(s, condition)))
            throw AssumeFailed{};
        return;
    }
    case 18:
        if (!decide(s, at(std::get<op::Assert>(kind).condition))) throw Fault{"assertion failed"};
        return;
    case 19: {
        const auto& o = std::get<op::Spawn>(kind);
        spawn(s, at(o.procedure), o.service, operation.label);
        return;
    }
    case 20: {
        const auto& o = std::get<op::Send>(kind);
        send(s, at(o.channel), at(o.value));
        return;
    }
    case 21: {
        const auto& o = std::get<op::StartTimer>(kind);
        const Value timer = at(o.timer);
        if (!is_kind(s.store, timer, Kind::timer)) throw Fault{"start: " + describe(s, timer) + " is not a timer"};
        const Value due = later(s, at(o.delay), "start");
        s.store.set(timer.payload() + 1, Value::boolean(true));
        s.store.set(timer.payload() + 2, due);
        begin_clock(s, timer.payload());
        return;
    }
    case 22: {
        const Value timer = at(std::get<op::StopTimer>(kind).timer);
        if (!is_kind(s.store, timer, Kind::timer)) throw Fault{"stop: " + describe(s, timer) + " is not a timer"};
        s.store.set(timer.payload() + 1, Value::boolean(false));
        return;
    }
    case 23: {
        const auto& o = std::get<op::MakeFresh>(kind);
        at(o.dst) = make_fresh(s, o, o.others == no_var ? Value::null() : at(o.others));
        return;
    }
    case 24: {
        const auto& o = std::get<op::MarkBoundary>(kind);
        if (!observer_.wants(o.target)) return;
        const Value condition =
            boundary_condition(resolved(s, forced(s, at(o.left))), resolved(s, forced(s, at(o.right))), o.difference);
        ++t.pc;
        mark(s, o.target, condition);
        return;
    }
    case 25: {
        const auto& o = std::get<op::MarkDetermined>(kind);
        ++t.pc;
        if (observer_.wants(o.target) && determines(program_.decision_tables[o.decision], at(o.trace), o.atom, o.value))
            mark(s, o.target, Value::boolean(true));
        return;
    }
    }
    static_assert(std::variant_size_v<OpKind> == 26, "an operation without a meaning here");
}

// A message on offer may still be refused: what was passed on the way counts once it is accepted.
void Machine::mark(State& s, TargetId target, Value condition) {
    if (condition.is_false()) return;
    if (s.delivering)
        s.held.push_back({target, condition});
    else if (observer_.wants(target))
        arrival_.marks.push_back({target, condition});
}

Value Machine::boundary_condition(Value left, Value right, int64_t difference) {
    const auto is_integer = [&](Value v) { return terms_.is_sort(v, Sort::integer); };
    if (!is_integer(left) && !is_integer(right)) return Value::boolean(is_at_boundary(left, right, difference));
    const auto comparable = [&](Value v) { return is_integer(v) || number::is_integer(v); };
    if (!comparable(left) || !comparable(right)) return Value::boolean(false);
    return terms_.equal_integers(terms_.sub(left, right), Value::fixnum(difference));
}

Value Machine::make_message(State& s, const op::MakeMessage& o, std::span<const Value> fields) {
    const MessageDef& def = program_.messages[index(o.message)];
    for (size_t i = 0; i < fields.size(); ++i) {
        const Value field = fields[i];
        if (belongs(s, def.fields[i].type, field)) continue;
        throw Fault{std::string(name_of(def.name)) + ": " + describe(s, field) + " is not a value of the field " +
                    std::string(name_of(def.fields[i].name)) + ", which is " + to_text(program_, def.fields[i].type)};
    }
    Message* m = heap_.message(o.message, fields.size());
    for (size_t i = 0; i < fields.size(); ++i) m->fields[i] = fields[i];
    return Value::object(m);
}

Value Machine::take_field(State& s, const op::MessageRef& o, Value object) {
    const Value m = forced(s, object);
    if (is_type(m, ObjectType::message) && as_message(m).message == o.message) return as_message(m).fields[o.field];
    const MessageDef& def = program_.messages[index(o.message)];
    throw Fault{"cannot take the field " + std::string(name_of(def.fields[o.field].name)) + " of " + describe(s, m) +
                ", which is not a message " + std::string(name_of(def.name))};
}

// Only what may be written: the outputs themselves come from the replay.
void Machine::write(State& s, Value port, Value value) {
    if (!port.is_port()) throw Fault{"write: " + describe(s, port) + " is not a port"};
    const PortDef& def = program_.ports[index(port.as_port())];
    const Value v = forced(s, value);
    if (is_type(v, ObjectType::message)) {
        const MessageId id = as_message(v).message;
        if (std::find(def.out.begin(), def.out.end(), id) == def.out.end())
            throw Fault{"write: the port " + std::string(name_of(def.name)) + " does not carry " +
                        std::string(name_of(program_.messages[index(id)].name)) + " out"};
    } else if (!def.bare_out) {
        throw Fault{"write: " + describe(s, v) + " is not a message that the port " + std::string(name_of(def.name)) +
                    " carries out"};
    }
    note_written(s, v);
}

Value Machine::make_fresh(State& s, const op::MakeFresh& o, Value others) {
    Value rest = forced(s, others);
    while (is_pair(rest)) rest = forced(s, as_pair(rest).cdr);
    if (!rest.is_null()) throw Fault{"fresh: " + describe(s, others) + " is not a list"};
    auto* fresh = static_cast<Fresh*>(heap_.allocate(ObjectType::fresh, sizeof(Fresh), ++s.fresh_count));
    fresh->of = o.type;
    fresh->distinct_from_all = o.others == no_var ? 1 : 0;
    fresh->differs_from = others;
    fresh->told_apart = nullptr; // a replay will say it
    return Value::object(fresh);
}

} // namespace espalier::sym
