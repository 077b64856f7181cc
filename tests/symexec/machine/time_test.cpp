// Time is an integer of any size: delays around the limits of machine words, and sums of them, are in both engines what
// the text says.
#include <array>
#include <random>

#include "symexec/symexec.hpp"
#include "tests/random/concrete.hpp"
#include "tests/random/law.hpp"
#include "tests/symexec/replay.hpp"

using namespace espalier;
using namespace espalier::test;

namespace {

// Next to a power of two, or ordinary.
std::string delay(std::mt19937& random) {
    constexpr std::array powers{31, 53, 59, 60, 61, 62, 63, 64, 100};
    Heap heap;
    const auto small = static_cast<int64_t>(random() % 5);
    if (random() % 3 == 0) return std::to_string(small + 1);
    const Value power =
        number::arithmetic_shift(heap, Value::fixnum(1), Value::fixnum(powers.at(random() % powers.size())));
    return number::to_text(number::add(heap, power, Value::fixnum(small - 2)));
}

// Two timers and an `after` against each other, each started again with what is asked for. Which one comes first, and
// whether time passes between, is a branch of its own.
std::string race(uint32_t seed) {
    std::mt19937 random(seed);
    std::string values = delay(random), more;
    for (int i = 0; i < 2; ++i)
        if (more = delay(random); values.find(more) == std::string::npos) values += " " + more;
    return "(define-message Go (d (enum " + values + ")))\n(define-port p in Go)\n(define-timer s" +
           (random() % 2 == 0 ? " early" : "") + ")\n(define-timer t)\n(start s " + delay(random) + ")\n(start t " +
           delay(random) + R"()
(define (seen last now n)
  (cond ((not (eq? last 's)) (if (eq? now 's) (if (= n 1) 1 2) 3))
        ((eq? now 't) (if (= n 1) 4 5))
        ((eq? now 'a) (if (= n 1) 6 7))
        (else 8)))
(define (race n last)
  (when (> n 0)
    (select
      ((p (Go d))    (seen last 'p n) (start s d) (race (- n 1) 'p))
      ((timeout s)   (seen last 's n) (start s )" +
           delay(random) + R"() (race (- n 1) 's))
      ((timeout t)   (seen last 't n) (race (- n 1) 't))
      ((after )" +
           delay(random) +
           R"()   (seen last 'a n) (race (- n 1) 'a)))))
(race 3 'none)
)";
}

std::string agree(const std::string& text, uint64_t& compared) {
    Model model = compile_text(text);
    if (!model.program) return "check: " + text;
    const Program program = instrument(*model.program, Criteria::all());
    ExploreOptions options;
    options.depth = 4;
    const Exploration found = explore(program, options);
    if (const std::string problem = replay_all(program, found); !problem.empty()) return "replay: " + problem;
    if (!found.complete || !found.unsupported.empty()) return "the search left something out";
    const Enumeration enumeration(program, 3, 4000);
    if (!enumeration.found().whole && enumeration.found().runs > 4000) return "";
    for (uint32_t t = 0; t < program.targets.size(); ++t) {
        const bool reached = enumeration.found().targets.count(TargetId{t}) > 0;
        compared += reached ? 1 : 0;
        if (reached != found.covered[t])
            return target_id(program.targets[t]) + (reached ? " is missed" : " is covered, and no run comes there");
    }
    return "";
}

} // namespace

TEST_CASE("time: both engines agree on delays of every size") {
    uint64_t compared = 0;
    check_law(60, race, [&](const std::string& text) { return agree(text, compared); });
    CHECK(enough(compared, 500));
}

TEST_CASE("time: delays that depend on inputs without a limit, or with a large one") {
    const Model model = compile_text(R"(
(define-message Go (n int) (m (int 1 1000000000000000000000000000000)))
(define-port p in Go)
(define-timer t)
(define (wait-for g)
  (assume (> (Go-n g) 1000000000000000000000))
  (select ((after (Go-n g)) 'over))
  (start t (Go-m g))
  (select ((timeout t) (if (> (Go-m g) (expt 10 29)) (checkpoint long) (checkpoint short)))))
(wait-for (read p))
)");
    REQUIRE(model.program);
    ExploreOptions options;
    options.depth = 4;
    const Exploration found = explore(*model.program, options);
    CHECK(replay_all(*model.program, found).empty());
    CHECK(covered_names(*model.program, found) == std::set<std::string>{"long", "short"});
    std::set<std::string> waits;
    for (const FoundTest& test : found.tests)
        for (const TestStep& step : test.steps)
            if (step.kind == TestStep::Kind::wait) waits.insert(step.units.text());
    CHECK(waits.count("1000000000000000000001") == 1);
    CHECK(waits.count("1000000000000000000000000000000") == 1);
}
