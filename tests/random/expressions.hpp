// Random expressions over typed variables: nearly all of them mean something, a few are the author's mistakes.
#pragma once

#include <random>
#include <string>
#include <utility>
#include <vector>

namespace espalier::test {

enum class Sort { number, truth, symbol, text, numbers, bytes, odd, message };

struct Variable {
    std::string name;
    Sort sort;
    bool assigned = false; // may be the operand of a set!
};

class RandomExpressions {
public:
    explicit RandomExpressions(uint32_t seed) : random_(seed) {}

protected:
    uint32_t below(size_t n) { return static_cast<uint32_t>(random_() % n); }
    bool coin() { return below(2) == 0; }
    bool rarely(uint32_t n) { return below(n) == 0; }
    template <size_t N>
    std::string one_of(const char* const (&words)[N]) {
        return words[below(N)];
    }
    std::string digit(uint32_t n) { return std::to_string(below(n)); }
    std::string unique(const char* stem) { return stem + std::to_string(names_++); }

    std::string variable(Sort sort, const std::string& otherwise) {
        std::vector<const Variable*> fit;
        for (const Variable& v : scope_)
            if (v.sort == sort) fit.push_back(&v);
        if (fit.empty()) return otherwise;
        const size_t last = fit.size() > 3 && !rarely(4) ? 3 : fit.size(); // the latest hold inputs
        return fit[fit.size() - 1 - below(last)]->name;
    }

    std::string number(int depth) {
        const int less = depth - 1;
        if (depth <= 0 || rarely(3)) {
            if (rarely(4)) return std::to_string(static_cast<int>(below(8)) - 2);
            return variable(Sort::number, digit(5));
        }
        switch (below(28)) {
        case 23: return "(hash-table-ref/default names " + key() + " " + digit(3) + ")";
        case 24:
            if (in_where_) return number(less);
            return "(choose (begin (took 0) " + number(less) + ") (begin (took 1) " + number(less) + "))";
        case 25:
            if (in_where_) return number(less); // which may not assign, nor choose
            return "(let ((v (vector " + number(less) + " " + number(less) + "))) (vector-fill! v " + number(0) +
                   ") (vector-ref v (bitwise-and " + number(0) + " 1)))";
        case 26: return "(either " + number(less) + (coin() ? " " + number(less) : "") + ")";
        case 0:
        case 1: return "(+ " + number(less) + " " + number(less) + ")";
        case 2: return "(- " + number(less) + " " + number(less) + ")";
        case 3: return "(* " + digit(4) + " " + number(less) + ")";
        case 4: return "(modulo " + number(less) + " " + one_of({"2", "3", "-3", "5"}) + ")";
        case 5: return "(quotient " + number(less) + " " + one_of({"2", "-2", "3"}) + ")";
        case 6: return "(remainder " + number(less) + " " + one_of({"2", "3", "-4"}) + ")";
        case 7: return "(if " + truth(less) + " " + number(less) + " " + number(less) + ")";
        case 8: return "(vector-ref cells (modulo " + number(less) + " 3))";
        case 9: return "(hash-table-ref/default table " + number(less) + " " + digit(4) + ")";
        case 10: return "(cell-v shared)";
        case 11: return call(less);
        case 12: return "(bitwise-and " + number(less) + " " + one_of({"1", "6", "-2", "255"}) + ")";
        case 13:
            return "(" + one_of({"bitwise-or", "bitwise-xor"}) + " " + number(less) + " " + one_of({"1", "5", "-3"}) +
                   ")";
        case 14: return "(arithmetic-shift " + number(less) + " " + one_of({"1", "-1", "2"}) + ")";
        case 15: return "(" + one_of({"min", "max"}) + " " + number(less) + " " + number(less) + ")";
        case 16: return "(abs " + number(less) + ")";
        case 17: return "(length " + numbers(less) + ")";
        case 18: return "(fold-left + " + number(0) + " " + numbers(less) + ")";
        case 19: return "(string-length " + word() + ")";
        case 20: return "(bytevector-length " + bytes() + ")";
        case 21: return "(apply + " + numbers(less) + ")";
        case 22: return "(let ((l " + numbers(less) + ")) (if (pair? l) (car l) " + number(0) + "))";
        default:
            if (in_where_ && safe_guards_) return number(less);
            if (rarely(4)) return "(vector-ref cells " + number(less) + ")"; // may be out of range
            if (rarely(4)) return "(quotient 7 " + number(less) + ")";       // may divide by zero
            if (rarely(4)) return "(* " + number(less) + " " + number(less) + ")";
            if (rarely(4)) return "(floor (/ " + number(less) + " 2))";
            if (rarely(4)) return "(list-ref " + numbers(less) + " " + number(0) + ")";
            return "(call-with-values (lambda () (floor/ " + number(less) + " 3)) (lambda (q r) (- q r)))";
        }
    }
    std::string numbers(int depth) {
        const int less = depth - 1;
        switch (below(depth > 0 ? 7 : 3)) {
        case 0: return "(list " + number(less) + " " + number(less) + ")";
        case 1: return variable(Sort::numbers, "'(1 2)");
        case 2: return "(list " + number(less) + ")";
        case 3: return "(map (lambda (x) (+ x " + number(less) + ")) " + numbers(less) + ")";
        case 4: return "(filter (lambda (x) (> x " + number(less) + ")) " + numbers(less) + ")";
        case 5: return "(reverse " + numbers(less) + ")";
        default: return "(append " + numbers(less) + " " + numbers(less) + ")";
        }
    }
    std::string symbol(int depth) {
        if (depth > 0 && rarely(4))
            return "(if " + truth(depth - 1) + " " + symbol(depth - 1) + " " + symbol(depth - 1) + ")";
        return coin() ? "'" + one_of({"red", "green", "blue"}) : variable(Sort::symbol, "mood");
    }
    std::string word() { return rarely(3) ? one_of({"\"ok\"", "\"\"", "\"no\""}) : variable(Sort::text, "word"); }
    // Of the table `names`: any value can be one.
    std::string key() {
        switch (below(5)) {
        case 0: return variable(Sort::message, "'red");
        case 1: return variable(Sort::text, "word");
        case 2: return variable(Sort::odd, "7");
        case 3: return "(list " + number(0) + " " + symbol(0) + ")";
        default: return symbol(1);
        }
    }
    std::string bytes() { return variable(Sort::bytes, "#u8(1 2)"); }

