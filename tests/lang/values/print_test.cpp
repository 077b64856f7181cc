#include <doctest/doctest.h>

#include "lang/values/channel.hpp"
#include "lang/values/table.hpp"
#include "tests/lang/values.hpp"

namespace espalier {
namespace {

using testing::Example;
using testing::fix;
using testing::list;
using testing::sym;
using testing::vec;

TEST_CASE("plain data, as R7RS writes it") {
    Example e;
    Heap& h = e.heap;
    const auto n = [&h](const char* text) { return number::from_text(h, text); };
    CHECK(e.write(fix(-5)) == "-5");
    CHECK(e.write(n("123456789012345678901234567890")) == "123456789012345678901234567890");
    CHECK(e.write(n("-22/7")) == "-22/7");
    CHECK(e.write(Value::boolean(true)) == "#t");
    CHECK(e.write(Value::boolean(false)) == "#f");
    CHECK(e.write(Value::null()) == "()");
    CHECK(e.write(h.cons(fix(1), fix(2))) == "(1 . 2)");
    CHECK(e.write(list(h, {fix(1), fix(2), fix(3)})) == "(1 2 3)");
    CHECK(e.write(h.cons(fix(1), h.cons(fix(2), fix(3)))) == "(1 2 . 3)");
    CHECK(e.write(list(h, {list(h, {}), list(h, {list(h, {fix(1)})})})) == "(() ((1)))");
    CHECK(e.write(vec(h, {fix(1), vec(h, {}), list(h, {sym("a")})})) == "#(1 #() (a))");
    CHECK(e.write(h.cons(fix(1), vec(h, {fix(2)}))) == "(1 . #(2))");
    const uint8_t bytes[] = {0, 255};
    CHECK(e.write(h.bytevector(bytes)) == "#u8(0 255)");
    CHECK(e.write(h.bytevector({})) == "#u8()");
    CHECK(e.write(Value::unspecified()) == "#<unspecified>");
    CHECK(e.write(Value::any()) == "(any)");
}

TEST_CASE("quotations") {
    Example e;
    Heap& h = e.heap;
    CHECK(e.write(list(h, {sym("quote"), sym("x")})) == "'x");
    CHECK(e.write(list(h, {fix(1), list(h, {sym("quote"), list(h, {sym("a"), sym("b")})}), fix(2)})) == "(1 '(a b) 2)");
    CHECK(e.write(list(h, {sym("quasiquote"), list(h, {sym("unquote"), sym("x")})})) == "`,x");
    CHECK(e.write(list(h, {sym("unquote-splicing"), sym("x")})) == ",@x");
    CHECK(e.write(list(h, {sym("quote")})) == "(quote)");
    CHECK(e.write(list(h, {sym("quote"), fix(1), fix(2)})) == "(quote 1 2)");
    CHECK(e.write(h.cons(sym("quote"), sym("x"))) == "(quote . x)");
}

TEST_CASE("strings, characters and symbols") {
    Example e;
    Heap& h = e.heap;
    CHECK(e.write(h.string("a \"b\" \\ \n\t\r\a\b λ")) == R"("a \"b\" \\ \n\t\r\a\b λ")");
    CHECK(e.write(h.string(std::u32string(1, U'\x1'))) == "\"\\x1;\"");
    CHECK(e.write(h.string(std::u32string(1, U'\x7f'))) == "\"\\x7f;\"");
    CHECK(e.display(h.string("a \"b\" \n")) == "a \"b\" \n");
    CHECK(e.display(list(h, {h.string("a"), Value::character('b')})) == "(a b)");
    CHECK(e.write(Value::character('a')) == "#\\a");
    CHECK(e.write(Value::character(' ')) == "#\\space");
    CHECK(e.write(Value::character('\n')) == "#\\newline");
    CHECK(e.write(Value::character(0)) == "#\\null");
    CHECK(e.write(Value::character(0x7f)) == "#\\delete");
    CHECK(e.write(Value::character(1)) == "#\\x1");
    CHECK(e.write(Value::character(0x3bb)) == "#\\λ");
    CHECK(e.write(Value::character('(')) == "#\\(");
    CHECK(e.display(Value::character(0x3bb)) == "λ");
    CHECK(e.write(sym("->x")) == "->x");
    CHECK(e.write(sym("hello world")) == "|hello world|");
    CHECK(e.write(sym("")) == "||");
    CHECK(e.write(sym("12")) == "|12|");
    CHECK(e.write(sym("a|b\\c\n")) == "|a\\|b\\\\c\\n|");
    CHECK(e.display(sym("hello world")) == "hello world");
}

TEST_CASE("what a program defines") {
    Example e;
    Heap& h = e.heap;
    CHECK(e.write(e.message(0, {h.string("x"), fix(2)})) == "(Invite \"x\" 2)");
    CHECK(e.display(e.message(0, {h.string("x"), Value::any()})) == "(Invite x (any))");
    CHECK(e.write(e.message(1, {})) == "(Bye)");
    CHECK(e.write(list(h, {e.message(1, {}), fix(1)})) == "((Bye) 1)");
    CHECK(e.write(e.point(fix(1), list(h, {fix(2)}))) == "#<point 1 (2)>");
    CHECK(e.write(Value::object(h.closure(LambdaId{0}, 0))) == "#<procedure twice>");
    CHECK(e.write(Value::port(PortId{1})) == "network");
    HashTable* t = make_hash_table(h);
    t->set(h, fix(1), fix(2));
    CHECK(e.write(Value::object(t)) == "#<hash-table 1>");
    CHECK(e.write(Value::object(make_channel(h))) == "#<channel 1>");
    CHECK(e.write(Value::object(make_timer(h, false))) == "#<timer 1>");
    CHECK(e.write(testing::fresh(h, TypeId{0}, 3, true)) == "x3");
    const Value two[] = {fix(1), fix(2)};
    CHECK(e.write(h.values(two)) == "#<values 1 2>");
    CHECK(e.write(h.values({})) == "#<values>");
    CHECK(to_text(nullptr, e.message(1, {}), Style::write, 100) == "#<message>");
    CHECK(to_text(nullptr, e.point(fix(1), fix(2)), Style::write, 100) == "#<record 1 2>");
}

TEST_CASE("cycles are named, shared parts are not taken for cycles") {
    Example e;
    const Value v = vec(e.heap, {fix(1), Value::null()});
    as_vector(v).elements[1] = e.heap.cons(v, Value::null());
    CHECK(e.write(v) == "#(1 (#<cycle>))");
    const Value p = e.point(fix(1), fix(2));
    as_record(p).fields[1] = p;
    CHECK(e.write(p) == "#<point 1 #<cycle>>");
    const Value shared = vec(e.heap, {fix(1)});
    CHECK(e.write(vec(e.heap, {shared, shared})) == "#(#(1) #(1))");
}

TEST_CASE("depth costs no stack, and size has an end") {
    Example e;
    Heap& h = e.heap;
    Value deep = Value::null(), quoted = sym("x");
    for (int i = 0; i < 300'000; ++i) {
        deep = i % 2 == 0 ? list(h, {deep}) : vec(h, {deep});
        quoted = list(h, {sym("quote"), quoted});
    }
    CHECK(e.write(deep).size() == 2 + 300'000 * 2 + 150'000);
    CHECK(e.write(quoted) == std::string(300'000, '\'') + "x");
    Value doubled = vec(h, {});
    for (int i = 0; i < 64; ++i) doubled = vec(h, {doubled, doubled});
    const std::string text = e.write(doubled);
    CHECK(text.size() < (size_t{17} << 20));
    CHECK(text.ends_with("…"));
    CHECK(to_text(nullptr, h.string("äöü"), Style::write, 4) == "\"ä…");
    CHECK(to_text(nullptr, h.string("abc"), Style::write, 5) == "\"abc\"");
}

} // namespace
} // namespace espalier
