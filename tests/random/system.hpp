// Random models of a second kind, for the laws of verdicts: strings and their lengths, computed delays, assumptions
// that end paths, loops that wait for nothing, machines with nested states and `after`, threads that feed each other,
// records and tables. Unlike RandomProtocol they need no hooks, and many go on for ever.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/random/system_expressions.hpp"

namespace espalier::test {

class RandomSystem : SystemExpressions {
public:
    explicit RandomSystem(uint32_t seed) : SystemExpressions(seed) {}

    std::string text() {
        scope_ = {{"g0", Holds::number, true},   {"g1", Holds::number, true},  {"word", Holds::text, true},
                  {"mood", Holds::symbol, true}, {"flag", Holds::truth, true}, {"kept", Holds::list, true}};
        std::string out = declarations();
        statements_ = 4;
        for (uint32_t n = below(3); n > 0; --n) out += procedure();
        statements_ = 4 + below(14);
        waits_ = 1 + below(3);
        has_threads_ = rarely(3);
        if (has_threads_) out += threads();
        if (rarely(8)) out += settings();
        switch (below(has_threads_ ? 4 : 3)) {
        case 0:
            out += machine() + result_of("(machine " + literal_number() + " " + one_of({"1", "2", "3"}) + ")");
            break;
        case 1: out += script(); break;
        case 2: out += rarely(2) ? server() : script(); break;
        default: out += mark() + "\n"; break; // the threads are all there is
        }
        return out;
    }

protected:
    // ── Declarations ──

    struct Field {
        std::string name, type;
        Holds holds;
    };
    struct Kind {
        std::string name;
        std::vector<Field> fields;
    };

    Field field(uint32_t number) {
        const std::string stem(1, static_cast<char>('p' + number));
        switch (below(11)) {
        case 0: return {stem, "(int 0 3)", Holds::number};
        case 1: return {stem, "(int -2 9)", Holds::number};
        case 2: return {stem, "(enum 1 4 9)", Holds::number};
        case 3: return {stem, "int", Holds::number};
        case 4:
        case 5: return {stem, "string", Holds::text};
        case 6: return {stem, "(enum \"\" \"a\" \"ab\" \"abc\")", Holds::text};
        case 7: return {stem, "(enum \"b\" \"7\")", Holds::text};
        case 8: return {stem, "bool", Holds::truth};
        case 9: return {stem, "(enum red green a)", Holds::symbol};
        default: return {stem, "(list-of (int 0 2) 2)", Holds::list};
        }
    }
    std::string declarations() {
        std::string out, names, side_names;
        for (uint32_t i = 0, n = 2 + below(2); i < n; ++i) {
            Kind kind{"M" + std::to_string(i), {}};
            for (uint32_t f = 0, fields = i == 0 ? 1 + below(3) : below(3); f < fields; ++f)
                kind.fields.push_back(field(f));
            out += "(define-message " + kind.name;
            for (const Field& f : kind.fields) out += " (" + f.name + " " + f.type + ")";
            out += limit_of(kind) + ")\n";
            names += " " + kind.name;
            if (i > 0) side_names += " " + kind.name;
            kinds_.push_back(kind);
        }
        out += "(define-message Item (k int) (t string))\n(define-message Stop)\n";
        out += "(define-port user in" + names + ")\n(define-port side in" + side_names + ")\n";
        out += "(define-port net (out Item Stop" + names + "))\n";
        out += "(define-channel c0)\n(define-channel c1)\n(define-channel c2)\n";
        out += "(define-timer t0)\n(define-timer t1" + std::string(rarely(4) ? " early" : "") + ")\n";
        out += "(define-record-type session (make-session name tries) session?\n"
               "  (name session-name set-session-name!) (tries session-tries set-session-tries!))\n";
        out += "(define g0 " + literal_number() + ")\n(define g1 0)\n(define word " + literal_text() +
               ")\n(define mood 'red)\n(define flag " + one_of({"#t", "#f"}) +
               ")\n(define kept '(1))\n(define book (make-hash-table))\n(define slots (vector 0 1 2))\n"
               "(define peer (make-session \"a\" 0))\n(define (pure x) (if (> x g0) (- x g0) 1))\n";
        return out;
    }
    std::string limit_of(const Kind& kind) {
        if (kind.fields.empty() || !rarely(3)) return "";
        const Field& f = kind.fields[below(kind.fields.size())];
        switch (f.holds) {
        case Holds::number:
            return " (where (" + one_of({"<", ">", "<="}) + " " + f.name + " " + one_of({"2", "3", "4"}) + "))";
        case Holds::text:
            return " (where (" + one_of({"<=", "<", ">"}) + " (string-length " + f.name + ") " +
                   one_of({"1", "2", "3"}) + "))";
        case Holds::list: return " (where (< (length " + f.name + ") 2))";
        default: return "";
        }
    }
    std::string settings() {
        scope_.push_back({"mode", Holds::symbol, false});
        return "(define mode (choose 'red 'green))\n";
    }
    std::string procedure() {
        const size_t scope = scope_.size();
        const std::string name = "f" + std::to_string(procedures_);
        scope_.push_back({"a", Holds::number, true});
        std::string out = "(define (" + name + " a)\n  ";
        if (rarely(3)) out += block(1) + "\n  ";
        if (rarely(4)) // goes around, as often as its argument says
            out += "(if (> a 0) (+ 1 (" + name + " (- a 1))) " + number(1) + "))\n";
        else
            out += number(2) + ")\n";
        scope_.resize(scope);
        ++procedures_;
        return out;
    }

