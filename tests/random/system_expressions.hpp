// Random expressions for RandomSystem: numbers and fractions, strings with their lengths, symbols, lists, and what is
// kept in records, vectors and tables. Most of them mean something for all values; a few are the author's mistakes.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace espalier::test {

// What a variable of a random system holds.
enum class Holds { number, fraction, truth, text, symbol, list, message };

struct Known {
    std::string name;
    Holds holds;
    bool assigned = false; // may be the operand of a set!
};

class SystemExpressions {
public:
    explicit SystemExpressions(uint32_t seed) : random_(seed) {}

protected:
    ~SystemExpressions() = default;

    uint32_t below(size_t n) { return static_cast<uint32_t>(random_() % n); }
    bool coin() { return below(2) == 0; }
    bool rarely(uint32_t n) { return below(n) == 0; }
    template <size_t N>
    std::string one_of(const char* const (&words)[N]) {
        return words[below(N)];
    }
    std::string digit(uint32_t n) { return std::to_string(below(n)); }
    std::string unique(const std::string& stem) { return stem + std::to_string(names_++); }

    // One that holds such a value, the latest more often; "" where there is none.
    std::string known(Holds holds) {
        std::vector<std::string> fit;
        for (const Known& k : scope_)
            if (k.holds == holds) fit.push_back(k.name);
        if (fit.empty()) return "";
        const size_t last = fit.size() > 3 && !rarely(4) ? 3 : fit.size();
        return fit[fit.size() - 1 - below(last)];
    }
    std::string known(Holds holds, const std::string& otherwise) {
        const std::string name = known(holds);
        return name.empty() ? otherwise : name;
    }

    std::string literal_number() { return one_of({"0", "1", "2", "3", "4", "5", "-1", "-2", "9"}); }
    std::string literal_text() { return one_of({"\"\"", "\"a\"", "\"b\"", "\"ab\"", "\"ba\"", "\"abc\"", "\"7\""}); }

