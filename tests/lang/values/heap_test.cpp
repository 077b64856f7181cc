#include "lang/values/heap.hpp"

#include <doctest/doctest.h>

#include <map>

#include "lang/values/channel.hpp"
#include "lang/values/table.hpp"
#include "tests/lang/values.hpp"

namespace espalier {
namespace {

using testing::fix;
using testing::Random;
using testing::Roots;

TEST_CASE("what is reachable stays, with its content") {
    Heap heap;
    Roots roots;
    Value list = Value::null();
    for (int i = 0; i < 100'000; ++i) list = heap.cons(fix(i), list);
    roots.values = {list, heap.string("häuser"), heap.vector(500, fix(7)), heap.box(heap.cons(fix(1), fix(2)))};
    for (int round = 0; round < 3; ++round) {
        heap.collect(roots);
        for (int i = 0; i < 300'000; ++i) heap.cons(fix(-1), fix(-1)); // takes every cell that was free
        Value rest = roots.values[0];
        for (int i = 99'999; i >= 0; --i, rest = as_pair(rest).cdr) REQUIRE(as_pair(rest).car == fix(i));
        CHECK(rest.is_null());
        CHECK(to_utf8(as_string(roots.values[1])) == "häuser");
        CHECK(as_vector(roots.values[2]).elements[499] == fix(7));
        CHECK(as_pair(as_box(roots.values[3]).content).cdr == fix(2));
    }
    CHECK(heap.collections() == 3);
}

TEST_CASE("a loop that makes garbage runs in constant memory") {
    Heap heap;
    Roots roots;
    roots.values.resize(1);
    size_t most = 0;
    for (int i = 0; i < 20'000'000; ++i) {
        roots.values[0] = heap.cons(fix(i), Value::null());
        if (heap.due()) {
            heap.collect(roots);
            most = std::max(most, heap.reserved_bytes());
        }
    }
    CHECK(heap.collections() > 5);
    CHECK(most < size_t{40} << 20);
}

TEST_CASE("after a peak, memory goes back") {
    Heap heap;
    Roots roots;
    roots.values.resize(1);
    for (int i = 0; i < 8'000'000; ++i) {
        roots.values[0] = heap.cons(fix(i), roots.values[0]);
        heap.collect_if_due(roots);
    }
    const size_t peak = heap.reserved_bytes();
    CHECK(peak > size_t{180} << 20);
    roots.values[0] = Value::null();
    for (int i = 0; i < 3; ++i) heap.collect(roots);
    CHECK(heap.live_bytes() == 0);
    CHECK(heap.reserved_bytes() < peak / 4);
}

TEST_CASE("large objects come and go") {
    Heap heap;
    Roots roots;
    roots.values.push_back(heap.vector(10'000, fix(1)));
    for (int i = 0; i < 1000; ++i) heap.vector(10'000, fix(2));
    CHECK(heap.due());
    heap.collect(roots);
    CHECK(heap.reserved_bytes() < size_t{2} << 20);
    CHECK(as_vector(roots.values[0]).elements[9'999] == fix(1));
}

TEST_CASE("objects of every size, just below and above the largest cell") {
    Heap heap;
    Roots roots;
    for (size_t n = 0; n < 80; ++n) roots.values.push_back(heap.vector(n, fix(static_cast<int64_t>(n))));
    for (size_t n = 0; n < 300; ++n) roots.values.push_back(heap.string(std::string(n, 'x')));
    heap.collect(roots);
    for (size_t n = 0; n < 80; ++n) {
        const Vector& v = as_vector(roots.values[n]);
        REQUIRE(v.count == n);
        for (size_t i = 0; i < n; ++i) REQUIRE(v.elements[i] == fix(static_cast<int64_t>(n)));
    }
    for (size_t n = 0; n < 300; ++n) REQUIRE(to_utf8(as_string(roots.values[80 + n])) == std::string(n, 'x'));
}

TEST_CASE("marking does not recurse: nesting of a million levels") {
    Heap heap;
    Roots roots;
    Value nested = Value::null();
    for (int i = 0; i < 1'000'000; ++i) nested = i % 2 == 0 ? heap.cons(nested, Value::null()) : heap.box(nested);
    roots.values.push_back(nested);
    heap.collect(roots);
    int depth = 0;
    for (Value v = nested; !v.is_null(); ++depth) v = is_pair(v) ? as_pair(v).car : as_box(v).content;
    CHECK(depth == 1'000'000);
}

TEST_CASE("an immortal heap marks what it holds as literal, and never collects") {
    Heap literals(Heap::Lifetime::immortal);
    const Value v = literals.vector(3, literals.string("x"));
    CHECK((v.as_object()->flags & literal_flag) != 0);
    Roots none;
    literals.collect(none);
    CHECK(!literals.due());
    CHECK(to_utf8(as_string(as_vector(v).elements[2])) == "x");

    // Another heap's collection leaves them alone.
    Heap heap;
    Roots roots;
    roots.values.push_back(heap.cons(v, v));
    heap.collect(roots);
    heap.collect(roots);
    CHECK(as_vector(as_pair(roots.values[0]).car).count == 3);
}

TEST_CASE("tables, channels and fresh values keep what they hold") {
    Heap heap;
    Roots roots;
    HashTable* table = make_hash_table(heap);
    Channel* channel = make_channel(heap);
    roots.values = {Value::object(table), Value::object(channel)};
    for (int i = 0; i < 1000; ++i) {
        table->set(heap, heap.string("key " + std::to_string(i)), heap.cons(fix(i), fix(i)));
        channel->send(heap, heap.cons(fix(i), Value::null()));
    }
    const Value other = testing::fresh(heap, TypeId{0}, 1, false);
    roots.values.push_back(testing::fresh(heap, TypeId{0}, 2, false, testing::list(heap, {other})));
    for (int round = 0; round < 2; ++round) {
        heap.collect(roots);
        for (int i = 0; i < 10'000; ++i) heap.cons(fix(0), fix(0));
    }
    for (int i = 0; i < 1000; ++i) {
        const Value* found = table->find(heap.string("key " + std::to_string(i)));
        REQUIRE(found != nullptr);
        REQUIRE(as_pair(*found).car == fix(i));
        REQUIRE(as_pair(channel->receive()).car == fix(i));
    }
    CHECK(channel->empty());
    CHECK(!eqv(other, roots.values[2]));
}

TEST_CASE("memory outside the cells makes a collection due") {
    Heap heap;
    Roots roots;
    Value big = fix(1);
    for (int i = 0; i < 2'000'000 && !heap.due(); ++i) big = number::mul(heap, fix(Value::fixnum_max), fix(1 << 20));
    CHECK(heap.due());
    roots.values.push_back(big);
    heap.collect(roots);
    CHECK(!heap.due());
    CHECK(number::to_text(number::div(heap, big, fix(1 << 20))) == std::to_string(Value::fixnum_max));
}

TEST_CASE("channels and timers are numbered within their heap") {
    Heap heap;
    CHECK(make_channel(heap)->id == 1);
    CHECK(make_channel(heap)->id == 2);
    CHECK(make_timer(heap, false)->id == 1);
    const Timer* t = make_timer(heap, true);
    CHECK(t->id == 2);
    CHECK(t->early);
    CHECK(t->state == Timer::State::idle);
}

// A graph of vectors beside a copy of it that no collector touches.
TEST_CASE("random graphs, changed and collected at random") {
    for (const unsigned seed : testing::seeds(4)) {
        CAPTURE(seed);
        Random random(seed);
        Heap heap;
        Roots roots;
        struct Node {
            std::vector<int> to;
        };
        std::map<int, Node> shadow; // by the number in each vector's last element
        std::map<int, Value> values;
        int next = 0;
        const auto make = [&] {
            const int id = next++;
            const size_t size = random.one_in(20) ? 40 + random.below(40) : random.below(12);
            values[id] = heap.vector(size + 1, Value::null());
            as_vector(values[id]).elements[size] = fix(id);
            shadow[id].to.assign(size, -1);
            return id;
        };
        std::vector<int> root_ids;
        for (int i = 0; i < 10; ++i) root_ids.push_back(make());
        for (int step = 0; step < 20'000; ++step) {
            // One edge from some node to a new or known one; now and then a root is replaced.
            auto from = shadow.begin();
            std::advance(from, static_cast<std::ptrdiff_t>(random.below(std::min<size_t>(shadow.size(), 50))));
            const int id = from->first;
            int to = random.one_in(2) ? make() : id;
            if (!shadow[id].to.empty()) {
                const size_t at = random.below(shadow[id].to.size());
                shadow[id].to[at] = to;
                as_vector(values[id]).elements[at] = values[to];
            }
            if (random.one_in(10)) root_ids[random.below(root_ids.size())] = to;
            if (!random.one_in(500)) continue;
            roots.values.clear();
            for (const int r : root_ids) roots.values.push_back(values[r]);
            heap.collect(roots);
            // What the copy cannot reach is gone; what it can must be as it was.
            std::map<int, Node> reached;
            std::vector<int> pending(root_ids);
            while (!pending.empty()) {
                const int n = pending.back();
                pending.pop_back();
                if (n < 0 || reached.contains(n)) continue;
                reached[n] = shadow[n];
                pending.insert(pending.end(), shadow[n].to.begin(), shadow[n].to.end());
            }
            shadow = reached;
            std::erase_if(values, [&](const auto& entry) { return !shadow.contains(entry.first); });
            for (const auto& [n, node] : shadow) {
                const Vector& v = as_vector(values[n]);
                REQUIRE(v.count == node.to.size() + 1);
                REQUIRE(v.elements[node.to.size()] == fix(n));
                for (size_t i = 0; i < node.to.size(); ++i) {
                    REQUIRE(v.elements[i] == (node.to[i] < 0 ? Value::null() : values[node.to[i]]));
                }
            }
        }
    }
}

} // namespace
} // namespace espalier
