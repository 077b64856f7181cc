// The configurations of the thesis's table 6.1, and ours. A row here is a row in every table.
#include <algorithm>
#include <optional>

#include "testgen/bench/bench.hpp"

namespace espalier {

std::vector<BenchConfiguration> bench_configurations(const GenerateOptions& common) {
    using Time = BenchConfiguration::Time;
    std::vector<BenchConfiguration> all;
    const auto add = [&](const char* name, const char* table, const char* meaning, Time time, const auto& change) {
        BenchConfiguration c{name, meaning, table, time, common};
        c.options.memo = false; // the thesis has none
        change(c.options);
        all.push_back(std::move(c));
    };
    const auto cut = [](Cutting how, CutParts parts = CutParts::all) {
        return [=](GenerateOptions& o) {
            o.cut = how;
            o.cut_parts = parts;
        };
    };
    add("1", "6.4", "the base algorithm", Time::all, cut(Cutting::off));
    add("2a", "6.5", "the whole system, SPCv1", Time::all, cut(Cutting::v1));
    add("2b", "6.5", "the whole system, SPCv2", Time::all, cut(Cutting::v2));
    add("v3", "6.5", "the whole system, oracle v3", Time::all, cut(Cutting::v3));
    const auto nearest_first = [](GenerateOptions& o) {
        o.cut = Cutting::v3;
        o.search = Search::distance;
        o.memo = true;
    };
    add("v3+", "6.5", "v3, nearest first and with memo", Time::all, nearest_first);
    add("v3i", "6.5", "v3, with interpolants", Time::all, [](GenerateOptions& o) {
        o.cut = Cutting::v3;
        o.interpolants = true;
    });
    add("v3+i", "6.5", "v3+, with interpolants", Time::all, [&](GenerateOptions& o) {
        nearest_first(o);
        o.interpolants = true;
    });
    add("3a", "6.6", "the flow analysis alone ends the search", Time::all, cut(Cutting::flow));
    add("3b", "6.6", "SPCv2 is not told what is covered", Time::all, [](GenerateOptions& o) {
        o.cut = Cutting::v2;
        o.no_target_info = true;
    });
    add("3c", "6.6", "SPCv2 is not told the bound", Time::all, [](GenerateOptions& o) {
        o.cut = Cutting::v2;
        o.no_bound_info = true;
    });
    add("4a", "6.7", "flow analysis", Time::flow, cut(Cutting::flow, CutParts::ask));
    add("4b", "6.7", "correspondence tracking", Time::tracking, cut(Cutting::v3, CutParts::track));
    add("4c", "6.7", "SPCv1, tracking included", Time::oracle, cut(Cutting::v1, CutParts::ask));
    add("4d", "6.7", "SPCv2, tracking included", Time::oracle, cut(Cutting::v2, CutParts::ask));
    add("4-v3", "6.7", "oracle v3, tracking included", Time::oracle, cut(Cutting::v3, CutParts::ask));
    return all;
}

std::string configuration_names() {
    std::string names;
    for (const BenchConfiguration& c : bench_configurations({})) names += (names.empty() ? "" : ", ") + c.name;
    return names;
}

Result<std::vector<BenchConfiguration>> choose_configurations(std::vector<BenchConfiguration> all,
                                                              const std::string& list) {
    std::vector<std::string> names{all.front().name};
    for (size_t begin = 0; begin <= list.size();) {
        const size_t end = std::min(list.find(',', begin), list.size());
        names.push_back(list.substr(begin, end - begin));
        begin = end + 1;
    }
    std::optional<Problem> problem; // of the last name that has one
    for (const std::string& name : names)
        if (std::none_of(all.begin(), all.end(), [&](const BenchConfiguration& c) { return c.name == name; }))
            problem = Problem{"there is no configuration `" + name + "`; there are " + configuration_names()};
    if (problem) return *problem;
    std::erase_if(
        all, [&](const BenchConfiguration& c) { return std::find(names.begin(), names.end(), c.name) == names.end(); });
    return all;
}

bool is_component(const BenchConfiguration& c) { return c.time != BenchConfiguration::Time::all; }

bool asks_oracle(const BenchConfiguration& c) {
    return asks_oracle(c.options.cut) && c.options.cut_parts == CutParts::all;
}

bool same_order(const BenchConfiguration& a, const BenchConfiguration& b) {
    return a.options.order() == b.options.order() && a.options.memo == b.options.memo;
}

double seconds_of(const BenchConfiguration& c, const BenchRun& run) {
    switch (c.time) {
    case BenchConfiguration::Time::all: return run.user_seconds;
    case BenchConfiguration::Time::flow: return run.flow_seconds;
    case BenchConfiguration::Time::tracking: return run.tracking_seconds;
    case BenchConfiguration::Time::oracle: return run.oracle_seconds;
    }
    return 0;
}

} // namespace espalier
