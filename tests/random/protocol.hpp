// Random models as a protocol's author might write them, for the laws of the executor and of suites: every type of
// input, machines, threads, channels, timers, the environment's choices, fresh values, and checkpoints everywhere.
//
// Every input that a body takes goes through (took e), every output through (gave e): what those two mean is the law's
// business. At most `inputs` of them are taken on a path, so every model ends.
#pragma once

#include <string>

#include "tests/random/expressions.hpp"

namespace espalier::test {

struct ProtocolOptions {
    bool small = false;       // few values of each type, so that all inputs can be tried
    bool fresh = true;        // fresh values, and (any)
    bool threads = false;     // several that go on at the same time, more often
    bool early = true;        // timers that the tester may interrupt, guards on timers
    bool safe_guards = false; // no model errors in a `where`
    bool settings = false;    // what the environment chooses once, at the beginning
    uint32_t inputs = 3;
    uint32_t statements = 20;
};

// What `took` and `gave` are in a model that is only run: they count.
inline std::string counting_hooks(uint32_t inputs) {
    return "(define taken 0)\n(define (took m) (set! taken (+ taken 1)) (assume (<= taken " + std::to_string(inputs) +
           ")))\n(define (gave m) #t)\n";
}

class RandomProtocol : RandomExpressions {
public:
    RandomProtocol(uint32_t seed, ProtocolOptions options) : RandomExpressions(seed), options_(options) {
        safe_guards_ = options.safe_guards;
    }

    // Without the hooks, which come first.
    std::string text() {
        scope_ = {{"g0", Sort::number, true},  {"g1", Sort::number, true}, {"mood", Sort::symbol, true},
                  {"flag", Sort::truth, true}, {"word", Sort::text, true}, {"kept", Sort::numbers, true}};
        if (options_.settings) {
            scope_.push_back({"transport", Sort::symbol, false});
            scope_.push_back({"level", Sort::number, false});
            scope_.push_back({"secure", Sort::truth, false});
        }
        left_ = options_.statements;
        std::string out = declarations();
        for (uint32_t n = below(3); n > 0; --n) { // procedures
            const size_t mark = scope_.size();
            const std::string name = "f" + std::to_string(procedures_);
            scope_.push_back({"a", Sort::number, true});
            out += "(define (" + name + " a)\n  " + statement(2) + "\n  " + number(2) + ")\n";
            scope_.resize(mark);
            ++procedures_;
        }
        if (rarely(3)) out += "(spawn-service " + server("c0") + ")\n";
        if (rarely(4)) out += "(spawn-service " + server("c1") + ")\n";
        for (uint32_t n = options_.threads ? 2 : rarely(5) ? 1 : 0; n > 0; --n)
            out += "(spawn (begin " + block(1) + " " + (rarely(3) ? mark() : wait(1)) + "))\n";
        left_ += options_.statements / 2; // for the part that surely runs
        if (coin()) {
            out += machine();
            out += coin() ? "(machine 1 2)\n" : "(if (eqv? (machine 1 0) 3) " + mark() + " " + mark() + ")\n";
        } else {
            const size_t mark_scope = scope_.size();
            scope_.push_back({"n", Sort::number, true});
            out += "(define (main n)\n  " + wait(2) + "\n  (main (+ n 1)))\n(main 0)\n";
            scope_.resize(mark_scope);
        }
        return out + mark() + "\n";
    }

private:
    struct Field {
        const char* name;
        const char* type;
        Sort sort;
    };
    struct MessageKind {
        const char* name;
        std::vector<Field> fields;
        const char* where;
    };

