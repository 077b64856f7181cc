// Sets of what a value may be, one by one: symbols, characters, strings and objects.
//
// A dispatch on many types of message, or a variable in which many procedures meet, goes through as many sets, each of
// them one member away from the last. As vectors they would take quadratic memory. Here a set is a tree that shares its
// branches with other sets (Okasaki & Gill, "Fast mergeable integer maps", 1998). Trees are hash-consed, so that equal
// sets have the same number. Members are numbers, sorted so that what is asked for together stands together: by family,
// and messages and records by their type, closures by their λ.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "flowanalysis/domain/families.hpp"

namespace espalier::flow {

enum class PartsId : uint32_t {};
inline constexpr PartsId no_parts{0};

// A member: its family, its type where it has one, its number.
struct Part {
    static constexpr int type_bits = 27, number_bits = 32;
    static constexpr uint64_t packed(Families family, uint32_t type, uint32_t number) {
        return static_cast<uint64_t>(std::countr_zero(family)) << (type_bits + number_bits) |
               static_cast<uint64_t>(type) << number_bits | number;
    }
    static Families family(uint64_t part) { return 1U << (part >> (type_bits + number_bits)); }
    static uint32_t type(uint64_t part) { return static_cast<uint32_t>(part >> number_bits) & ((1U << type_bits) - 1); }
    static uint32_t number(uint64_t part) { return static_cast<uint32_t>(part); }
};

class Parts {
public:
    Parts();
    PartsId one(uint64_t part);
    PartsId unite(PartsId a, PartsId b);
    PartsId unite(std::vector<PartsId> sets); // neighbours first, so that hardly any set is made but the last
    PartsId common(PartsId a, PartsId b);
    bool contains(PartsId a, PartsId b) const; // all of b
    bool meet(PartsId a, PartsId b) const;     // have they a member in common?
    PartsId keep(PartsId a, Families families);
    // The members that are equal to the part but for so many bits at the end; and all other members.
    PartsId within(PartsId a, uint64_t part, int free_bits);
    PartsId without(PartsId a, uint64_t part, int free_bits);

    Families families(PartsId a) const { return nodes_[static_cast<uint32_t>(a)].families; }
    uint32_t count(PartsId a) const { return nodes_[static_cast<uint32_t>(a)].count; }
    uint64_t steps() const { return steps_; }                // nodes that were made, found again or listed
    uint64_t first(PartsId a) const;                         // of a set with members
    void list(PartsId a, std::vector<uint64_t>& into) const; // in ascending order
    void list_new(PartsId a, PartsId before, std::vector<uint64_t>& into) const; // what is not in `before`

private:
    struct Node {
        uint64_t prefix = 0; // of a leaf, its part
        PartsId low = no_parts, high = no_parts;
        uint32_t count = 0;
        Families families = 0;
        int level = 0; // how many bits at the end differ below; 0: a leaf
        bool covers(uint64_t part) const { return level == 64 || (part ^ prefix) >> level == 0; }
        bool goes_high(uint64_t part) const { return (part >> (level - 1) & 1) != 0; }
    };
    const Node& operator[](PartsId a) const { return nodes_[static_cast<uint32_t>(a)]; }
    PartsId branch(int level, PartsId low, PartsId high);
    PartsId both(PartsId a, PartsId b); // without members in common
    PartsId interned(const Node& node);
    void grow_table();

    std::vector<Node> nodes_;
    std::vector<uint32_t> table_; // open addressing; 0: free
    mutable uint64_t steps_ = 0;
};

} // namespace espalier::flow
