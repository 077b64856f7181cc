// Waiting states in groups, by where their threads stand. The group from which the fewest states were taken comes
// first.
//
// Targets often lie behind a combination: two sessions that are both open, a timer that runs while another thread waits
// for an answer. No distance in the automaton shows it, and very many states differ in data alone. So the places of all
// threads together are counted, and what has hardly been looked at is looked at.
#pragma once

#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "symexec/state/state.hpp"

namespace espalier::sym {

// Where the threads stand. The numbers of threads do not matter, their order does.
uint64_t places_of(const State& state);

class Groups {
public:
    struct Member {
        uint64_t rank; // the least comes first
        uint32_t slot, tenant;
    };
    void add(uint64_t group, const Member& member);
    // One of the group's states was taken, by whatever order.
    void count(uint64_t group);
    // The first member of the first group that has one for which `is_there` holds; there must be one. It is removed, as
    // are those before it.
    template <typename IsThere>
    Member take(const IsThere& is_there) {
        for (;;) {
            const Member first = pop_first();
            if (is_there(first)) return first;
        }
    }
    // Only those for which `is_there` holds stay.
    template <typename IsThere>
    void keep(const IsThere& is_there) {
        size_ = 0;
        for (auto& [name, group] : groups_) {
            std::erase_if(group.members, [&](const Member& m) { return !is_there(m); });
            make_heap(group);
            size_ += group.members.size();
            if (group.members.empty()) order_.erase({group.taken, group.number});
        }
    }
    size_t size() const { return size_; } // of members, some of which may be there no longer

private:
    struct Group {
        uint64_t taken = 0;  // states so far
        uint64_t number = 0; // in the order in which groups were met
        std::vector<Member> members{};
    };
    Member pop_first();
    static void make_heap(Group& group);

    std::unordered_map<uint64_t, Group> groups_;
    std::vector<Group*> by_number_;
    std::set<std::pair<uint64_t, uint64_t>> order_; // of groups with members: how many were taken, and the number
    size_t size_ = 0;
};

} // namespace espalier::sym
