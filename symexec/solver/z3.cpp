// The last step of the chain: Z3, incrementally along the path. The only file that sees its headers.
//
// Conditions stay asserted, one scope each, while questions share their beginning: in depth-first order that is nearly
// always. The limit is Z3's resource counter, never a clock, so that answers do not depend on the machine's load. An
// `unknown` is asked once more in a fresh context that is built in a canonical order: only that answer counts, since
// it does not depend on history.
//
// Strings have equality and length only, so a string is an integer that names it, with an uninterpreted length: naming
// the empty string 0, of length 0 and the only one of it. No sequence theory is needed. Symbols are their own numbers.
//
// Questions about bits are first asked as solver_bits.hpp writes them. Where that does not decide them, a bit operation
// is a number that may be anything: what has no solution then has none, and a solution is looked at before it counts.
#include <z3++.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "symexec/solver/bits.hpp"
#include "symexec/solver/interrupter.hpp"
#include "symexec/solver/solver.hpp"

namespace espalier::sym {

namespace {

constexpr int64_t longest_string = 100'000; // that is ever made
constexpr const char* too_long = "a string of more than 100000 characters";

// A condition that Z3 is not told of, since this program has no words for it.
struct Inexpressible {
    const char* what;
};

class Backend {
public:
    // `canonical`: conditions and operands in an order that does not depend on what was asked before.
    Backend(Terms& terms, uint32_t resources, bool cores, bool canonical)
        : terms_(terms), cores_(cores), canonical_(canonical), solver_(context_, z3::solver::simple()),
          length_(context_.function("length", context_.int_sort(), context_.int_sort())) {
        z3::params params(context_);
        params.set("arith.solver", 2U);
        params.set("rlimit", resources);
        params.set("random_seed", 0U);
        params.set("ctrl_c", false); // signals are for the program that runs the search
        solver_.set(params);
        name_of("");
    }

    void interrupt() { context_.interrupt(); } // from another thread

    Answer ask(const Question& q) {
        if (!canonical_) return ask_in_order(q);
        std::vector<Value> path(q.path.begin(), q.path.end());
        sort_by_structure(path);
        return ask_in_order({path, q.condition, nullptr});
    }

private:
    // Assertions that end with their block, on every way out of it: one that outlived its question would be part of
    // every later one.
    class Scope {
    public:
        explicit Scope(z3::solver& solver) : solver_(&solver) { solver.push(); }
        // Without the wrapper's check, which throws. A backend whose question was interrupted is not used again.
        ~Scope() {
            if (solver_ != nullptr) Z3_solver_pop(solver_->ctx(), *solver_, 1);
        }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        void keep() { solver_ = nullptr; }

    private:
        z3::solver* solver_;
    };

    Answer ask_in_order(const Question& q) {
        follow(q.path);
        const Scope scope(solver_);
        if (q.condition.is_term()) assert_condition(q.condition);
        Answer answer;
        switch (solver_.check()) {
        case z3::sat:
            answer.verdict = Verdict::sat;
            if (!read_model(q, answer.model)) answer = with_shorter_strings(q);
            break;
        case z3::unsat:
            answer.verdict = Verdict::unsat;
            if (cores_) read_core(answer.core);
            break;
        case z3::unknown: break;
        }
        return answer;
    }

    // Asserts these conditions and no others, a scope for each.
    void follow(std::span<const Value> path) {
        size_t shared = 0;
        while (shared < asserted_.size() && shared < path.size() && asserted_[shared] == path[shared]) ++shared;
        if (shared < asserted_.size()) solver_.pop(static_cast<unsigned>(asserted_.size() - shared));
        asserted_.resize(shared);
        for (size_t i = shared; i < path.size(); ++i) {
            Scope scope(solver_);
            assert_condition(path[i]);
            asserted_.push_back(path[i]);
            scope.keep();
        }
    }

    void sort_by_structure(std::vector<Value>& all) const {
        std::sort(all.begin(), all.end(), [&](Value a, Value b) { return terms_.structure(a) < terms_.structure(b); });
    }