    static std::vector<MessageKind> messages(bool small) {
        if (small)
            return {{"A", {{"n", "(int 0 2)", Sort::number}, {"b", "bool", Sort::truth}}, ""},
                    {"B", {{"c", "colour", Sort::symbol}}, ""},
                    {"D", {}, ""},
                    {"E", {{"k", "(enum 1 5 9)", Sort::number}}, ""},
                    {"L", {{"l", "(list-of (int 0 1) 2)", Sort::numbers}}, ""},
                    {"O", {{"o", "(enum #f 7 \"x\" sym)", Sort::odd}}, ""},
                    {"N", {{"m", "(one-of B D)", Sort::message}, {"f", "bool", Sort::truth}}, ""},
                    {"W", {{"x", "(int 0 2)", Sort::number}, {"y", "(int 0 2)", Sort::number}}, "(where (< x y))"},
                    {"P", {{"w", "W", Sort::message}, {"g", "bool", Sort::truth}}, "(where (or g (> (W-y w) 1)))"},
                    {"Q", {{"q", "(list-of B 1)", Sort::odd}, {"r", "(one-of B D)", Sort::message}}, ""}};
        return {{"A", {{"n", "(int -3 12)", Sort::number}, {"c", "colour", Sort::symbol}}, ""},
                {"B", {{"s", "string", Sort::text}, {"b", "bool", Sort::truth}}, ""},
                {"D", {}, ""},
                {"E", {{"k", "(enum 1 5 9)", Sort::number}, {"i", "int", Sort::number}}, ""},
                {"L", {{"l", "(list-of int 2)", Sort::numbers}}, ""},
                {"O", {{"o", "(enum #f 7 \"x\" sym)", Sort::odd}, {"y", "(bytes 2)", Sort::bytes}}, ""},
                {"N", {{"m", "(one-of A D)", Sort::message}, {"p", "E", Sort::message}}, ""},
                {"W", {{"x", "int", Sort::number}, {"y", "(int 0 9)", Sort::number}}, "(where (< x (* 2 y)))"},
                {"P", {{"w", "W", Sort::message}, {"g", "bool", Sort::truth}}, "(where (or g (> (W-y w) 3)))"},
                {"Q", {{"q", "(list-of A 2)", Sort::odd}, {"r", "(one-of N D)", Sort::message}}, ""}};
    }

    std::string declarations() {
        all_ = messages(options_.small);
        // Two or three of them come in: so all inputs of a small model can be tried.
        for (uint32_t n = options_.small ? 2 : 3; n > 0; --n) in_.push_back(below(all_.size()));
        std::string out = "(define-type colour (enum red green blue))\n";
        std::string carried, out_carried;
        for (uint32_t i = 0; i < all_.size(); ++i) {
            out += "(define-message " + std::string(all_[i].name);
            for (const Field& f : all_[i].fields) out += std::string(" (") + f.name + " " + f.type + ")";
            out += std::string(all_[i].where[0] == 0 ? "" : " ") + all_[i].where + ")\n";
            out_carried += std::string(" ") + all_[i].name;
        }
        std::vector<bool> listed(all_.size(), false);
        for (uint32_t i : in_) {
            if (!listed[i]) carried += std::string(" ") + all_[i].name;
            listed[i] = true;
        }
        out += "(define-message Id (id int))\n";
        if (options_.fresh && coin()) {
            out += "(define-port ids in Id)\n";
            has_ids_ = true;
        }
        out += "(define-port user in" + carried + ")\n(define-port net (out" + out_carried + " Id))\n";
        out += "(define-channel c0)\n(define-channel c1)\n(define-timer t0)\n(define-timer t1" +
               std::string(options_.early && coin() ? " early" : "") + ")\n";
        out += "(define-record-type cell (make-cell v s) cell? (v cell-v set-cell-v!) (s cell-s set-cell-s!))\n";
        out += "(define g0 0)\n(define g1 2)\n(define mood 'red)\n(define flag " + std::string(coin() ? "#t" : "#f") +
               ")\n(define word \"ok\")\n"
               "(define kept '(1))\n(define known '())\n(define table (make-hash-table))\n"
               "(define names (make-hash-table))\n(define cells (vector 0 1 2))\n(define shared (make-cell 1 'green))\n"
               "(define either (case-lambda ((x) (- x)) ((x y) (if (< x y) x (* 2 y)))))\n(define (hook x) (+ x "
               "1))\n(define later (lambda (x) x))\n"
               "(define (pure x) (if (> x g0) (modulo x 3) g1))\n";
        if (options_.settings)
            out += "(define transport (choose 'red 'green 'blue))\n(define level (choose 0 1))\n"
                   "(define secure (choose #t #f))\n";
        return out;
    }