    std::string number(int depth) {
        if (depth <= 0 || rarely(3)) return rarely(3) ? literal_number() : known(Holds::number, literal_number());
        const int less = depth - 1;
        switch (below(30)) {
        case 0:
        case 1:
        case 2: return "(+ " + number(less) + " " + number(less) + ")";
        case 3: return "(- " + number(less) + " " + number(less) + ")";
        case 4: return "(* " + one_of({"2", "3", "-2"}) + " " + number(less) + ")";
        case 5:
            return "(" + one_of({"modulo", "quotient", "remainder"}) + " " + number(less) + " " +
                   one_of({"2", "3", "-3"}) + ")";
        case 6: return "(" + one_of({"min", "max"}) + " " + number(less) + " " + number(less) + ")";
        case 7: return "(abs " + number(less) + ")";
        case 8: return "(if " + truth(less) + " " + number(less) + " " + number(less) + ")";
        case 9:
        case 10:
        case 11:
        case 12: return "(string-length " + string(less) + ")";
        case 13: return "(" + one_of({"floor", "ceiling", "round", "truncate"}) + " " + fraction(less) + ")";
        case 14: return "(" + one_of({"numerator", "denominator"}) + " " + fraction(less) + ")";
        case 15: return "(vector-ref slots (modulo " + number(less) + " 3))";
        case 16: return "(hash-table-ref/default book " + key(less) + " " + literal_number() + ")";
        case 17: return "(hash-table-count book)";
        case 18: return "(session-tries peer)";
        case 19: return "(length " + list(less) + ")";
        case 20: return "(apply " + one_of({"+", "max"}) + " 0 " + list(less) + ")";
        case 21: return "(or (string->number " + string(less) + ") " + literal_number() + ")";
        case 22:
            return "(let ((u " + string(less) +
                   ")) (if (> (string-length u) 0) (- (char->integer (string-ref u 0)) 97) 5))";
        case 23: return in_where_ ? number(less) : "(choose " + number(less) + " " + number(less) + ")";
        case 24:
        case 25: return call(less);
        case 26: return "(fold-left - " + literal_number() + " " + list(less) + ")";
        default: return in_where_ || !rarely(3) ? number(less) : risky_number(less);
        }
    }
    // Means nothing for some values: a model error.
    std::string risky_number(int depth) {
        switch (below(8)) {
        case 0: return "(quotient 9 " + number(depth) + ")";
        case 1: return "(vector-ref slots " + number(depth) + ")";
        case 2: return "(hash-table-ref book " + key(depth) + ")";
        case 3: return "(car " + list(depth) + ")";
        case 4: return "(string->number " + string(depth) + ")";
        case 5: return "(* " + number(depth) + " " + number(depth) + ")";
        case 6: return "(expt 2 (modulo " + number(depth) + " 4))";
        default: return number(depth);
        }
    }
    std::string fraction(int depth) {
        const int less = depth - 1;
        switch (below(depth <= 0 ? 3 : 6)) {
        case 0: return known(Holds::fraction, "1/2");
        case 1: return "(/ " + number(less) + " " + one_of({"2", "3", "-4"}) + ")";
        case 2: return "(* 2/3 " + number(less) + ")";
        case 3: return "(+ " + fraction(less) + " " + one_of({"1/2", "1/3", "-5/2"}) + ")";
        case 4: return "(- " + fraction(less) + " " + fraction(less) + ")";
        default: return rarely(3) ? "(/ 3 " + number(less) + ")" : "(max " + fraction(less) + " " + number(less) + ")";
        }
    }
    std::string string(int depth) {
        if (depth <= 0 || rarely(2)) return rarely(3) ? literal_text() : known(Holds::text, "word");
        const int less = depth - 1;
        switch (below(12)) {
        case 0:
        case 1:
        case 2: return "(string-append " + string(less) + " " + string(less) + ")";
        case 3: return "(number->string " + number(less) + ")";
        case 4: return "(symbol->string " + symbol(less) + ")";
        case 5: return "(string-" + one_of({"upcase", "downcase"}) + " " + string(less) + ")";
        case 6: return "(if " + truth(less) + " " + string(less) + " " + string(less) + ")";
        case 7: return "(let ((u " + string(less) + ")) (if (> (string-length u) 1) (substring u 1 2) u))";
        case 8: return "(list->string (reverse (string->list " + string(less) + ")))";
        case 9: return "(session-name peer)";
        case 10: return in_where_ ? string(less) : "(choose " + string(less) + " " + literal_text() + ")";
        default:
            return in_where_ || coin() ? string(less) : "(substring " + string(less) + " 0 " + one_of({"1", "2"}) + ")";
        }
    }
    std::string symbol(int depth) {
        if (depth > 0 && rarely(4)) return "(if " + truth(depth - 1) + " " + symbol(0) + " " + symbol(0) + ")";
        if (depth > 0 && rarely(8)) return "(string->symbol " + string(0) + ")";
        return coin() ? one_of({"'red", "'green", "'a"}) : known(Holds::symbol, "mood");
    }
    std::string list(int depth) {
        const int less = depth - 1;
        switch (below(depth <= 0 ? 2 : 6)) {
        case 0: return known(Holds::list, "'(1 2)");
        case 1: return "(list " + number(less) + " " + number(less) + ")";
        case 2: return "(cons " + number(less) + " " + list(less) + ")";
        case 3: return "(map (lambda (x) (+ x " + number(less) + ")) " + list(less) + ")";
        case 4: return "(filter (lambda (x) (< x " + number(less) + ")) " + list(less) + ")";
        default: return "(vector->list slots)";
        }
    }
    // Of the table `book`: any value can be one.
    std::string key(int depth) {
        switch (below(4)) {
        case 0: return string(depth);
        case 1: return symbol(depth);
        case 2: return "(list " + number(depth - 1) + " " + string(0) + ")";
        default: return number(depth);
        }
    }
    std::string truth(int depth) {
        const int less = depth - 1;
        switch (below(depth > 0 ? 22 : 9)) {
        case 0:
        case 1: return "(" + one_of({"<", "<=", ">", ">=", "="}) + " " + number(less) + " " + number(less) + ")";
        case 2:
        case 3: return "(" + one_of({"<", ">", "="}) + " " + known(Holds::number, "g0") + " " + literal_number() + ")";
        case 4:
        case 5: return "(" + one_of({"string=?", "equal?"}) + " " + known(Holds::text, "word") + " " + string(0) + ")";
        case 6:
            return "(" + one_of({"=", "<", ">="}) + " (string-length " + string(less) + ") " +
                   one_of({"0", "1", "2", "3"}) + ")";
        case 7: return known(Holds::truth, "flag");
        case 8: return "(eq? " + known(Holds::symbol, "mood") + " " + symbol(less) + ")";
        case 9:
        case 10: return "(and " + truth(less) + " " + truth(less) + ")";
        case 11: return "(or " + truth(less) + " " + truth(less) + ")";
        case 12: return "(not " + truth(less) + ")";
        case 13: return "(" + one_of({"<", ">=", "="}) + " " + fraction(less) + " " + fraction(less) + ")";
        case 14: return "(integer? " + fraction(less) + ")";
        case 15: return "(string" + one_of({"<?", ">=?", "-ci=?"}) + " " + string(less) + " " + string(less) + ")";
        case 16: return "(hash-table-contains? book " + key(less) + ")";
        case 17: return "(" + one_of({"even?", "zero?", "negative?"}) + " " + number(less) + ")";
        case 18: return "(memv " + number(less) + " " + list(less) + ")";
        case 19: return "(equal? " + key(less) + " " + key(less) + ")";
        case 20: return message_test();
        default: return "(string=? " + string(less) + " " + string(less) + ")";
        }
    }

    virtual std::string call(int depth) = 0; // a number
    virtual std::string message_test() = 0;  // a truth

    std::mt19937 random_;
    std::vector<Known> scope_;
    uint32_t names_ = 0;
    bool in_where_ = false;
};

} // namespace espalier::test
