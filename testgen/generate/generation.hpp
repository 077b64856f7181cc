// A search for a model's targets and the suite that comes of it, with everything that reports of it are made from.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "flowanalysis/flowanalysis.hpp"
#include "testgen/generate/kept_tests.hpp"
#include "testgen/generate/options.hpp"
#include "testgen/generate/suite_maker.hpp"
#include "testgen/generate/target_selection.hpp"
#include "testgen/suite/suite.hpp"
#include "testgen/terminal/limits.hpp"
#include "testgen/terminal/stop_signals.hpp"
#include "testgen/text/result.hpp"

namespace espalier {

// A target that was newly covered, and when.
struct TimelineRow {
    double seconds;
    uint64_t vm_steps;
    TargetId target;
};

struct Generation {
    Criteria criteria;
    TargetSelection selection;
    std::optional<Flow> flow; // unless --cut off
    Exploration found;
    Suite suite;
    std::optional<KeptTests> kept; // with --keep
    std::vector<TimelineRow> timeline;
    double seconds = 0;

    size_t count(TargetStatus status) const;
    size_t waived() const;
    // Of the targets that are asked for and not waived, in percent; 100 where there are none.
    double coverage() const;
};

// Searches, and replays what was found. Instruments the model's program. A problem is one of the options.
// The signals are the caller's: one that comes after the search must not undo what is still to be written.
Result<Generation> generate(Model& model, const GenerateOptions& options, const StopSignals& signals);
// The same under limits that count from before the model was read, and not those of the options.
Result<Generation> generate(Model& model, const GenerateOptions& options, Limits& limits);

// What people see at the end, and what machines read.
// Of a search that a limit or the effort ended: what may find more.
std::string hint_of_limit(const Exploration& found, const GenerateOptions& options);
std::string summary(const Model& model, const GenerateOptions& options, const Generation& result,
                    const std::string& file);
std::string statistics_json(const Model& model, const GenerateOptions& options, const Generation& result);
std::string timeline_csv(const Model& model, const Generation& result);

} // namespace espalier
