// What is known of a variable at a point: its value in this variant, narrowed by the facts that hold there.
#include "flowanalysis/machine.hpp"

namespace espalier::flow {

VarId Machine::canonical(const Facts& facts, VarId v) const {
    const Fact* alias = facts.find({Key::Kind::alias, index(v)});
    return alias == nullptr ? v : alias->link;
}

ValueId Machine::known(const Facts& facts, VarId v) const {
    v = canonical(facts, v);
    const Fact* narrowed = facts.find({Key::Kind::value, index(v)});
    return narrowed == nullptr ? value(variant_, v) : narrowed->value;
}

ValueId Machine::content(const Facts& facts, const Fact& fact) const {
    return fact.link == no_var ? fact.value : known(facts, fact.link);
}

void Machine::set_value(Facts& facts, VarId v, ValueId value) {
    learn(facts, {Key::Kind::value, index(v)}, no_var, value);
}

bool Machine::narrow(Facts& facts, VarId v, ValueId value) {
    if (value == bottom) return false;
    v = canonical(facts, v);
    const Fact* narrowed = facts.find({Key::Kind::value, index(v)});
    if (narrowed == nullptr || narrowed->value != value) set_value(facts, v, value);
    return true;
}

// Reads content that has a name: what is known of it here, else what is stored. From now on both have one
// value.
ValueId Machine::through(const Key& key, VarId dst, ValueId stored) {
    const Fact* fact = facts_.find(key);
    if (fact == nullptr) {
        remember(key, dst);
        return stored;
    }
    const ValueId now = content(facts_, *fact);
    if (fact->link == no_var) {
        remember(key, dst);
    } else {
        const VarId link = fact->link;
        depend_on(link);
        add_dependent(link, {Dependent::Kind::users, index(dst)});
        learn(facts_, {Key::Kind::alias, index(dst)}, link);
    }
    return now;
}

void Machine::remember(const Key& key, VarId v) {
    learn(facts_, key, canonical(facts_, v));
    // Whether a write elsewhere may be to the same thing depends on what the name may stand for.
    if (key.kind == Key::Kind::box || key.kind == Key::Kind::record_field)
        add_dependent(VarId{key.name}, {Dependent::Kind::writers, 0});
}

// An alias helps those who look at that name. What is known of the value itself helps as long as the value may be
// found again, see Shape::last_use.
uint32_t Machine::last_use_of(const Key& key, VarId link) const {
    switch (key.kind) {
    case Key::Kind::alias: return shape_.last_user(lambda_, VarId{key.name});
    case Key::Kind::value:
    case Key::Kind::field: return shape_.last_use(lambda_, VarId{key.name});
    case Key::Kind::constant: return shape_.last_use(lambda_, link);
    case Key::Kind::box:
    case Key::Kind::global:
    case Key::Kind::record_field: break;
    }
    return UINT32_MAX;
}

// Something was written through `object`: what is known of content that may be the same ends.
void Machine::forget_aliases(Key::Kind kind, VarId object, uint32_t field) {
    const ValueId written = known(object);
    facts_.mutable_facts().erase_if([&](const Fact& fact) {
        if (fact.key.kind != kind || fact.key.field != field) return false;
        return domain_.may_share(written, known(VarId{fact.key.name}));
    });
}

void Machine::add_dependent(VarId v, Dependent dependent) {
    const uint32_t at = variants_[index(variant_)].first_value + index(v);
    const uint64_t key = static_cast<uint64_t>(at) << 32 | static_cast<uint64_t>(dependent.kind) << 30 | dependent.id;
    if (depending_.insert(key)) dependents_[at].push_back(dependent);
}

// What is left of a fact where control also comes with other facts; nothing: what holds anyway. Its own side may have
// come to that block on any way; or to this one, where it is looked back.
std::optional<Fact> Machine::weakened(const Fact& fact, const Facts& own, const Facts& other, uint32_t where) {
    if (fact.key.kind == Key::Kind::value) {
        const Fact* narrowed = other.find(fact.key);
        if (narrowed == nullptr) return std::nullopt;
        return Fact{fact.key, no_var, domain_.join(fact.value, narrowed->value), fact.last};
    }
    const Fact* same = other.find(fact.key);
    if (same == nullptr) return std::nullopt;
    if (same->link == fact.link && fact.link != no_var) return fact;
    if (fact.key.kind == Key::Kind::alias) return std::nullopt;
    if (same->link != no_var) depend_on(same->link);
    using Kind = Dependent::Kind;
    if (fact.link != no_var) add_dependent(fact.link, {where == block_ ? Kind::block : Kind::predecessors, where});
    return Fact{fact.key, no_var, domain_.join(content(own, fact), content(other, *same)), fact.last};
}

// Two ways into that block: only what is known on both holds there. True: less is known than before.
bool Machine::merge(Facts& into, const Facts& facts, uint32_t where) {
    const Facts own = into;
    into.weaken(facts, [&](const Fact& fact) { return weakened(fact, own, facts, where); });
    return into != own;
}

} // namespace espalier::flow