    // A tracked condition is one that a core can name. Z3 takes each name once, so a repeated condition is left out.
    void assert_condition(Value condition) {
        if (!cores_) {
            solver_.add(convert(condition));
        } else {
            if (std::find(asserted_.begin(), asserted_.end(), condition) != asserted_.end()) return;
            solver_.add(convert(condition), context_.bool_const(("c" + std::to_string(condition.payload())).c_str()));
        }
        describe_strings(condition);
    }

    void read_core(std::vector<Value>& core) const {
        const z3::expr_vector names = solver_.unsat_core();
        for (unsigned i = 0; i < names.size(); ++i) {
            const std::string name = names[static_cast<int>(i)].decl().name().str();
            core.push_back(Value::term(static_cast<uint32_t>(std::stoul(name.substr(1)))));
        }
    }

    // What must hold of every string in a condition. Terms share parts: each is looked at once.
    void describe_strings(Value condition) {
        std::vector<Value> pending{condition};
        std::unordered_set<uint32_t> seen{condition.payload()};
        while (!pending.empty()) {
            const Value v = pending.back();
            pending.pop_back();
            if (terms_.is_sort(v, Sort::string)) {
                describe_string(v);
                continue;
            }
            for (Value part : terms_.operands(v)) {
                if (part.is_term() && seen.insert(part.payload()).second) pending.push_back(part);
                if (terms_[v].op == Op::same && is_type(part, ObjectType::string)) describe_string(part);
            }
        }
    }
    void describe_string(Value s) {
        const z3::expr name = convert(s), length = length_(name);
        if (!s.is_term()) {
            solver_.add(length == context_.int_val(s.as_object()->count));
        } else {
            solver_.add(length >= 0);
            solver_.add((length == 0) == (name == 0));
        }
    }

    z3::expr numeral(Value v) { return context_.int_val(number::to_text(v).c_str()); }

    int64_t name_of(const std::string& text) {
        const auto [at, is_new] = names_.emplace(text, static_cast<int64_t>(texts_.size()));
        if (is_new) texts_.push_back(text);
        return at->second;
    }

    z3::expr convert(Value v) {
        if (v.is_fixnum() || number::is_number(v)) return numeral(v);
        if (v.is_boolean()) return context_.bool_val(v.is_true());
        if (v.is_symbol()) return context_.int_val(static_cast<uint64_t>(v.as_symbol()));
        if (is_type(v, ObjectType::string)) return context_.int_val(name_of(to_utf8(as_string(v))));
        const uint32_t id = v.payload();
        if (const auto found = converted_.find(id); found != converted_.end()) return found->second;
        z3::expr e = build(v);
        converted_.emplace(id, e);
        return e;
    }

    z3::expr build(Value v) {
        std::vector<Value> parts(terms_.operands(v).begin(), terms_.operands(v).end());
        if (canonical_) reorder(terms_[v].op, parts);
        const auto part = [&](size_t i) { return convert(parts[i]); };
        switch (terms_[v].op) {
        case Op::variable: {
            const std::string name = std::to_string(terms_.ordinal(v));
            if (terms_[v].sort == Sort::boolean) return context_.bool_const(("b" + name).c_str());
            return context_.int_const(("i" + name).c_str());
        }
        case Op::sum: {
            z3::expr_vector summands(context_);
            if (parts[0] != Value::fixnum(0)) summands.push_back(part(0));
            for (size_t i = 1; i < parts.size(); i += 2)
                summands.push_back(parts[i] == Value::fixnum(1) ? part(i + 1) : part(i) * part(i + 1));
            return z3::sum(summands);
        }
        case Op::product: {
            z3::expr e = part(0);
            for (size_t i = 1; i < parts.size(); ++i) e = e * part(i);
            return e;
        }
        case Op::quotient: { // Z3's division leaves a remainder ≥ 0
            const z3::expr a = part(0), b = part(1);
            return z3::ite(a >= 0, a / b, -((-a) / b));
        }
        case Op::floor_quotient: {
            const z3::expr a = part(0), b = part(1);
            return z3::ite(b > 0, a / b, (-a) / (-b));
        }
        case Op::length: return length_(part(0));
        case Op::at_most_zero: return part(0) <= 0;
        case Op::is_zero: return part(0) == 0;
        case Op::same:
        case Op::iff: return part(0) == part(1);
        case Op::negation: return !part(0);
        case Op::conjunction:
        case Op::disjunction: {
            z3::expr_vector all(context_);
            for (size_t i = 0; i < parts.size(); ++i) all.push_back(part(i));
            return terms_[v].op == Op::conjunction ? z3::mk_and(all) : z3::mk_or(all);
        }
        case Op::bitwise_and:
        case Op::bitwise_or:
        case Op::bitwise_xor: return context_.int_const(("t" + std::to_string(v.payload())).c_str());
        case Op::fraction:
        case Op::lazy: break;
        }
        throw Inexpressible{"a condition on a value that was not looked into"};
    }

