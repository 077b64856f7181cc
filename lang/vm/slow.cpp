// What the loop leaves to functions: primitives, making objects of several parts, calls whose arguments must
// be looked at, and failures. Each first notes where the thread is.
#include <algorithm>
#include <array>

#include "lang/ir/type.hpp"
#include "lang/vm/runner.hpp"

namespace espalier::vm {

namespace {

// The registers in the cells that follow an instruction, four to a cell.
Value extra(const Instr* pc, const Value* base, uint32_t i) {
    const Instr& cell = pc[1 + i / 4];
    switch (i % 4) {
    case 0: return base[cell.a];
    case 1: return base[cell.b];
    case 2: return base[cell.c()];
    default: return base[cell.d()];
    }
}

std::string arguments(uint32_t count) { return std::to_string(count) + (count == 1 ? " argument" : " arguments"); }

} // namespace

// ── Primitives ──

Value Runner::primitive(const Instr* pc, Value* base, Prim prim, const Value* args, uint32_t count) {
    leave(pc, base);
    const Value result = primitives_[static_cast<size_t>(prim)](prim_context_, args, count);
    note_allocation();
    note_work(result);
    return result;
}

Value Runner::primitive(const Instr* pc, Value* base, Prim prim, Value x, Value y) {
    const std::array<Value, 2> args{x, y};
    return primitive(pc, base, prim, args.data(), 2);
}

Value Runner::primitive(const Instr* pc, Value* base, Prim prim, Value x) { return primitive(pc, base, prim, &x, 1); }

Value Runner::primitive_n(const Instr* pc, Value* base) {
    const auto count = static_cast<uint32_t>(pc->c());
    const auto prim = static_cast<Prim>(pc->d());
    if (count <= 4) {
        std::array<Value, 4> args;
        for (uint32_t i = 0; i < count; ++i) args[i] = extra(pc, base, i);
        return primitive(pc, base, prim, args.data(), count);
    }
    std::vector<Value> args(count);
    for (uint32_t i = 0; i < count; ++i) args[i] = extra(pc, base, i);
    return primitive(pc, base, prim, args.data(), count);
}

// `tested` is what the instruction compares, `negated` or not; `written` what the author wrote. They differ
// where the translation turned a branch around or swapped the operands.
bool Runner::compare(const Instr* pc, Value* base, Prim tested, bool negated, Prim written, Value x, Value y) {
    const auto mirrored = [](Prim p) {
        switch (p) {
        case Prim::lt: return Prim::gt;
        case Prim::le: return Prim::ge;
        case Prim::gt: return Prim::lt;
        case Prim::ge: return Prim::le;
        default: return p;
        }
    };
    const auto opposite = [](Prim p) {
        switch (p) {
        case Prim::lt: return Prim::ge;
        case Prim::le: return Prim::gt;
        case Prim::gt: return Prim::le;
        case Prim::ge: return Prim::lt;
        default: return p;
        }
    };
    const bool swapped = tested != written && (tested == mirrored(written) || tested == mirrored(opposite(written)));
    const bool turned = negated || (tested != written && tested != mirrored(written));
    const Value result = swapped ? primitive(pc, base, written, y, x) : primitive(pc, base, written, x, y);
    return result.is_true() != turned;
}

// ── Objects ──

void Runner::make_closure(const Instr* pc, Value* base) {
    const auto count = static_cast<uint32_t>(pc->c());
    Closure* closure = heap.closure(LambdaId{static_cast<uint32_t>(pc->b)}, count);
    for (uint32_t i = 0; i < count; ++i) closure->captures[i] = extra(pc, base, i);
    base[pc->a] = Value::object(closure);
    note_allocation();
}

void Runner::make_record(const Instr* pc, Value* base) {
    const auto count = static_cast<uint32_t>(pc->c());
    Record* record = heap.record(RecordId{static_cast<uint32_t>(pc->b)}, count);
    for (uint32_t i = 0; i < count; ++i) record->fields[i] = extra(pc, base, i);
    base[pc->a] = Value::object(record);
    note_allocation();
}

void Runner::make_message(const Instr* pc, Value* base) {
    const auto count = static_cast<uint32_t>(pc->c());
    const MessageId id{static_cast<uint32_t>(pc->b)};
    const MessageDef& def = program.messages[index(id)];
    Message* message = heap.message(id, count);
    for (uint32_t i = 0; i < count; ++i) {
        const Value v = extra(pc, base, i);
        const FieldDef& field = def.fields[i];
        if (!belongs(program, field.type, v)) {
            fail(pc, base,
                 std::string(espalier::name_of(def.name)) + ": " + to_text(program, v) +
                     " is not a value of the field " + std::string(espalier::name_of(field.name)) + ", which is " +
                     to_text(program, field.type));
        }
        message->fields[i] = v;
    }
    base[pc->a] = Value::object(message);
    note_allocation();
}

void Runner::make_fresh(const Instr* pc, Value* base, Value others, bool distinct) {
    Value rest = others;
    while (is_pair(rest)) rest = as_pair(rest).cdr;
    if (!rest.is_null()) fail(pc, base, "fresh: " + to_text(program, others) + " is not a list");
    auto* fresh = static_cast<Fresh*>(
        heap.allocate(ObjectType::fresh, sizeof(Fresh), static_cast<uint32_t>(fresh_values.size() + 1)));
    fresh->of = TypeId{static_cast<uint32_t>(pc->c())};
    fresh->distinct_from_all = distinct ? 1 : 0;
    fresh->differs_from = others;
    fresh->told_apart = options.told_apart;
    for (rest = others; fresh->told_apart != nullptr && is_pair(rest); rest = as_pair(rest).cdr)
        if (is_type(as_pair(rest).car, ObjectType::fresh))
            fresh->told_apart->emplace(as_pair(rest).car.as_object()->count, fresh->count);
    fresh_values.push_back(Value::object(fresh));
    base[pc->a] = fresh_values.back();
    note_allocation();
}

// ── Calls ──

// Fits the arguments, which stand in the frame to come at `distance` from the base, to a callee that may be
// anything. The stack may move: the thread knows where its base is then.
const Code* Runner::enter(const Instr* pc, Value* base, Value callee, int32_t distance, uint32_t count, bool spread) {
    leave(pc, base);
    if (spread) {
        count = spread_arguments(pc, base, distance, count);
        base = running_->base;
    }
    if (!is_type(callee, ObjectType::closure)) {
        if (callee.is_unbound()) fail(pc, base, "a procedure is called before its definition");
        fail(pc, base, to_text(program, callee) + " is not a procedure, but it is called with " + arguments(count));
    }
    LambdaId id = as_closure(callee).lambda;
    for (; id != no_lambda; id = program[id].next_case) {
        const Lambda& lambda = program[id];
        if (count == lambda.required && !lambda.rest) break;
        if (count < lambda.required || !lambda.rest) continue;
        Value* frame = base + distance;
        frame[lambda.required] = heap.list({frame + lambda.required, count - lambda.required});
        note_allocation();
        break;
    }
    if (id == no_lambda) fail_arity(as_closure(callee).lambda, count);
    return &codes_[index(id)];
}

// The last argument is a list: its elements take its place. Returns how many arguments there are then.
uint32_t Runner::spread_arguments(const Instr* pc, Value* base, int32_t distance, uint32_t count) {
    const Value list = base[distance + static_cast<int32_t>(count) - 1];
    size_t length = 0;
    Value rest = list;
    for (; is_pair(rest); rest = as_pair(rest).cdr) ++length;
    if (!rest.is_null()) throw Fault{"apply: " + to_text(program, list) + " is not a list"};
    const size_t need = static_cast<size_t>(distance) + count + length + 1;
    if (base + need > stack_end_) base = grow(pc, base, need);
    Value* to = base + distance + count - 1;
    for (rest = list; is_pair(rest); rest = as_pair(rest).cdr) *to++ = as_pair(rest).car;
    return count - 1 + static_cast<uint32_t>(length);
}

// ── Failures ──

void Runner::fail(const Instr* pc, Value* base, std::string text) {
    leave(pc, base);
    throw Fault{std::move(text)};
}

void Runner::fail_unbound(const Instr* pc, Value* base, Symbol name) {
    fail(pc, base, std::string(espalier::name_of(name)) + " is used before its definition");
}

void Runner::fail_record(const Instr* pc, Value* base, Value object, bool setting) {
    const RecordDef& def = program.records[static_cast<size_t>(pc->d())];
    const Symbol field = def.fields[static_cast<size_t>(pc->c())];
    fail(pc, base,
         std::string("cannot ") + (setting ? "set" : "take") + " the field " + std::string(espalier::name_of(field)) +
             " of " + to_text(program, object) + ", which is not a " + std::string(espalier::name_of(def.name)));
}

void Runner::fail_message(const Instr* pc, Value* base, Value object) {
    const MessageDef& def = program.messages[static_cast<size_t>(pc->d())];
    const Symbol field = def.fields[static_cast<size_t>(pc->c())].name;
    fail(pc, base,
         "cannot take the field " + std::string(espalier::name_of(field)) + " of " + to_text(program, object) +
             ", which is not a message " + std::string(espalier::name_of(def.name)));
}

void Runner::fail_arity(LambdaId lambda, uint32_t count) {
    std::string wanted;
    for (LambdaId id = lambda; id != no_lambda; id = program[id].next_case) {
        if (!wanted.empty()) wanted += " or ";
        wanted += (program[id].rest ? "at least " : "") + std::to_string(program[id].required);
    }
    throw Fault{std::string(espalier::name_of(program[lambda].name)) + " takes " + wanted +
                (wanted == "1" || wanted == "at least 1" ? " argument" : " arguments") + ", but is called with " +
                std::to_string(count)};
}

// ── Output ──

void Runner::write(const Instr* pc, Value* base) {
    const Value port = base[pc->a];
    const Value value = base[pc->b];
    if (!port.is_port()) fail(pc, base, "write: " + to_text(program, port) + " is not a port");
    const PortDef& def = program.ports[index(port.as_port())];
    const std::string name{espalier::name_of(def.name)};
    if (is_type(value, ObjectType::message)) {
        const MessageId id = as_message(value).message;
        if (std::find(def.out.begin(), def.out.end(), id) == def.out.end()) {
            fail(pc, base,
                 "write: the port " + name + " does not carry " +
                     std::string(espalier::name_of(program.messages[index(id)].name)) + " out");
        }
    } else if (!def.bare_out) {
        fail(pc, base,
             "write: " + to_text(program, value) + " is not a message that the port " + name + " carries out");
    }
    leave(pc, base);
    listener->output(port.as_port(), value);
}

} // namespace espalier::vm
