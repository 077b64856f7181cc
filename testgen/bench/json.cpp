#include <algorithm>

#include "testgen/bench/bench.hpp"
#include "testgen/text/json.hpp"

namespace espalier {

namespace {

const char* word(DepthChoice::Why why) {
    switch (why) {
    case DepthChoice::Why::given: return "given";
    case DepthChoice::Why::needs_time: return "needs ten seconds";
    case DepthChoice::Why::needs_limit: return "needs the limit";
    case DepthChoice::Why::grows_no_more: return "grows no more";
    case DepthChoice::Why::stopped: return "stopped";
    }
    return "";
}

const char* word(Percentage::Kind kind) {
    switch (kind) {
    case Percentage::Kind::exact: return "exact";
    case Percentage::Kind::less: return "less";
    case Percentage::Kind::more: return "more";
    case Percentage::Kind::unknown: return "unknown";
    }
    return "";
}

const char* word(BenchConfiguration::Time time) {
    switch (time) {
    case BenchConfiguration::Time::all: return "all";
    case BenchConfiguration::Time::flow: return "flow";
    case BenchConfiguration::Time::tracking: return "tracking";
    case BenchConfiguration::Time::oracle: return "oracle";
    }
    return "";
}

void seconds_list(JsonWriter& json, const char* name, const std::vector<BenchRun>& runs, double BenchRun::*member) {
    json.key(name);
    json.begin_list();
    for (const BenchRun& r : runs) json.value(r.*member);
    json.end_list();
}

void configuration_object(JsonWriter& json, const BenchConfiguration& c, const std::vector<BenchRun>& runs,
                          const BenchConfiguration& base, const std::vector<BenchRun>& base_runs) {
    json.begin_object();
    json.member("name", std::string_view(c.name));
    json.member("meaning", std::string_view(c.meaning));
    json.member("table", c.table);
    json.member("time", word(c.time));
    json.member("runs", uint64_t{runs.size()});
    if (!runs.empty()) {
        const BenchRun& run = runs.front();
        json.member("complete", run.complete);
        if (!run.complete) json.member("ended_by", to_text(run.ended_by));
        json.member("covered", uint64_t(std::count(run.covered.begin(), run.covered.end(), true)));
        json.member("vm_steps", run.vm_steps);
        json.member("sat_queries", run.sat_queries);
        json.member("sat_unknown", run.sat_unknown);
        json.member("sp_queries", run.sp_queries);
        json.member("cuts", run.cuts);
        json.member("cut_percent", run.sp_queries == 0
                                       ? 0.0
                                       : 100.0 * static_cast<double>(run.cuts) / static_cast<double>(run.sp_queries));
        json.member("peak_memory_bytes", run.peak_memory_bytes);
        const TimeSummary time = summarise(c, runs);
        json.member("avg_seconds", time.average);
        json.member("max_dev_seconds", time.deviation);
        const Percentage percent = percentage_of_base(c, runs, base, base_runs);
        json.member("percent_of_base_is", word(percent.kind));
        if (percent.kind != Percentage::Kind::unknown) json.member("percent_of_base", percent.percent);
        seconds_list(json, "user_seconds", runs, &BenchRun::user_seconds);
        seconds_list(json, "flow_seconds", runs, &BenchRun::flow_seconds);
        seconds_list(json, "tracking_seconds", runs, &BenchRun::tracking_seconds);
        seconds_list(json, "oracle_seconds", runs, &BenchRun::oracle_seconds);
        seconds_list(json, "wall_seconds", runs, &BenchRun::seconds);
    }
    json.end_object();
}

} // namespace

std::string bench_json(const std::vector<BenchConfiguration>& configurations, const std::vector<BenchColumn>& columns,
                       const GenerateOptions& common, uint32_t runs) {
    JsonWriter json;
    json.begin_object();
    json.member("runs", uint64_t{runs});
    json.member("cover", std::string_view(common.cover));
    json.member("search", word_of(common.order()));
    json.member("seed", common.seed);
    json.member("time_limit", common.time_limit);
    json.member("step_limit", common.step_limit);
    json.key("models");
    json.begin_list();
    for (const BenchColumn& column : columns) {
        json.begin_object();
        json.member("model", std::string_view(column.model));
        json.member("depth", uint64_t{column.depth.depth});
        json.member("depth_because", word(column.depth.why));
        json.key("configurations");
        json.begin_list();
        for (size_t i = 0; i < column.runs.size(); ++i)
            configuration_object(json, configurations[i], column.runs[i], configurations.front(), column.runs.front());
        json.end_list();
        json.end_object();
    }
    json.end_list();
    json.end_object();
    return json.take();
}

} // namespace espalier
