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
// Facts on mutable content end where other code may run (at calls and waits), and where something that may be the same
// content is written.
//
// Facts are handed from block to block, and most of them pass through unchanged: a procedure with many branches
// would copy and compare them at each one. So they are persistent maps (Okasaki & Gill, "Fast mergeable integer
// maps", 1998): a copy is a pointer, and two ways that meet cost what they differ in. A node also knows when the
// first fact below it stops being of use, so that expired facts are found without looking at the others.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "flowanalysis/domain/domain.hpp"

namespace espalier::flow {

struct Key {
    enum class Kind : uint8_t { value, alias, field, constant, box, global, record_field };
    Kind kind;
    uint32_t name; // a variable, or a global
    uint32_t field = 0;
    bool is_mutable() const { return kind >= Kind::box; }
    uint64_t packed() const { return static_cast<uint64_t>(kind) << 61 | static_cast<uint64_t>(name) << 29 | field; }
    friend bool operator==(const Key&, const Key&) = default;
};

struct Fact {
    Key key;
    VarId link = no_var;    // has the same value
    ValueId value = bottom; // used where there is no link
    uint32_t last = 0;      // the last block where it is of use
    friend bool operator==(const Fact&, const Fact&) = default;
};

// A map from keys to facts. It shares what it has in common with the maps that it was copied from.
class FactMap {
public:
    FactMap() = default;
    FactMap(const FactMap& other);
    FactMap(FactMap&& other) noexcept : root_(std::exchange(other.root_, nullptr)) {}
    FactMap& operator=(FactMap other) noexcept {
        std::swap(root_, other.root_);
        return *this;
    }
    ~FactMap();

    const Fact* find(const Key& key) const;
    void set(const Fact& fact);
    void expire(uint32_t block); // drops the facts that are of no use from that block on
    void erase_if(const std::function<bool(const Fact&)>& predicate);
    // Calls each(fact) for the facts that the other map does not have just so.
    void visit_unlike(const FactMap& other, const std::function<void(const Fact&)>& each) const;
    // Replaces each fact that the other map does not have just so by what left(fact) gives.
    void weaken(const FactMap& other, const std::function<std::optional<Fact>(const Fact&)>& left);
    friend bool operator==(const FactMap& a, const FactMap& b);

    static uint64_t steps(); // nodes that were made, changed or compared so far, by this thread

    struct Node;

private:
    const Node* root_ = nullptr;
};

// The facts at a point: lasting ones, and those on mutable content.
class Facts {
public:
    const Fact* find(const Key& key) const { return map_of(key).find(key); }
    void set(const Fact& fact) { (fact.key.is_mutable() ? mutable_ : lasting_).set(fact); }
    void expire(uint32_t block) { lasting_.expire(block); }
    void forget_mutable() { mutable_ = {}; }
    FactMap& mutable_facts() { return mutable_; }
    const FactMap& lasting_facts() const { return lasting_; }
    void weaken(const Facts& other, const std::function<std::optional<Fact>(const Fact&)>& left) {
        lasting_.weaken(other.lasting_, left);
        mutable_.weaken(other.mutable_, left);
    }
    friend bool operator==(const Facts&, const Facts&) = default;

private:
    const FactMap& map_of(const Key& key) const { return key.is_mutable() ? mutable_ : lasting_; }
    FactMap lasting_, mutable_;
};

} // namespace espalier::flow
