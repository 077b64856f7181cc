// What the tests of the runtime share: seeds, short names for values, and a program to print and check them
// by.
#pragma once

#include <cstdlib>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "lang/ir/ir.hpp"
#include "lang/ir/type.hpp"
#include "lang/values/equality.hpp"
#include "lang/values/heap.hpp"
#include "lang/values/number.hpp"
#include "lang/values/print.hpp"

namespace espalier::testing {

// `few` seeds, fifty times as many with ESPALIER_LONG=1, or the one in ESPALIER_SEED.
inline std::vector<unsigned> seeds(unsigned few) {
    if (const char* one = std::getenv("ESPALIER_SEED")) return {static_cast<unsigned>(std::strtoul(one, nullptr, 10))};
    const unsigned count = std::getenv("ESPALIER_LONG") != nullptr ? few * 50 : few;
    std::vector<unsigned> all;
    for (unsigned i = 0; i < count; ++i) all.push_back(i + 1);
    return all;
}

struct Random {
    explicit Random(unsigned seed) : engine(seed) {}
    size_t below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(engine); }
    bool one_in(size_t n) { return below(n) == 0; }
    std::mt19937 engine;
};

struct Roots : RootSet {
    std::vector<Value> values;
    void mark_roots(Marker& marker) override { marker.mark(values); }
};

inline Value fix(int64_t n) { return Value::fixnum(n); }
inline Value sym(std::string_view name) { return Value::symbol(intern(name)); }

inline Value list(Heap& heap, std::initializer_list<Value> elements) { return heap.list(std::vector<Value>(elements)); }
inline Value vec(Heap& heap, std::initializer_list<Value> elements) {
    return heap.vector(std::vector<Value>(elements));
}

inline Value fresh(Heap& heap, TypeId of, uint32_t number, bool distinct, Value others = Value::null()) {
    auto* f = static_cast<Fresh*>(heap.allocate(ObjectType::fresh, sizeof(Fresh), number));
    f->of = of;
    f->distinct_from_all = distinct ? 1 : 0;
    f->differs_from = others;
    f->told_apart = nullptr;
    return Value::object(f);
}

// Messages Invite (to, n) and Bye (), a record point (x, y), the ports user and network, a procedure `twice`,
// and types.
struct Example {
    Program program;
    Heap heap;
    enum Types : uint32_t { integer, seq, boolean, code, text, bytes4, ints3, invite, any_message, seq_list };

    Example() {
        program.messages.push_back({intern("Invite"), {}, {{intern("to"), TypeId{text}}, {intern("n"), TypeId{seq}}}});
        program.messages.push_back({intern("Bye"), {}, {}});
        program.records.push_back({intern("point"), {}, {intern("x"), intern("y")}});
        program.ports.push_back({intern("user"), {}, {}, {}});
        program.ports.push_back({intern("network"), {}, {}, {}});
        program.lambdas.emplace_back().name = intern("twice");
        const auto type = [this](auto kind, std::string_view name = {}) {
            program.types.push_back({kind, name.empty() ? Symbol{} : intern(name), {}});
        };
        type(type::Int{});
        type(type::Int{fix(0), fix(100)}, "seq");
        type(type::Bool{});
        type(type::Enum{{fix(100), fix(200), sym("ok")}});
        type(type::String{});
        type(type::Bytes{4});
        type(type::ListOf{TypeId{integer}, 3});
        type(type::OneOf{{MessageId{0}}});
        type(type::OneOf{{MessageId{0}, MessageId{1}}});
        type(type::ListOf{TypeId{seq}, 2});
    }

    Value message(uint32_t id, std::initializer_list<Value> fields) {
        Message* m = heap.message(MessageId{id}, fields.size());
        std::copy(fields.begin(), fields.end(), static_cast<Value*>(m->fields));
        return Value::object(m);
    }
    Value point(Value x, Value y) {
        Record* r = heap.record(RecordId{0}, 2);
        r->fields[0] = x;
        r->fields[1] = y;
        return Value::object(r);
    }
    std::string write(Value v) const { return to_text(program, v); }
    std::string display(Value v) const { return to_text(program, v, Style::display); }
};

} // namespace espalier::testing
