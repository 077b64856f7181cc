#include "testgen/commands/results_files.hpp"

namespace espalier {

ResultsFiles::ResultsFiles(const ExecuteOptions& options, const ExecutableSuite& suite, const std::vector<bool>& asked,
                           SuitePlaces& places, const std::string& page, Adapter& clock)
    : options_(options), suite_(suite), asked_(asked), places_(places), page_(page), clock_(clock),
      begin_(clock.now()) {}

void ResultsFiles::update(const SuiteRun& run) {
    behind_ = &run;
    catch_up();
}

void ResultsFiles::catch_up() {
    const double begin = clock_.now();
    if (behind_ == nullptr || spent_ > (begin - begin_) / 2) return;
    write(*behind_, false);
    spent_ += clock_.now() - begin;
}

void ResultsFiles::finish(const SuiteRun& run) { write(run, true); }

void ResultsFiles::write(const SuiteRun& run, bool ended) {
    behind_ = nullptr;
    // What is written again soon need not outlive the machine, only this program.
    const Lasting lasting = ended ? Lasting::synced : Lasting::in_cache;
    if (!options_.results.empty()) {
        const ResultsHead head{options_.suite, suite_.model, options_.adapter};
        const std::string json = results_json(head, suite_, run, asked_, ended);
        keep(write_file(
            options_.results, [&](const Sink& sink) { sink(json); }, lasting));
    }
    if (!options_.junit.empty()) {
        const JunitSuite results = junit_results(options_.suite, suite_, run, asked_, places_);
        keep(write_file(
            options_.junit, [&](const Sink& sink) { write_junit(results, sink); }, lasting));
    }
    if (!options_.report.empty()) {
        const std::string page = with_verdicts(page_, page_verdicts(suite_, run, places_)).value();
        keep(write_file(
            options_.report, [&](const Sink& sink) { sink(page); }, lasting));
    }
}

void ResultsFiles::keep(const std::string& problem) {
    if (!problem.empty()) problem_ = problem;
}

} // namespace espalier
