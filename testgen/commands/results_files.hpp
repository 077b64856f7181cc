// The files that an execution writes its verdicts to, kept up to date while it runs.
#pragma once

#include <string>
#include <vector>

#include "testgen/execute/results.hpp"
#include "testgen/testgen.hpp"

namespace espalier {

// Verdicts are in the files from the first one on, whatever becomes of this program: each is written at once. Only
// where that would take half of all the time, in a large suite of quick tests, some are written together.
class ResultsFiles {
public:
    // `page` is the report as it was before. All must outlive this.
    ResultsFiles(const ExecuteOptions& options, const ExecutableSuite& suite, const std::vector<bool>& asked,
                 SuitePlaces& places, const std::string& page, Adapter& clock);

    void update(const SuiteRun& run);
    void catch_up(); // asked now and then: a verdict that was not written at once does not wait for a long test
    void finish(const SuiteRun& run);
    const std::string& problem() const { return problem_; } // the last one, or empty

private:
    void write(const SuiteRun& run, bool ended);
    void keep(const std::string& problem);

    const ExecuteOptions& options_;
    const ExecutableSuite& suite_;
    const std::vector<bool>& asked_;
    SuitePlaces& places_;
    const std::string& page_;
    Adapter& clock_;
    const double begin_;
    double spent_ = 0;                 // seconds, on writing
    const SuiteRun* behind_ = nullptr; // has verdicts that are not written yet
    std::string problem_;
};

} // namespace espalier
