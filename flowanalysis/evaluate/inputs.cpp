#include "flowanalysis/evaluate/inputs.hpp"

namespace espalier::flow {

namespace {

int64_t bound(const std::optional<Value>& v, int64_t none) { return v && v->is_fixnum() ? v->as_fixnum() : none; }

} // namespace

Inputs::Inputs(Context& context, Memory& memory, Literals& literals)
    : program_(context.program), objects_(context.objects), domain_(context.domain), memory_(memory),
      literals_(literals) {}

ValueId Inputs::of_type(TypeId id) {
    if (const auto known_before = typed_.find(index(id)); known_before != typed_.end()) return known_before->second;
    const uint32_t number = first_type + 1 + index(id);
    const ValueId result =
        std::visit(Overloaded{
                       [&](const type::Int& t) {
                           return domain_.integers(Integers::range(bound(t.low, no_low), bound(t.high, no_high)));
                       },
                       [&](const type::Bool&) { return domain_.boolean(true, true); },
                       [&](const type::Enum& t) {
                           ValueId all = bottom;
                           for (Value v : t.values) all = domain_.join(all, literals_.constant(v));
                           return all;
                       },
                       [&](const type::String&) { return domain_.atoms(atom::any_string); },
                       [&](const type::Bytes&) {
                           return domain_.object(memory_.make(family::bytevector, no_label, no_variant, number, 0));
                       },
                       [&](const type::ListOf& t) {
                           const ValueId null = domain_.atoms(atom::null);
                           if (t.max == 0) return null;
                           const ObjectId pair = memory_.make(family::pair, no_label, no_variant, number, 2);
                           const ValueId list = domain_.join(null, domain_.object(pair));
                           if (memory_.peek(memory_.cell(pair, 1)) == bottom) {
                               memory_.grow(memory_.cell(pair, 1), list);
                               memory_.grow(memory_.cell(pair, 0), of_type(t.element));
                           }
                           return list;
                       },
                       [&](const type::OneOf& t) {
                           ValueId all = bottom;
                           for (MessageId m : t.messages) all = domain_.join(all, input_message(m));
                           return all;
                       },
                   },
                   program_.types[index(id)].kind);
    typed_[index(id)] = result;
    return result;
}

ValueId Inputs::input_message(MessageId m) {
    const MessageDef& def = program_.messages[index(m)];
    const size_t before = objects_.size();
    const ObjectId message =
        memory_.make(family::message, no_label, no_variant, index(m), static_cast<uint32_t>(def.fields.size()));
    if (objects_.size() > before) // new; a message may contain its own type
        for (uint32_t i = 0; i < def.fields.size(); ++i)
            memory_.grow(memory_.cell(message, i), of_type(def.fields[i].type));
    return domain_.object(message);
}

ValueId Inputs::messages_of(uint32_t port) {
    const auto [at, made] = port_messages_.try_emplace(port, bottom);
    if (!made) return at->second;
    ValueId all = bottom;
    for (MessageId m : program_.ports[port].in) all = domain_.join(all, input_message(m));
    return port_messages_[port] = all;
}

ValueId Inputs::any_input() {
    if (any_input_ != bottom) return any_input_;
    const ObjectId pair = memory_.make(family::pair, no_label, no_variant, first_type, 2);
    const ObjectId vector = memory_.make(family::vector, no_label, no_variant, first_type, 1);
    const ObjectId bytes = memory_.make(family::bytevector, no_label, no_variant, first_type, 0);
    ValueId all = domain_.intern({.atoms = atom::truth | atom::falsity | atom::null | atom::unspecified |
                                           atom::rational | atom::any_symbol | atom::any_character | atom::any_string,
                                  .integers = Integers::all()});
    for (ObjectId o : {pair, vector, bytes}) all = domain_.join(all, domain_.object(o));
    for (uint32_t m = 0; m < program_.messages.size(); ++m) all = domain_.join(all, input_message(MessageId{m}));
    any_input_ = all;
    memory_.grow(memory_.cell(pair, 0), all);
    memory_.grow(memory_.cell(pair, 1), all);
    memory_.grow(memory_.cell(vector, 0), all);
    return all;
}

// Fresh values and (any) may stand for any value of the type.
ValueId Inputs::limited_to(ValueId v, TypeId id) {
    return std::visit(
        Overloaded{
            [&](const type::Int& t) {
                const ValueId whole = domain_.keep(v, family::integer | family::opaque);
                return domain_.with_integers(
                    whole,
                    meet(domain_[whole].integers, Integers::range(bound(t.low, no_low), bound(t.high, no_high))));
            },
            [&](const type::Bool&) { return domain_.keep(v, family::boolean | family::opaque); },
            [&](const type::Enum&) { return domain_.equal_to(v, of_type(id), true); },
            [&](const type::String&) { return domain_.keep(v, family::string | family::opaque); },
            [&](const type::Bytes&) { return domain_.keep(v, family::bytevector | family::opaque); },
            [&](const type::ListOf&) { return domain_.keep(v, family::pair | family::null | family::opaque); },
            [&](const type::OneOf& t) {
                return domain_.one_of(domain_.keep(v, family::message | family::opaque), t.messages);
            },
        },
        program_.types[index(id)].kind);
}

} // namespace espalier::flow
