// Texts that are short and would take for ever if the analysis followed every way through them.
#include "tests/flowanalysis/analysed.hpp"

using namespace espalier;

TEST_CASE("a condition that comes through many joins is traced in a bounded number of steps") {
    // 60 ways into each of eight joins: 60 to the power of 8 ways to where the condition was made.
    std::string text = "(define c (read))\n(define (f)\n  (let* ((v0 (> c 0))\n";
    for (int level = 1; level <= 8; ++level) {
        text += "         (v" + std::to_string(level) + " (cond";
        for (int i = 0; i < 60; ++i) text += " ((= c " + std::to_string(i) + ") v" + std::to_string(level - 1) + ")";
        text += " (else #f)))\n";
    }
    text += ") (if v8 (checkpoint a) (checkpoint b))))\n(f)";
    CHECK(unreachable(text) == Names{});
}

TEST_CASE("a long literal is told apart at its beginning only") {
    std::string list;
    for (int i = 0; i < 100'000; ++i) list += " s" + std::to_string(i);
    const std::string text = "(define l '(" + list + R"())
        (if (eq? (car l) 's0) (checkpoint first) (checkpoint other))
        (if (memq 's99999 l) (checkpoint last) (checkpoint none))
        (let ((last (list-ref l 99999)))
          (if (eq? last 's99999) (checkpoint right) (checkpoint wrong))))";
    CHECK(unreachable(text) == Names{"other"});
}

TEST_CASE("a call with thousands of arguments") {
    std::string arguments;
    for (int i = 0; i < 5'000; ++i) arguments += " 's" + std::to_string(i);
    CHECK(unreachable("(define l (list" + arguments + R"())
        (if (eq? (car l) 's0) (checkpoint first) (checkpoint other))
        (if (memq 's4999 l) (checkpoint last) (checkpoint none)))") == Names{"other"});
}
