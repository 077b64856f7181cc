// Random models: small, full of assignments, closures, calls, threads and waits, and nearly always able to
// run.
//
// Numbers, symbols and conditions are made apart, so that few runs end with a model error. Procedures call
// those before them, loops are bounded, and everything is marked with checkpoints.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace espalier {

class RandomModel {
public:
    explicit RandomModel(uint32_t seed) : random_(seed) {}

    std::string text() {
        std::string out =
            "(define-type colour (enum red green blue))\n"
            "(define-message A (n (int -3 12)) (c colour))\n"
            "(define-message B (flag bool))\n"
            "(define-message C (m A) (l (list-of int 2)))\n"
            "(define-message D)\n"
            "(define-port user in A B C D)\n"
            "(define-port out out A B C D)\n"
            "(define-channel c0)\n(define-channel c1)\n(define-timer t0)\n(define-timer t1)\n"
            "(define-record-type cell (make-cell v s) cell? (v cell-v set-cell-v!) (s cell-s set-cell-s!))\n"
            "(define g0 0)\n(define g1 'red)\n(define k " +
            number(0) +
            ")\n(define table (make-hash-table))\n"
            "(define store (make-vector 3 0))\n(define shared (make-cell 1 'green))\n(define hook (lambda "
            "(x) x))\n"
            "(define (pure x) (if (> x g0) (checkpoint pure) (modulo x 6)) (modulo x 4))\n";
        for (procedures_ = 0; procedures_ < 4; ++procedures_) {
            locals_ = {"a", "b"};
            out += "(define (f" + std::to_string(procedures_) + " a b)\n  " + body(3) + ")\n";
        }
        locals_.clear();
        if (coin()) out += machine();
        if (coin()) out += "(spawn-service " + server("c0") + ")\n";
        if (coin()) out += "(spawn-service " + server("c1") + ")\n";
        if (coin())
            out += "(spawn (let loop ((a 3) (b 0)) " + body_with_locals(2) +
                   " (receive c1) (if (> a 0) (loop (- a 1) b))))\n";
        locals_.clear();
        out += "(define (main a b)\n  " + wait() + "\n  (main " + "(- a 1) b))\n";
        if (has_machine_ && coin()) out += "(machine 1)\n";
        return out + "(main 5 1)\n";
    }

private:
    uint32_t below(size_t n) { return static_cast<uint32_t>(random_() % n); }
    bool coin() { return below(2) == 0; }
    std::string mark() { return "(checkpoint p" + std::to_string(marks_++) + ")"; }
    std::string local() { return locals_.empty() ? "g0" : locals_[below(locals_.size())]; }