    std::string truth(int depth) {
        const int less = depth - 1;
        switch (below(depth > 0 ? 24 : 7)) {
        case 19: return "(hash-table-contains? names " + key() + ")";
        case 20: return "(equal? " + variable(Sort::message, "flag") + " " + variable(Sort::message, "'red") + ")";
        case 21: return "(string=? (symbol->string " + variable(Sort::symbol, "mood") + ") \"red\")";
        case 22: return "(eqv? " + variable(Sort::odd, "g0") + " " + variable(Sort::odd, "g1") + ")";
        case 0:
        case 1: return "(" + one_of({"<", "<=", ">", ">=", "="}) + " " + number(less) + " " + number(less) + ")";
        case 2: return "(" + one_of({"<", ">", "="}) + " " + variable(Sort::number, "g0") + " " + digit(4) + ")";
        case 3: return "(eq? " + variable(Sort::symbol, "mood") + " " + symbol(less) + ")";
        case 4: return variable(Sort::truth, "#t");
        case 5: return "(" + one_of({"string=?", "equal?"}) + " " + variable(Sort::text, "word") + " " + word() + ")";
        case 6:
            if (rarely(4) && !(in_where_ && safe_guards_))
                return "(< " + variable(Sort::odd, "g0") + " 8)"; // may be no number
            return "(equal? " + variable(Sort::odd, "g0") + " " + one_of({"#f", "7", "\"x\"", "'sym"}) + ")";
        case 7:
        case 8: return "(and " + truth(less) + " " + truth(less) + ")";
        case 9: return "(or " + truth(less) + " " + truth(less) + ")";
        case 10: return "(not " + truth(less) + ")";
        case 11: return "(hash-table-contains? table " + number(less) + ")";
        case 12: return "(memv " + number(less) + " " + numbers(less) + ")";
        case 13: return "(" + one_of({"even?", "zero?", "negative?"}) + " " + number(less) + ")";
        case 14: return "(equal? " + numbers(less) + " " + numbers(less) + ")";
        case 15: return "(null? " + numbers(less) + ")";
        case 16: return "(equal? " + bytes() + " " + one_of({"#u8(0)", "#u8()", "(bytevector 1 2)"}) + ")";
        case 17: return variable(Sort::odd, "#f"); // any value is a truth
        case 18: return message_test();
        default: return "(assv " + number(less) + " (list (cons " + number(0) + " 1) (cons 3 " + number(0) + ")))";
        }
    }

    virtual std::string call(int depth) = 0; // a number
    virtual std::string message_test() = 0;  // a truth
    ~RandomExpressions() = default;

    std::mt19937 random_;
    std::vector<Variable> scope_;
    uint32_t names_ = 0;
    bool in_where_ = false, safe_guards_ = false;
};

} // namespace espalier::test
