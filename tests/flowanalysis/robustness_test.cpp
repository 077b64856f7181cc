// Texts that are short and would take for ever if the analysis followed every way through them.
#include "analysed.hpp"

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