    std::string number(int depth) {
        switch (below(depth > 0 ? 13 : 4)) {
        case 0: return std::to_string(static_cast<int>(below(9)) - 2);
        case 1: return "g0";
        case 2:
        case 3: return local();
        case 4: return "(+ " + number(depth - 1) + " " + number(depth - 1) + ")";
        case 5: return "(- " + number(depth - 1) + " " + number(depth - 1) + ")";
        case 6: return "(modulo " + number(depth - 1) + " 3)";
        case 7: return "(if " + condition(depth - 1) + " " + number(depth - 1) + " " + number(depth - 1) + ")";
        case 8: return "(vector-ref store (modulo " + number(depth - 1) + " 3))";
        case 9: return "(cell-v shared)";
        case 10: return "(hash-table-ref/default table " + number(depth - 1) + " 7)";
        case 11: return call(depth - 1);
        default:
            return "(fold-left + 0 (map (lambda (x) (+ x " + number(depth - 1) + ")) (list " + number(0) + " " +
                   number(0) + ")))";
        }
    }
    std::string symbol(int depth) {
        static const char* const colours[] = {"'red", "'green", "'blue"};
        switch (below(depth > 0 ? 5 : 3)) {
        case 0:
        case 1: return colours[below(3)];
        case 2: return coin() ? "g1" : "(cell-s shared)";
        case 3: return "(if " + condition(depth - 1) + " " + symbol(depth - 1) + " " + symbol(depth - 1) + ")";
        default: return "(car (list " + symbol(depth - 1) + " " + symbol(depth - 1) + "))";
        }
    }
    std::string condition(int depth) {
        static const char* const orders[] = {"<", "<=", ">", ">=", "="};
        switch (below(depth > 0 ? 7 : 3)) {
        case 0: return std::string("(") + orders[below(5)] + " " + number(depth - 1) + " " + number(depth - 1) + ")";
        case 1: return "(eq? " + symbol(depth - 1) + " " + symbol(depth - 1) + ")";
        case 2: return std::string("(") + orders[below(5)] + " " + local() + " " + std::to_string(below(4)) + ")";
        case 3: return "(and " + condition(depth - 1) + " " + condition(depth - 1) + ")";
        case 4: return "(or " + condition(depth - 1) + " " + condition(depth - 1) + ")";
        case 5: return "(not " + condition(depth - 1) + ")";
        default: return "(hash-table-contains? table " + number(depth - 1) + ")";
        }
    }
    std::string where(int depth) {
        in_where_ = true;
        std::string out = "(where " + condition(depth) + ")";
        in_where_ = false;
        return out;
    }
    std::string call(int depth) {
        if (in_where_) return "(pure " + number(depth) + ")"; // which may not assign, nor wait
        if (procedures_ == 0 || below(4) == 0) return "(hook " + number(depth) + ")";
        return "(f" + std::to_string(below(procedures_)) + " " + number(depth) + " " + number(depth) + ")";
    }
    std::string message() {
        switch (below(3)) {
        case 0: return "(A (modulo " + number(1) + " 9) " + symbol(1) + ")";
        case 1: return "(B " + condition(1) + ")";
        default: return "(D)";
        }
    }
    std::string statement(int depth) {
        const int less = depth - 1;
        switch (below(depth > 0 ? 19 : 4)) {
        case 0: return "(set! g0 (modulo " + number(1) + " 17))";
        case 1: return "(set! g1 " + symbol(1) + ")";
        case 2: return mark();
        case 3: return locals_.empty() ? mark() : "(set! " + local() + " (modulo " + number(1) + " 13))";
        case 4:
        case 5: return "(if " + condition(2) + " " + block(less) + " " + block(less) + ")";
        case 6: return "(when " + condition(2) + " " + block(less) + ")";
        case 7:
            return "(case " + symbol(1) + " ((red) " + block(less) + ") ((green) " + block(less) + ") (else " +
                   block(less) + "))";
        case 8: return "(send c" + std::to_string(below(2)) + " " + message() + ")";
        case 9: return "(write out " + message() + ")";
        case 10: return "(set-cell-v! shared (modulo " + number(1) + " 11))";
        case 11: return "(set-cell-s! shared " + symbol(1) + ")";
        case 12: return "(vector-set! store (modulo " + number(1) + " 3) (modulo " + number(1) + " 19))";
        case 13: return "(hash-table-set! table (modulo " + number(1) + " 5) (modulo " + number(1) + " 7))";
        case 14: return "(choose " + block(less) + " " + block(less) + ")";
        case 15: return "(start t" + std::to_string(below(2)) + " " + std::to_string(1 + below(20)) + ")";
        case 16: return let(less);
        case 17:
            return "(for-each (lambda (a) " + with_local("a", less) + ") (list " + number(1) + " " + number(1) + "))";
        default: return below(3) == 0 ? "(set! hook (lambda (a) " + with_local("a", less) + " (modulo a 5)))" : call(1);
        }
    }
    std::string with_local(const std::string& name, int depth) {
        locals_.push_back(name);
        std::string out = block(depth);
        locals_.pop_back();
        return out;
    }
    std::string let(int depth) {
        const std::string name = "v" + std::to_string(below(3));
        const std::string value = "(modulo " + number(2) + " 23)";
        const std::string loop = std::to_string(1 + below(3));
        if (coin()) return "(let ((" + name + " " + value + ")) " + with_local(name, depth) + " " + mark() + ")";
        return "(let loop ((" + name + " " + loop + ")) (if (> " + name + " 0) (begin " + block(depth) + " (loop (- " +
               name + " 1)))))";
    }
    std::string block(int depth) {
        std::string out = "(begin";
        for (uint32_t n = 1 + below(3); n > 0; --n) out += " " + statement(depth);
        return out + ")";
    }
    std::string body(int depth) {
        return statement(depth) + "\n  " + statement(depth) + "\n  (modulo " + number(2) + " 29)";
    }
    std::string body_with_locals(int depth) {
        locals_ = {"a", "b"};
        return block(depth);
    }
    std::string clause(const std::string& source, const std::string& then) {
        const std::string guard = coin() ? " " + where(2) : "";
        switch (below(5)) {
        case 0:
            return "((" + source + " (A n col))" + guard + " (if (eq? col " + symbol(0) + ") " + mark() + " " + mark() +
                   ") " + then + ")";
        case 1: return "((" + source + " (B flag)) (where flag) " + then + ")";
        case 2: return "((" + source + " D)" + guard + " " + then + ")";
        case 3:
            return "((" + source + " A as m)" + guard + " (if (> (A-n m) 2) " + mark() + " " + mark() + ") " + then +
                   ")";
        default:
            return "((" + source + " any as m)" + guard + " (cond ((A? m) " + mark() + ") ((B? m) " + mark() +
                   ") (else " + mark() + ")) " + then + ")";
        }
    }
    std::string wait() {
        locals_ = {"a", "b"};
        std::string out = "(select " + clause("user", block(2));
        for (uint32_t n = below(4); n > 0; --n) out += "\n    " + clause("user", block(2));
        if (coin()) out += "\n    ((timeout t0) " + block(2) + ")";
        if (coin()) out += "\n    ((after 9)" + (coin() ? " " + where(1) + " " : std::string(" ")) + block(2) + ")";
        return out + "\n    ((user any as m) " + block(1) + "))";
    }
    std::string server(const std::string& channel) {
        locals_ = {"a"};
        std::string out = "(let serve ((a 0)) (select " + clause(channel, block(2));
        for (uint32_t n = below(3); n > 0; --n) out += "\n    " + clause(channel, block(2));
        out += "\n    (else " + mark() + " " + block(1) + ")) (serve (modulo (+ a 1) 7)))";
        locals_.clear();
        return out;
    }
    std::string machine() {
        has_machine_ = true;
        locals_ = {"x"};
        static const char* const targets[] = {"-> one", "-> two", "-> (one 3)", "-> three (with (x 2))", ""};
        std::string out = "(define-machine (machine x)\n";
        for (const char* state : {"one", "two", "three"}) {
            out += std::string("  (state ") + state + "\n    (entry " + block(1) + ")\n";
            for (uint32_t n = 1 + below(3); n > 0; --n)
                out += "    (on (user " + std::string(coin() ? "(A n c)" : "D") + ") " + where(1) + " " + block(1) +
                       " " + targets[below(5)] + ")\n";
            out += std::string("    (on (user B) ") + (below(6) == 0 ? "-> done" : targets[below(4)]) + ")\n";
            if (coin()) out += "    (after 7 " + block(1) + " " + targets[below(5)] + ")\n";
            out += "    (ignores user))\n";
        }
        locals_.clear();
        return out + "  (state done (final x)))\n";
    }

    std::mt19937 random_;
    std::vector<std::string> locals_;
    uint32_t procedures_ = 0;
    uint32_t marks_ = 0;
    bool has_machine_ = false;
    bool in_where_ = false;
};

} // namespace espalier
