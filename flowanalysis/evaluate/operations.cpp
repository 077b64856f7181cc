#include "flowanalysis/evaluate/operations.hpp"

#include <algorithm>

#include "flowanalysis/evaluate/primitives.hpp"

namespace espalier::flow {

namespace {

// Of fresh values it is known whether they are equal, and nothing else; what the tester sends may be one of them,
// whatever its type.
bool may_differ_by(Families left, Families right, int64_t difference) {
    return (left & right & family::integer) != 0 || (difference == 0 && ((left | right) & family::fresh) != 0);
}

} // namespace

Operations::Operations(Context& context, const OperationParts& parts)
    : context_(context), program_(context.program), domain_(context.domain), memory_(parts.memory),
      knowledge_(parts.knowledge), refinement_(parts.refinement), literals_(parts.literals), inputs_(parts.inputs),
      arguments_(parts.arguments), calls_(parts.calls), folding_(parts.folding), here_(context.here) {}

bool Operations::apply(const Operation& o, uint32_t position) {
    return std::visit(
        Overloaded{
            [&](const op::Constant& k) { return memory_.define(k.dst, literals_.constant(k.value)); },
            [&](const op::GlobalRef& k) { return ref_global(k); },
            [&](const op::GlobalSet& k) { return set_global(k); },
            [&](const op::Primitive& k) { return apply_primitive(k, o.label); },
            [&](const op::MakeClosures& k) { return make_closures(k); },
            [&](const op::MakeBox& k) { return make_box(k, o.label); },
            [&](const op::BoxRef& k) { return ref_field(k.dst, k.box, Key::Kind::box, 0); },
            [&](const op::BoxSet& k) { return set_box(k); },
            [&](const op::MakeRecord& k) { return make_record(k, o.label); },
            [&](const op::RecordRef& k) {
                return knowledge_.demand(k.object, domain_.records(knowledge_.known(k.object), k.record, true)) &&
                       ref_field(k.dst, k.object, Key::Kind::record_field, k.field);
            },
            [&](const op::RecordSet& k) { return set_record(k); },
            [&](const op::RecordIs& k) { return is_record(k); },
            [&](const op::MakeMessage& k) { return make_message(k, o.label); },
            [&](const op::MessageRef& k) {
                return knowledge_.demand(k.object, domain_.messages(knowledge_.known(k.object), k.message, true)) &&
                       ref_field(k.dst, k.object, Key::Kind::field, k.field);
            },
            [&](const op::MessageIs& k) { return is_message(k); },
            [](const op::Mark&) { return true; },
            [&](const op::Write& k) { return knowledge_.demand(k.port, family::port); },
            [&](const op::Assume& k) { return refinement_.assume(here_.facts, k.condition, true); },
            [&](const op::Assert& k) { return assert_that(k); },
            [&](const op::Spawn& k) { return spawn(k, o.label, position); },
            [&](const op::Send& k) { return send(k, position); },
            [&](const op::StartTimer& k) { return start_timer(k); },
            [&](const op::StopTimer& k) { return knowledge_.demand(k.timer, family::timer); },
            [&](const op::MakeFresh& k) { return memory_.define(k.dst, domain_.atoms(atom::fresh)); },
            [&](const op::MarkBoundary& k) { return mark_boundary(k, position); },
            [](const op::MarkDetermined&) { return true; },
        },
        o.kind);
}

// ── Primitives ──

bool Operations::apply_primitive(const op::Primitive& o, Label label) {
    const auto args = program_.list(o.args);
    size_t operand = 0;
    for (VarId v : args)
        if (!knowledge_.demand(v, operand_families(o.prim, operand++))) return false;
    if (changes_literal(o)) {
        here_.fails = true;
        return false;
    }
    if (o.prim == Prim::car || o.prim == Prim::cdr)
        return ref_field(o.dst, args[0], Key::Kind::field, o.prim == Prim::car ? 0 : 1);
    PrimitiveApplication applied(context_, memory_, knowledge_, arguments_, o, label);
    here_.fails = here_.fails || applied.may_fail();
    const std::optional<ValueId> folded = folding_.fold(o.prim, applied.operands());
    if (!memory_.define(o.dst, folded ? *folded : applied.apply())) return false;
    if (o.prim == Prim::cons)
        for (uint32_t field = 0; field < 2; ++field)
            knowledge_.remember({Key::Kind::field, index(o.dst), field}, args[field]);
    return true;
}

bool Operations::changes_literal(const op::Primitive& o) const {
    if (o.prim != Prim::vector_set && o.prim != Prim::bytevector_set) return false;
    const ValueId changed = knowledge_.known(program_.list(o.args)[0]);
    const auto objects = domain_.objects(changed, family::vector | family::bytevector);
    return std::all_of(objects.begin(), objects.end(), [&](ObjectId each) { return literals_.is_literal(each); });
}

// ── Globals, closures and boxes ──

bool Operations::ref_global(const op::GlobalRef& o) {
    const Global& global = program_.globals[index(o.global)];
    // Procedures are there before anything runs.
    if (!o.checked && global.known != no_lambda)
        return memory_.define(o.dst, domain_.object(memory_.closure(global.known, VariantId{0})));
    const ValueId stored = memory_.read(memory_.global(o.global));
    return memory_.define(o.dst, knowledge_.through(key_of(o.global), o.dst, stored));
}

bool Operations::set_global(const op::GlobalSet& o) {
    memory_.grow(memory_.global(o.global), as_given(o.global, knowledge_.known(o.value)));
    knowledge_.remember(key_of(o.global), o.value);
    return true;
}

ValueId Operations::as_given(GlobalId g, ValueId defined) {
    for (const auto& [global, value] : context_.options.given)
        if (global == g) defined = domain_.meet(defined, literals_.constant(value));
    return defined;
}

Key Operations::key_of(GlobalId g) const {
    return {program_.globals[index(g)].assigned ? Key::Kind::global : Key::Kind::constant, index(g)};
}

bool Operations::make_closures(const op::MakeClosures& o) {
    const auto closure = [&](uint32_t i) { return memory_.closure(program_.closures[i].lambda, here_.variant); };
    for (uint32_t i = o.first; i < o.first + o.count; ++i)
        memory_.define(program_.closures[i].dst, domain_.object(closure(i)));
    for (uint32_t i = o.first; i < o.first + o.count; ++i) {
        const ObjectId c = closure(i);
        uint32_t field = 0;
        for (VarId v : program_.list(program_.closures[i].captures))
            memory_.grow_capture(program_.closures[i].lambda, memory_.cell(c, field++), knowledge_.known(v));
    }
    return true;
}

bool Operations::make_box(const op::MakeBox& o, Label label) {
    const ObjectId box = memory_.make_here(family::box, label, 0, 1);
    if (o.init != no_var) memory_.grow(memory_.cell(box, 0), knowledge_.known(o.init));
    memory_.define(o.dst, domain_.object(box));
    if (o.init != no_var) knowledge_.remember({Key::Kind::box, index(o.dst)}, o.init);
    return true;
}

bool Operations::set_box(const op::BoxSet& o) {
    memory_.grow_content(knowledge_.known(o.box), family::box, 0, knowledge_.known(o.value));
    knowledge_.forget_aliases(Key::Kind::box, o.box, 0);
    knowledge_.remember({Key::Kind::box, index(knowledge_.canonical(o.box))}, o.value);
    return true;
}

// ── Records and messages ──

// A field of what the variable holds, which is known to have one. Content only grows, so the result is at least what it
// was before.
bool Operations::ref_field(VarId dst, VarId object, Key::Kind kind, uint32_t field) {
    const ValueId stored = memory_.content(knowledge_.known(object), family::everything, field,
                                           context_.variants.value_at(here_.first_value + index(dst)));
    return memory_.define(dst, knowledge_.through({kind, index(knowledge_.canonical(object)), field}, dst, stored));
}

bool Operations::make_record(const op::MakeRecord& o, Label label) {
    const auto fields = program_.list(o.fields);
    const ObjectId record =
        memory_.make_here(family::record, label, index(o.record), static_cast<uint32_t>(fields.size()));
    for (uint32_t i = 0; i < fields.size(); ++i) memory_.grow(memory_.cell(record, i), knowledge_.known(fields[i]));
    return memory_.define(o.dst, domain_.object(record));
}

bool Operations::set_record(const op::RecordSet& o) {
    if (!knowledge_.demand(o.object, domain_.records(knowledge_.known(o.object), o.record, true))) return false;
    memory_.grow_content(knowledge_.known(o.object), family::record, o.field, knowledge_.known(o.value));
    knowledge_.forget_aliases(Key::Kind::record_field, o.object, o.field);
    knowledge_.remember({Key::Kind::record_field, index(knowledge_.canonical(o.object)), o.field}, o.value);
    return true;
}

bool Operations::is_record(const op::RecordIs& o) {
    const ValueId v = knowledge_.known(o.object);
    return memory_.define(o.dst, domain_.boolean(domain_.records(v, o.record, true) != bottom,
                                                 domain_.records(v, o.record, false) != bottom));
}

bool Operations::make_message(const op::MakeMessage& o, Label label) {
    const auto fields = program_.list(o.fields);
    const MessageDef& def = program_.messages[index(o.message)];
    for (uint32_t i = 0; i < fields.size(); ++i)
        if (!knowledge_.demand(fields[i], inputs_.limited_to(knowledge_.known(fields[i]), def.fields[i].type)))
            return false;
    const ObjectId message =
        memory_.make_here(family::message, label, index(o.message), static_cast<uint32_t>(fields.size()));
    for (uint32_t i = 0; i < fields.size(); ++i) memory_.grow(memory_.cell(message, i), knowledge_.known(fields[i]));
    if (!memory_.define(o.dst, domain_.object(message))) return false;
    for (uint32_t i = 0; i < fields.size(); ++i) knowledge_.remember({Key::Kind::field, index(o.dst), i}, fields[i]);
    return true;
}

bool Operations::is_message(const op::MessageIs& o) {
    const ValueId v = knowledge_.known(o.object);
    return memory_.define(o.dst, domain_.boolean(domain_.messages(v, o.message, true) != bottom,
                                                 domain_.messages(v, o.message, false) != bottom));
}

// ── Threads, channels and timers ──

bool Operations::spawn(const op::Spawn& o, Label label, uint32_t position) {
    if (!knowledge_.demand(o.procedure, family::procedure)) return false;
    const VariantSet started = calls_.spawn(knowledge_.known(o.procedure), label);
    for (VariantId v : started) here_.outcome.spawns.emplace_back(position, v);
    return !started.empty();
}

bool Operations::send(const op::Send& o, uint32_t position) {
    if (!knowledge_.demand(o.channel, family::channel)) return false;
    for (ObjectId channel : domain_.objects(knowledge_.known(o.channel), family::channel)) {
        memory_.grow(memory_.cell(channel, 0), knowledge_.known(o.value));
        here_.outcome.sends.emplace_back(position, channel);
    }
    return true;
}

bool Operations::start_timer(const op::StartTimer& o) {
    if (!knowledge_.demand(o.timer, family::timer) ||
        !knowledge_.demand(o.delay, domain_.positive(knowledge_.known(o.delay))))
        return false;
    memory_.grow_content(knowledge_.known(o.timer), family::timer, 0, domain_.atoms(atom::truth));
    return true;
}

// ── Assertions and marks ──

bool Operations::assert_that(const op::Assert& o) {
    here_.fails = domain_.falsy(knowledge_.known(o.condition)) != bottom;
    return refinement_.assume(here_.facts, o.condition, true);
}

bool Operations::mark_boundary(const op::MarkBoundary& o, uint32_t position) {
    const Families left = domain_.families(knowledge_.known(o.left));
    const Families right = domain_.families(knowledge_.known(o.right));
    if (!may_differ_by(left, right, o.difference)) here_.outcome.excluded.push_back(position);
    return true;
}

} // namespace espalier::flow
