// Each step of the solver chain on random questions, judged by plain Z3; and the judge itself, on a step that errs.
#include "symexec/solver/solver.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <functional>
#include <random>
#include <stdexcept>

#include "tests/random/scale.hpp"

using namespace espalier;
using namespace espalier::sym;

namespace {

// Questions over a few variables of each kind. Small numbers, so that paths contradict themselves often enough.
class RandomQuestions {
public:
    RandomQuestions(Terms& terms, uint64_t seed) : terms_(terms), random_(seed) {
        const auto integer = [](std::optional<Value> low, std::optional<Value> high) {
            return Domain{Sort::integer, low, high, {}, low.value_or(Value::fixnum(0))};
        };
        const auto symbol = [](const char* name) { return Value::symbol(intern(name)); };
        domains_ = {
            terms.add_domain(integer({}, {})),
            terms.add_domain(integer(Value::fixnum(-2), Value::fixnum(9))),
            terms.add_domain(
                {Sort::integer, {}, {}, {Value::fixnum(1), Value::fixnum(3), Value::fixnum(8)}, Value::fixnum(1)}),
            terms.add_domain({Sort::boolean, {}, {}, {}, Value::boolean(false)}),
            terms.add_domain({Sort::symbol, {}, {}, {symbol("u"), symbol("v"), symbol("w")}, symbol("u")}),
            terms.add_domain({Sort::string, {}, {}, {}, terms.heap().string("")}),
        };
        // Two of each kind.
        for (uint32_t i = 0; i < 2 * domains_.size(); ++i)
            variables_.push_back(terms.variable(i, domains_[i % domains_.size()]));
    }
    const std::vector<Value>& variables() const { return variables_; }
    // Paths of one model meet the same conditions again and again.
    Value condition() {
        if (asked_.size() < 40) return asked_.emplace_back(any_condition(2));
        return asked_[pick(40)];
    }
    uint32_t pick(uint32_t n) { return static_cast<uint32_t>(random_() % n); }

private:
    Value of(Sort sort) {
        for (;;)
            if (const Value v = variables_[pick(static_cast<uint32_t>(variables_.size()))]; terms_[v].sort == sort)
                return v;
    }
    Value number(int depth) {
        const Value constant = Value::fixnum(static_cast<int64_t>(pick(13)) - 4);
        if (depth == 0) return pick(3) == 0 ? constant : of(Sort::integer);
        switch (pick(7)) {
        case 0: return terms_.sub(number(depth - 1), number(depth - 1));
        case 1: return terms_.mul(Value::fixnum(pick(4) + 1), number(depth - 1));
        case 2: return terms_.floor_quotient(number(depth - 1), Value::fixnum(pick(3) + 2));
        case 3: return terms_.quotient(number(depth - 1), Value::fixnum(pick(3) + 2));
        case 4: return terms_.length(of(Sort::string));
        default: return terms_.add(number(depth - 1), number(depth - 1));
        }
    }
    Value text() {
        static constexpr const char* constants[] = {"", "a", "bc", "xyz"};
        if (pick(2) == 0) return of(Sort::string);
        return terms_.constant(terms_.heap().string(constants[pick(4)]));
    }
    Value any_condition(int depth) {
        switch (pick(depth == 0 ? 8 : 11)) {
        case 0:
        case 1: return terms_.at_most(number(1), number(1));
        case 2: return terms_.equal_integers(number(1), number(1));
        case 3: return terms_.at_most(of(Sort::integer), Value::fixnum(pick(10)));
        case 4: return of(Sort::boolean);
        case 5: return terms_.iff(of(Sort::boolean), of(Sort::boolean));
        case 6: return terms_.same(of(Sort::symbol), pick(2) == 0 ? of(Sort::symbol) : Value::symbol(intern("v")));
        case 7: return terms_.same(of(Sort::string), text());
        case 8: return terms_.negation(any_condition(depth - 1));
        case 9: return terms_.both(any_condition(depth - 1), any_condition(depth - 1));
        default: return terms_.either(any_condition(depth - 1), any_condition(depth - 1));
        }
    }

