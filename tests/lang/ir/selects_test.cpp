// The index of a select's clauses finds what trying them one after the other finds.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

#include "lang/ir/selects.hpp"
#include "tests/lang/ir_builder.hpp"
#include "tests/lang/values.hpp"

using namespace espalier;

namespace {

using Kind = SelectClause::Kind;
using Filter = SelectClause::Filter;
constexpr uint32_t none = ClauseIndex::none;

// A λ with one select, and what its author knows of the clauses' sources: those of one number are the same.
struct Example {
    Program program;
    std::vector<uint32_t> sources;                // by clause
    std::vector<std::optional<int64_t>> literals; // by clause: what its test compares the message's field with at first

    const terminator::Select& select() const {
        for (const Block& b : program.blocks)
            if (const auto* s = std::get_if<terminator::Select>(&b.terminator.kind)) return *s;
        throw std::logic_error("no select");
    }
    std::span<const SelectClause> clauses() const { return program.select_clauses(select()); }
};

Example random_select(unsigned seed) {
    testing::Random random(seed);
    ir::Builder builder;
    const TypeId number = builder.type(type::Int{});
    std::vector<MessageId> messages;
    for (int m = 0; m < 4; ++m) messages.push_back(builder.message("M" + std::to_string(m), {{"a", number}}));
    const Value ports[] = {builder.port("p", messages, {}), builder.port("q", {messages[1]}, {})};
    const GlobalId constant = builder.global("constant"), assigned = builder.global("assigned");
    builder.program().globals[index(assigned)].assigned = true;

    Example example;
    ir::Lambda& f = builder.lambda("f", 2);
    uint32_t others = 100; // sources that may be like no other
    const auto source = [&]() -> std::pair<VarId, uint32_t> {
        switch (random.below(6)) {
        case 0: return {f.constant(ports[0]), 0};
        case 1: return {f.constant(ports[1]), 1};
        case 2: return {f.global(constant), 2};
        case 3: return {f.global(assigned), others++};
        case 4: return {f.param(0), 3};
        default: return {f.param(1), 4};
        }
    };
    std::vector<SelectClause> clauses;
    for (size_t count = 1 + random.below(30); clauses.size() < count;) {
        const bool is_last = clauses.size() + 1 == count;
        SelectClause c;
        c.kind = random.below(8) != 0 ? Kind::message : is_last ? Kind::other : Kind::timer;
        c.filter = c.kind != Kind::message ? Filter::any : static_cast<Filter>(random.below(3));
        if (c.filter == Filter::message) c.message = messages[random.below(messages.size())];
        if (c.filter == Filter::bare) c.type = number;
        const auto [variable, same] = source();
        if (c.kind != Kind::other) c.source = variable;
        example.sources.push_back(c.kind == Kind::message ? same : others++);
        c.test = f.block(2);
        clauses.push_back(c);
    }
    f.select(clauses);
    for (const SelectClause& c : clauses) {
        f.at(c.test);
        example.literals.emplace_back();
        if (c.filter == Filter::message && !random.one_in(3)) {
            const auto literal = static_cast<int64_t>(random.below(4));
            const bool is_first = !random.one_in(4); // else something is done before that may fail
            if (!is_first) f.prim(Prim::add, {f.param(0), f.number(1)});
            if (is_first) example.literals.back() = literal;
            const VarId field = f.field(c.message, 0, f.block_param(c.test));
            const BlockId yes = f.block(), no = f.block();
            f.branch(f.prim(Prim::eqv, {field, f.number(literal)}), yes, no);
            f.at(yes).refuse();
            f.at(no);
        }
        f.refuse();
    }
    ir::Lambda& top = builder.lambda("top", 0);
    const VarId value = top.number(1);
    top.add(op::GlobalSet{constant, value, true});
    top.ret(value);
    example.program = builder.finish(top.id);
    return example;
}

// The first from `from` on that satisfies the predicate, found by trying them all.
template <typename F>
uint32_t first(const Example& e, uint32_t from, const F& fits) {
    for (uint32_t c = from; c < e.clauses().size(); ++c)
        if (fits(c, e.clauses()[c])) return c;
    return none;
}

void compare(const Example& e, const ClauseIndex& index, uint32_t source, uint32_t from) {
    const uint32_t same = e.sources[index.first_of(source)];
    CHECK(index.next_of(source, from) == first(e, from, [&](uint32_t c, auto&) { return e.sources[c] == same; }));
    std::vector<std::optional<MessageId>> types{std::nullopt};
    for (uint32_t m = 0; m < e.program.messages.size(); ++m) types.emplace_back(MessageId{m});
    for (const auto& type : types)
        CHECK(index.next_for(source, type, from) == first(e, from, [&](uint32_t c, const SelectClause& clause) {
                  return e.sources[c] == same && (clause.filter != Filter::message || type == clause.message);
              }));
}

} // namespace

