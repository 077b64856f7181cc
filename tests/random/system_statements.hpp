// Random statements and waits for RandomSystem.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/random/system_expressions.hpp"

namespace espalier::test {

class SystemStatements : protected SystemExpressions {
protected:
    using SystemExpressions::SystemExpressions;
    ~SystemStatements() = default;

    struct Field {
        std::string name, type;
        Holds holds;
    };
    struct Kind {
        std::string name;
        std::vector<Field> fields;
    };

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
        if (depth <= 0 || statements_ == 0) return rarely(5) ? assumption() : mark();
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
    std::string assumption() { return rarely(8) ? "(assume #f)" : "(assume " + truth(2) + ")"; }
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
    std::vector<Kind> kinds_; // of messages; all but the first come in on the port `side` too
    uint32_t procedures_ = 0, marks_ = 0, statements_ = 0, waits_ = 0;
    bool has_threads_ = false;
};

} // namespace espalier::test
