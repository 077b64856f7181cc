// The reader's syntax: each kind of token, where data stand, and what is said about mistakes. Texts go in,
// the printed data or the errors come out.
#include <doctest/doctest.h>

#include "tests/lang/reading.hpp"

using namespace espalier;
using namespace std::string_literals;

TEST_CASE("lists, dots, vectors and quotations") {
    CHECK(printed("") == "");
    CHECK(printed(" \t\r\n\f ; only a comment") == "");
    CHECK(printed("()") == "()");
    CHECK(printed("(a (b) . c)(d . (e . (f)))") == "(a (b) . c) (d e f)");
    CHECK(printed("#() #(1 #(2) (3)) #u8() #u8(0 255 #xff #e1.0) #U8(7)") ==
          "#() #(1 #(2) (3)) #u8() #u8(0 255 255 1) #u8(7)");
    CHECK(printed("'a `(b ,c ,@d) ''e '()") ==
          "(quote a) (quasiquote (b (unquote c) (unquote-splicing d))) (quote (quote e)) (quote ())");
    CHECK(printed("(a . 'b)") == "(a quote b)");
    CHECK(printed("(a'b)(a,b)(c ,d)") == "(a'b) (a,b) (c (unquote d))");
}

TEST_CASE("comments") {
    CHECK(printed("a ; b\nc") == "a c");
    CHECK(printed("a ; b\rc") == "a c");
    CHECK(printed("a #| b #| c |# d ||# e #||# f #|#|# |#|# g") == "a e f g");
    CHECK(printed("#;a b #;(c d) e #; #| f |# ; g\n h i") == "b e i");
    CHECK(printed("#;#;a b c (#;#;a b) (#;a) (a #;b) (a . b #;c) (a #;b . c) (a . #;b c)") ==
          "c () () (a) (a . b) (a . c) (a . c)");
    CHECK(printed("'#;a b #;'a b (1 #;#(2 #;3) 4)") == "(quote b) b (1 4)");
    CHECK(printed("#;1.5 #;(+inf.0 #0=(a) #0# 1+i [x]) a") ==
          "a"); // `#;` is how one leaves out what is not in the language
}

TEST_CASE("symbols") {
    CHECK(printed("+ - ... .. -> ->x +foo -- +.x +.. .x +@ a.b <=? !$%&*/:<=>?^_~ b:id=1,true f#1 λ naïve "
                  "日本 +infinity -inf i") == "+ - ... .. -> ->x +foo -- +.x +.. .x +@ a.b <=? "
                                              "!$%&*/:<=>?^_~ b:id=1,true f#1 λ naïve 日本 +infinity -inf i");
    CHECK(printed("|a| |a b| || |\\x41;\\x3bb;| |a\\|b\\\\\\t| |1| |+i| |-inf.0| |.| |#t| |A\nB| |(|") ==
          R"(a |a b| || Aλ |a\|b\\\t| |1| |+i| |-inf.0| |.| |#t| |A\nB| |(|)");
    CHECK(printed("Abc abc ABC") == "Abc abc ABC");
    const Reading same("foo |foo| f|oo|");
    REQUIRE(same.top.size() == 4);
    CHECK(same.data.symbol(same.top[0]) == same.data.symbol(same.top[1]));
    CHECK(same.printed() == "foo foo f oo");
    CHECK(errors("1+ 2x -1a .5x +. @a a\\b 1,2 \x01") ==
          "1:1 `1+` is neither a number nor a symbol\n1:4 `2x` is neither a number nor a symbol\n"
          "1:7 `-1a` is neither a number nor a symbol\n1:11 `.5x` is neither a number nor a symbol\n"
          "1:15 `+.` is neither a number nor a symbol\n1:18 `@a` is neither a number nor a symbol\n"
          "1:21 `a\\b` is neither a number nor a symbol\n1:25 `1,2` is neither a number nor a symbol\n"
          "1:29 `\x01` is neither a number nor a symbol");
    CHECK(errors("a\u00A0b \u201Cq\u201D") == "1:2 U+00A0 in a symbol\n1:5 U+201C in a symbol");
}