    // ── Statements ──

    std::string mark() {
        return rarely(6) ? "(requirement \"R" + std::to_string(marks_++) + "\" \"it is so\")"
                         : "(checkpoint p" + std::to_string(marks_++) + ")";
    }
    std::string call(int depth) override {
        if (in_where_ || procedures_ == 0) return "(pure " + number(depth) + ")";
        return "(f" + std::to_string(below(procedures_)) + " " + number(depth) + ")";
    }
    std::string message_test() override {
        const std::string m = known(Holds::message);
        return m.empty() ? "flag" : "(" + kinds_[below(kinds_.size())].name + "? " + m + ")";
    }
    std::string item() { return rarely(6) ? "(Stop)" : "(Item " + number(1) + " " + string(1) + ")"; }
    std::string delay() {
        switch (below(8)) {
        case 0:
        case 1: return one_of({"1", "2", "3", "5"});
        case 2: return "(+ 1 (modulo " + number(1) + " 3))";
        case 3: return "(+ 1 (string-length " + string(1) + "))";
        case 4: return "(max 1 " + number(1) + ")";
        case 5: return "(+ 1 (abs " + number(1) + "))";
        case 6: return "(if " + truth(1) + " 2 5)";
        default: return number(1); // may be none
        }
    }
    std::string block(int depth) {
        std::string out = "(begin " + mark();
        for (uint32_t n = 1 + below(2); n > 0; --n) out += " " + statement(depth);
        if (rarely(4)) out += " " + mark();
        return out + ")";
    }
    std::string statement(int depth) {
        if (depth <= 0 || statements_ == 0) return rarely(3) ? assumption() : mark();
        --statements_;
        const int less = depth - 1;
        switch (below(30)) {
        case 0:
        case 1:
        case 2:
        case 3:
        case 4: return "(if " + truth(2) + " " + block(less) + " " + block(less) + ")";
        case 5: return "(when " + truth(2) + " " + block(less) + ")";
        case 6:
            return "(cond (" + truth(2) + " " + block(less) + ") (" + truth(1) + " " + mark() + ") (else " +
                   statement(less) + "))";
        case 7: return "(case " + symbol(1) + " ((red) " + block(less) + ") ((green a) " + mark() + "))";
        case 8:
            return "(case " + number(1) + " ((0 1) " + mark() + ") ((4) " + block(less) + ") (else " + mark() + "))";
        case 9:
        case 10:
        case 11: return assignment();
        case 12: return "(write net " + item() + ")";
        case 13: return "(send c" + digit(2) + " " + item() + ")";
        case 14: return "(hash-table-set! book " + key(1) + " " + number(1) + ")";
        case 15:
            return coin() ? "(hash-table-delete! book " + key(1) + ")"
                          : "(vector-set! slots (modulo " + number(1) + " 3) " + number(1) + ")";
        case 16:
            return coin() ? "(set-session-tries! peer " + number(1) + ")"
                          : "(set-session-name! peer " + string(1) + ")";
        case 17: return "(start t" + digit(2) + " " + delay() + ")";
        case 18: return "(stop t" + digit(2) + ")";
        case 19:
        case 20: return assumption();
        case 21:
            return coin() ? "(assert " + truth(2) + ")" : "(if " + truth(2) + " (error \"bad\" " + number(1) + "))";
        case 22:
        case 23: return loop(less);
        case 24: return "(choose " + block(less) + " " + block(less) + ")";
        case 25: return let(less);
        case 26:
            return rarely(2) ? "(let ((id (fresh int))) (hash-table-set! book id 1) (write net (Item id \"\")))"
                             : "(hash-table-update!/default book " + key(1) + " (lambda (x) (+ x 1)) 0)";
        case 27: return "(for-each (lambda (e) " + with({"e", Holds::number}, less) + ") " + list(1) + ")";
        default: return wait(less);
        }
    }
    std::string assignment() {
        std::vector<Known> fit;
        for (const Known& k : scope_)
            if (k.assigned) fit.push_back(k);
        const Known k = fit[below(fit.size())];
        switch (k.holds) {
        case Holds::number: return "(set! " + k.name + " " + number(2) + ")";
        case Holds::fraction: return "(set! " + k.name + " " + fraction(2) + ")";
        case Holds::truth: return "(set! " + k.name + " " + truth(2) + ")";
        case Holds::text: return "(set! " + k.name + " " + string(2) + ")";
        case Holds::symbol: return "(set! " + k.name + " " + symbol(2) + ")";
        case Holds::list: return "(set! " + k.name + " " + list(1) + ")";
        case Holds::message: break;
        }
        return mark();
    }
    std::string assumption() { return rarely(4) ? "(assume #f)" : "(assume " + truth(2) + ")"; }
    std::string with(const Known& k, int depth) {
        scope_.push_back(k);
        std::string out = block(depth);
        scope_.pop_back();
        return out;
    }
    // Turns without a wait: a few times, as often as a value says, until something holds, or for ever.
    std::string loop(int depth) {
        const std::string name = unique("turn"), i = unique("i");
        const Known counter{i, Holds::number};
        switch (below(8)) {
        case 0: return "(let " + name + " () (when " + truth(1) + " (" + name + ")))";
        case 1: return rarely(3) ? "(let " + name + " () (" + name + "))" : mark();
        case 2:
        case 3:
            return "(do ((" + i + " 0 (+ " + i + " 1))) ((= " + i + " " + number(1) + ")) " + with(counter, depth - 1) +
                   ")";
        case 4:
            return "(let " + name + " ((" + i + " " + number(1) + ")) (if (> " + i + " 0) (begin " +
                   with(counter, depth - 1) + " (" + name + " (- " + i + " 1)))))";
        default:
            return "(do ((" + i + " 0 (+ " + i + " 1))) ((>= " + i + " " + one_of({"2", "3"}) + ")) " +
                   with(counter, depth) + ")";
        }
    }
    std::string let(int depth) {
        const std::string v = unique("v");
        switch (below(5)) {
        case 0: return "(let ((" + v + " " + number(2) + ")) " + with({v, Holds::number, true}, depth) + ")";
        case 1: return "(let ((" + v + " " + fraction(2) + ")) " + with({v, Holds::fraction, true}, depth) + ")";
        case 2: return "(let ((" + v + " " + list(2) + ")) " + with({v, Holds::list, true}, depth) + ")";
        case 3:
            return "(let-values (((" + v + " r" + v + ") (floor/ " + number(1) + " 3))) " +
                   with({v, Holds::number}, depth) + ")";
        default: return "(let ((" + v + " " + string(2) + ")) " + with({v, Holds::text, true}, depth) + ")";
        }
    }