    void reorder(Op op, std::vector<Value>& parts) const {
        if (op == Op::product || op == Op::conjunction || op == Op::disjunction) sort_by_structure(parts);
        if (op != Op::sum) return;
        std::vector<std::pair<Value, Value>> summands; // term, factor
        for (size_t i = 1; i < parts.size(); i += 2) summands.emplace_back(parts[i + 1], parts[i]);
        std::sort(summands.begin(), summands.end(),
                  [&](const auto& a, const auto& b) { return terms_.structure(a.first) < terms_.structure(b.first); });
        for (size_t i = 0; i < summands.size(); ++i)
            std::tie(parts[2 + 2 * i], parts[1 + 2 * i]) = std::pair(summands[i].first, summands[i].second);
    }

    // ── Solutions ──

    std::vector<Value> variables_of(const Question& q) const {
        std::vector<Value> variables;
        for (Value c : q.path) collect(c, variables);
        collect(q.condition, variables);
        return variables;
    }

    // False where a string is too long to be made.
    bool read_model(const Question& q, Assignment& model) {
        const z3::model m = solver_.get_model();
        model.clear();
        std::map<std::string, Value> strings; // by the name that Z3 gave
        uint64_t made = 0;
        for (Value v : variables_of(q)) {
            const uint32_t n = terms_.ordinal(v);
            if (model.size() <= n) model.resize(n + 1, Value::unbound());
            const z3::expr value = m.eval(convert(v), true);
            switch (terms_[v].sort) {
            case Sort::boolean: model[n] = Value::boolean(value.is_true()); break;
            case Sort::integer: model[n] = terms_.constant(number::from_text(terms_.heap(), text(value))); break;
            case Sort::symbol: { // without a list of values it may be a number that is no symbol's
                int64_t number = 0;
                const bool is_one = value.is_numeral_i64(number) && number >= 0 && number <= INT32_MAX;
                model[n] = is_one ? Value::symbol(Symbol{static_cast<uint32_t>(number)}) : Value::unbound();
                break;
            }
            case Sort::string: {
                int64_t length = 0;
                if (!m.eval(length_(convert(v)), true).is_numeral_i64(length) || length > longest_string) return false;
                const auto [at, is_new] = strings.emplace(text(value), Value());
                if (is_new) at->second = make_string(text(value), length, made);
                model[n] = at->second;
                break;
            }
            case Sort::rational:
            case Sort::lazy: break;
            }
        }
        return true;
    }

    // A length that nothing bounds may come out as any number: then the question is whether shorter strings do.
    Answer with_shorter_strings(const Question& q) {
        const Scope scope(solver_);
        for (Value v : variables_of(q))
            if (terms_[v].sort == Sort::string) solver_.add(length_(convert(v)) <= context_.int_val(longest_string));
        Answer answer;
        switch (solver_.check()) {
        case z3::sat:
            answer.verdict = Verdict::sat;
            if (!read_model(q, answer.model)) throw std::logic_error("Z3 makes a string longer than it was told");
            break;
        case z3::unsat: answer.beyond = too_long; break;
        case z3::unknown: break;
        }
        return answer;
    }

    static std::string text(const z3::expr& numeral) { return Z3_get_numeral_string(numeral.ctx(), numeral); }

    void collect(Value v, std::vector<Value>& out) const {
        if (!v.is_term()) return;
        std::vector<Value> pending{v};
        std::unordered_set<uint32_t> seen{v.payload()};
        while (!pending.empty()) {
            const Value next = pending.back();
            pending.pop_back();
            if (terms_[next].op == Op::variable) {
                if (std::find(out.begin(), out.end(), next) == out.end()) out.push_back(next);
                continue;
            }
            for (Value part : terms_.operands(next))
                if (part.is_term() && seen.insert(part.payload()).second) pending.push_back(part);
        }
    }

