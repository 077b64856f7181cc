// The benchmark without a clock: what is measured is made up, so that seconds decide nothing here.
#include "testgen/bench/bench.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace espalier;

namespace {

const auto never = [] { return false; };

BenchRun ended(double seconds, uint64_t steps) {
    BenchRun run;
    run.user_seconds = run.seconds = seconds;
    run.vm_steps = steps;
    run.covered = {true, true, false};
    return run;
}

BenchRun limited(EndedBy by, double seconds, uint64_t steps) {
    BenchRun run = ended(seconds, steps);
    run.complete = false;
    run.ended_by = by;
    return run;
}

// A machine on which a search of that many steps takes a second for each thousand, of which the run gets that share.
BenchRun on_machine(const GenerateOptions& options, uint64_t steps, double share = 1) {
    const double seconds = static_cast<double>(steps) / 1000;
    if (options.step_limit != 0 && steps > options.step_limit)
        return limited(EndedBy::step_limit, static_cast<double>(options.step_limit) / 1000, options.step_limit);
    if (options.time_limit == 0 || seconds <= options.time_limit * share) return ended(seconds, steps);
    const double used = options.time_limit * share;
    return limited(EndedBy::time_limit, used, static_cast<uint64_t>(used * 1000));
}

GenerateOptions with_limit(double seconds) {
    GenerateOptions options;
    options.time_limit = seconds;
    return options;
}

uint64_t exponential(uint32_t depth) { return static_cast<uint64_t>(std::pow(10, depth)); }

const BenchConfiguration& named(const std::vector<BenchConfiguration>& all, const std::string& name) {
    return *std::find_if(all.begin(), all.end(), [&](const BenchConfiguration& c) { return c.name == name; });
}

} // namespace

TEST_CASE("depth: the smallest at which the base algorithm needs ten seconds, which is not waited for in full") {
    double longest = 0;
    const auto choice = choose_depth(
        with_limit(600),
        [&](const GenerateOptions& o) {
            BenchRun run = on_machine(o, exponential(o.depth) * 4);
            longest = std::max(longest, run.seconds);
            return run;
        },
        never);
    CHECK(choice.depth == 4); // 4 s at depth 3, and 40 at depth 4
    CHECK(choice.why == DepthChoice::Why::needs_time);
    CHECK(longest == 12);
    CHECK(to_text(choice) == "depth 4, the smallest at which the base algorithm needs ten seconds");
}

TEST_CASE("depth: on a busy machine the limit is moved, not the depth") {
    std::vector<std::pair<uint32_t, double>> tried;
    const auto choice = choose_depth(
        with_limit(600),
        [&](const GenerateOptions& o) {
            tried.emplace_back(o.depth, o.time_limit);
            return on_machine(o, exponential(o.depth) * 8, 0.25);
        },
        never);
    CHECK(choice.depth == 4);
    // Depth 3 needs 8 s: it is seen to end when there is time for it.
    CHECK(tried == std::vector<std::pair<uint32_t, double>>{
                       {1, 12}, {2, 12}, {3, 12}, {3, 24}, {3, 48}, {4, 12}, {4, 24}, {4, 48}});
}

TEST_CASE("depth: a limit that comes sooner is as far as one gets") {
    const auto by_time = choose_depth(
        with_limit(5), [](const GenerateOptions& o) { return on_machine(o, exponential(o.depth)); }, never);
    CHECK(by_time.depth == 4);
    CHECK(by_time.why == DepthChoice::Why::needs_limit);
    GenerateOptions steps = with_limit(600);
    steps.step_limit = 500;
    const auto by_steps = choose_depth(
        steps, [](const GenerateOptions& o) { return on_machine(o, exponential(o.depth)); }, never);
    CHECK(by_steps.depth == 3);
    CHECK(by_steps.why == DepthChoice::Why::needs_limit);
}