    Terms& terms_;
    std::mt19937_64 random_;
    std::vector<DomainId> domains_;
    std::vector<Value> variables_, asked_;
};

constexpr uint32_t resources = 2'000'000;

// Walks random paths as a search does: forward while the solver says sat, and now and then back. The number of
// questions that were sat and unsat.
std::pair<int, int> walk(Solver& solver, Terms& terms, RandomQuestions& random, int questions) {
    std::pair<int, int> count;
    std::vector<Value> path;
    std::vector<Assignment> models{{}};
    std::vector<size_t> sizes{0};
    for (Value v : random.variables())
        if (const Value c = terms.domain_condition(v); c.is_term()) path.push_back(c);
    sizes[0] = path.size();
    for (int i = 0; i < questions; ++i) {
        const Value condition = random.condition();
        if (!condition.is_term()) continue;
        const bool with_model = random.pick(8) != 0;
        Answer answer = solver.ask({path, condition, with_model ? &models.back() : nullptr});
        ++(answer.verdict == Verdict::sat ? count.first : count.second);
        if (answer.verdict == Verdict::sat && random.pick(2) == 0) {
            path.push_back(condition);
            sizes.push_back(path.size());
            Assignment model = answer.is_known ? models.back() : std::move(answer.model);
            models.push_back(std::move(model));
        } else if (sizes.size() > 1 && random.pick(4) == 0) {
            const size_t to = random.pick(static_cast<uint32_t>(sizes.size()));
            sizes.resize(to + 1);
            models.resize(to + 1);
            path.resize(sizes.back());
        }
    }
    return count;
}

// Says yes to every tenth question, whatever it is.
class Broken : public Solver {
public:
    explicit Broken(std::unique_ptr<Solver> next) : next_(std::move(next)) {}
    Answer ask(const Question& q) override {
        if (++asked_ % 10 != 0) return next_->ask(q);
        return {Verdict::sat, q.known != nullptr ? *q.known : Assignment{}, {}};
    }

private:
    std::unique_ptr<Solver> next_;
    int asked_ = 0;
};

} // namespace

TEST_CASE("random questions: every chain agrees with plain Z3, in verdicts, models and cores") {
    const std::string chains[] = {"all",
                                  "z3",
                                  "models,z3",
                                  "intervals,z3",
                                  "independence,z3",
                                  "cache,z3",
                                  "independence,cache,z3",
                                  "enumeration,z3",
                                  "intervals,cache,z3"};
    const char* const one = std::getenv("ESPALIER_SEED");
    const uint64_t first = one != nullptr ? std::strtoull(one, nullptr, 10) : 1;
    const uint64_t last = one != nullptr ? first : std::getenv("ESPALIER_LONG") != nullptr ? 100 : 5;
    for (const std::string& name : chains) {
        SolverChain steps = parse_solver_chain(name);
        steps.validate = true;
        CAPTURE(name);
        SolverStatistics statistics;
        int sat = 0, unsat = 0;
        for (uint64_t seed = first; seed <= last; ++seed) {
            CAPTURE(seed);
            Terms terms;
            const auto solver = make_chain(steps, terms, resources, statistics);
            RandomQuestions random(terms, seed);
            const auto [yes, no] = walk(*solver, terms, random, 300);
            sat += yes;
            unsat += no;
        }
        CHECK(sat > 50);
        CHECK(unsat > 50);
        CHECK(statistics.sat_unknown == 0);
        CHECK(statistics.sat_queries == static_cast<uint64_t>(sat + unsat));
        CHECK(statistics.sat_seconds > 0);
        const uint64_t answered = statistics.answered_by_model + statistics.answered_by_intervals +
                                  statistics.answered_by_equalities + statistics.answered_by_cache +
                                  statistics.answered_by_cached_model + statistics.answered_by_core +
                                  statistics.answered_by_enumeration + statistics.z3_queries;
        CHECK(answered == statistics.sat_queries);
        CHECK((statistics.answered_by_model > 0) == steps.models);
        CHECK((statistics.answered_by_intervals > 0) == steps.intervals);
        CHECK((statistics.answered_by_equalities > 0) == steps.intervals);
        CHECK((statistics.conditions_left_out > 0) == steps.independence);
        CHECK((statistics.answered_by_cache > 0) == steps.cache);
        CHECK((statistics.answered_by_cached_model > 0) == steps.cache);
        CHECK((statistics.answered_by_core > 0) == steps.cache);
    }
}

