// Random models of a second kind, for the laws of verdicts: strings and their lengths, computed delays, assumptions
// that end paths, loops that wait for nothing, machines with nested states and `after`, threads that feed each other,
// records and tables. Unlike RandomProtocol they need no hooks, and many go on for ever.
#pragma once

#include <string>

#include "tests/random/system_statements.hpp"

namespace espalier::test {

class RandomSystem : SystemStatements {
public:
    explicit RandomSystem(uint32_t seed) : SystemStatements(seed) {}

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

private:
    // ── Declarations ──

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
};

} // namespace espalier::test
