#include "symexec/search/groups.hpp"

#include <algorithm>

namespace espalier::sym {

namespace {

bool comes_later(const Groups::Member& a, const Groups::Member& b) {
    return std::pair(a.rank, a.slot) > std::pair(b.rank, b.slot);
}

} // namespace

uint64_t places_of(const State& s) {
    uint64_t sum = s.threads.size();
    for (const Thread& t : s.threads) {
        sum = (sum ^ t.pc) * 0x9e3779b97f4a7c15U;
        sum ^= sum >> 29;
    }
    return sum;
}

void Groups::add(uint64_t name, const Member& member) {
    auto [at, is_new] = groups_.try_emplace(name);
    Group& group = at->second;
    if (is_new) {
        group.number = by_number_.size();
        by_number_.push_back(&group);
    }
    if (group.members.empty()) order_.emplace(group.taken, group.number);
    group.members.push_back(member);
    std::push_heap(group.members.begin(), group.members.end(), comes_later);
    ++size_;
}

void Groups::count(uint64_t name) {
    const auto at = groups_.find(name);
    if (at == groups_.end()) return;
    Group& group = at->second;
    const bool is_in_order = order_.erase({group.taken, group.number}) > 0;
    ++group.taken;
    if (is_in_order) order_.emplace(group.taken, group.number);
}

Groups::Member Groups::pop_first() {
    Group& group = *by_number_[order_.begin()->second];
    std::pop_heap(group.members.begin(), group.members.end(), comes_later);
    const Member first = group.members.back();
    group.members.pop_back();
    --size_;
    if (group.members.empty()) order_.erase(order_.begin());
    return first;
}

void Groups::make_heap(Group& group) { std::make_heap(group.members.begin(), group.members.end(), comes_later); }

} // namespace espalier::sym