TEST_CASE("products and divisions of a few values are decided by trying them, as Z3 would, or where it gives up") {
    constexpr uint32_t some_resources = 100'000;
    for (const uint32_t limit : {some_resources, uint32_t{1}}) { // with the latter Z3 always gives up
        CAPTURE(limit);
        SolverStatistics statistics;
        int sat = 0, unsat = 0;
        for (uint64_t seed = 1; seed <= test::scaled(60); ++seed) {
            CAPTURE(seed);
            std::mt19937_64 random(seed);
            Terms terms;
            const auto domain =
                terms.add_domain({Sort::integer, Value::fixnum(-3), Value::fixnum(12), {}, Value::fixnum(0)});
            const Value x = terms.variable(0, domain), y = terms.variable(1, domain), z = terms.variable(2, domain);
            const Value some[] = {terms.mul(x, y), terms.quotient(z, terms.add(x, Value::fixnum(4))),
                                  terms.mul(terms.mul(x, z), z),
                                  terms.floor_quotient(terms.mul(x, y), terms.add(z, Value::fixnum(4)))};
            SolverChain steps = parse_solver_chain("enumeration,z3");
            steps.validate = limit == some_resources;
            const auto solver = make_chain(steps, terms, limit, statistics);
            std::vector<Value> path;
            for (Value v : {x, y, z}) path.push_back(terms.domain_condition(v));
            for (int i = 0; i < 6; ++i) {
                const Value a = some[random() % 4], b = some[random() % 4];
                const Value c = Value::fixnum(static_cast<int64_t>(random() % 60) - 10);
                const Value condition = random() % 2 == 0 ? terms.equal_integers(a, c) : terms.less(terms.add(a, c), b);
                if (!condition.is_term()) continue;
                const Answer answer = solver->ask({path, condition, nullptr});
                REQUIRE(answer.verdict != Verdict::unknown);
                ++(answer.verdict == Verdict::sat ? sat : unsat);
                if (answer.verdict != Verdict::sat) continue;
                path.push_back(condition);
                for (Value holds : path) CHECK(terms.evaluate(holds, answer.model).is_true());
            }
        }
        CHECK(test::enough(sat, 60));
        CHECK(test::enough(unsat, 30));
        CHECK(statistics.answered_by_enumeration == statistics.sat_queries);
    }
}

TEST_CASE("where Z3 gives up, larger linear questions are decided by trying values too") {
    Terms terms;
    SolverStatistics statistics;
    const auto domain = terms.add_domain({Sort::integer, Value::fixnum(0), Value::fixnum(99), {}, Value::fixnum(0)});
    const Value x = terms.variable(0, domain), y = terms.variable(1, domain);
    const std::vector<Value> path{terms.domain_condition(x), terms.domain_condition(y)};
    const auto sum_is = [&](int64_t n) {
        return terms.equal_integers(terms.add(terms.mul(Value::fixnum(7), x), terms.mul(Value::fixnum(9), y)),
                                    Value::fixnum(n));
    };
    const auto solver = make_chain(parse_solver_chain("enumeration,z3"), terms, 1, statistics);
    CHECK(solver->ask({path, sum_is(1583), nullptr}).verdict == Verdict::unsat); // the greatest sum but one
    const Answer greatest = solver->ask({path, sum_is(1584), nullptr});
    REQUIRE(greatest.verdict == Verdict::sat);
    CHECK(terms.evaluate(x, greatest.model) == Value::fixnum(99));
    CHECK(statistics.z3_queries == 2);
    CHECK(statistics.answered_by_enumeration == 2);
}

TEST_CASE("a step that errs is caught by the validator") {
    Terms terms;
    SolverStatistics statistics, unused;
    auto broken = std::make_unique<Broken>(make_z3(terms, resources, false, statistics));
    const auto solver = make_validator(std::move(broken), make_z3(terms, resources, false, unused), terms);
    RandomQuestions random(terms, 7);
    CHECK_THROWS_AS(walk(*solver, terms, random, 300), std::logic_error);
}

TEST_CASE("a core is part of the question, and small where the contradiction is") {
    Terms terms;
    SolverStatistics statistics;
    const auto solver = make_z3(terms, resources, true, statistics);
    const DomainId integer = terms.add_domain({Sort::integer, {}, {}, {}, Value::fixnum(0)});
    std::vector<Value> path;
    for (uint32_t i = 0; i < 20; ++i)
        path.push_back(terms.at_most(terms.variable(i, integer), terms.variable(i + 1, integer)));
    const Value last = terms.less(terms.variable(5, integer), terms.variable(3, integer));
    const Answer answer = solver->ask({path, last, nullptr});
    CHECK(answer.verdict == Verdict::unsat);
    CHECK(answer.core.size() == 3); // x3 ≤ x4, x4 ≤ x5, x5 < x3
}