TEST_CASE("depth: where the search grows no more, the one with the most steps") {
    const std::vector<uint64_t> steps{0, 10, 300, 280, 310, 310, 310, 310};
    const auto choice = choose_depth(
        with_limit(600), [&](const GenerateOptions& o) { return on_machine(o, steps.at(o.depth)); }, never);
    CHECK(choice.depth == 4);
    CHECK(choice.why == DepthChoice::Why::grows_no_more);
    CHECK(choice.steps == 310);
    // By a little each time is not enough either.
    const auto slow = choose_depth(
        with_limit(600), [&](const GenerateOptions& o) { return on_machine(o, 100 + o.depth); }, never);
    CHECK(slow.why == DepthChoice::Why::grows_no_more);
    CHECK(slow.depth == 5);
}

TEST_CASE("depth: the choice can be stopped") {
    int runs = 0;
    const auto choice = choose_depth(
        with_limit(600), [&](const GenerateOptions& o) { return on_machine(o, exponential(o.depth)); },
        [&] { return ++runs == 2; });
    CHECK(choice.why == DepthChoice::Why::stopped);
}

TEST_CASE("the ten configurations of table 6.1, and ours") {
    GenerateOptions common;
    common.seed = 7;
    const auto all = bench_configurations(common);
    CHECK(all.front().name == "1");
    for (const char* name :
         {"1", "2a", "2b", "3a", "3b", "3c", "4a", "4b", "4c", "4d", "v3", "v3+", "v3i", "v3+i", "4-v3"}) {
        CAPTURE(name);
        CHECK(std::count_if(all.begin(), all.end(), [&](const auto& c) { return c.name == name; }) == 1);
    }
    for (const BenchConfiguration& c : all) CHECK(c.options.seed == 7);
    CHECK(named(all, "1").options.cut == Cutting::off);
    CHECK(named(all, "2a").options.cut == Cutting::v1);
    CHECK(named(all, "3b").options.no_target_info);
    CHECK(named(all, "3c").options.no_bound_info);
    CHECK(named(all, "4b").options.cut_parts == CutParts::track);
    CHECK(named(all, "4d").options.cut_parts == CutParts::ask);
    CHECK(named(all, "v3+").options.search == Search::distance);
    for (const BenchConfiguration& c : all) {
        const bool is_nearest_first = c.name == "v3+" || c.name == "v3+i";
        CHECK(c.options.memo == is_nearest_first);
        CHECK(same_order(c, all.front()) != is_nearest_first);
        CHECK(c.options.interpolants == (c.name == "v3i" || c.name == "v3+i"));
    }

    const auto some = *choose_configurations(all, "v3,2a");
    REQUIRE(some.size() == 3);
    CHECK(some[0].name == "1");
    CHECK(some[1].name == "2a");
    CHECK(some[2].name == "v3");
    CHECK(
        choose_configurations(all, "2a,5").problem().text.find("there is no configuration `5`; there are 1, 2a, 2b") ==
        0);
}

TEST_CASE("rounds: in turn; what a time limit ended is not repeated, and parts are measured over the same steps") {
    const auto some = *choose_configurations(bench_configurations(with_limit(600)), "v3,4b");
    std::string order;
    uint64_t step_limit = 0;
    BenchColumn column{"m", {4, DepthChoice::Why::given, 0}, {}};
    measure_rounds(
        some, 3,
        [&](const GenerateOptions& o) {
            CHECK(o.depth == 4);
            const bool part = o.cut_parts == CutParts::track;
            order += o.cut == Cutting::off ? 'b' : part ? 'p' : 'c';
            if (part) step_limit = o.step_limit;
            return o.cut == Cutting::off ? limited(EndedBy::time_limit, 590, 5000)
                   : part                ? limited(EndedBy::step_limit, 600, o.step_limit)
                                         : ended(6, 200);
        },
        never, column);
    CHECK(order == "bcpcc");
    CHECK(step_limit == 5000);
    CHECK(column.runs[0].size() == 1);
    CHECK(column.runs[1].size() == 3);

    order.clear();
    BenchColumn stopped{"m", {4, DepthChoice::Why::given, 0}, {}};
    measure_rounds(
        some, 2,
        [&](const GenerateOptions& o) {
            order += o.cut == Cutting::off ? 'b' : o.cut_parts == CutParts::track ? 'p' : 'c';
            return ended(1, 10);
        },
        [&] { return order.size() == 5; }, stopped);
    CHECK(order == "bcpbc");
    CHECK(stopped.runs[0].size() == 2);
    CHECK(stopped.runs[1].size() == 1); // the one that was stopped is not counted
}