TEST_CASE("booleans and characters") {
    CHECK(printed("#t #f #true #false #T #FALSE (#t)#f") == "#t #f #t #f #t #f (#t) #f");
    CHECK(errors("#tr #trues #falsey #t1") == "1:1 `#tr` is not known\n1:5 `#trues` is not known\n1:12 "
                                              "`#falsey` is not known\n1:20 `#t1` is not known");
    CHECK(printed("#\\a #\\A #\\space #\\newline #\\tab #\\nul #\\null #\\altmode #\\backspace #\\delete "
                  "#\\escape #\\alarm #\\return") ==
          "#\\a #\\A #\\space #\\newline #\\tab #\\null #\\null #\\escape #\\backspace #\\delete #\\escape "
          "#\\alarm #\\return");
    CHECK(printed("#\\x41 #\\x #\\X #\\x3bb #\\λ #\\x0 #\\x10FFFF #\\x200B") ==
          "#\\A #\\x #\\X #\\λ #\\λ #\\null #\\x10ffff #\\x200b");
    CHECK(printed("(#\\() (#\\)) #\\; #\\\" #\\# #\\' #\\| #\\  a") ==
          "(#\\() (#\\)) #\\; #\\\" #\\# #\\' #\\| #\\space a");
    CHECK(errors("#\\foo #\\xD800 #\\x110000 #\\xfffffffff #\\Space") ==
          "1:1 `#\\foo` is not a character\n1:7 U+D800 is not a character\n1:15 U+110000 is not a character\n"
          "1:25 `#\\xfffffffff` is not a character\n1:38 `#\\Space` is not a character");
    CHECK(errors("#\\") == "1:1 no character follows `#\\`");
}

TEST_CASE("strings") {
    CHECK(printed(R"("" "abc" "\a\b\t\n\r\"\\\|\x41;\x3bb;\X42;")") ==
          "\"\" \"abc\" \"\\x7;\\x8;\\t\\n\\xd;\\\"\\\\|AλB\"");
    CHECK(printed("\"a\nb\" \"a\r\nb\" \"a\rb\"") == R"("a\nb" "a\nb" "a\nb")");
    CHECK(printed("\"a\\\n   b\" \"a \\ \t\r\n\tb\" \"a\\\n\n b\"") == R"("ab" "a b" "a\n b")");
    CHECK(printed("\"a\"b\"c\"") == "\"a\" b \"c\"");
    CHECK(printed("\"λ日😀\"") == "\"λ日😀\"");
    CHECK(errors("\"a\\qb\" \"\\x41\" \"\\xD800;\" \"\\x;\" \"\\x110000;\"") ==
          "1:3 `\\q` is not an escape\n1:9 `\\x` is not an escape\n1:16 `\\xD800;` is not an escape\n"
          "1:26 `\\x` is not an escape\n1:32 `\\x110000;` is not an escape");
    const Reading nul("\"a\\x0;b\"");
    CHECK(nul.data.text(nul.top[0]) == "a\0b"s);
}

TEST_CASE("exact numbers, canonical") {
    CHECK(printed("0 -0 +7 007 -12 1/2 4/2 6/4 -6/4 +6/4 0/5") == "0 0 7 7 -12 1/2 2 3/2 -3/2 3/2 0");
    CHECK(printed("#b101 #o-17 #d10 #xFf #x-fF/10 #e5 #e#x10 #x#e10 #B1 #XaB/Ab") ==
          "5 -15 10 255 -255/16 5 16 16 1 1");
    CHECK(printed("#e1.5 #e-.25 #e1. #e1e3 #e1E-3 #e1.50e+1 #e0.0 #e-0e5") == "3/2 -1/4 1 1000 1/1000 15 0 0");
    CHECK(printed("9223372036854775807 -9223372036854775808 9223372036854775808 -9223372036854775809") ==
          "9223372036854775807 -9223372036854775808 9223372036854775808 -9223372036854775809");
    CHECK(printed("#x123456789abcdef0123456789 00000000000000000000000000000012 36893488147419103232/2") ==
          "90144042682896311822508713865 12 18446744073709551616");
    const Reading kinds("9223372036854775807 9223372036854775808 1/2 18446744073709551616/18446744073709551616");
    CHECK(kinds.data.is(kinds.top[0], DatumKind::integer));
    CHECK(kinds.data.integer(kinds.top[0]) == INT64_MAX);
    CHECK(kinds.data.is(kinds.top[1], DatumKind::number));
    CHECK(kinds.data.is(kinds.top[2], DatumKind::number));
    CHECK(kinds.data.integer(kinds.top[3]) == 1);
    CHECK(errors("1/0 #x1/00 #b12 #xg 1/ /1/ 1//2 #e #x #b#b1 #e1/2.5 1e #x1.5") ==
          "1:1 the denominator is zero\n1:5 the denominator is zero\n1:12 `#b12` is not known\n1:17 `#xg` is "
          "not known\n"
          "1:21 `1/` is neither a number nor a symbol\n1:28 `1//2` is neither a number nor a symbol\n"
          "1:33 `#e` is not known\n1:36 `#x` is not known\n1:39 `#b#b1` is not known\n1:45 `#e1/2.5` is not "
          "known\n"
          "1:53 `1e` is neither a number nor a symbol\n1:56 `#x1.5` is not known");
}

