// The abstract meaning of each operation. Where a run would end with a model error, nothing goes on.
#include "flowanalysis/machine.hpp"
#include "flowanalysis/primitives.hpp"

namespace espalier::flow {

namespace {
// Pairs of one literal that are kept apart. A procedure that goes along a list sees all of them, one by one.
constexpr uint32_t most_literal_pairs = 512;
} // namespace

bool Machine::apply(const Operation& o, uint32_t position) {
    return std::visit(
        Overloaded{
            [&](const op::Constant& k) { return define(k.dst, constant(k.value)); },
            [&](const op::GlobalRef& k) { return ref_global(k); },
            [&](const op::GlobalSet& k) {
                grow(CellId{index(globals_) + index(k.global)}, as_given(k.global, known(k.value)));
                remember(key_of(k.global), k.value);
                return true;
            },
            [&](const op::Primitive& k) { return apply_primitive(k, o.label); },
            [&](const op::MakeClosures& k) { return make_closures(k); },
            [&](const op::MakeBox& k) {
                const ObjectId box = make_here(family::box, o.label, 0, 1);
                if (k.init != no_var) grow(cell(box, 0), known(k.init));
                define(k.dst, domain_.object(box));
                if (k.init != no_var) remember({Key::Kind::box, index(k.dst)}, k.init);
                return true;
            },
            [&](const op::BoxRef& k) { return ref_field(k.dst, k.box, Key::Kind::box, 0); },
            [&](const op::BoxSet& k) {
                each_object(known(k.box), family::box, [&](ObjectId box) { grow(cell(box, 0), known(k.value)); });
                forget_aliases(Key::Kind::box, k.box, 0);
                remember({Key::Kind::box, index(canonical(facts_, k.box))}, k.value);
                return true;
            },
            [&](const op::MakeRecord& k) {
                const auto fields = program_.list(k.fields);
                const ObjectId record =
                    make_here(family::record, o.label, index(k.record), static_cast<uint32_t>(fields.size()));
                for (uint32_t i = 0; i < fields.size(); ++i) grow(cell(record, i), known(fields[i]));
                return define(k.dst, domain_.object(record));
            },
            [&](const op::RecordRef& k) {
                return demand(k.object, domain_.records(known(k.object), k.record, true)) &&
                       ref_field(k.dst, k.object, Key::Kind::record_field, k.field);
            },
            [&](const op::RecordSet& k) { return set_record(k); },
            [&](const op::RecordIs& k) {
                const ValueId v = known(k.object);
                return define(k.dst, domain_.boolean(domain_.records(v, k.record, true) != bottom,
                                                     domain_.records(v, k.record, false) != bottom));
            },
            [&](const op::MakeMessage& k) { return make_message(k, o.label); },
            [&](const op::MessageRef& k) {
                return demand(k.object, domain_.messages(known(k.object), k.message, true)) &&
                       ref_field(k.dst, k.object, Key::Kind::field, k.field);
            },
            [&](const op::MessageIs& k) {
                const ValueId v = known(k.object);
                return define(k.dst, domain_.boolean(domain_.messages(v, k.message, true) != bottom,
                                                     domain_.messages(v, k.message, false) != bottom));
            },
            [](const op::Mark&) { return true; },
            [&](const op::Write& k) { return demand(k.port, family::port); },
            [&](const op::Assume& k) { return assume(facts_, k.condition, true); },
            [&](const op::Assert& k) {
                fails_ = domain_.falsy(known(k.condition)) != bottom;
                return assume(facts_, k.condition, true);
            },
            [&](const op::Spawn& k) {
                if (!demand(k.procedure, family::procedure)) return false;
                Variants started;
                Union nothing(domain_); // awaits its result
                call_closures(known(k.procedure), {{}, bottom, {true}}, {o.label, site_of(o.label)}, started, nothing);
                for (VariantId v : started) outcome_.spawns.emplace_back(position, v);
                return !started.empty();
            },
            [&](const op::Send& k) { return send(k, position); },
            [&](const op::StartTimer& k) {
                if (!demand(k.timer, family::timer) || !demand(k.delay, positive(known(k.delay)))) return false;
                each_object(known(k.timer), family::timer,
                            [&](ObjectId timer) { grow(cell(timer, 0), domain_.atoms(atom::truth)); });
                return true;
            },
            [&](const op::StopTimer& k) { return demand(k.timer, family::timer); },
            [&](const op::MakeFresh& k) { return define(k.dst, domain_.atoms(atom::fresh)); },
            [&](const op::MarkBoundary& k) {
                if (!may_differ_by(known(k.left), known(k.right), k.difference)) outcome_.excluded.push_back(position);
                return true;
            },
            [](const op::MarkDetermined&) { return true; },
        },
        o.kind);
}

ValueId Machine::positive(ValueId v) {
    const ValueId whole = domain_.keep(v, family::integer);
    return domain_.with_integers(whole, meet(domain_[whole].integers, Integers::range(1, no_high)));
}

// Of values that the system chooses it is known whether they are equal, and nothing else; what the tester sends may be
// one of them, whatever its type.
bool Machine::may_differ_by(ValueId left, ValueId right, int64_t difference) const {
    const Families a = domain_.families(left), b = domain_.families(right);
    return (a & b & family::integer) != 0 || (difference == 0 && ((a | b) & family::fresh) != 0);
}

// Literals are what they are; a list or vector in the text is an object of its own.
ValueId Machine::constant(Value v) {
    if (v.is_fixnum()) return domain_.integer(v.as_fixnum());
    if (v.is_boolean()) return domain_.boolean(v.is_true(), v.is_false());
    if (v.is_null()) return domain_.atoms(atom::null);
    if (v.is_symbol()) return domain_.datum({Datum::Kind::symbol, static_cast<uint32_t>(v.as_symbol())});
    if (v.is_character()) return domain_.datum({Datum::Kind::character, static_cast<uint32_t>(v.as_character())});
    if (v.is_port()) return domain_.object(make(family::port, no_label, no_variant, index(v.as_port()), 0));
    if (v == Value::any()) return domain_.atoms(atom::any_output);
    if (!v.is_object()) return domain_.atoms(atom::unspecified);
    return literal(v);
}

// Objects that the text denotes are shared by all who mention them, so they are found by address. Nested ones
// wait for their turn: text may nest deeper than the stack.
ValueId Machine::literal(Value v) {
    std::vector<Value> pending;
    uint32_t pairs = 0;
    ValueId others = bottom; // all pairs of a long literal beyond the first ones
    const auto part = [&](Value each) {
        if (!each.is_object()) return constant(each);
        const auto [at, made] = literals_.try_emplace(each.bits(), bottom);
        if (made) {
            const bool many = is_pair(each) && ++pairs > most_literal_pairs;
            at->second =
                many && others != bottom ? others : literal_object(each, static_cast<uint32_t>(literals_.size()));
            if (many) others = at->second;
            pending.push_back(each);
        }
        return at->second;
    };
    const ValueId result = part(v);
    while (!pending.empty()) {
        const Value each = pending.back();
        pending.pop_back();
        if (is_pair(each)) {
            const ObjectId pair = *domain_.only_object(literals_[each.bits()]);
            grow(cell(pair, 0), part(as_pair(each).car));
            grow(cell(pair, 1), part(as_pair(each).cdr));
        } else if (is_type(each, ObjectType::vector)) {
            const ObjectId vector = *domain_.only_object(literals_[each.bits()]);
            for (uint32_t i = 0; i < as_vector(each).count; ++i)
                grow(cell(vector, 0), part(as_vector(each).elements[i]));
        }
    }
    return result;
}

bool Machine::is_literal(ObjectId o) const {
    return domain_[o].label == no_label && domain_[o].variant == no_variant && domain_[o].which < first_type;
}

// Its content is filled in by the caller.
ValueId Machine::literal_object(Value v, uint32_t number) {
    const auto object = [&](Families kind, uint32_t cells) {
        return domain_.object(make(kind, no_label, no_variant, number, cells));
    };
    switch (v.as_object()->type) {
    case ObjectType::bignum: return domain_.integers(Integers::all());
    case ObjectType::rational: return domain_.atoms(atom::rational);
    case ObjectType::string:
        return domain_.datum({Datum::Kind::string, static_cast<uint32_t>(intern(to_utf8(as_string(v))))});
    case ObjectType::pair: return object(family::pair, 2);
    case ObjectType::vector: return object(family::vector, 1);
    case ObjectType::bytevector: return object(family::bytevector, 0);
    default: return domain_.atoms(atom::unspecified);
    }
}

ObjectId Machine::make(Families kind, Label label, VariantId variant, uint32_t which, uint32_t cells) {
    bool made = false;
    const ObjectId o = domain_.object({kind, label, variant, which, {}, cells}, made);
    if (made) {
        domain_.object_ref(o).first_cell = store_.allocate(cells);
        // The top level runs once, so what it makes is one thing.
        domain_.object_ref(o).unique =
            kind == family::port || (variant != no_variant && variants_[index(variant)].lambda == program_.top);
    }
    return o;
}

ObjectId Machine::make_here(Families kind, Label label, uint32_t which, uint32_t cells) {
    return make(kind, label, variant_, which, cells);
}

ObjectId Machine::closure(LambdaId lambda, VariantId maker) {
    return make(family::procedure, no_label, maker, index(lambda), program_[lambda].captures);
}

bool Machine::make_closures(const op::MakeClosures& o) {
    for (uint32_t i = o.first; i < o.first + o.count; ++i)
        define(program_.closures[i].dst, domain_.object(closure(program_.closures[i].lambda, variant_)));
    for (uint32_t i = o.first; i < o.first + o.count; ++i) {
        const ObjectId c = closure(program_.closures[i].lambda, variant_);
        uint32_t field = 0;
        for (VarId v : program_.list(program_.closures[i].captures)) {
            const auto& readers = store_.write(cell(c, field++), known(v));
            if (!readers.empty()) ++captures_grown_[index(program_.closures[i].lambda)];
            mark_dirty(readers);
        }
    }
    return true;
}

bool Machine::make_message(const op::MakeMessage& o, Label label) {
    const auto fields = program_.list(o.fields);
    const MessageDef& def = program_.messages[index(o.message)];
    for (uint32_t i = 0; i < fields.size(); ++i)
        if (!demand(fields[i], limited_to(known(fields[i]), def.fields[i].type))) return false;
    const ObjectId message = make_here(family::message, label, index(o.message), static_cast<uint32_t>(fields.size()));
    for (uint32_t i = 0; i < fields.size(); ++i) grow(cell(message, i), known(fields[i]));
    if (!define(o.dst, domain_.object(message))) return false;
    for (uint32_t i = 0; i < fields.size(); ++i) remember({Key::Kind::field, index(o.dst), i}, fields[i]);
    return true;
}

// A field of what the variable holds, which is known to have one.
bool Machine::ref_field(VarId dst, VarId object, Key::Kind kind, uint32_t field) {
    Union stored(domain_, value(variant_, dst)); // content only grows
    each_object(known(object), family::everything, [&](ObjectId o) { stored.add(read(cell(o, field))); });
    return define(dst, through({kind, index(canonical(facts_, object)), field}, dst, stored.value()));
}

bool Machine::set_record(const op::RecordSet& o) {
    if (!demand(o.object, domain_.records(known(o.object), o.record, true))) return false;
    each_object(known(o.object), family::record, [&](ObjectId record) { grow(cell(record, o.field), known(o.value)); });
    forget_aliases(Key::Kind::record_field, o.object, o.field);
    remember({Key::Kind::record_field, index(canonical(facts_, o.object)), o.field}, o.value);
    return true;
}

bool Machine::ref_global(const op::GlobalRef& o) {
    const Global& global = program_.globals[index(o.global)];
    // Procedures are there before anything runs.
    if (!o.checked && global.known != no_lambda)
        return define(o.dst, domain_.object(closure(global.known, VariantId{0})));
    const ValueId stored = read(CellId{index(globals_) + index(o.global)});
    return define(o.dst, through(key_of(o.global), o.dst, stored));
}

ValueId Machine::as_given(GlobalId g, ValueId defined) {
    for (const auto& [global, value] : options_.given)
        if (global == g) defined = domain_.meet(defined, constant(value));
    return defined;
}

bool Machine::is_setting(GlobalId g) {
    const Global& global = program_.globals[index(g)];
    if (global.assigned || global.prelude || global.known != no_lambda) return false;
    const ValueId v = store_.peek(CellId{index(globals_) + index(g)});
    return v != bottom && domain_.drop(v, family::boolean | family::symbol | family::integer) == bottom &&
           !domain_.is_constant(v, false);
}

Key Machine::key_of(GlobalId g) const {
    return {program_.globals[index(g)].assigned ? Key::Kind::global : Key::Kind::constant, index(g)};
}

bool Machine::send(const op::Send& o, uint32_t position) {
    if (!demand(o.channel, family::channel)) return false;
    each_object(known(o.channel), family::channel, [&](ObjectId channel) {
        grow(cell(channel, 0), known(o.value));
        outcome_.sends.emplace_back(position, channel);
    });
    return true;
}

} // namespace espalier::flow