TEST_CASE("percentages say what is known") {
    const auto all = bench_configurations({});
    const auto& base = named(all, "1");
    const auto& cut = named(all, "v3");
    const auto& part = named(all, "4b");
    using Kind = Percentage::Kind;
    const auto percent = [&](const BenchConfiguration& c, const BenchRun& run, const BenchRun& of) {
        return percentage_of_base(c, {run}, base, {of});
    };
    const auto exact = percent(cut, ended(2, 10), ended(8, 100));
    CHECK(exact.kind == Kind::exact);
    CHECK(exact.percent == doctest::Approx(25));
    CHECK(percent(cut, ended(2, 10), limited(EndedBy::time_limit, 8, 100)).kind == Kind::less);
    CHECK(percent(cut, limited(EndedBy::time_limit, 8, 10), ended(8, 100)).kind == Kind::more);
    CHECK(percent(cut, limited(EndedBy::time_limit, 8, 10), limited(EndedBy::time_limit, 8, 100)).kind ==
          Kind::unknown);
    BenchRun tracked = limited(EndedBy::step_limit, 9, 100);
    tracked.tracking_seconds = 0.4;
    const auto of_part = percent(part, tracked, limited(EndedBy::time_limit, 8, 100));
    CHECK(of_part.kind == Kind::exact);
    CHECK(of_part.percent == doctest::Approx(5));
    CHECK(percentage_of_base(cut, {}, base, {ended(1, 1)}).kind == Kind::unknown);

    const TimeSummary time = summarise(base, {ended(1, 1), ended(2, 1), ended(6, 1)});
    CHECK(time.average == doctest::Approx(3));
    CHECK(time.deviation == doctest::Approx(3));
}

TEST_CASE("figures of the thesis are those of its tables") {
    CHECK(thesis_figure("bgp", "1", BenchRow::vm_steps) == "5.5·10⁷");
    CHECK(thesis_figure("sip_client", "2b", BenchRow::of_base) == "100.5");
    CHECK(thesis_figure("two_routers", "2b", BenchRow::of_base) == "2.3");
    CHECK(thesis_figure("nota", "3c", BenchRow::cut_percent) == "0.0");
    CHECK(thesis_figure("sctp", "4a", BenchRow::of_base) == "521.7");
    CHECK(thesis_figure("inventory_system", "4c", BenchRow::average_time) == "46.8");
    CHECK(thesis_figure("bgp", "1", BenchRow::sp_queries).empty());
    CHECK(thesis_figure("bgp", "v3", BenchRow::vm_steps).empty());
    CHECK(thesis_figure("tftp", "1", BenchRow::vm_steps).empty());
}

