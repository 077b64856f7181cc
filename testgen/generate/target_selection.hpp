// Which targets a suite is asked for: all of the criteria's, or some by name, less those that need not be reached.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/lang.hpp"

namespace espalier {

struct TargetSelection {
    std::vector<bool> wanted; // by TargetId: to be searched for
    std::vector<bool> waived;
    std::vector<std::string> warnings;
    std::string problem; // empty when it worked
};

// `ids`: names of targets, empty for all. `waive_file`: such a name on each line, with # before a remark; or empty.
TargetSelection select_targets(const Program& program, const std::vector<std::string>& ids,
                               const std::string& waive_file);

std::optional<TargetId> find_target(const Program& program, const std::string& id);
// What to say of a name that no target has, with the nearest that one has.
std::string no_such_target(const Program& program, const std::string& id);

} // namespace espalier
