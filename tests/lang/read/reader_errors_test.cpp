// What the reader says about text that is not data: at the place where the author would look, several at
// once, and what was good is still read.
#include <doctest/doctest.h>

#include "tests/lang/reading.hpp"

using namespace espalier;
using namespace std::string_literals;

TEST_CASE("not text at all") {
    CHECK(errors("(a\n \xff)") == "2:2 the file is not UTF-8: byte 0xFF");
    CHECK(errors("é\xC3") == "1:2 the file is not UTF-8: byte 0xC3");
    CHECK(errors("\xC0\xAF") == "1:1 the file is not UTF-8: byte 0xC0");         // overlong
    CHECK(errors("ab\xED\xA0\x80") == "1:3 the file is not UTF-8: byte 0xED");   // a surrogate
    CHECK(errors("\xF4\x90\x80\x80") == "1:1 the file is not UTF-8: byte 0xF4"); // above U+10FFFF
    CHECK(errors("12345678\x80") == "1:9 the file is not UTF-8: byte 0x80");
    CHECK(errors("(a b)\n(c \0 d)"s) == "2:4 a NUL byte in the file");
    const Reading utf16("\xFF\xFE(\0a\0"s);
    CHECK(utf16.diagnostics.all().at(0).hint == "it looks like UTF-16; save it as UTF-8");
    CHECK(utf16.top.empty());
}

TEST_CASE("byte order mark and line ends") {
    CHECK(printed("\xEF\xBB\xBF(a)") == "(a)");
    CHECK(printed("\xEF\xBB\xBF") == "");
    CHECK(printed("(a\r\n b)\r\n; c\r\nd") == "(a b) d");
    CHECK(errors("\xEF\xBB\xBF)\r\n\r\n )") == "1:1 `)` closes nothing: there is no open `(` before it\n"
                                               "3:2 `)` closes nothing: there is no open `(` before it");
    CHECK(errors("a \xEF\xBB\xBF b") == "1:3 U+FEFF in a symbol");
}

TEST_CASE("an unclosed bracket is reported where it opened") {
    const Reading r("(a b)\n(define (f x)\n  (g x)");
    CHECK(r.errors() == "2:1 unclosed `(`");
    CHECK(r.printed() == "(a b)");
    const Diagnostic& error = r.diagnostics.all()[0];
    REQUIRE(error.notes.size() == 1);
    CHECK(error.notes[0].text == "expected `)` before the file's end");
    CHECK(r.sources.place(error.notes[0].span) == "m.scm:3:8");

    const Reading deep("(a (b #(c");
    CHECK(deep.errors() == "1:7 unclosed `#(`");
    CHECK(deep.diagnostics.all()[0].notes.at(0).text == "the outermost of 3 opens here");
    CHECK(deep.sources.place(deep.diagnostics.all()[0].notes.at(0).span) == "m.scm:1:1");
    CHECK(deep.diagnostics.all()[0].notes.at(1).text == "expected 3 more `)` before the file's end");
    CHECK(errors("#u8(1 2") == "1:1 unclosed `#u8(`");
}

TEST_CASE("after an unclosed bracket, reading goes on at the next line that begins with one") {
    const Reading r("(define (f x)\n  (g x\n(define (h x)\n  1.5)\n(define z 1)\n(define (k\n(a ')\n(b");
    CHECK(r.errors() == "4:3 inexact numbers are not in the language\n7:4 no datum follows `'`, only `)`\n"
                        "2:3 unclosed `(`\n6:9 unclosed `(`\n8:1 unclosed `(`");
    CHECK(r.printed() == "(define z 1)");
    const Diagnostic& first = r.diagnostics.all()[2];
    REQUIRE(first.notes.size() == 3);
    CHECK(first.notes[1].text == "this looks like the next form: are 2 `)` missing before it?");
    CHECK(r.sources.place(first.notes[1].span) == "m.scm:3:1");
}

TEST_CASE("unterminated tokens are reported where they start") {
    CHECK(errors("(a \"bc)\n\n") == "1:4 unterminated string");
    CHECK(errors("(a |bc)\n\n") == "1:4 unterminated |symbol|");
    CHECK(errors("(a #| b #| c |# \n\n") == "1:4 unterminated block comment");
    CHECK(errors("\"a\\") == "1:1 unterminated string");
    const Reading r("(a \"b)\n(c d)\n(e)");
    CHECK(r.errors() == "1:4 unterminated string");
    CHECK(r.printed() == "(c d) (e)");
}