TEST_CASE("an indexed look-up gives the candidates that trying all clauses gives, in their order") {
    for (const unsigned seed : testing::seeds(300)) {
        CAPTURE(seed);
        const Example e = random_select(seed);
        const Selects selects(e.program);
        const ClauseIndex& index = selects.of(e.select());
        REQUIRE(index.clause_count() == e.clauses().size());
        for (uint32_t s = 0; s < index.source_count(); ++s)
            for (uint32_t from = 0; from <= e.clauses().size(); ++from) compare(e, index, s, from);
        CHECK(index.other() == first(e, 0, [](uint32_t, auto& c) { return c.kind == Kind::other; }));
        for (uint32_t s = 1; s < index.source_count(); ++s) CHECK(index.first_of(s - 1) < index.first_of(s));
        for (uint32_t c = 0; c < e.clauses().size(); ++c) {
            const auto own = index.clauses_of(index.source_of(c));
            CHECK(std::find(own.begin(), own.end(), c) != own.end());
        }
    }
}

TEST_CASE("an indexed look-up passes over clauses whose first literal is another") {
    Heap heap;
    for (const unsigned seed : testing::seeds(300)) {
        CAPTURE(seed);
        const Example e = random_select(seed);
        const Selects selects(e.program);
        const ClauseIndex& index = selects.of(e.select());
        for (uint32_t m = 0; m < e.program.messages.size(); ++m)
            for (const int64_t sent : {-1, 0, 1, 2, 3}) { // -1: something that may equal any literal
                Message& message = *heap.message(MessageId{m}, 1);
                message.fields[0] = sent < 0 ? testing::fresh(heap, TypeId{0}, 1, false) : Value::fixnum(sent);
                const auto fits = [&](uint32_t c, const SelectClause& clause) {
                    if (clause.filter != Filter::message) return true;
                    return clause.message == MessageId{m} && (sent < 0 || e.literals[c].value_or(sent) == sent);
                };
                for (uint32_t s = 0; s < index.source_count(); ++s)
                    for (uint32_t from = 0; from <= e.clauses().size(); ++from)
                        CHECK(index.next_for(s, message, from) == first(e, from, [&](uint32_t c, auto& clause) {
                                  return index.source_of(c) == s && fits(c, clause);
                              }));
            }
    }
}

TEST_CASE("distinct clauses: the first of each type from each source") {
    for (const unsigned seed : testing::seeds(300)) {
        CAPTURE(seed);
        const Example e = random_select(seed);
        const Selects selects(e.program);
        std::vector<uint32_t> expected;
        const auto same = [&](uint32_t a, uint32_t b) {
            const SelectClause &x = e.clauses()[a], &y = e.clauses()[b];
            return e.sources[a] == e.sources[b] && x.filter == y.filter && x.message == y.message && x.type == y.type;
        };
        for (uint32_t c = 0; c < e.clauses().size(); ++c)
            if (std::none_of(expected.begin(), expected.end(), [&](uint32_t before) { return same(before, c); }))
                expected.push_back(c);
        const auto found = selects.of(e.select()).distinct();
        CHECK(std::vector<uint32_t>(found.begin(), found.end()) == expected);
    }
}

TEST_CASE("what a port carries in") {
    const Example e = random_select(1);
    const Selects selects(e.program);
    for (uint32_t p = 0; p < e.program.ports.size(); ++p)
        for (uint32_t m = 0; m < e.program.messages.size(); ++m) {
            const std::vector<MessageId>& in = e.program.ports[p].in;
            CHECK(selects.carries_in(PortId{p}, MessageId{m}) ==
                  (std::find(in.begin(), in.end(), MessageId{m}) != in.end()));
        }
}
