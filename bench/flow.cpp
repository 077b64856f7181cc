// Analyses models, each several times: `bench_flow RUNS MODEL…`. A line for each model with what the analysis made of
// it, the best time, and the memory that stays: of the automaton with its correspondence tables, and of oracle v3 on
// it. For bench/flow.sh.
#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <vector>

#include "flowanalysis/flowanalysis.hpp"

using namespace espalier;

namespace {

constexpr pda::Distance depth = 3;

size_t allocated() {
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

double processor_seconds() { // so that a busy machine matters little
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

int analyse_file(const char* path, int runs) {
    Model model = load_model(path);
    if (!model.program) {
        for (const Diagnostic& d : model.diagnostics.all()) std::fputs(render(model.sources, d).c_str(), stderr);
        return 1;
    }
    model.program = instrument(*model.program, Criteria::standard());
    const size_t before = allocated();
    std::optional<Flow> flow;
    double seconds = 0;
    for (int i = 0; i < runs; ++i) {
        flow.reset();
        const double start = processor_seconds();
        flow.emplace(analyse(*model.program));
        const double took = processor_seconds() - start;
        seconds = i == 0 ? took : std::min(seconds, took);
    }
    const size_t with_flow = allocated();
    const auto all = flow->graph().targets();
    const std::vector<pda::TargetId> targets(all.begin(), all.end());
    const auto oracle = pda::make_oracle(pda::OracleKind::v3, flow->graph(), depth, targets);
    const size_t with_oracle = allocated();
    const FlowStatistics& s = flow->statistics();
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("%zu %zu %zu %zu %llu %.6f %.1f %.1f %ld %zu\n", s.lambdas, s.procedures, s.nodes, s.edges,
                static_cast<unsigned long long>(s.blocks), seconds,
                static_cast<double>(with_flow - before) / static_cast<double>(s.nodes),
                static_cast<double>(with_oracle - with_flow) / static_cast<double>(s.nodes), usage.ru_maxrss,
                model.program->blocks.size());
    return 0;
}

} // namespace

int main(int count, char** arguments) {
    const int runs = count > 2 ? std::atoi(arguments[1]) : 0;
    if (runs < 1) {
        std::fputs("usage: bench_flow RUNS MODEL...\n", stderr);
        return 2;
    }
    int failed = 0;
    for (int i = 2; i < count; ++i) failed |= analyse_file(arguments[i], runs);
    return failed;
}