TEST_CASE("brackets and dots in wrong places") {
    CHECK(errors("(a))\n)") == "1:4 `)` closes nothing: there is no open `(` before it\n"
                               "2:1 `)` closes nothing: there is no open `(` before it");
    CHECK(errors("(a]") == "1:3 `]` where `)` is expected");
    CHECK(errors("[a b] {c}") == "1:1 `[` is not in the language\n1:7 `{` is not in the language");
    CHECK(errors("]") == "1:1 `]` closes nothing: there is no open `(` before it");
    CHECK(errors(". a") == "1:1 `.` has no place here");
    CHECK(errors("( . a)") == "1:3 `.` has no place here");
    CHECK(errors("#(a . b)") == "1:5 `.` has no place here");
    CHECK(errors("(a . b . c)") == "1:8 `.` has no place here\n1:10 only one datum may follow the `.` of a list");
    CHECK(errors("(a . )") == "1:6 no datum follows the `.` of this list");
    CHECK(errors("(a . b c)") == "1:8 only one datum may follow the `.` of a list");
    CHECK(errors("(a '. b)") == "1:5 `.` has no place here");
    CHECK(errors("(a ')") == "1:4 no datum follows `'`, only `)`");
    CHECK(errors("(a #;)") == "1:4 no datum follows `#;`, only `)`");
    CHECK(errors("(a . #;b)") == "1:9 no datum follows the `.` of this list");
    CHECK(errors("a '`,@") == "1:5 no datum follows `,@`, only the end of the file");
    CHECK(errors("(a '") == "1:4 no datum follows `'`, only the end of the file\n1:1 unclosed `(`");
    CHECK(errors("#;") == "1:1 no datum follows `#;`, only the end of the file");
}

TEST_CASE("what R7RS has and the language does not is named") {
    CHECK(errors("#0=(a #0#)") == "1:1 datum labels are not in the language\n1:7 datum labels are not in the language");
    CHECK(errors("#!fold-casing") == "1:1 `#!fold-casing` is not known");
    CHECK(errors("#!eof #foo #vu8(1) # #<x>") ==
          "1:1 `#!eof` is not known\n1:7 `#foo` is not known\n"
          "1:12 `#vu8` is not known\n1:20 `#` is not known\n1:22 `#<x>` is not known");
    CHECK(errors("#u8(256 -1 a () 1/2)") == "1:5 an element of a bytevector is an integer from 0 to 255\n"
                                            "1:9 an element of a bytevector is an integer from 0 to 255\n"
                                            "1:12 an element of a bytevector is an integer from 0 to 255\n"
                                            "1:14 an element of a bytevector is an integer from 0 to 255\n"
                                            "1:17 an element of a bytevector is an integer from 0 to 255");
    CHECK(errors("#u8(1.5)") == "1:5 inexact numbers are not in the language");
}

TEST_CASE("a mistake leaves out the top-level datum around it, and no other") {
    CHECK(Reading("(a) (b (c 1.5)) (d) #!fold (e) ) (f) . (g) #;(1x) (h) #\\foo (i) \"\\q\" (j) #0=k l").printed() ==
          "(a) (d) (e) (f) (g) (h) (i) (j) l");
}

TEST_CASE("twenty errors are enough") {
    std::string text;
    for (int i = 0; i < 100; ++i) text += "(a 1.5)\n";
    CHECK(Reading(text).diagnostics.error_count() == 20);
    text.clear();
    for (int i = 0; i < 100; ++i) text += "\n(a";
    CHECK(Reading(text).diagnostics.error_count() == 20);
    text = "#u8(";
    for (int i = 0; i < 100; ++i) text += "a ";
    CHECK(Reading(text + ")").diagnostics.error_count() == 20);
    text = "\"";
    for (int i = 0; i < 100; ++i) text += "\\q";
    CHECK(Reading(text + "\"").diagnostics.error_count() == 20);
    CHECK(Reading(std::string(1000, ')')).diagnostics.error_count() == 20);
}
