// The last step of the chain: Z3, incrementally along the path. The only file that sees its headers.
//
// Conditions stay asserted, one scope each, while questions share their beginning: in depth-first order that is nearly
// always. The limit is Z3's resource counter, never a clock, so that answers do not depend on the machine's load. An
// `unknown` is asked once more in a fresh context: only that answer counts, since it does not depend on history.
//
// Strings have equality and length only, so a string is an integer that names it, with an uninterpreted length: naming
// the empty string 0, of length 0 and the only one of it. No sequence theory is needed. Symbols are their own numbers.
#include <z3++.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>

#include "symexec/solver.hpp"

namespace espalier::sym {

namespace {

constexpr int64_t longest_string = 100'000;

// The n-th string of a length greater than zero, in an order a person might use: aa, ba, ca, … Past the letters and
// digits come 20,000 ideographs, so that there are always enough: different n give different strings.
std::u32string nth_string(int64_t length, uint64_t n) {
    static constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyz0123456789";
    static constexpr uint64_t ideographs = 20'000, characters = plain.size() + ideographs;
    std::u32string text(static_cast<size_t>(length), U'a');
    for (size_t i = 0; i < text.size() && n > 0; ++i, n /= characters) {
        const uint64_t c = n % characters;
        text[i] = c < plain.size() ? static_cast<char32_t>(plain[c]) : static_cast<char32_t>(0x4E00 + c - plain.size());
    }
    return text;
}

class Backend {
public:
    Backend(Terms& terms, uint32_t resources)
        : terms_(terms), solver_(context_, z3::solver::simple()),
          length_(context_.function("length", context_.int_sort(), context_.int_sort())) {
        z3::params params(context_);
        params.set("arith.solver", 2U);
        params.set("rlimit", resources);
        params.set("random_seed", 0U);
        solver_.set(params);
        name_of("");
    }

    Answer ask(const Question& q) {
        size_t shared = 0;
        while (shared < asserted_.size() && shared < q.path.size() && asserted_[shared] == q.path[shared]) ++shared;
        if (shared < asserted_.size()) solver_.pop(static_cast<unsigned>(asserted_.size() - shared));
        asserted_.resize(shared);
        for (size_t i = shared; i < q.path.size(); ++i) {
            solver_.push();
            assert_condition(q.path[i]);
            asserted_.push_back(q.path[i]);
        }
        solver_.push();
        if (q.condition.is_term()) assert_condition(q.condition);
        Answer answer;
        switch (solver_.check()) {
        case z3::sat:
            answer.verdict = Verdict::sat;
            read_model(q, answer.model);
            break;
        case z3::unsat: answer.verdict = Verdict::unsat; break;
        case z3::unknown: break;
        }
        solver_.pop();
        return answer;
    }

private:
    void assert_condition(Value condition) {
        solver_.add(convert(condition));
        describe_strings(condition);
    }

    // What must hold of every string in a condition. Conditions are shallow where strings are concerned.
    void describe_strings(Value v) {
        const Op op = terms_[v].op;
        if (terms_.is_sort(v, Sort::string)) return describe_string(v);
        for (Value part : terms_.operands(v)) {
            if (part.is_term()) describe_strings(part);
            if (op == Op::same && is_type(part, ObjectType::string)) describe_string(part);
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
        const std::vector<Value> parts(terms_.operands(v).begin(), terms_.operands(v).end());
        const auto part = [&](size_t i) { return convert(parts[i]); };
        switch (terms_[v].op) {
        case Op::variable: {
            const std::string name = std::to_string(v.payload());
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
        case Op::lazy: break;
        }
        throw Unsupported("a condition on a value that was not looked into");
    }

    // ── Solutions ──

    void read_model(const Question& q, Assignment& model) {
        const z3::model m = solver_.get_model();
        std::vector<Value> variables;
        for (Value c : q.path) collect(c, variables);
        collect(q.condition, variables);
        std::map<std::string, Value> strings; // by the name that Z3 gave
        uint64_t made = 0;
        for (Value v : variables) {
            const uint32_t n = terms_.ordinal(v);
            if (model.size() <= n) model.resize(n + 1, Value::unbound());
            const z3::expr value = m.eval(convert(v), true);
            switch (terms_[v].sort) {
            case Sort::boolean: model[n] = Value::boolean(value.is_true()); break;
            case Sort::integer: model[n] = terms_.constant(number::from_text(terms_.heap(), text(value))); break;
            case Sort::symbol:
                model[n] = Value::symbol(Symbol{static_cast<uint32_t>(value.get_numeral_uint64())});
                break;
            case Sort::string: {
                const auto [at, is_new] = strings.emplace(text(value), Value());
                if (is_new)
                    at->second = make_string(text(value), m.eval(length_(convert(v)), true).get_numeral_int64(), made);
                model[n] = at->second;
                break;
            }
            case Sort::lazy: break;
            }
        }
    }

    static std::string text(const z3::expr& numeral) { return Z3_get_numeral_string(numeral.ctx(), numeral); }

    void collect(Value v, std::vector<Value>& out) const {
        if (!v.is_term()) return;
        if (terms_[v].op == Op::variable) {
            if (std::find(out.begin(), out.end(), v) == out.end()) out.push_back(v);
            return;
        }
        for (Value part : terms_.operands(v)) collect(part, out);
    }

    // A string for the name: the constant so named, where it fits; else one that is no constant, nor made before in
    // this solution, of which there are `made`.
    Value make_string(const std::string& name, int64_t length, uint64_t& made) {
        if (length > longest_string) throw Unsupported("a string of more than 100000 characters");
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
    Z3Solver(Terms& terms, uint32_t resources, Statistics& statistics)
        : terms_(terms), resources_(resources), statistics_(statistics),
          backend_(std::make_unique<Backend>(terms, resources)) {}

    Answer ask(const Question& q) override {
        const auto start = std::chrono::steady_clock::now();
        ++statistics_.z3_queries;
        Answer answer = ask_once(*backend_, q);
        if (answer.verdict == Verdict::unknown) {
            Backend fresh(terms_, resources_);
            answer = ask_once(fresh, q);
            backend_ = std::make_unique<Backend>(terms_, resources_); // an interrupted one is not trusted with the next
            if (answer.verdict == Verdict::unknown) ++statistics_.sat_unknown;
        }
        statistics_.sat_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return answer;
    }

private:
    // Running out of resources inside the preprocessor is an exception, and means unknown as well.
    static Answer ask_once(Backend& backend, const Question& q) {
        try {
            return backend.ask(q);
        } catch (const z3::exception&) {
            return {};
        }
    }

    Terms& terms_;
    uint32_t resources_;
    Statistics& statistics_;
    std::unique_ptr<Backend> backend_;
};

} // namespace

std::unique_ptr<Solver> make_z3(Terms& terms, uint32_t resources, Statistics& statistics) {
    return std::make_unique<Z3Solver>(terms, resources, statistics);
}

} // namespace espalier::sym