    std::string mark() { return "(checkpoint p" + std::to_string(marks_++) + ")"; }
    std::string call(int depth) override {
        if (in_where_) return "(pure " + number(depth) + ")"; // which may not assign, nor wait
        if (procedures_ == 0 || rarely(4)) return "(" + one_of({"hook", "later", "pure"}) + " " + number(depth) + ")";
        return "(f" + std::to_string(below(procedures_)) + " " + number(depth) + ")";
    }
    std::string message_test() override {
        const std::string m = variable(Sort::message, "");
        if (m.empty()) return "flag";
        return "(" + std::string(all_[below(all_.size())].name) + "? " + m + ")";
    }
    std::string value_of(const Field& f) {
        switch (f.sort) {
        case Sort::number: {
            const std::string type = f.type;
            if (type == "int") return number(1);
            if (type[1] == 'e') return one_of({"1", "5", "9"});
            return "(modulo " + number(1) + " 3)";
        }
        case Sort::truth: return rarely(3) ? "#t" : variable(Sort::truth, "#f");
        case Sort::symbol: return symbol(1);
        case Sort::text: return word();
        case Sort::numbers: return one_of({"'()", "'(0 1)", "(list 1)"});
        case Sort::bytes: return "(bytevector " + digit(9) + ")";
        case Sort::odd: return f.type[1] == 'l' ? "'()" : one_of({"#f", "7", "\"x\"", "'sym"});
        case Sort::message:
            return std::string(f.type) == "E"   ? "(E 5 " + number(1) + ")"
                   : std::string(f.type) == "W" ? "(W 1 2)"
                                                : "(D)";
        }
        return "0";
    }
    std::string message() {
        const MessageKind& kind = all_[below(all_.size())];
        std::string out = std::string("(") + kind.name;
        for (const Field& f : kind.fields) out += " " + value_of(f);
        return out + ")";
    }

    std::string let(int depth) {
        const size_t mark_scope = scope_.size();
        const std::string name = unique("v");
        std::string out;
        switch (below(4)) {
        case 0:
            out = "(let ((" + name + " " + number(2) + ")) ";
            scope_.push_back({name, Sort::number, true});
            break;
        case 1:
            out = "(let ((" + name + " " + truth(2) + ")) ";
            scope_.push_back({name, Sort::odd, true});
            break;
        case 2:
            out = "(let ((" + name + " " + numbers(2) + ")) ";
            scope_.push_back({name, Sort::numbers, true});
            break;
        default:
            out = "(do ((" + name + " 0 (+ " + name + " 1))) ((>= " + name + " " +
                  (coin() ? digit(3) : "(modulo " + number(1) + " 3)") + ")) ";
            scope_.push_back({name, Sort::number, false});
            break;
        }
        out += block(depth) + ")";
        scope_.resize(mark_scope);
        return out;
    }
    std::string with(const Variable& v, int depth) {
        scope_.push_back(v);
        std::string out = block(depth);
        scope_.pop_back();
        return out;
    }
    std::string assignment() {
        std::vector<Variable> fit;
        for (const Variable& v : scope_)
            if (v.assigned) fit.push_back(v);
        const Variable v = fit[below(fit.size())];
        switch (v.sort) {
        case Sort::number: return "(set! " + v.name + " " + number(2) + ")";
        case Sort::truth:
        case Sort::odd: return "(set! " + v.name + " " + truth(2) + ")";
        case Sort::symbol: return "(set! " + v.name + " " + symbol(2) + ")";
        case Sort::text: return "(set! " + v.name + " " + word() + ")";
        case Sort::numbers: return "(set! " + v.name + " " + numbers(1) + ")";
        case Sort::bytes:
        case Sort::message: break;
        }
        return mark();
    }

