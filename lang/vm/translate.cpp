// From the λ-IR to virtual code: what is known of variables, and the operations.
//
// A λ is translated when it is first called. By then most globals are defined, so that one which is never
// assigned is a constant here: no check that it is defined, calls of it know their λ, arithmetic on it takes
// an immediate operand.
#include <algorithm>

#include "lang/vm/translator.hpp"

namespace espalier::vm {

VirtualCode translate(const CompileContext& context, LambdaId lambda) { return Translator(context, lambda).run(); }

Translator::Translator(const CompileContext& context, LambdaId id)
    : context_(context), program_(context.program), id_(id), lambda_(program_[id]) {}

VirtualCode Translator::run() {
    code_.registers = lambda_.variables;
    code_.self = index(lambda_.self());
    code_.blocks.resize(lambda_.block_count);
    survey();
    if (loops_) keep_captures();
    for (uint32_t b = 0; b < lambda_.block_count; ++b) translate_block(b);
    return std::move(code_);
}

std::optional<Value> Translator::constant(VarId v) {
    if (is_decided(at_, v)) return Value::boolean(decided_[at_].result);
    const Definition& d = definition(v);
    return d.constant ? std::optional(d.value) : std::nullopt;
}

// A constant that an instruction has room for: shifted by the tag, it fits an operand.
std::optional<int64_t> Translator::small(VarId v) {
    constexpr int64_t limit = int64_t{1} << 28;
    const auto value = constant(v);
    if (!value || !value->is_fixnum()) return std::nullopt;
    const int64_t n = value->as_fixnum();
    return n > -limit && n < limit ? std::optional(n) : std::nullopt;
}

// ── What is known of variables ──

void Translator::survey() {
    definitions_.resize(lambda_.variables);
    find_decided();
    for (uint32_t b = 0; b < lambda_.block_count; ++b)
        for (const Operation& op : program_.operations(block(b))) survey_operation(b, op);
    for (uint32_t b = 0; b < lambda_.block_count; ++b) survey_terminator(b);
}

// In (or (null? x) …) the result of the test is read again where it is known.
void Translator::find_decided() {
    decided_.resize(lambda_.block_count);
    std::vector<uint32_t> ways(lambda_.block_count);
    std::vector<bool> is_test(lambda_.variables);
    const auto way = [&](BlockId b) { ++ways[local(b)]; };
    for (uint32_t b = 0; b < lambda_.block_count; ++b) {
        for (const Operation& op : program_.operations(block(b)))
            if (const auto result = test_result(op)) is_test[index(*result)] = true;
        const TerminatorKind& end = block(b).terminator.kind;
        if (const auto* jump = std::get_if<terminator::Jump>(&end)) way(jump->target);
        if (const auto* call = std::get_if<terminator::Call>(&end)) way(call->back);
        if (const auto* accept = std::get_if<terminator::Accept>(&end)) way(accept->body);
        if (const auto* branch = std::get_if<terminator::Branch>(&end))
            way(branch->then_block), way(branch->else_block);
    }
    for (uint32_t b = 0; b < lambda_.block_count; ++b) {
        const auto* branch = std::get_if<terminator::Branch>(&block(b).terminator.kind);
        if (branch == nullptr || !is_test[index(branch->condition)]) continue;
        for (const bool result : {true, false}) {
            const uint32_t to = local(result ? branch->then_block : branch->else_block);
            if (ways[to] == 1) decided_[to] = {branch->condition, result};
        }
    }
}

void Translator::use(uint32_t b, VarId v) {
    if (v != no_var && !is_decided(b, v)) ++definition(v).uses;
}
void Translator::use(uint32_t b, VarList l) {
    for (VarId v : program_.list(l)) use(b, v);
}
void Translator::define(uint32_t b, VarId v, const Operation& op) {
    definition(v).op = &op;
    definition(v).block = b;
}
void Translator::define_constant(VarId v, Value value) {
    definition(v).constant = true;
    definition(v).value = value;
}

void Translator::survey_operation(uint32_t b, const Operation& op) {
    const auto global_ref = [&](const op::GlobalRef& o) {
        define(b, o.dst, op);
        if (context_.can_rely(o.global, CompileContext::Fact::constant))
            define_constant(o.dst, context_.globals[index(o.global)]);
    };
    const auto primitive = [&](const op::Primitive& o) {
        use(b, o.args);
        define(b, o.dst, op);
        if (o.prim == Prim::vector_set) define_constant(o.dst, Value::unspecified());
    };
    const auto closures = [&](const op::MakeClosures& o) {
        for (uint32_t i = 0; i < o.count; ++i) {
            const ClosureDef& c = program_.closures[o.first + i];
            use(b, c.captures);
            if (c.captures.count == 0) define_constant(c.dst, context_.static_closure(c.lambda));
        }
    };
    std::visit(Overloaded{
                   [&](const op::Constant& o) { define_constant(o.dst, o.value); },
                   global_ref,
                   [&](const op::GlobalSet& o) { use(b, o.value); },
                   primitive,
                   closures,
                   [&](const op::MakeBox& o) { use(b, o.init); },
                   [&](const op::BoxRef& o) { use(b, o.box); },
                   [&](const op::BoxSet& o) { use(b, o.box), use(b, o.value); },
                   [&](const op::MakeRecord& o) { use(b, o.fields); },
                   [&](const op::RecordRef& o) { use(b, o.object); },
                   [&](const op::RecordSet& o) { use(b, o.object), use(b, o.value); },
                   [&](const op::RecordIs& o) { use(b, o.object), define(b, o.dst, op); },
                   [&](const op::MakeMessage& o) { use(b, o.fields); },
                   [&](const op::MessageRef& o) { use(b, o.object); },
                   [&](const op::MessageIs& o) { use(b, o.object), define(b, o.dst, op); },
                   [&](const op::Mark&) {},
                   [&](const op::Write& o) { use(b, o.port), use(b, o.value); },
                   [&](const op::Assume& o) { use(b, o.condition); },
                   [&](const op::Assert& o) { use(b, o.condition); },
                   [&](const op::Spawn& o) { use(b, o.procedure); },
                   [&](const op::Send& o) { use(b, o.channel), use(b, o.value); },
                   [&](const op::StartTimer& o) { use(b, o.timer), use(b, o.delay); },
                   [&](const op::StopTimer& o) { use(b, o.timer); },
                   [&](const op::MakeFresh& o) { use(b, o.others); },
                   [&](const op::MarkBoundary& o) { use(b, o.left), use(b, o.right); },
                   [&](const op::MarkDetermined& o) { use(b, o.trace); },
               },
               op.kind);
}

void Translator::survey_terminator(uint32_t b) {
    std::visit(
        Overloaded{
            [&](const terminator::Jump& t) { use(b, t.args); },
            [&](const terminator::Branch& t) { use(b, t.condition); },
            [&](const terminator::Call& t) { use(b, t.callee), use(b, t.args); },
            [&](const terminator::TailCall& t) {
                use(b, t.callee), use(b, t.args);
                loops_ = loops_ || is_loop(t);
            },
            [&](const terminator::Return& t) { use(b, t.value); },
            [&](const terminator::Select& t) { for_each_source(t, [&](uint32_t, VarId source) { use(b, source); }); },
            [&](const terminator::Accept& t) { use(b, t.args); },
            [&](const terminator::Refuse&) {},
            [&](const terminator::Choose&) {},
        },
        block(b).terminator.kind);
}

// Must every use look whether the global is defined yet?
bool Translator::needs_check(const op::GlobalRef& ref) const {
    return ref.checked && !context_.can_rely(ref.global, CompileContext::Fact::defined);
}

// The λ that a callee is bound to, where the arguments fit it as they are.
LambdaId Translator::callee_lambda(VarId callee, LambdaId known, size_t arguments, bool spread) {
    if (spread) return no_lambda;
    if (const auto value = constant(callee); value && is_type(*value, ObjectType::closure))
        known = as_closure(*value).lambda;
    if (known == no_lambda) return no_lambda;
    const Lambda& l = program_[known];
    return !l.rest && l.required == arguments ? known : no_lambda;
}

bool Translator::is_loop(const terminator::TailCall& t) {
    if (callee_lambda(t.callee, t.known, t.args.count, t.spread) != id_) return false;
    return t.callee == lambda_.self() || lambda_.captures == 0;
}

// A λ that loops in place loads what it captures once.
void Translator::keep_captures() {
    VirtualBlock& entry = code_.blocks[0];
    for (uint32_t i = 0; i < lambda_.captures; ++i) {
        const Reg r = lambda_.params() + i;
        if (definitions_[r].uses == 0) continue;
        entry.code.push_back({.op = Op::capture, .operands = {r, i}, .label = no_label, .span = {}});
        code_.kept.push_back(r);
    }
    code_.prologue = static_cast<uint32_t>(entry.code.size());
}

// ── Registers for variables ──

Reg Translator::load(VarId v, Reg into) {
    if (const auto value = constant(v)) {
        emit(Op::constant, {into}).word = value->bits();
    } else {
        emit(Op::capture, {into, index(v) - lambda_.params()});
    }
    return into;
}

// The register that holds the variable here.
Reg Translator::reg(VarId v) {
    if (!needs_load(v)) return index(v);
    const auto [at, is_new] = loaded_.try_emplace(index(v), no_reg);
    if (is_new) at->second = load(v, code_.registers++);
    return at->second;
}

// The same for an argument, which is best loaded straight to where it has to be.
Reg Translator::argument(VarId v) {
    if (!needs_load(v)) return index(v);
    if (const auto at = loaded_.find(index(v)); at != loaded_.end() && !constant(v)) return at->second;
    return load(v, code_.registers++);
}

std::vector<Reg> Translator::arguments(VarList list) {
    std::vector<Reg> result;
    result.reserve(list.count);
    for (VarId v : program_.list(list)) result.push_back(argument(v));
    return result;
}

// ── Operations ──

VirtualInstr& Translator::emit(Op op, std::array<uint32_t, 4> operands) {
    current_->code.push_back({.op = op, .operands = operands, .label = label_, .span = span_});
    return current_->code.back();
}

void Translator::emit_one(Op op, VarId a) {
    const Reg first = reg(a);
    emit(op, {first});
}

void Translator::emit_two(Op op, VarId a, VarId b) {
    const Reg first = reg(a);
    const Reg second = reg(b);
    emit(op, {first, second});
}

void Translator::emit_extras(Op op, std::array<uint32_t, 4> operands, std::span<const Reg> extras) {
    VirtualInstr& instr = emit(op, operands);
    instr.first_extra = static_cast<uint32_t>(code_.extras.size());
    instr.extra_count = static_cast<uint32_t>(extras.size());
    code_.extras.insert(code_.extras.end(), extras.begin(), extras.end());
}

void Translator::emit_fields(Op op, VarId dst, uint32_t type, VarList fields) {
    std::vector<Reg> registers;
    registers.reserve(fields.count);
    for (VarId v : program_.list(fields)) registers.push_back(reg(v));
    emit_extras(op, {index(dst), type, fields.count}, registers);
}

void Translator::assigned(Symbol name, VarId value) {
    if (!context_.trace_assignments || lambda_.prelude || espalier::name_of(name).empty()) return;
    const Reg r = reg(value);
    emit(Op::assigned, {index(name), r});
}

void Translator::translate_block(uint32_t b) {
    const Block& source = block(b);
    current_ = &code_.blocks[b];
    at_ = b;
    loaded_.clear();
    if (b != 0) // the first block's are those of the λ
        for (VarId v : program_.list(source.params)) current_->params.push_back(index(v));
    label_ = source.terminator.label;
    span_ = source.terminator.span;
    if (context_.follow) emit(Op::step, {lambda_.first_block + b});
    find_fused(b);
    for (const Operation& op : program_.operations(source)) {
        if (std::find(fused_.begin(), fused_.end(), &op) != fused_.end()) continue;
        label_ = op.label;
        span_ = op.span;
        translate_operation(op);
    }
    label_ = source.terminator.label;
    span_ = source.terminator.span;
    translate_terminator(b);
}

void Translator::translate_operation(const Operation& op) {
    const auto global_ref = [&](const op::GlobalRef& o) {
        if (definition(o.dst).constant) return;
        emit(needs_check(o) ? Op::global_checked : Op::global, {index(o.dst), index(o.global)});
    };
    const auto global_set = [&](const op::GlobalSet& o) {
        const Reg value = reg(o.value);
        emit(Op::global_set, {index(o.global), value});
        if (!o.definition) assigned(program_.globals[index(o.global)].name, o.value);
    };
    const auto make_box = [&](const op::MakeBox& o) {
        if (o.init == no_var) {
            emit(Op::box_unbound, {index(o.dst)});
        } else {
            const Reg init = reg(o.init);
            emit(Op::box, {index(o.dst), init});
        }
    };
    const auto box_ref = [&](const op::BoxRef& o) {
        const Reg box = reg(o.box);
        emit(o.checked ? Op::box_ref_checked : Op::box_ref,
             {index(o.dst), box, index(program_.variable_name(id_, o.box))});
    };
    const auto box_set = [&](const op::BoxSet& o) {
        emit_two(Op::box_set, o.box, o.value);
        if (!o.definition) assigned(o.name, o.value);
    };
    const auto record_set = [&](const op::RecordSet& o) {
        const Reg object = reg(o.object);
        const Reg value = reg(o.value);
        emit(Op::record_set, {object, value, o.field, index(o.record)});
    };
    const auto object_op = [&](Op code, VarId dst, VarId object, uint32_t c, uint32_t d) {
        const Reg from = reg(object);
        emit(code, {index(dst), from, c, d});
    };
    const auto position = static_cast<uint32_t>(&op - program_.ops.data());
    const auto fresh = [&](const op::MakeFresh& o) {
        if (o.others == no_var) {
            emit(Op::fresh_distinct, {index(o.dst), 0, index(o.type)});
        } else {
            object_op(Op::fresh, o.dst, o.others, index(o.type), 0);
        }
    };
    std::visit(
        Overloaded{
            [&](const op::Constant&) {},
            global_ref,
            global_set,
            [&](const op::Primitive& o) { translate_primitive(o); },
            [&](const op::MakeClosures& o) { translate_closures(o); },
            make_box,
            box_ref,
            box_set,
            [&](const op::MakeRecord& o) { emit_fields(Op::make_record, o.dst, index(o.record), o.fields); },
            [&](const op::RecordRef& o) { object_op(Op::record_ref, o.dst, o.object, o.field, index(o.record)); },
            record_set,
            [&](const op::RecordIs& o) { object_op(Op::is_record, o.dst, o.object, index(o.record), 0); },
            [&](const op::MakeMessage& o) { emit_fields(Op::make_message, o.dst, index(o.message), o.fields); },
            [&](const op::MessageRef& o) { object_op(Op::message_ref, o.dst, o.object, o.field, index(o.message)); },
            [&](const op::MessageIs& o) { object_op(Op::is_message, o.dst, o.object, index(o.message), 0); },
            [&](const op::Mark& o) { emit(Op::mark, {index(o.target)}); },
            [&](const op::Write& o) { emit_two(Op::write, o.port, o.value); },
            [&](const op::Assume& o) { emit_one(Op::assume, o.condition); },
            [&](const op::Assert& o) { emit_one(Op::assert_, o.condition); },
            [&](const op::Spawn& o) {
                const Reg procedure = reg(o.procedure);
                emit(Op::spawn, {procedure, o.service, site()});
            },
            [&](const op::Send& o) { emit_two(Op::send, o.channel, o.value); },
            [&](const op::StartTimer& o) { emit_two(Op::start_timer, o.timer, o.delay); },
            [&](const op::StopTimer& o) { emit_one(Op::stop_timer, o.timer); },
            fresh,
            [&](const op::MarkBoundary& o) {
                const Reg left = reg(o.left), right = reg(o.right);
                emit(Op::mark_boundary, {left, right, position});
            },
            [&](const op::MarkDetermined& o) {
                const Reg trace = reg(o.trace);
                emit(Op::mark_determined, {trace, position});
            },
        },
        op.kind);
}

// All are made, then those captures filled in that were made later than their holder.
void Translator::translate_closures(const op::MakeClosures& o) {
    const std::span<const ClosureDef> group{program_.closures.data() + o.first, o.count};
    struct Patch {
        VarId holder;
        uint32_t capture;
        VarId value;
    };
    std::vector<Patch> patches;
    std::unordered_map<uint32_t, size_t> made_as;
    for (size_t i = 0; i < group.size(); ++i) made_as.emplace(index(group[i].dst), i);
    for (size_t i = 0; i < group.size(); ++i) {
        if (definition(group[i].dst).constant) continue;
        std::vector<Reg> captures;
        for (VarId v : program_.list(group[i].captures)) {
            const auto at = made_as.find(index(v));
            if (at != made_as.end() && at->second >= i && !definition(v).constant) {
                patches.push_back({group[i].dst, static_cast<uint32_t>(captures.size()), v});
                captures.push_back(code_.self); // for the time being
            } else {
                captures.push_back(reg(v));
            }
        }
        emit_extras(Op::closure, {index(group[i].dst), index(group[i].lambda), group[i].captures.count}, captures);
    }
    for (const Patch& p : patches) emit(Op::closure_patch, {index(p.holder), p.capture, index(p.value)});
}

} // namespace espalier::vm
