// A run in a process of its own: it starts with the memory as every other run does, its processor time is its own, and
// what it leaves behind is gone. The result comes back through a pipe, as words.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "testgen/bench/bench.hpp"
#include "testgen/generate/generation.hpp"
#include "testgen/terminal/exit_status.hpp"
#include "testgen/text/escapes.hpp"

namespace espalier {

namespace {

double user_seconds(const rusage& usage) {
    return static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) / 1e6;
}

BenchRun run_here(Model& model, const GenerateOptions& options, const StopSignals& signals) {
    const auto result = generate(model, options, signals);
    if (!result) throw std::runtime_error(result.problem().text);
    rusage usage{}; // of this process alone: what came before the fork is not counted
    getrusage(RUSAGE_SELF, &usage);
    const Statistics& s = result->found.statistics;
    BenchRun run;
    run.complete = result->found.complete;
    run.ended_by = result->found.ended_by;
    run.vm_steps = s.vm_steps;
    run.sat_queries = s.sat_queries - s.error_queries; // an error may be come upon by another path when others are cut
    run.sat_unknown = s.sat_unknown;
    run.sp_queries = s.sp_queries;
    run.cuts = s.cuts;
    run.disproved = s.disproved;
    run.peak_memory_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
    run.user_seconds = user_seconds(usage);
    run.flow_seconds = (result->flow ? result->flow->statistics().seconds : 0) + s.flow_seconds;
    run.tracking_seconds = s.tracking_seconds;
    run.oracle_seconds = s.oracle_seconds;
    run.seconds = result->seconds;
    run.covered = result->found.covered;
    for (const TimelineRow& row : result->timeline) // what tests reach beyond is no matter of the search
        if (run.covered[index(row.target)]) run.timeline.push_back(row.seconds);
    return run;
}

std::string to_words(const BenchRun& run) {
    std::ostringstream out;
    out.precision(17);
    out << run.complete << ' ' << static_cast<unsigned>(run.ended_by) << ' ' << run.vm_steps << ' ' << run.sat_queries
        << ' ' << run.sat_unknown << ' ' << run.sp_queries << ' ' << run.cuts << ' ' << run.disproved << ' '
        << run.peak_memory_bytes << ' ' << run.user_seconds << ' ' << run.flow_seconds << ' ' << run.tracking_seconds
        << ' ' << run.oracle_seconds << ' ' << run.seconds << ' ' << run.covered.size();
    for (const bool c : run.covered) out << ' ' << c;
    out << ' ' << run.timeline.size();
    for (const double t : run.timeline) out << ' ' << t;
    return out.str();
}

BenchRun from_words(const std::string& words) {
    std::istringstream in(words);
    BenchRun run;
    size_t count = 0;
    unsigned ended_by = 0;
    in >> run.complete >> ended_by >> run.vm_steps >> run.sat_queries >> run.sat_unknown >> run.sp_queries >>
        run.cuts >> run.disproved >> run.peak_memory_bytes >> run.user_seconds >> run.flow_seconds >>
        run.tracking_seconds >> run.oracle_seconds >> run.seconds >> count;
    for (bool c = false; in && run.covered.size() < count && in >> c;) run.covered.push_back(c);
    in >> count;
    for (double t = 0; in && run.timeline.size() < count && in >> t;) run.timeline.push_back(t);
    if (!in) throw std::runtime_error("a run of the benchmark left no result");
    run.ended_by = static_cast<EndedBy>(ended_by);
    return run;
}

[[noreturn]] void be_the_run(int out, Model& model, const GenerateOptions& options, const StopSignals& signals) {
    int status = exit_internal;
    try {
        const std::string words = to_words(run_here(model, options, signals));
        size_t written = 0;
        while (written < words.size()) {
            const ssize_t n = write(out, words.data() + written, words.size() - written);
            if (n < 0 && errno != EINTR) break;
            if (n > 0) written += static_cast<size_t>(n);
        }
        if (written == words.size()) status = exit_done;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "espalier bench: %s\n", printable(e.what()).c_str());
    }
    _exit(status);
}

} // namespace

BenchRun measure_in_process(Model& model, const GenerateOptions& options, const StopSignals& signals) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    std::fflush(nullptr); // or both processes would write it
    const pid_t child = fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (child == 0) {
        close(ends[0]);
        be_the_run(ends[1], model, options, signals);
    }
    close(ends[1]);
    std::string words;
    std::array<char, 4096> buffer{};
    while (true) {
        const ssize_t n = read(ends[0], buffer.data(), buffer.size());
        if (n > 0) words.append(buffer.data(), static_cast<size_t>(n));
        if (n == 0 || (n < 0 && (errno != EINTR || signals.received() != 0))) break;
    }
    close(ends[0]);
    const bool stopped = signals.received() != 0;
    if (stopped) kill(child, SIGTERM); // which may not have come to it
    int status = 0;
    rusage usage{};
    while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    if (stopped || WIFSIGNALED(status)) { // by the system, for want of memory
        BenchRun run;
        run.complete = false;
        run.ended_by = stopped ? EndedBy::signal : EndedBy::killed;
        run.user_seconds = user_seconds(usage);
        return run;
    }
    if (WEXITSTATUS(status) != exit_done) throw std::runtime_error("a run of the benchmark failed");
    return from_words(words);
}

} // namespace espalier