    std::string statement(int depth) {
        if (left_ == 0 || depth <= 0) return mark();
        --left_;
        const int less = depth - 1;
        switch (below(32)) {
        case 0:
        case 1:
        case 2:
        case 3:
        case 4: return "(if " + truth(2) + " " + block(less) + " " + block(less) + ")";
        case 5: return "(when " + truth(2) + " " + block(less) + ")";
        case 6:
            return "(case " + symbol(1) + " ((red) " + block(less) + ") ((green blue) " + block(less) + ") (else " +
                   mark() + "))";
        case 7:
            return "(cond ((assv " + number(1) + " '((1 . 2) (3 . 4))) => (lambda (x) " + mark() + ")) (" + truth(1) +
                   " " + mark() + ") (else " + mark() + "))";
        case 8:
        case 9:
        case 10: return assignment();
        case 11: return "(send c" + digit(2) + " " + message() + ")";
        case 12:
        case 13: {
            const std::string m = rarely(4) ? variable(Sort::message, "(D)") : message();
            return "(let ((w " + m + ")) (gave w) (write net w))";
        }
        case 14: return "(vector-set! cells (modulo " + number(1) + " 3) " + number(1) + ")";
        case 15: return "(hash-table-set! table " + number(1) + " " + number(1) + ")";
        case 16:
            return rarely(2) ? "(hash-table-delete! table " + number(1) + ")"
                             : "(hash-table-set! table " + digit(4) + " " + number(1) + ")";
        case 17: return coin() ? "(set-cell-v! shared " + number(1) + ")" : "(set-cell-s! shared " + symbol(1) + ")";
        case 18: {
            return "(choose (begin (took 0) " + block(less) + ") (begin (took 1) " + block(less) + "))";
        }
        case 19: return "(start t" + digit(2) + " " + std::to_string(2 + below(9)) + ")";
        case 20: return coin() ? "(stop t" + digit(2) + ")" : "(start t1 " + variable(Sort::number, "3") + ")";
        case 21:
        case 22: return let(less);
        case 23: return "(for-each (lambda (e) " + with({"e", Sort::number}, less) + ") " + numbers(1) + ")";
        case 24:
            if (coin()) return "(assert (or " + truth(1) + " " + truth(1) + "))";
            return "(assume (or " + truth(1) + " " + truth(1) + " " + truth(1) + "))";
        case 25: return "(set! g" + digit(2) + " " + call(1) + ")";
        case 26: return "(if " + truth(2) + " (error \"bad\" " + number(1) + "))";
        case 27: return rarely(3) ? "(set! later (lambda (x) (+ x " + number(1) + ")))" : "(set! g0 " + call(1) + ")";
        case 28: return fresh_statement();
        case 29: return wait(less);
        case 30: return read(less);
        default:
            if (coin()) return "(hash-table-set! names " + key() + " " + number(1) + ")";
            return "(hash-table-set! table " + number(1) + " (hash-table-count table))";
        }
    }
    std::string fresh_statement() {
        if (!options_.fresh) return mark();
        if (coin()) return "(let ((id (fresh int))) (set! known (cons id known)) (write net (Id id)))";
        return "(write net (Id (any)))";
    }
    std::string block(int depth) {
        std::string out = "(begin " + mark();
        for (uint32_t n = 1 + below(2); n > 0; --n) out += " " + statement(depth);
        return out + " " + mark() + ")";
    }

    // ── Waiting ──

