#include <algorithm>
#include <cmath>

#include "testgen/bench/bench.hpp"

namespace espalier {

namespace {

// A step limit ends each run at the same place; anything else would end the next one elsewhere.
bool given_up(const std::vector<BenchRun>& runs) {
    return !runs.empty() && !runs.back().complete && runs.back().ended_by != EndedBy::step_limit;
}

} // namespace

void measure_rounds(const std::vector<BenchConfiguration>& configurations, uint32_t runs, const Measure& measure,
                    const std::function<bool()>& stopped, BenchColumn& column) {
    column.runs.resize(configurations.size());
    const std::vector<BenchRun>& base = column.runs.front();
    for (uint32_t round = 0; round < runs; ++round)
        for (size_t i = 0; i < configurations.size(); ++i) {
            const bool same_steps = is_component(configurations[i]) && given_up(base);
            if (given_up(column.runs[i]) || (same_steps && round > 0)) continue;
            GenerateOptions options = configurations[i].options;
            options.depth = column.depth.depth;
            if (same_steps) { // it does more than the base algorithm on the way
                options.step_limit = base.back().vm_steps;
                options.time_limit *= 2;
            }
            BenchRun run = measure(options);
            if (stopped()) return; // this one was not finished
            column.runs[i].push_back(std::move(run));
        }
}

TimeSummary summarise(const BenchConfiguration& configuration, const std::vector<BenchRun>& runs) {
    TimeSummary s;
    for (const BenchRun& r : runs) s.average += seconds_of(configuration, r) / static_cast<double>(runs.size());
    for (const BenchRun& r : runs)
        s.deviation = std::max(s.deviation, std::abs(seconds_of(configuration, r) - s.average));
    return s;
}

Percentage percentage_of_base(const BenchConfiguration& configuration, const std::vector<BenchRun>& runs,
                              const BenchConfiguration& base, const std::vector<BenchRun>& base_runs) {
    if (runs.empty() || base_runs.empty()) return {};
    const double whole = summarise(base, base_runs).average;
    if (whole <= 0) return {};
    const double percent = 100 * summarise(configuration, runs).average / whole;
    const bool ended = runs.back().complete, base_ended = base_runs.back().complete;
    // A part that was measured over the same steps is compared with what these steps took.
    const bool same_part = is_component(configuration) && runs.back().vm_steps == base_runs.back().vm_steps;
    if ((ended && base_ended) || same_part) return {Percentage::Kind::exact, percent};
    if (ended) return {Percentage::Kind::less, percent};
    if (base_ended) return {Percentage::Kind::more, percent};
    return {};
}

std::vector<std::string> contradictions(const std::vector<BenchConfiguration>& configurations,
                                        const BenchColumn& column) {
    std::vector<std::string> found;
    const auto known = [](const std::vector<BenchRun>& runs) {
        return !runs.empty() && runs.front().complete && runs.front().sat_unknown == 0;
    };
    for (size_t i = 0; i < column.runs.size(); ++i) {
        const std::vector<BenchRun>&runs = column.runs[i], &base = column.runs.front();
        const std::string which = column.model + ", configuration " + configurations[i].name + ": ";
        for (const BenchRun& r : runs) {
            if (!r.complete || !runs.front().complete) continue;
            if (r.vm_steps != runs.front().vm_steps || r.sat_queries != runs.front().sat_queries ||
                r.sp_queries != runs.front().sp_queries || r.cuts != runs.front().cuts ||
                r.covered != runs.front().covered) {
                found.push_back(which + "its runs differ from each other");
                break;
            }
        }
        if (!runs.empty() && runs.front().disproved > 0)
            found.push_back(which + "targets were covered on paths of which the oracle had said no");
        if (!known(runs) || !known(base) || !same_order(configurations[i], configurations.front())) continue;
        if (runs.front().covered != base.front().covered)
            found.push_back(which + "it covers other targets than the base algorithm");
        // What learning takes are steps and questions, too.
        if (configurations[i].options.interpolants) continue;
        if (runs.front().vm_steps > base.front().vm_steps || runs.front().sat_queries > base.front().sat_queries)
            found.push_back(which + "it needs more steps or questions than the base algorithm");
    }
    return found;
}

} // namespace espalier