TEST_CASE("numbers that are not in the language") {
    const std::string inexact = "inexact numbers are not in the language";
    for (const char* text : {"1.5", "1.", ".5", "-.5", "1e3", "+1E-3", "#i1", "#i1/2", "#x#i10", "+inf.0", "-INF.0",
                             "+nan.0", "#e+inf.0"}) {
        CAPTURE(text);
        CHECK(errors(text) == "1:1 " + inexact);
    }
    CHECK(Reading("1.5").diagnostics.all()[0].hint == "the exact number is 3/2");
    CHECK(Reading("-2.50e-1").diagnostics.all()[0].hint == "the exact number is -1/4");
    CHECK(Reading("1e999999999").diagnostics.all()[0].hint == "use an exact rational, such as 3/2");
    for (const char* text : {"+i", "-I", "1+i", "1-2i", "+2i", "1/2+3/4i", "1@2", "+inf.0i", "1+inf.0i", "1.5e3-.5i",
                             "#xA+Bi", "+inf.0-nan.0i"}) {
        CAPTURE(text);
        CHECK(errors(text) == "1:1 complex numbers are not in the language");
    }
    CHECK(errors("#e1e999999999") == "1:1 a number of more than 100000 digits");
    CHECK(errors("#e91999e99999") == "1:1 a number of more than 100000 digits");
    CHECK(errors("#x" + std::string(90'000, 'f')) == "1:1 a number of more than 100000 digits");
    CHECK(errors("#e1e99999") == "");
    CHECK(errors(std::string(100'001, '7')) == "1:1 a number of more than 100000 digits");
    CHECK(printed(std::string(100'000, '7')) == std::string(100'000, '7'));
}

TEST_CASE("spans are exact") {
    const Reading r("\xEF\xBB\xBF ; c\r\n(define (λ x) . #(\"a\\n\" #\\( ))\r\n 'x #;y |a b| 12/8 #u8(1 2)");
    REQUIRE(r.errors() == "");
    REQUIRE(r.top.size() == 5);
    const DatumId list = r.top[0];
    CHECK(r.source(list) == "(define (λ x) . #(\"a\\n\" #\\( ))");
    CHECK(r.data[list].span.begin == 9);
    CHECK(r.sources.place(r.data[list].span) == "m.scm:2:1");
    CHECK(r.source(r.data.car(list)) == "define");
    const DatumId second = r.data.cdr(list);
    CHECK(r.source(second) == "(λ x)");
    const DatumId inner = r.data.car(second);
    CHECK(r.source(inner) == "(λ x)");
    CHECK(r.source(r.data.cdr(inner)) == "x");
    CHECK(r.source(r.data.cdr(r.data.cdr(inner))) == ")");
    const DatumId vector = r.data.cdr(second);
    CHECK(r.source(vector) == "#(\"a\\n\" #\\( )");
    CHECK(r.source(r.data.elements(vector)[0]) == "\"a\\n\"");
    CHECK(r.source(r.data.elements(vector)[1]) == "#\\(");
    const DatumId quotation = r.top[1];
    CHECK(r.source(quotation) == "'x");
    CHECK(r.source(r.data.car(quotation)) == "'");
    CHECK(r.source(r.data.cdr(quotation)) == "x");
    CHECK(r.source(r.data.car(r.data.cdr(quotation))) == "x");
    CHECK(r.source(r.data.cdr(r.data.cdr(quotation))) == "");
    CHECK(r.source(r.top[2]) == "|a b|");
    CHECK(r.source(r.top[3]) == "12/8");
    CHECK(r.source(r.top[4]) == "#u8(1 2)");
    CHECK(r.sources.place(r.data[r.top[1]].span) == "m.scm:3:2");
    const Reading empty("( ) #( )");
    CHECK(empty.source(empty.top[0]) == "( )");
    CHECK(empty.source(empty.top[1]) == "#( )");
}
