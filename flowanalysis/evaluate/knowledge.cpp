#include "flowanalysis/evaluate/knowledge.hpp"

namespace espalier::flow {

Knowledge::Knowledge(Context& context, Memory& memory)
    : uses_(context.shape.uses), domain_(context.domain), variants_(context.variants), worklist_(context.worklist),
      memory_(memory), here_(context.here) {}

VarId Knowledge::canonical(const Facts& facts, VarId v) const {
    const Fact* alias = facts.find({Key::Kind::alias, index(v)});
    return alias == nullptr ? v : alias->link;
}

ValueId Knowledge::known(const Facts& facts, VarId v) const {
    v = canonical(facts, v);
    const Fact* narrowed = facts.find({Key::Kind::value, index(v)});
    return narrowed == nullptr ? variants_.value_at(here_.first_value + index(v)) : narrowed->value;
}

bool Knowledge::narrow(Facts& facts, VarId v, ValueId value) {
    if (value == bottom) return false;
    v = canonical(facts, v);
    const Key key{Key::Kind::value, index(v)};
    const Fact* narrowed = facts.find(key);
    if (narrowed == nullptr || narrowed->value != value) learn(facts, key, no_var, value);
    return true;
}

ValueId Knowledge::through(const Key& key, VarId dst, ValueId stored) {
    const Fact* fact = here_.facts.find(key);
    if (fact == nullptr) {
        remember(key, dst);
        return stored;
    }
    const ValueId now = content(here_.facts, *fact);
    if (fact->link == no_var) {
        remember(key, dst);
    } else {
        const VarId link = fact->link;
        memory_.depend_on(link);
        memory_.add_dependent(link, {Memory::Dependent::Kind::users, index(dst)});
        learn(here_.facts, {Key::Kind::alias, index(dst)}, link);
    }
    return now;
}

void Knowledge::remember(const Key& key, VarId v) {
    learn(here_.facts, key, canonical(v));
    // Whether a write elsewhere may be to the same thing depends on what the name may stand for.
    if (key.kind == Key::Kind::box || key.kind == Key::Kind::record_field)
        memory_.add_dependent(VarId{key.name}, {Memory::Dependent::Kind::writers, 0});
}

void Knowledge::forget_aliases(Key::Kind kind, VarId object, uint32_t field) {
    const ValueId written = known(object);
    here_.facts.mutable_facts().erase_if([&](const Fact& fact) {
        if (fact.key.kind != kind || fact.key.field != field) return false;
        return domain_.may_share(written, known(VarId{fact.key.name}));
    });
}

bool Knowledge::merge(Facts& into, const Facts& facts, uint32_t where) {
    const Facts own = into;
    into.weaken(facts, [&](const Fact& fact) { return weakened(fact, own, facts, where); });
    return into != own;
}

void Knowledge::flow_to(BlockId target) {
    const Slot to = here_.slot_of(index(target));
    BlockState& block = variants_[to];
    here_.outcome.successors.push_back(target);
    if (block.reached) {
        if (merge(block.entry, here_.facts, index(target))) worklist_.mark(to);
        return;
    }
    worklist_.reach(to);
    block.entry = here_.facts;
    block.entry.expire(index(target));
}

ValueId Knowledge::content(const Facts& facts, const Fact& fact) const {
    return fact.link == no_var ? fact.value : known(facts, fact.link);
}

// An alias is of use where that name is looked at. What is known of the value itself is of use as long as the value may
// be found again, see Uses::last_use.
uint32_t Knowledge::last_use_of(const Key& key, VarId link) const {
    switch (key.kind) {
    case Key::Kind::alias: return uses_.last_user(here_.lambda, VarId{key.name});
    case Key::Kind::value:
    case Key::Kind::field: return uses_.last_use(here_.lambda, VarId{key.name});
    case Key::Kind::constant: return uses_.last_use(here_.lambda, link);
    case Key::Kind::box:
    case Key::Kind::global:
    case Key::Kind::record_field: break;
    }
    return UINT32_MAX;
}

void Knowledge::learn(Facts& facts, const Key& key, VarId link, ValueId value) {
    facts.set({key, link, value, last_use_of(key, link)});
}

// What is left of a fact of `own` where control also comes with the facts of `other`; nothing: what holds anyway. The
// merge happens at the entry of the block `where`; its own facts may have come there from any predecessor. Or it
// happens inside the block that is evaluated, which looks back at ways into it.
std::optional<Fact> Knowledge::weakened(const Fact& fact, const Facts& own, const Facts& other, uint32_t where) {
    if (fact.key.kind == Key::Kind::value) {
        const Fact* narrowed = other.find(fact.key);
        if (narrowed == nullptr) return std::nullopt;
        return Fact{fact.key, no_var, domain_.join(fact.value, narrowed->value), fact.last};
    }
    const Fact* same = other.find(fact.key);
    if (same == nullptr) return std::nullopt;
    if (same->link == fact.link && fact.link != no_var) return fact;
    if (fact.key.kind == Key::Kind::alias) return std::nullopt;
    if (same->link != no_var) memory_.depend_on(same->link);
    using Kind = Memory::Dependent::Kind;
    if (fact.link != no_var)
        memory_.add_dependent(fact.link, {where == here_.block ? Kind::block : Kind::predecessors, where});
    return Fact{fact.key, no_var, domain_.join(content(own, fact), content(other, *same)), fact.last};
}

} // namespace espalier::flow
