// What is known on the way to a point of a variant, beyond what holds wherever a variable is in scope.
//
// A fact belongs to a name of the running activation, never to an abstract cell, which may stand for several:
//
//   value     the variable's value, narrowed by the tests that were passed
//   alias     the variable has the same value as another one
//   field     a field of the immutable object in a variable has the value of another one, or is in a set
//   constant  the same of a global that is never assigned
//   box, global, record_field   the same of mutable content
//
// Mutable content ends to be known where others may run (at calls and waits), and where something that may
// be the same is written. Few facts hold at a time, so a sorted vector is enough; the mutable ones stand at
// its end, where they are cut off.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "flowanalysis/domain.hpp"

namespace espalier::flow {

struct Key {
    enum class Kind : uint8_t { value, alias, field, constant, box, global, record_field };
    Kind kind;
    uint32_t name; // a variable, or a global
    uint32_t field = 0;
    bool is_mutable() const { return kind >= Kind::box; }
    friend bool operator==(const Key&, const Key&) = default;
    friend bool operator<(const Key& a, const Key& b) {
        return std::tie(a.kind, a.name, a.field) < std::tie(b.kind, b.name, b.field);
    }
};

struct Fact {
    Key key;
    VarId link = no_var;    // has the same value
    ValueId value = bottom; // used where there is no link
    friend bool operator==(const Fact&, const Fact&) = default;
};

class Facts {
public:
    const Fact* find(const Key& key) const {
        const auto at = position(key);
        return at != facts_.end() && at->key == key ? &*at : nullptr;
    }
    void set(const Fact& fact) {
        const auto at = facts_.begin() + (position(fact.key) - facts_.begin());
        if (at != facts_.end() && at->key == fact.key)
            *at = fact;
        else
            facts_.insert(at, fact);
    }
    template <typename Predicate>
    void erase_if(Predicate predicate) {
        std::erase_if(facts_, predicate);
    }
    void forget_mutable() {
        while (!facts_.empty() && facts_.back().key.is_mutable()) facts_.pop_back();
    }
    const std::vector<Fact>& all() const { return facts_; }
    friend bool operator==(const Facts&, const Facts&) = default;

private:
    std::vector<Fact>::const_iterator position(const Key& key) const {
        return std::lower_bound(facts_.begin(), facts_.end(), key,
                                [](const Fact& fact, const Key& k) { return fact.key < k; });
    }
    std::vector<Fact> facts_;
};

} // namespace espalier::flow