    // ── Waits ──

    std::string where() {
        in_where_ = true;
        std::string out = " (where " + truth(2) + ")";
        in_where_ = false;
        return out;
    }
    // Binds the fields of a message.
    std::string pattern(const Kind& kind) {
        std::string out = "(" + kind.name;
        for (const Field& f : kind.fields) {
            const std::string name = unique(f.name);
            if (f.type == "int" && rarely(5)) {
                out += " " + literal_number();
            } else if (f.type == "string" && rarely(5)) {
                out += " " + literal_text();
            } else {
                out += " " + name;
                scope_.push_back({name, f.holds});
            }
        }
        return out + ")";
    }
    std::string clause(const std::string& source, const Kind& kind, int depth) {
        const size_t scope = scope_.size();
        std::string trigger;
        if (rarely(4)) {
            const std::string m = unique("m");
            trigger = kind.name + " as " + m;
            scope_.push_back({m, Holds::message});
        } else {
            trigger = pattern(kind);
        }
        std::string out = "((" + source + " " + trigger + ")" + (rarely(3) ? where() : "") + " " + remember(scope) +
                          block(depth) + ")";
        scope_.resize(scope);
        return out;
    }
    // What came in lives on in the globals.
    std::string remember(size_t from) {
        std::string out;
        for (size_t i = from; i < scope_.size(); ++i) {
            if (!rarely(3)) continue;
            const std::string& name = scope_[i].name;
            switch (scope_[i].holds) {
            case Holds::number: out += "(set! g" + digit(2) + " " + name + ") "; break;
            case Holds::text: out += "(set! word " + name + ") "; break;
            case Holds::truth: out += "(set! flag " + name + ") "; break;
            case Holds::symbol: out += "(set! mood " + name + ") "; break;
            case Holds::list: out += "(set! kept " + name + ") "; break;
            case Holds::fraction:
            case Holds::message: break;
            }
        }
        return out;
    }
    const Kind& any_kind(bool on_side) {
        return on_side ? kinds_[1 + below(kinds_.size() - 1)] : kinds_[below(kinds_.size())];
    }
    std::string wait(int depth) {
        if (waits_ == 0) return mark();
        --waits_;
        if (rarely(5)) return read(depth);
        std::string out = "(select " + clause("user", any_kind(false), depth);
        if (coin()) out += "\n    " + clause("user", any_kind(false), depth);
        if (rarely(3)) out += "\n    " + clause("side", any_kind(true), depth);
        if (rarely(3)) out += "\n    ((user any) " + block(depth) + ")";
        if (rarely(3))
            out += "\n    ((timeout t" + digit(2) + ")" + (rarely(4) ? where() : "") + " " + block(depth) + ")";
        if (rarely(2)) out += "\n    ((after " + delay() + ") " + block(depth) + ")";
        if (has_threads_ && rarely(3)) out += "\n    " + from_channel("c1", depth);
        return out + ")";
    }
    std::string read(int depth) {
        const std::string v = unique("v");
        switch (below(4)) {
        case 0: return "(let ((" + v + " (read))) " + with({v, Holds::number}, depth) + ")";
        case 1: return "(let ((" + v + " (read string))) " + with({v, Holds::text}, depth) + ")";
        case 2: return "(let ((" + v + " (read (int 0 4)))) " + with({v, Holds::number}, depth) + ")";
        default: return "(let ((" + v + " (read user))) " + with({v, Holds::message}, depth) + ")";
        }
    }

