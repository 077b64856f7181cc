// Very many literals that a message is compared with: each question is answered from what the path excludes.
#include <doctest/doctest.h>

#include <functional>

#include "tests/symexec/finding.hpp"

using namespace espalier;
using namespace espalier::test;

namespace {

std::string repeated(int count, const std::function<std::string(const std::string& i)>& line) {
    std::string text;
    for (int i = 0; i < count; ++i) text += line(std::to_string(i)) + "\n";
    return text;
}

// Clauses for all values but the last, for the last, and for what is left then; and a second message that is compared
// with the first.
std::string model(int n, const std::string& type, const std::function<std::string(const std::string& i)>& literal) {
    const std::string last = literal(std::to_string(n - 1));
    return "(define-message M (k " + type + ")) (define-port p in M)\n(define (again k) (select\n" +
           "((p (M l)) (where (equal? k l)) (checkpoint same))\n((p (M l)) (checkpoint other))))\n(select\n" +
           repeated(n - 1, [&](auto i) { return "((p (M " + literal(i) + ")) (checkpoint c" + i + "))"; }) +
           "((p (M k)) (where (equal? k " + last + ")) (checkpoint last) (again k))\n((p (M k)) (checkpoint none)))";
}

void check(const std::string& text, size_t n) {
    for (const bool validate : {false, true}) {
        ExploreOptions options;
        options.chain.validate = validate;
        const Found f = find(text, options);
        CHECK(f.covered.size() == n + 2); // each value, and both of the second message
        CHECK(f.missed == Names{"none"});
        CHECK(f.exploration.complete);
        CHECK(!f.exploration.internal_error);
        if (!validate) CHECK(f.exploration.statistics.z3_queries <= 10); // those that compare two inputs
    }
}

} // namespace

TEST_CASE("all values of a long enum, one after the other") {
    for (const int n : {64, 65, 100}) {
        CAPTURE(n);
        const auto literal = [](const std::string& i) { return "'s" + i; };
        check(model(n, "(enum " + repeated(n, [](auto i) { return "s" + i; }) + ")", literal), static_cast<size_t>(n));
    }
}

TEST_CASE("all values of a range, one after the other") {
    for (const int n : {3, 64, 100}) {
        CAPTURE(n);
        std::string range = "(int ";
        range.append(std::to_string(-n / 2)).append(" ").append(std::to_string(n - 1 - n / 2)).append(")");
        check(model(n, range, [&](const std::string& i) { return std::to_string(std::stoi(i) - n / 2); }),
              static_cast<size_t>(n));
    }
}