    // Binds a message's fields; the text of the pattern, and of the message again.
    std::pair<std::string, std::string> pattern(const MessageKind& kind, bool literals) {
        std::string names, again;
        for (const Field& f : kind.fields) {
            std::string name = unique((std::string(f.name) + "_").c_str());
            if (literals && rarely(4) && f.sort == Sort::number && std::string(f.type) != "(enum 1 5 9)")
                name = digit(3);
            else if (literals && rarely(4) && f.sort == Sort::symbol)
                name = "'red";
            else
                scope_.push_back({name, f.sort});
            names += " " + name;
            again += " " + name;
        }
        return {std::string("(") + kind.name + names + ")", std::string("(") + kind.name + again + ")"};
    }
    std::string where() {
        in_where_ = true;
        std::string out = " (where " + (coin() ? "(or " + truth(1) + " " + truth(2) + ")" : truth(1)) + ")";
        in_where_ = false;
        return out;
    }
    std::string clause(const std::string& source, int depth, bool from_port) {
        const size_t mark_scope = scope_.size();
        const MessageKind& kind = all_[from_port ? in_[below(in_.size())] : below(all_.size())];
        std::string out;
        switch (below(from_port ? 3 : 4)) {
        case 0:
        case 1: {
            const auto [names, again] = pattern(kind, true);
            out = "((" + source + " " + names + ")" + (coin() ? where() : "") + " (took " + again + ") ";
            break;
        }
        case 2: {
            const std::string m = unique("m");
            scope_.push_back({m, Sort::message});
            out =
                "((" + source + " " + kind.name + " as " + m + ")" + (rarely(3) ? where() : "") + " (took " + m + ") ";
            for (const Field& f : kind.fields)
                if (f.sort == Sort::number) {
                    const std::string n = unique("n");
                    out += "(define " + n + " (" + kind.name + "-" + f.name + " " + m + ")) ";
                    scope_.push_back({n, f.sort});
                }
            break;
        }
        default: {
            const std::string m = unique("m");
            scope_.push_back({m, Sort::message});
            out = "((" + source + " any as " + m + ")" + (rarely(3) ? where() : "") + " (took " + m + ") ";
            break;
        }
        }
        out += remember(mark_scope) + block(depth) + ")";
        scope_.resize(mark_scope);
        return out;
    }
    // What came in lives on in the globals.
    std::string remember(size_t from) {
        std::string out;
        for (size_t i = from; i < scope_.size(); ++i) {
            if (coin()) continue;
            switch (scope_[i].sort) {
            case Sort::number: out += "(set! g" + digit(2) + " " + scope_[i].name + ") "; break;
            case Sort::truth: out += "(set! flag " + scope_[i].name + ") "; break;
            case Sort::symbol: out += "(set! mood " + scope_[i].name + ") "; break;
            case Sort::text: out += "(set! word " + scope_[i].name + ") "; break;
            case Sort::numbers: out += "(set! kept " + scope_[i].name + ") "; break;
            case Sort::bytes:
            case Sort::odd:
            case Sort::message: break;
            }
        }
        return out;
    }
    std::string any_clause(int depth) {
        const std::string m = unique("m");
        return "((user any as " + m + ")" + (rarely(6) ? where() : "") + " (took " + m + ") " +
               with({m, Sort::message}, depth) + ")";
    }
    std::string ids_clause(int depth) {
        return "((ids (Id i)) (took i) (if (member i known) " + block(depth) + " " + mark() + "))";
    }
    std::string timer_guard() { return options_.early && rarely(3) ? where() : ""; }
    std::string wait(int depth) {
        std::string out = "(select " + clause("user", depth, true);
        for (uint32_t n = below(3); n > 0; --n) out += "\n    " + clause("user", depth, true);
        if (!rarely(4)) out += "\n    " + any_clause(depth);
        if (has_ids_) out += "\n    " + ids_clause(depth);
        if (rarely(3)) out += "\n    " + clause("c" + digit(2), depth, false);
        if (rarely(3))
            out += "\n    ((timeout t" + digit(2) + ")" + timer_guard() + " (took 'time) " + block(depth) + ")";
        if (rarely(3))
            out += "\n    ((after " + std::to_string(3 + below(4)) + ")" + timer_guard() + " (took 'time) " +
                   block(depth) + ")";
        return out + ")";
    }
    std::string read(int depth) {
        if (coin()) {
            const std::string m = unique("m");
            return "(let ((" + m + " (read user))) (took " + m + ") " + with({m, Sort::message}, depth) + ")";
        }
        const std::string x = unique("x");
        static const char* const types[] = {"bool", "colour", "(int 0 2)"};
        static const Sort sorts[] = {Sort::truth, Sort::symbol, Sort::number};
        const uint32_t which = below(3);
        return "(let ((" + x + " (read " + types[which] + "))) (took " + x + ") " + with({x, sorts[which]}, depth) +
               ")";
    }
    std::string server(const std::string& channel) {
        const size_t mark_scope = scope_.size();
        scope_.push_back({"s", Sort::number});
        std::string out =
            "(let serve ((s 0)) (select " + clause(channel, 1, false) + "\n    " + clause(channel, 1, false);
        out += "\n    (else " + mark() + ")) (serve (+ s 1)))";
        scope_.resize(mark_scope);
        return out;
    }

