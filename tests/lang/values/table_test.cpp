#include "lang/values/table.hpp"

#include <doctest/doctest.h>

#include <list>
#include <map>

#include "lang/values/channel.hpp"
#include "tests/lang/values.hpp"

namespace espalier {
namespace {

using testing::fix;
using testing::Random;

std::vector<std::pair<Value, Value>> entries(const HashTable& table) {
    std::vector<std::pair<Value, Value>> all;
    for (const HashTable::Entry& e : table.entries()) {
        if (e.live()) all.emplace_back(e.key, e.value);
    }
    return all;
}

TEST_CASE("order is that of insertion, and replacing keeps the place") {
    Heap heap;
    HashTable& t = *make_hash_table(heap);
    for (const char* key : {"c", "a", "b"}) t.set(heap, heap.string(key), fix(0));
    t.set(heap, heap.string("a"), fix(1));
    CHECK(t.size() == 3);
    CHECK(entries(t)[1].second == fix(1));
    CHECK(t.erase(heap.string("c")));
    CHECK(!t.erase(heap.string("c")));
    t.set(heap, heap.string("c"), fix(2));
    CHECK(to_utf8(as_string(entries(t)[0].first)) == "a");
    CHECK(to_utf8(as_string(entries(t)[2].first)) == "c");
    t.clear();
    CHECK(t.size() == 0);
    CHECK(t.find(heap.string("a")) == nullptr);
    t.set(heap, fix(5), fix(6));
    CHECK(*t.find(fix(5)) == fix(6));
}

TEST_CASE("keys of all kinds, compared with equal?") {
    Heap heap;
    HashTable& t = *make_hash_table(heap);
    const auto key = [&heap](int i) -> Value {
        switch (i) {
        case 0: return fix(1);
        case 1: return heap.string("1");
        case 2: return testing::sym("1");
        case 3: return Value::character('1');
        case 4: return testing::list(heap, {fix(1)});
        case 5: return testing::vec(heap, {fix(1)});
        case 6: return number::from_text(heap, "1/2");
        case 7: return number::from_text(heap, "100000000000000000000");
        case 8: return Value::null();
        case 9: return Value::boolean(false);
        case 10: return heap.string("");
        default: return heap.bytevector({});
        }
    };
    for (int i = 0; i < 12; ++i) t.set(heap, key(i), fix(i));
    CHECK(t.size() == 12);
    for (int i = 0; i < 12; ++i) {
        CAPTURE(i);
        REQUIRE(t.find(key(i)) != nullptr);
        CHECK(*t.find(key(i)) == fix(i));
    }
}

TEST_CASE("agrees with a map that remembers order") {
    for (const unsigned seed : testing::seeds(10)) {
        CAPTURE(seed);
        Random random(seed);
        Heap heap;
        HashTable& t = *make_hash_table(heap);
        std::list<std::pair<int64_t, int64_t>> order;
        std::map<int64_t, std::list<std::pair<int64_t, int64_t>>::iterator> by_key;
        const size_t keys = 1 + random.below(300);
        const size_t deletions = 2 + random.below(4);
        const bool strings = random.one_in(2);
        const auto value_of = [&](int64_t n) { return strings ? heap.string(std::to_string(n)) : fix(n); };
        for (int step = 0; step < 20'000; ++step) {
            const auto key = static_cast<int64_t>(random.below(keys));
            const auto known = by_key.find(key);
            if (random.one_in(deletions)) {
                REQUIRE(t.erase(value_of(key)) == (known != by_key.end()));
                if (known != by_key.end()) {
                    order.erase(known->second);
                    by_key.erase(known);
                }
            } else if (random.one_in(3)) {
                const Value* found = t.find(value_of(key));
                REQUIRE((found != nullptr) == (known != by_key.end()));
                if (found != nullptr) REQUIRE(*found == fix(known->second->second));
            } else {
                t.set(heap, value_of(key), fix(step));
                if (known != by_key.end())
                    known->second->second = step;
                else
                    by_key[key] = order.insert(order.end(), {key, step});
            }
            REQUIRE(t.size() == by_key.size());
            if (random.one_in(5000)) {
                t.clear();
                order.clear();
                by_key.clear();
            }
            if (!random.one_in(200)) continue;
            const auto all = entries(t);
            REQUIRE(all.size() == order.size());
            REQUIRE(t.entries().size() <= 2 * t.size() + 8);
            size_t i = 0;
            for (const auto& [k, v] : order) {
                REQUIRE(equal(all[i].first, value_of(k)));
                REQUIRE(all[i++].second == fix(v));
            }
        }
    }
}

TEST_CASE("a channel is first in, first out") {
    Heap heap;
    Channel& c = *make_channel(heap);
    int64_t sent = 0, received = 0;
    Random random(1);
    for (int i = 0; i < 20'000; ++i) {
        if (c.empty() || random.below(5) < 3)
            c.send(heap, fix(sent++));
        else
            REQUIRE(c.receive() == fix(received++));
        REQUIRE(c.size() == static_cast<size_t>(sent - received));
        if (!c.empty()) {
            REQUIRE(c.front() == fix(received));
            REQUIRE(c[c.size() - 1] == fix(sent - 1));
            REQUIRE(c.content().size() == c.size());
        }
    }
    while (!c.empty()) REQUIRE(c.receive() == fix(received++));
    c.send(heap, fix(1));
    c.clear();
    CHECK(c.empty());
}

} // namespace
} // namespace espalier