    // ── What runs ──

    std::string result_of(const std::string& expression) {
        return coin() ? expression + "\n" + mark() + "\n"
                      : "(if (eqv? " + expression + " 1) " + mark() + " " + mark() + ")\n";
    }
    std::string script() {
        std::string out;
        for (uint32_t n = 1 + below(3); n > 0; --n) out += wait(3) + "\n" + (coin() ? statement(2) + "\n" : "");
        return out + mark() + "\n";
    }
    std::string server() {
        const size_t scope = scope_.size();
        scope_.push_back({"n", Holds::number, true});
        std::string out = "(define (serve n)\n  " + wait(2) + "\n  " + (coin() ? statement(1) : mark()) +
                          "\n  (serve " + (coin() ? "(+ n 1)" : number(1)) + "))\n(serve 0)\n";
        scope_.resize(scope);
        return out;
    }
    std::string from_channel(const std::string& channel, int depth) {
        const size_t scope = scope_.size();
        std::string out;
        if (rarely(4)) {
            out = "((" + channel + " any) " + block(depth) + ")";
        } else {
            const std::string k = unique("k"), t = unique("t");
            scope_.push_back({k, Holds::number});
            scope_.push_back({t, Holds::text});
            out =
                "((" + channel + " (Item " + k + " " + t + "))" + (rarely(3) ? where() : "") + " " + block(depth) + ")";
        }
        scope_.resize(scope);
        return out;
    }
    std::string threads() {
        std::string out;
        const auto spawn = [&] { return coin() ? "(spawn-service " : "(spawn "; };
        // One that works on what others send, and may pass it on.
        out += std::string(spawn()) + "(let work () (select " + from_channel("c0", 2);
        if (coin()) out += "\n    " + from_channel("c0", 1);
        if (rarely(3)) out += "\n    ((c0 Stop) " + mark() + ")";
        if (rarely(3)) out += "\n    ((after " + delay() + ") " + block(1) + ")";
        if (!rarely(3)) out += "\n    (else " + mark() + ")";
        out += ") " + (coin() ? "(send c1 " + item() + ") " : mark()) + (rarely(4) ? ")" : " (work))") + ")\n";
        // One that feeds it from outside.
        if (coin()) {
            const size_t scope = scope_.size();
            const Kind& kind = any_kind(true);
            const std::string names = pattern(kind);
            out += std::string(spawn()) + "(do ((n 0 (+ n 1))) ((= n " + one_of({"1", "2"}) + ")) (select ((side " +
                   names + ") (send c0 " + item() + ") " + mark() + "))))\n";
            scope_.resize(scope);
        }
        // Questions with a channel for the answer.
        if (coin()) {
            out += "(define (ask n) (let ((answer (make-channel))) (send c2 (cons answer n)) (receive answer)))\n";
            out += "(spawn-service (let reply () (let ((q (receive c2))) " + mark() + " (send (car q) (if (> (cdr q) " +
                   number(1) + ") (cdr q) " + number(1) + "))) (reply)))\n";
            out += std::string("(spawn (begin ") + wait(2) + " (if (= (ask " + number(1) + ") " + number(1) + ") " +
                   mark() + " " + block(1) + ")))\n";
        }
        return out;
    }