    // A string for the name: the constant so named, where it fits; else one that is no constant, nor made before in
    // this solution, of which there are `made`.
    Value make_string(const std::string& name, int64_t length, uint64_t& made) {
        const Value number = number::from_text(terms_.heap(), name);
        const int64_t id = number.is_fixnum() ? number.as_fixnum() : -1;
        if (id >= 0 && id < static_cast<int64_t>(texts_.size())) {
            const Value known = terms_.constant(terms_.heap().string(texts_[static_cast<size_t>(id)]));
            if (known.as_object()->count == length) return known;
        }
        if (length == 0) return terms_.constant(terms_.heap().string(""));
        for (;;) {
            const Value candidate = terms_.heap().string(nth_string(length, made++));
            if (names_.find(to_utf8(as_string(candidate))) == names_.end()) return terms_.constant(candidate);
        }
    }

    Terms& terms_;
    bool cores_, canonical_;
    z3::context context_;
    z3::solver solver_;
    z3::func_decl length_;
    std::vector<Value> asserted_;
    std::unordered_map<uint32_t, z3::expr> converted_;
    std::map<std::string, int64_t> names_;
    std::vector<std::string> texts_;
};

class Z3Solver : public Solver {
public:
    Z3Solver(Terms& terms, uint32_t resources, bool cores, SolverStatistics& statistics, std::function<bool()> stop)
        : terms_(terms), resources_(resources), cores_(cores), statistics_(statistics), interrupter_(std::move(stop)),
          backend_(std::make_unique<Backend>(terms, resources, cores, false)) {}

    Answer ask(const Question& q) override {
        Answer answer;
        if (!interrupter_.has_stopped()) answer = is_about_bits(terms_, q) ? ask_about_bits(q) : ask_twice(q);
        if (answer.verdict != Verdict::unknown) return answer;
        if (answer.beyond == nullptr)
            ++(interrupter_.has_stopped() ? statistics_.sat_interrupted : statistics_.sat_unknown);
        return answer;
    }

private:
    Answer ask_twice(const Question& q) {
        ++statistics_.z3_queries;
        Answer answer = ask_once(*backend_, q);
        if (answer.verdict != Verdict::unknown || answer.beyond != nullptr || interrupter_.has_stopped()) return answer;
        ++statistics_.asked_again;
        {
            Backend fresh(terms_, resources_, cores_, true);
            answer = ask_once(fresh, q);
        }
        backend_ = std::make_unique<Backend>(terms_, resources_, cores_, false); // an interrupted one is not trusted
        return answer;
    }

    Answer ask_about_bits(const Question& q) {
        for (const Unbounded how : {Unbounded::narrowed, Unbounded::left_out}) {
            const auto written = write_question(terms_, q, how);
            if (!written) continue;
            ++statistics_.z3_queries;
            Answer answer = ask_written(*written);
            if (answer.verdict == Verdict::unknown) { // as above: the answer of a new one counts
                vectors_ = nullptr;
                if (interrupter_.has_stopped()) return {};
                ++statistics_.asked_again;
                answer = ask_written(*written);
            }
            if (answer.verdict == Verdict::unsat && !written->is_narrowed) return answer;
            if (answer.verdict == Verdict::sat && written->is_part) answer = ask_the_rest(q, answer.model);
            if (answer.verdict == Verdict::sat) return answer;
            if (!written->is_narrowed) break; // the same would be asked once more
        }
        if (interrupter_.has_stopped()) return {};
        Answer answer = ask_twice(q);
        if (answer.verdict == Verdict::sat && !solves(q, answer.model)) answer = {};
        return answer;
    }

