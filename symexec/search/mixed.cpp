#include "symexec/search/mixed.hpp"

#include <algorithm>
#include <array>
#include <deque>

#include "symexec/follow/follow.hpp"
#include "symexec/search/groups.hpp"

namespace espalier::sym {

namespace {

enum class Order : uint8_t { tight, young, random, rare };
constexpr std::array all_orders{Order::tight, Order::young, Order::random, Order::rare};
constexpr size_t orders = all_orders.size();
constexpr bool goes_by_distance(Order order) { return order == Order::tight; }

// How the steps are divided between the orders.
class Shares {
public:
    void leave_out(Order order) { is_left_out_[at(order)] = true; }
    bool is_left_out(Order order) const { return is_left_out_[at(order)]; }
    // The order that is furthest behind its share.
    Order next() const {
        size_t best = orders;
        for (size_t i = 0; i < orders; ++i)
            if (!is_left_out_[i] && (best == orders || passed_[i] < passed_[best])) best = i;
        return all_orders[best];
    }
    void spend(Order order, uint64_t steps) {
        passed_[at(order)] += steps * one * one / (one + found_[at(order)] * worth_of_target) + 1;
        since_ += steps;
        for (; since_ >= steps_to_forget; since_ -= steps_to_forget)
            for (uint64_t& found : found_) found /= 2;
    }
    void find(Order order) { found_[at(order)] += one; }

private:
    static size_t at(Order order) { return static_cast<size_t>(order); }
    static constexpr uint64_t one = 1024; // of fractions
    // After so many steps, what was found before counts half.
    static constexpr uint64_t steps_to_forget = 300'000;
    // By how much a target that was found makes a share larger than that of an order that found none.
    static constexpr uint64_t worth_of_target = 4;
    std::array<bool, orders> is_left_out_{};
    std::array<uint64_t, orders> passed_{}; // steps, by share
    std::array<uint64_t, orders> found_{};  // targets, of late
    uint64_t since_ = 0;                    // the last halving
};

class Mixed : public Frontier {
public:
    Mixed(uint64_t seed, const SearchView& view) : seed_(seed), view_(view) {
        for (const Order order : all_orders)
            if (goes_by_distance(order) && !view.distance) shares_.leave_out(order);
    }

    bool takes_stable_states() const override { return true; }
    void add(std::vector<Successor> siblings) override {
        for (Successor& s : siblings) wait(std::move(s));
    }
    void postpone(State state) override { wait({std::move(state), false, true}); }
    Successor take() override {
        const uint64_t now = view_.steps();
        if (turn_) shares_.spend(*turn_, now - turn_began_);
        turn_ = shares_.next();
        turn_began_ = now;
        return first_of(*turn_);
    }
    void target_covered() override {
        ++epoch_;
        if (turn_) shares_.find(*turn_);
    }
    void pack() override {
        for (Slot& slot : slots_) {
            if (!slot.is_used || is_packed(slot.waiting.state)) continue;
            parts_bytes_ -= bytes_of_parts(slot.waiting.state);
            sym::pack(slot.waiting.state);
            parts_bytes_ += bytes_of_parts(slot.waiting.state);
        }
    }
    size_t size() const override { return count_; }
    size_t bytes() const override {
        size_t places = 0;
        for (const std::vector<Place>& all : places_) places += all.capacity() * sizeof(Place);
        return slots_.size() * sizeof(Slot) + parts_bytes_ + places + groups_.size() * sizeof(Groups::Member);
    }
    void each(const std::function<void(const State&)>& visit) const override {
        for (const Slot& slot : slots_)
            if (slot.is_used) visit(slot.waiting.state);
    }

private:
    // States are large, and stay where they are; what is kept in order is small.
    struct Slot {
        Successor waiting;
        uint32_t tenant = 0; // how many had the slot before
        bool is_used = false;
        uint64_t number = 0; // of the state, in the order in which they were met
        uint64_t places = 0; // where its threads stand
    };
    using Key = std::array<uint64_t, 3>;
    struct Place { // of a waiting state in an order
        Key key;
        uint32_t slot, tenant;
        uint32_t epoch; // for which the key is true
    };
    static bool comes_later(const Place& a, const Place& b) { return a.key > b.key; }

    // What hangs from a state and is its own: threads, and what its path has beyond that of its parent.
    static size_t bytes_of_parts(const State& s) {
        constexpr size_t end_of_path = sizeof(Chain<Event>::Node) + sizeof(Chain<Value>::Node);
        return s.threads.capacity() * sizeof(Thread) + s.fresh.facts.capacity() * sizeof(FreshFacts::Fact) +
               s.clocks.capacity() * sizeof(Clock) + end_of_path;
    }