    // ── Machines ──

    std::string arrow() {
        switch (below(9)) {
        case 0: return " -> idle";
        case 1: return " -> busy";
        case 2: return " -> second";
        case 3: return " -> (busy " + number(1) + " " + number(1) + ")";
        case 4: return " -> busy (with (x " + number(1) + "))";
        case 5:
        case 6: return " -> over";
        default: return "";
        }
    }
    std::string on(const std::string& indent) {
        const size_t scope = scope_.size();
        const bool on_side = rarely(4);
        const std::string names = pattern(any_kind(on_side));
        std::string out = indent + "(on (" + (on_side ? "side " : "user ") + names + ")" + (coin() ? where() : "") +
                          " " + remember(scope) + (coin() ? block(1) : mark()) + arrow() + ")\n";
        scope_.resize(scope);
        return out;
    }
    std::string after(const std::string& indent) {
        return indent + "(after " + (coin() ? known(Holds::number, "2") : delay()) + (rarely(3) ? where() : "") + " " +
               mark() + arrow() + ")\n";
    }
    std::string entry_exit(const std::string& indent) {
        return (rarely(3) ? indent + "(entry " + block(1) + ")\n" : "") +
               (rarely(3) ? indent + "(exit " + (coin() ? block(1) : mark()) + ")\n" : "");
    }
    std::string machine() {
        const size_t scope = scope_.size();
        scope_.push_back({"x", Holds::number, true});
        scope_.push_back({"y", Holds::number, true});
        std::string out = "(define-machine (machine x y)\n  (state idle\n" + entry_exit("    ") + on("    ");
        if (coin()) out += on("    ");
        if (coin()) out += after("    ");
        out += "    (on (user any) " + mark() + " -> busy))\n";
        out += "  (state busy (initial " + one_of({"first", "second"}) + ")\n";
        if (coin()) {
            out += "    (locals (tries " + number(1) + "))\n";
            scope_.push_back({"tries", Holds::number, true});
        }
        out += entry_exit("    ") + "    (state first\n" + entry_exit("      ") + on("      ") +
               (coin() ? after("      ") : "") + "      )\n";
        out += "    (state second\n" + (coin() ? on("      ") : "") + "      (on (user any) " + mark() + " -> last))\n";
        out += "    (state last (final))\n    (done " + mark() + one_of({" -> idle", " -> over", " -> busy"}) + ")\n";
        if (coin()) out += on("    ");
        if (coin()) out += after("    ");
        if (rarely(3)) out += "    (ignores user)\n";
        out += "    )\n";
        scope_.resize(scope);
        return out + "  (state over (final " + one_of({"x", "y", "1"}) + ")))\n";
    }

    std::vector<Kind> kinds_;
    uint32_t procedures_ = 0, marks_ = 0, statements_ = 0, waits_ = 0;
    bool has_threads_ = false;
};

} // namespace espalier::test