    // ── Machines ──

    std::string arrow() {
        switch (below(7)) {
        case 0: return " -> one";
        case 1: return " -> two";
        case 2: return " -> inner";
        case 3: return " -> (two " + number(1) + " g0)";
        case 4: return " -> two (with (x " + number(1) + "))";
        case 5: return " -> done";
        default: return "";
        }
    }
    std::string on() {
        const size_t mark_scope = scope_.size();
        const MessageKind& kind = all_[in_[below(in_.size())]];
        const auto [names, again] = pattern(kind, true);
        const std::string guard = coin() ? where() : "";
        std::string out = "    (on (user " + names + ")" + guard + " (took " + again + ") " + remember(mark_scope) +
                          block(1) + arrow() + ")\n";
        scope_.resize(mark_scope);
        return out;
    }
    std::string machine() {
        const size_t mark_scope = scope_.size();
        scope_.push_back({"x", Sort::number, true});
        scope_.push_back({"y", Sort::number, true});
        std::string out = "(define-machine (machine x y)\n  (state one\n";
        if (coin()) out += "    (entry " + block(1) + ")\n";
        out += on();
        if (coin()) out += on();
        if (coin()) out += "    (exit " + block(1) + ")\n";
        if (rarely(3)) out += "    (after 5" + timer_guard() + " (took 'time) " + mark() + arrow() + ")\n";
        out += "    (on (user " + std::string(all_[in_[0]].name) + " as last) (took last) -> outer))\n";
        out += "  (state outer (initial inner)\n";
        if (coin()) out += "    (locals (tries 0))\n", scope_.push_back({"tries", Sort::number, true});
        if (coin()) out += "    (entry " + mark() + ")\n";
        out += "    (state inner\n  " + on() + (coin() ? "  " + on() : "") + "      (on (user " +
               std::string(all_[in_[1]].name) + " as last) " + where() + " (took last) -> ended))\n" +
               "    (state ended (final))\n" + on();
        out += "    (done " + mark() + " -> two)\n";
        if (coin()) out += "    (exit " + mark() + ")\n";
        if (coin()) out += "    (ignores user)\n";
        out += "    )\n";
        scope_.resize(mark_scope + 2);
        out += "  (state two\n    (locals (seen g0))\n";
        scope_.push_back({"seen", Sort::number, true});
        if (coin()) out += "    (entry " + block(1) + ")\n";
        out += on() + (rarely(3) ? "    (after 4" + timer_guard() + " (took 'time) " + mark() + arrow() + ")\n" : "") +
               "    (on (user " + std::string(all_[in_[0]].name) + " as last) (took last) " + mark() + arrow() + "))\n";
        scope_.resize(mark_scope);
        return out + "  (state done (final x)))\n";
    }

    ProtocolOptions options_;
    std::vector<MessageKind> all_;
    std::vector<uint32_t> in_;
    uint32_t procedures_ = 0, marks_ = 0, left_ = 0;
    bool has_ids_ = false;
};

} // namespace espalier::test