TEST_CASE("equalities on the path decide what bounds cannot") {
    Terms terms;
    SolverStatistics statistics;
    SolverChain steps = parse_solver_chain("intervals,z3");
    steps.validate = true;
    const auto solver = make_chain(steps, terms, resources, statistics);
    const DomainId integer = terms.add_domain({Sort::integer, {}, {}, {}, Value::fixnum(0)});
    const Value x = terms.variable(0, integer), y = terms.variable(1, integer), z = terms.variable(2, integer);
    const std::vector<Value> path{terms.equal_integers(y, terms.add(x, Value::fixnum(3))), terms.equal_integers(z, y)};
    const Assignment known{Value::fixnum(0), Value::fixnum(3), Value::fixnum(3)};
    CHECK(solver->ask({path, terms.less(z, x), &known}).verdict == Verdict::unsat);
    CHECK(solver->ask({path, terms.less(x, z), &known}).verdict == Verdict::sat);
    CHECK(solver->ask({path, terms.is_zero(terms.sub(terms.mul(x, z), terms.mul(x, y))), &known}).verdict ==
          Verdict::sat);
    CHECK(statistics.answered_by_equalities == 3);
    CHECK(statistics.z3_queries == 0);
}

TEST_CASE("natural values are looked for until the end is asked for; what is there then is a solution") {
    Terms terms;
    const DomainId integer = terms.add_domain({Sort::integer, {}, {}, {}, Value::fixnum(0)});
    std::vector<Value> variables;
    Value sum = Value::fixnum(0);
    for (uint32_t i = 0; i < 20; ++i) {
        variables.push_back(terms.variable(i, integer));
        sum = terms.add(sum, terms.mul(Value::fixnum(i + 1), variables.back()));
    }
    const std::vector<Value> path{terms.equal_integers(sum, Value::fixnum(12'345))};
    const auto solve = [&](const std::function<bool()>& stop) {
        SolverStatistics statistics;
        const auto solver = make_chain(parse_solver_chain("z3"), terms, resources, statistics);
        const Answer answer = canonical_solution(*solver, terms, path, {}, variables, nullptr, stop);
        REQUIRE(answer.verdict == Verdict::sat);
        CHECK(terms.evaluate(path[0], answer.model).is_true());
        return statistics.sat_queries;
    };
    const uint64_t all = solve({});
    CHECK(all > 20);
    CHECK(solve([] { return true; }) == 1); // the question for some solution
    uint64_t asked = 0;
    CHECK(solve([&] { return ++asked > 10; }) == 11);
}

TEST_CASE("lists of steps") {
    const SolverChain all = parse_solver_chain("all");
    CHECK((all.models && all.intervals && all.independence && all.cache && all.enumeration && !all.validate));
    const SolverChain z3 = parse_solver_chain("z3");
    CHECK(!(z3.models || z3.intervals || z3.independence || z3.cache || z3.enumeration || z3.validate));
    const SolverChain some = parse_solver_chain("cache,models,z3");
    CHECK((some.models && !some.intervals && !some.independence && some.cache));
    CHECK(parse_solver_chain("all,validate").validate);
    for (const char* wrong : {"", "models", "models,,z3", "z3,", "z4", "cache,cache,z3", "all,z3", "models, z3"})
        CHECK_THROWS_AS(parse_solver_chain(wrong), std::invalid_argument);
}

// Asks each question of a walk also of a solver that was asked nothing before, and in between questions that fail.
class Disturbed : public Solver {
public:
    using Failing = std::function<void(Solver&, std::span<const Value> path)>;
    Disturbed(Terms& terms, std::unique_ptr<Solver> next, Failing failing)
        : terms_(terms), next_(std::move(next)), failing_(std::move(failing)) {}
    Answer ask(const Question& q) override {
        if (++asked_ % 7 == 0) failing_(*next_, q.path);
        Answer answer = next_->ask(q);
        SolverStatistics unused;
        const Verdict other = make_z3(terms_, resources, false, unused)->ask(q).verdict;
        if (answer.verdict != Verdict::unknown && other != Verdict::unknown) CHECK(answer.verdict == other);
        return answer;
    }

private:
    Terms& terms_;
    std::unique_ptr<Solver> next_;
    Failing failing_;
    int asked_ = 0;
};

TEST_CASE("a question that fails leaves nothing behind for the next ones") {
    using Failing = std::function<void(Terms&, RandomQuestions&, Solver&, std::span<const Value>)>;
    const auto variable = [](Terms& terms, RandomQuestions& random, Sort sort, size_t which) {
        for (Value v : random.variables())
            if (terms[v].sort == sort && terms.domain(v).values.empty() && !terms.domain(v).low && which-- == 0)
                return v;
        FAIL("no such variable");
        return Value();
    };
    const auto too_long = [&](Terms& terms, RandomQuestions& random) {
        return terms.at_most(Value::fixnum(200'000), terms.length(variable(terms, random, Sort::string, 0)));
    };
    const auto inexpressible = [&](Terms& terms, RandomQuestions& random) {
        const Value truth = variable(terms, random, Sort::boolean, 0);
        return terms.both(truth, terms.negation(terms.lazy(1000, 0, TypeId{0}, 0)));
    };
    // The sum of three cubes, of which no small ones do.
    const auto hard = [&](Terms& terms, RandomQuestions& random) {
        Value sum = Value::fixnum(-33);
        for (size_t i = 0; i < 2; ++i) {
            const Value x = variable(terms, random, Sort::integer, i);
            sum = terms.add(sum, terms.mul(x, terms.mul(x, x)));
        }
        const Value length = terms.length(variable(terms, random, Sort::string, 1));
        return terms.is_zero(terms.sub(sum, terms.mul(length, terms.mul(length, length))));
    };
    const auto in_condition = [](const auto& make) -> Failing {
        return [=](Terms& terms, RandomQuestions& random, Solver& solver, std::span<const Value> path) {
            CHECK(solver.ask({path, make(terms, random), nullptr}).verdict != Verdict::sat);
        };
    };
    const auto in_path = [](const auto& make) -> Failing {
        return [=](Terms& terms, RandomQuestions& random, Solver& solver, std::span<const Value> path) {
            std::vector<Value> longer(path.begin(), path.end());
            longer.push_back(make(terms, random));
            longer.push_back(random.condition());
            CHECK(solver.ask({longer, random.condition(), nullptr}).verdict != Verdict::sat);
        };
    };
    const std::pair<const char*, Failing> kinds[] = {
        {"a string that is too long", in_condition(too_long)},
        {"a path with one", in_path(too_long)},
        {"a condition without words", in_condition(inexpressible)},
        {"a path with one", in_path(inexpressible)},
        {"more than the resources", in_condition(hard)},
        {"a path of more than the resources", in_path(hard)},
    };
    for (const auto& [kind, failing] : kinds) {
        for (const bool cores : {false, true}) {
            const std::string what = kind;
            CAPTURE(what);
            CAPTURE(cores);
            Terms terms;
            SolverStatistics statistics;
            RandomQuestions random(terms, 11);
            Disturbed solver(terms, make_z3(terms, 100'000, cores, statistics),
                             [&, &failing = failing](Solver& next, std::span<const Value> path) {
                                 failing(terms, random, next, path);
                             });
            const auto [sat, unsat] = walk(solver, terms, random, 150);
            CHECK(sat > 10);
            CHECK(unsat > 10);
        }
    }
}

TEST_CASE("how many questions the range of a delay takes does not depend on the solution at hand") {
    std::vector<uint64_t> questions;
    for (const int64_t known : {1000, 1001, 900'000}) {
        Terms terms;
        SolverStatistics statistics;
        const auto domain = terms.add_domain({Sort::integer, {}, {}, {}, Value::fixnum(0)});
        const Value x = terms.variable(0, domain);
        const std::vector<Value> conditions{terms.at_most(Value::fixnum(1000), x),
                                            terms.at_most(x, Value::fixnum(1'000'000))};
        const auto solver = make_chain(parse_solver_chain("all"), terms, resources, statistics);
        const Assignment solution{Value::fixnum(known)};
        const auto range = positive_range(*solver, terms, conditions, &solution, x);
        CHECK(range.least == Value::fixnum(1000));
        CHECK(range.greatest == Value::fixnum(1'000'000));
        questions.push_back(statistics.sat_queries);
    }
    CHECK(questions[1] == questions[0]);
    CHECK(questions[2] == questions[0]);
}