TEST_CASE("tables") {
    const auto some = *choose_configurations(bench_configurations({}), "2b,4a");
    BenchRun base = ended(20, 5000), cut = ended(0.5, 100), flow = ended(21, 5000);
    cut.sat_queries = 7;
    cut.sp_queries = 40;
    cut.cuts = 10;
    flow.flow_seconds = 0.1;
    BenchColumn bgp{"bgp", {3, DepthChoice::Why::needs_time, 5000}, {{base, ended(22, 5000)}, {cut, cut}, {flow}}};
    BenchColumn own{"own", {2, DepthChoice::Why::given, 0}, {{limited(EndedBy::time_limit, 600, 9)}, {cut}, {}}};
    CHECK(bench_tables(some, {bgp, own}) == R"(Table 6.4: The base test generation algorithm (BA)

Conf. 1       bgp     thesis      own   the base algorithm
vm steps     5000  (5.5·10⁷)      > 9
sat queries     0    (75249)      > 0
avg time     21.0     (81.0)  > 600.0
max dev      1.00      (1.0)        -

Table 6.5: The whole system

Conf. 2b       bgp     thesis      own   the whole system, SPCv2
vm steps       100  (6.0·10⁶)      100
sat queries      7     (8094)        7
sp queries      40     (2845)       40
cut %         25.0     (20.4)     25.0
avg time     0.500     (12.0)    0.500
max dev      0.000      (0.1)        -
% of BA       2.38     (14.8)  < 0.083

Table 6.7: Component overheads, measured inside the program

Conf. 4a       bgp  thesis  own   flow analysis
avg time     0.100   (6.3)    -
max dev          -   (0.1)    -
% of BA      0.476   (7.7)    -

bgp: depth 3, the smallest at which the base algorithm needs ten seconds. Every configuration that ended by itself covers 2 of 3 targets.
own: depth 2. Every configuration that ended by itself covers 2 of 3 targets.
Times are seconds of user time, from the loaded model to the suite; in table 6.7 those of the component.
> : a limit ended the run, and figures are of the part that was searched; < : so it was for the base algorithm.
Figures of the thesis are of its own models of these systems, and of its machine.
)");
}

TEST_CASE("what contradicts the laws is told") {
    const auto some = *choose_configurations(bench_configurations({}), "2b");
    const auto found = [&](std::vector<BenchRun> base, std::vector<BenchRun> cut) {
        const auto lines = contradictions(some, {"m", {}, {std::move(base), std::move(cut)}});
        std::string text;
        for (const std::string& line : lines) text += line + "\n";
        return text;
    };
    CHECK(found({ended(1, 10)}, {ended(2, 10), ended(3, 10)}).empty());
    CHECK(found({ended(1, 10)}, {ended(1, 9), ended(1, 8)}) ==
          "m, configuration 2b: its runs differ from each other\n");
    CHECK(found({ended(1, 10)}, {ended(1, 11)}) ==
          "m, configuration 2b: it needs more steps or questions than the base algorithm\n");
    BenchRun other = ended(1, 9);
    other.covered = {true, false, true};
    CHECK(found({ended(1, 10)}, {other}) == "m, configuration 2b: it covers other targets than the base algorithm\n");
    CHECK(found({limited(EndedBy::time_limit, 1, 10)}, {other}).empty()); // who did not end says nothing
    other.sat_unknown = 1;
    CHECK(found({ended(1, 10)}, {other}).empty());
    other.disproved = 1; // however it ended
    CHECK(found({limited(EndedBy::time_limit, 1, 10)}, {other}) ==
          "m, configuration 2b: targets were covered on paths of which the oracle had said no\n");
}

TEST_CASE("the timeline: a line for each search, and the scale that shows something") {
    const auto some = *choose_configurations(bench_configurations({}), "v3,4a");
    BenchRun base = ended(10, 1), cut = ended(4, 1);
    base.timeline = {1, 5};
    cut.timeline = {2, 3};
    const BenchColumn column{"a<b&c", {3, DepthChoice::Why::given, 0}, {{base}, {cut}, {base}}};
    const auto count = [](const std::string& text, const std::string& part) {
        size_t n = 0;
        for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
        return n;
    };
    const std::string linear = timeline_svg(some, column);
    CHECK(count(linear, "<path class=\"line ") == 4); // two lines, and two in the legend
    CHECK(count(linear, "Covered targets over time: a&lt;b&amp;c, depth 3") == 2);
    CHECK(count(linear, "covered of 3 targets") == 1);
    CHECK(count(linear, "the base algorithm: 2 covered, ends after 10.0 s") == 1);
    CHECK(count(linear, "(logarithmic)") == 0);
    BenchColumn long_tail = column;
    long_tail.runs[0][0].seconds = 600;
    long_tail.runs[0][0].complete = false;
    long_tail.runs[0][0].ended_by = EndedBy::time_limit;
    const std::string logarithmic = timeline_svg(some, long_tail);
    CHECK(count(logarithmic, "(logarithmic)") == 1);
    CHECK(count(logarithmic, "ended by the time limit after 600.0 s") == 1);
}