    // A distance is asked for once, where an order needs it.
    Key key_of(Order order, const Slot& at, std::optional<uint32_t>& distance) const {
        const State& s = at.waiting.state;
        const uint64_t age = no_bound - s.k, random = rank(seed_, s.signature);
        if (goes_by_distance(order) && !distance) distance = view_.distance(s);
        const auto within = [&](uint64_t most) -> Key {
            const uint64_t between = age + *distance; // the path's last new target, and the next
            return {between > most ? between : 0, *distance, random};
        };
        switch (order) {
        case Order::tight: return within(1);
        case Order::young: return {age, random, 0};
        case Order::random: return {random, at.number, 0};
        case Order::rare: break; // by groups
        }
        return {};
    }

    void wait(Successor&& s) {
        auto slot = static_cast<uint32_t>(slots_.size());
        if (free_.empty()) {
            slots_.emplace_back();
        } else {
            slot = free_.back();
            free_.pop_back();
        }
        Slot& at = slots_[slot];
        at.waiting = std::move(s);
        at.is_used = true;
        at.number = ++met_;
        at.places = places_of(at.waiting.state);
        ++count_;
        parts_bytes_ += bytes_of_parts(at.waiting.state);
        std::optional<uint32_t> distance;
        for (const Order order : all_orders) {
            if (shares_.is_left_out(order)) continue;
            if (order == Order::rare) {
                if (groups_.size() > 2 * count_ + 4096)
                    groups_.keep([this](const Groups::Member& m) { return !is_taken(m); });
                groups_.add(at.places, {rank(seed_, at.waiting.state.signature), slot, at.tenant});
                continue;
            }
            std::vector<Place>& places = places_[static_cast<size_t>(order)];
            if (places.size() > 2 * count_ + 4096) forget_taken(places);
            push(places, {key_of(order, at, distance), slot, at.tenant, epoch_});
        }
    }

    static void push(std::vector<Place>& places, const Place& place) {
        places.push_back(place);
        std::push_heap(places.begin(), places.end(), comes_later);
    }
    template <typename At>
    bool is_taken(const At& p) const {
        return !slots_[p.slot].is_used || slots_[p.slot].tenant != p.tenant;
    }
    // An order whose turns are few would keep the places of all that others took.
    void forget_taken(std::vector<Place>& places) const {
        std::erase_if(places, [this](const Place& p) { return is_taken(p); });
        std::make_heap(places.begin(), places.end(), comes_later);
    }

    // A distance was true when it was asked for, and has at most grown since: so only what comes to the front is asked
    // about again. That of a packed state stays as it was.
    Successor first_of(Order order) {
        if (order == Order::rare)
            return leave(groups_.take([this](const Groups::Member& m) { return !is_taken(m); }).slot);
        std::vector<Place>& places = places_[static_cast<size_t>(order)];
        for (;;) {
            std::pop_heap(places.begin(), places.end(), comes_later);
            Place first = places.back();
            places.pop_back();
            Slot& at = slots_[first.slot];
            if (is_taken(first)) continue; // by another order
            if (goes_by_distance(order) && first.epoch != epoch_ && !is_packed(at.waiting.state)) {
                std::optional<uint32_t> distance;
                first.key = key_of(order, at, distance);
                first.epoch = epoch_;
                push(places, first);
                continue;
            }
            return leave(first.slot);
        }
    }

    Successor leave(uint32_t slot) {
        Slot& at = slots_[slot];
        at.is_used = false;
        ++at.tenant;
        --count_;
        parts_bytes_ -= bytes_of_parts(at.waiting.state);
        free_.push_back(slot);
        groups_.count(at.places);
        return std::exchange(at.waiting, {});
    }

    const uint64_t seed_;
    const SearchView view_;
    Shares shares_;
    std::optional<Order> turn_; // the order whose turn it is
    uint64_t turn_began_ = 0;   // in steps
    uint32_t epoch_ = 0;        // how often a target was covered
    uint64_t met_ = 0;          // states so far
    std::deque<Slot> slots_;
    std::vector<uint32_t> free_;                    // slots
    size_t count_ = 0;                              // of states in slots
    size_t parts_bytes_ = 0;                        // of these states
    std::array<std::vector<Place>, orders> places_; // heaps, by order
    Groups groups_;                                 // the order by groups
};

} // namespace

std::unique_ptr<Frontier> make_mixed(uint64_t seed, const SearchView& view) {
    return std::make_unique<Mixed>(seed, view);
}

} // namespace espalier::sym