    // With the variables of bit operations as they are in a solution of a part of the question.
    Answer ask_the_rest(const Question& q, const Assignment& part) {
        std::unordered_set<uint32_t> fixed;
        const auto note = [&](Value c) {
            if (!terms_.has_bits(c)) return;
            for (uint32_t n : terms_.variables(c))
                if (n < part.size() && !part[n].is_unbound()) fixed.insert(n);
        };
        const auto put_in = [&](Value c) {
            return terms_.substitute(
                c, [&](Value v) { return fixed.count(terms_.ordinal(v)) == 0 ? v : part[terms_.ordinal(v)]; });
        };
        std::for_each(q.path.begin(), q.path.end(), note);
        note(q.condition);
        std::vector<Value> rest;
        for (Value c : q.path) rest.push_back(put_in(c));
        const Value condition = put_in(q.condition);
        rest.push_back(condition);
        for (Value c : rest)
            if (c.is_false() || terms_.has_bits(c)) return {};
        std::erase_if(rest, [](Value c) { return !c.is_term(); });
        Answer answer = ask_twice({rest, Value::boolean(true), nullptr});
        if (answer.verdict != Verdict::sat) return {};
        for (uint32_t n : fixed) {
            if (answer.model.size() <= n) answer.model.resize(n + 1, Value::unbound());
            answer.model[n] = part[n];
        }
        return answer;
    }

    bool solves(const Question& q, const Assignment& model) const {
        const auto holds = [&](Value c) { return terms_.evaluate(c, model).is_true(); };
        return holds(q.condition) && std::all_of(q.path.begin(), q.path.end(), holds);
    }

    Answer ask_written(const WrittenQuestion& written) {
        if (!vectors_) vectors_ = std::make_unique<z3::context>();
        z3::context& context = *vectors_;
        return guarded([&] { context.interrupt(); },
                       [&] {
                           z3::solver solver(context, "QF_BV");
                           z3::params params(context);
                           params.set("rlimit", resources_);
                           params.set("random_seed", 0U);
                           params.set("ctrl_c", false);
                           solver.set(params);
                           solver.from_string(written.text.c_str());
                           Answer answer;
                           const z3::check_result result = solver.check();
                           if (result == z3::unsat) answer.verdict = Verdict::unsat;
                           if (result != z3::sat) return answer;
                           answer.verdict = Verdict::sat;
                           const z3::model m = solver.get_model();
                           for (size_t i = 0; i < written.variables.size(); ++i) {
                               const Value v = written.variables[i];
                               const uint32_t n = terms_.ordinal(v);
                               if (answer.model.size() <= n) answer.model.resize(n + 1, Value::unbound());
                               const bool is_boolean = terms_[v].sort == Sort::boolean;
                               const z3::sort sort = is_boolean ? context.bool_sort()
                                                                : context.bv_sort(static_cast<unsigned>(written.width));
                               const z3::expr value = m.eval(context.constant(written.name(i).c_str(), sort), true);
                               answer.model[n] =
                                   is_boolean ? Value::boolean(value.is_true())
                                              : read_value(terms_, written, v, Z3_get_numeral_string(context, value));
                           }
                           return answer;
                       });
    }

    // Running out of resources inside the preprocessor is an exception, and means unknown as well. Any other is a
    // question that should not have been put like that: our own mistake, not to be taken for unknown.
    Answer guarded(std::function<void()> interrupt, const std::function<Answer()>& ask) {
        const Interrupter::Watch watch(interrupter_, std::move(interrupt));
        try {
            return ask();
        } catch (const z3::exception& e) {
            const std::string_view what = e.msg();
            for (const char* limit : {"resource limit", "canceled", "memory"})
                if (what.find(limit) != std::string_view::npos) return {};
            throw std::logic_error("Z3: " + std::string(what));
        } catch (const Inexpressible& e) {
            return {.beyond = e.what};
        }
    }

    Answer ask_once(Backend& backend, const Question& q) {
        return guarded([&backend] { backend.interrupt(); }, [&] { return backend.ask(q); });
    }

    Terms& terms_;
    uint32_t resources_;
    bool cores_;
    SolverStatistics& statistics_;
    Interrupter interrupter_;
    std::unique_ptr<Backend> backend_;
    std::unique_ptr<z3::context> vectors_; // for written questions: making one takes longer than most answers
};

} // namespace

std::unique_ptr<Solver> make_z3(Terms& terms, uint32_t resources, bool cores, SolverStatistics& statistics,
                                std::function<bool()> stop) {
    return std::make_unique<Z3Solver>(terms, resources, cores, statistics, std::move(stop));
}

} // namespace espalier::sym
