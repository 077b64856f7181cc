// What is known of a variable at a point: its value in this variant, narrowed by the facts that hold there.
#include <algorithm>

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
    facts.set({{Key::Kind::value, index(v)}, no_var, value});
}

bool Machine::narrow(Facts& facts, VarId v, ValueId value) {
    if (value == bottom) return false;
    v = canonical(facts, v);
    if (value != known(facts, v)) set_value(facts, v, value);
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
        facts_.set({{Key::Kind::alias, index(dst)}, link, bottom});
    }
    return now;
}

void Machine::remember(const Key& key, VarId v) { facts_.set({key, canonical(facts_, v), bottom}); }

// Something was written through `object`: what is known of content that may be the same ends.
void Machine::forget_aliases(Key::Kind kind, VarId object, uint32_t field) {
    const AbstractValue& written = domain_[known(object)];
    facts_.erase_if([&](const Fact& fact) {
        if (fact.key.kind != kind || fact.key.field != field) return false;
        const auto& other = domain_[known(VarId{fact.key.name})].objects;
        return std::any_of(other.begin(), other.end(), [&](ObjectId o) {
            return std::binary_search(written.objects.begin(), written.objects.end(), o);
        });
    });
}

// Blocks that see the variable under another name are not among its users.
void Machine::depend_on(VarId v) { linked_[variants_[index(variant_)].first_value + index(v)] = true; }

// What is left of a fact where control also comes with other facts; nothing: what holds anyway.
std::optional<Fact> Machine::weakened(const Fact& fact, const Facts& own, const Facts& other) {
    if (fact.key.kind == Key::Kind::value) {
        const VarId v{fact.key.name};
        const ValueId both = domain_.join(fact.value, known(other, v));
        if (both == value(variant_, v)) return std::nullopt;
        return Fact{fact.key, no_var, both};
    }
    const Fact* same = other.find(fact.key);
    if (same == nullptr) return std::nullopt;
    if (same->link == fact.link && fact.link != no_var) return fact;
    if (fact.key.kind == Key::Kind::alias) return std::nullopt;
    for (VarId link : {fact.link, same->link})
        if (link != no_var) depend_on(link);
    return Fact{fact.key, no_var, domain_.join(content(own, fact), content(other, *same))};
}

// Two ways into a block: only what is known on both holds there. True: less is known than before.
bool Machine::merge(Facts& into, const Facts& facts) {
    Facts merged;
    for (const Fact& fact : into.all())
        if (const auto left = weakened(fact, into, facts)) merged.set(*left);
    if (merged == into) return false;
    into = std::move(merged);
    return true;
}

} // namespace espalier::flow
