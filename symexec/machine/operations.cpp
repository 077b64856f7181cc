#include "symexec/machine/operations.hpp"

#include <algorithm>

#include "symexec/machine/channels.hpp"

namespace espalier::sym {

namespace {

bool is_record(const State& s, RecordId id, Value object) {
    return is_kind(s.store, object, Kind::record) && number_of(s.store.get(object.payload())) == index(id);
}

Value boundary_condition(Terms& terms, Value left, Value right, int64_t difference) {
    const auto is_integer = [&](Value v) { return terms.is_sort(v, Sort::integer); };
    if (!is_integer(left) && !is_integer(right)) return Value::boolean(is_at_boundary(left, right, difference));
    const auto comparable = [&](Value v) { return is_integer(v) || number::is_integer(v); };
    if (!comparable(left) || !comparable(right)) return Value::boolean(false);
    return terms.equal_integers(terms.sub(left, right), Value::fixnum(difference));
}

} // namespace

struct Operations::At {
    State& s;
    Thread& t;
    const Label label; // of the operation
    Value* const variables;
    const uint32_t* const slots;
    Value& operator[](VarId x) const { return variables[slots[index(x)]]; }
};

std::optional<Outcome> Operations::execute(State& s, Thread& t, const Operation& operation) {
    const At at{s, t, operation.label, t.frame->variables, code_.slots(t.frame->lambda)};
    return std::visit([&](const auto& o) { return run(at, o); }, operation.kind);
}

// ── Data ──

Operations::End Operations::run(const At& at, const op::Constant& o) {
    at[o.dst] = o.value;
    return {};
}

Operations::End Operations::run(const At& at, const op::GlobalRef& o) {
    const Value g = at.s.store.get(index(o.global));
    if (o.checked && g.is_unbound())
        throw Fault{std::string(name_of(program_.globals[index(o.global)].name)) + " is used before its definition"};
    at[o.dst] = g;
    return {};
}

Operations::End Operations::run(const At& at, const op::GlobalSet& o) {
    at.s.store.set(index(o.global), at[o.value]);
    return {};
}

Operations::End Operations::run(const At& at, const op::Primitive& o) {
    const auto args = program_.list(o.args);
    if (o.prim == Prim::make_channel) context_.position.set(at.label);
    const auto compute = [&](std::span<const Value> values) -> End {
        const std::optional<Value> result = primitives_.compute(at.s, o.prim, values);
        if (!result) return Outcome::infeasible;
        steps_.note_work(*result);
        at[o.dst] = *result;
        return {};
    };
    if (args.size() <= 4) {
        Value few[4];
        for (size_t i = 0; i < args.size(); ++i) few[i] = at[args[i]];
        return compute({few, args.size()});
    }
    std::vector<Value> many;
    for (VarId x : args) many.push_back(at[x]);
    return compute(many);
}

Operations::End Operations::run(const At& at, const op::MakeClosures& o) {
    const auto defs = std::span(program_.closures).subspan(o.first, o.count);
    for (const ClosureDef& d : defs) at[d.dst] = Value::object(heap_.closure(d.lambda, d.captures.count));
    for (const ClosureDef& d : defs) {
        Value* to = as_closure(at[d.dst]).captures;
        for (VarId x : program_.list(d.captures)) *to++ = at[x];
    }
    return {};
}

Operations::End Operations::run(const At& at, const op::MakeBox& o) {
    at[o.dst] = box_at(at.s.store.allocate(1, o.init == no_var ? Value::unbound() : at[o.init]));
    return {};
}

Operations::End Operations::run(const At& at, const op::BoxRef& o) {
    const Value content = at.s.store.get(at[o.box].payload());
    if (o.checked && content.is_unbound()) {
        const std::string_view name = name_of(program_.variable_name(at.t.frame->lambda, o.box));
        throw Fault{std::string(name) + " is used before its definition"};
    }
    at[o.dst] = content;
    return {};
}

Operations::End Operations::run(const At& at, const op::BoxSet& o) {
    at.s.store.set(at[o.box].payload(), at[o.value]);
    return {};
}

Operations::End Operations::run(const At& at, const op::MakeRecord& o) {
    const auto fields = program_.list(o.fields);
    const uint32_t a = at.s.store.allocate(1 + static_cast<uint32_t>(fields.size()), Value::unspecified());
    at.s.store.set(a, header(Kind::record, index(o.record)));
    for (uint32_t i = 0; i < fields.size(); ++i) at.s.store.set(a + 1 + i, at[fields[i]]);
    at[o.dst] = Value::address(a);
    return {};
}

uint32_t Operations::record_field(const State& s, RecordId id, uint32_t field, Value object, const char* verb) const {
    if (is_record(s, id, object)) return object.payload() + 1 + field;
    const RecordDef& def = program_.records[index(id)];
    throw Fault{std::string("cannot ") + verb + " the field " + std::string(name_of(def.fields[field])) + " of " +
                describe(program_, s, object) + ", which is not a " + std::string(name_of(def.name))};
}

Operations::End Operations::run(const At& at, const op::RecordRef& o) {
    at[o.dst] = at.s.store.get(record_field(at.s, o.record, o.field, at[o.object], "take"));
    return {};
}

Operations::End Operations::run(const At& at, const op::RecordSet& o) {
    at.s.store.set(record_field(at.s, o.record, o.field, at[o.object], "set"), at[o.value]);
    return {};
}

Operations::End Operations::run(const At& at, const op::RecordIs& o) {
    at[o.dst] = Value::boolean(is_record(at.s, o.record, at[o.object]));
    return {};
}

Operations::End Operations::run(const At& at, const op::MakeMessage& o) {
    const MessageDef& def = program_.messages[index(o.message)];
    scratch_.clear();
    for (VarId x : program_.list(o.fields)) scratch_.push_back(at[x]);
    for (size_t i = 0; i < scratch_.size(); ++i) {
        if (values_.equality.belongs(at.s, def.fields[i].type, scratch_[i])) continue;
        throw Fault{std::string(name_of(def.name)) + ": " + describe(program_, at.s, scratch_[i]) +
                    " is not a value of the field " + std::string(name_of(def.fields[i].name)) + ", which is " +
                    to_text(program_, def.fields[i].type)};
    }
    Message* m = heap_.message(o.message, scratch_.size());
    std::copy(scratch_.begin(), scratch_.end(), static_cast<Value*>(m->fields));
    at[o.dst] = Value::object(m);
    return {};
}

Operations::End Operations::run(const At& at, const op::MessageRef& o) {
    const Value m = values_.forced(at.s, at[o.object]);
    if (!is_type(m, ObjectType::message) || as_message(m).message != o.message) {
        const MessageDef& def = program_.messages[index(o.message)];
        throw Fault{"cannot take the field " + std::string(name_of(def.fields[o.field].name)) + " of " +
                    describe(program_, at.s, m) + ", which is not a message " + std::string(name_of(def.name))};
    }
    at[o.dst] = as_message(m).fields[o.field];
    return {};
}

Operations::End Operations::run(const At& at, const op::MessageIs& o) {
    const Value object = values_.forced(at.s, at[o.object]);
    at[o.dst] = Value::boolean(is_type(object, ObjectType::message) && as_message(object).message == o.message);
    return {};
}

Operations::End Operations::run(const At& at, const op::MakeFresh& o) {
    const Value others = o.others == no_var ? Value::null() : at[o.others];
    Value rest = values_.forced(at.s, others);
    while (is_pair(rest)) rest = values_.forced(at.s, as_pair(rest).cdr);
    if (!rest.is_null()) throw Fault{"fresh: " + describe(program_, at.s, others) + " is not a list"};
    at[o.dst] = values_.fresh.make(at.s, o.type, o.others == no_var, others);
    return {};
}

// ── Ports, channels, threads, time ──

// Only what may be written: the outputs themselves come from the replay.
Operations::End Operations::run(const At& at, const op::Write& o) {
    const Value port = at[o.port];
    if (!port.is_port()) throw Fault{"write: " + describe(program_, at.s, port) + " is not a port"};
    const PortDef& def = program_.ports[index(port.as_port())];
    const Value v = values_.forced(at.s, at[o.value]);
    if (is_type(v, ObjectType::message)) {
        const MessageId id = as_message(v).message;
        if (std::find(def.out.begin(), def.out.end(), id) == def.out.end())
            throw Fault{"write: the port " + std::string(name_of(def.name)) + " does not carry " +
                        std::string(name_of(program_.messages[index(id)].name)) + " out"};
    } else if (!def.bare_out) {
        throw Fault{"write: " + describe(program_, at.s, v) + " is not a message that the port " +
                    std::string(name_of(def.name)) + " carries out"};
    }
    values_.fresh.note_written(at.s, v);
    return {};
}

Operations::End Operations::run(const At& at, const op::Send& o) {
    send(context_, at.s, at[o.channel], at[o.value]);
    return {};
}

Operations::End Operations::run(const At& at, const op::Spawn& o) {
    scheduler_.spawn(at.s, at[o.procedure], o.service, at.label); // may move the threads
    return {};
}

Operations::End Operations::run(const At& at, const op::StartTimer& o) {
    clocks_.start(at.s, at[o.timer], at[o.delay]);
    return {};
}

Operations::End Operations::run(const At& at, const op::StopTimer& o) {
    clocks_.stop(at.s, at[o.timer]);
    return {};
}

Operations::End Operations::run(const At& at, const op::Assume& o) {
    const Value condition = values_.decider.truth(at.s, at[o.condition]);
    const bool fails = condition.is_false() || (context_.terms.is_sort(condition, Sort::boolean) &&
                                                !context_.observer->assume(at.s, condition));
    return fails ? End(Outcome::assume_failed) : std::nullopt;
}

Operations::End Operations::run(const At& at, const op::Assert& o) {
    if (!values_.decider.decide(at.s, at[o.condition])) throw Fault{"assertion failed"};
    return {};
}

// ── Targets ──

// A message on offer may still be refused: what was passed on the way counts once it is accepted.
void Operations::mark(State& s, TargetId target, Value condition) {
    if (condition.is_false()) return;
    if (s.delivering)
        s.held.push_back({target, condition});
    else if (context_.observer->wants(target))
        context_.arrival.marks.push_back({target, condition});
}

Operations::End Operations::run(const At& at, const op::Mark& o) {
    ++at.t.pc;
    mark(at.s, o.target, Value::boolean(true));
    return {};
}

Operations::End Operations::run(const At& at, const op::MarkBoundary& o) {
    // Looking into an operand may divide the path, and must not depend on what is covered.
    const Value left = values_.resolved(at.s, at[o.left]), right = values_.resolved(at.s, at[o.right]);
    if (!context_.observer->wants(o.target)) return {};
    const Value condition = boundary_condition(context_.terms, left, right, o.difference);
    ++at.t.pc;
    mark(at.s, o.target, condition);
    return {};
}

// A trace is made of constants, and is constant, unless the state's data are veiled (learn/veil.hpp).
Value Operations::constant_list(State& s, Value list) {
    std::vector<Value> items;
    bool is_constant = true;
    for (Value rest = list; is_pair(rest); rest = as_pair(rest).cdr) {
        items.push_back(as_pair(rest).car);
        is_constant = is_constant && !items.back().is_term();
    }
    if (is_constant) return list;
    for (Value& item : items)
        if (item = values_.few.settled(s, item); item.is_term()) throw Unsupported("a trace that is not constant");
    return heap_.list(items);
}

Operations::End Operations::run(const At& at, const op::MarkDetermined& o) {
    const bool is_wanted = context_.observer->wants(o.target);
    const Value trace = is_wanted ? constant_list(at.s, at[o.trace]) : Value::null();
    ++at.t.pc;
    if (is_wanted && determines(program_.decision_tables[o.decision], trace, o.atom, o.value))
        mark(at.s, o.target, Value::boolean(true));
    return {};
}

} // namespace espalier::sym
