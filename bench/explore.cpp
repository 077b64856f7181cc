// Runs a model in the symbolic executor, without limits: `bench_explore MODEL`. It must end by itself, cover all its
// targets and make no mistake; then the numbers of steps, states and bytes are printed. For bench/symbolic.sh, whose
// programs run for longer between two stable states than `espalier generate` lets a model run.
#include <cstdint>
#include <cstdio>

#include "lang/lang.hpp"
#include "symexec/symexec.hpp"

using namespace espalier;

namespace {

int explore_file(const char* path) {
    const Model model = load_model(path);
    if (!model.program) {
        for (const Diagnostic& d : model.diagnostics.all())
            std::fprintf(stderr, "%s\n", render(model.sources, d).c_str());
        return 1;
    }
    ExploreOptions options;
    options.quiet_step_limit = UINT64_MAX;
    const Exploration found = explore(*model.program, options);
    for (const FoundError& e : found.errors) std::fprintf(stderr, "model error: %s\n", e.text.c_str());
    for (const auto& [reason, count] : found.unsupported) std::fprintf(stderr, "unsupported: %s\n", reason.c_str());
    size_t covered = 0;
    for (const bool c : found.covered) covered += c ? 1 : 0;
    const Statistics& s = found.statistics;
    std::printf("vm-steps %llu  states-forked %llu  peak-memory-bytes %zu  targets %zu of %zu\n",
                static_cast<unsigned long long>(s.vm_steps), static_cast<unsigned long long>(s.states_forked),
                s.peak_memory_bytes, covered, found.covered.size());
    return found.errors.empty() && found.unsupported.empty() && found.complete && covered == found.covered.size() ? 0
                                                                                                                  : 1;
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: bench_explore MODEL\n");
        return 2;
    }
    return explore_file(arguments[1]);
}
