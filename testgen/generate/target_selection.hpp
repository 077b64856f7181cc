// Which targets a suite is asked for: all of the criteria's, or some by name, less those that need not be reached.
#pragma once

#include <string>
#include <vector>

#include "lang/lang.hpp"
#include "testgen/text/result.hpp"

namespace espalier {

struct TargetSelection {
    std::vector<bool> wanted; // by TargetId: to be searched for
    std::vector<bool> waived;
    std::vector<std::string> warnings;
};

// `ids`: names of targets, empty for all. `waive_file`: such a name on each line, with # before a remark; or empty.
Result<TargetSelection> select_targets(const Program& program, const std::vector<std::string>& ids,
                                       const std::string& waive_file);

Result<TargetId> find_target(const Program& program, const std::string& id);

} // namespace espalier
