#include "testgen/generate/target_selection.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <optional>
#include <sstream>

namespace espalier {

namespace {

// The number of letters to change, add or leave out.
size_t distance(std::string_view a, std::string_view b) {
    std::vector<size_t> row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t change = corner + (a[i - 1] == b[j - 1] ? 0 : 1);
            corner = row[j];
            row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

class Names {
public:
    explicit Names(const Program& program) {
        for (uint32_t i = 0; i < program.targets.size(); ++i) ids_.emplace(target_id(program.targets[i]), TargetId{i});
    }
    std::optional<TargetId> find(const std::string& name) const {
        const auto at = ids_.find(name);
        return at == ids_.end() ? std::nullopt : std::optional(at->second);
    }
    std::string unknown(const std::string& name) const {
        std::string nearest;
        size_t least = std::max<size_t>(2, name.size() / 3) + 1;
        for (const auto& [id, target] : ids_) {
            const size_t d = distance(name, id);
            if (d < least) {
                least = d;
                nearest = id;
            }
        }
        return "there is no target `" + name + "`" + (nearest.empty() ? "" : "; did you mean `" + nearest + "`?");
    }

private:
    std::map<std::string, TargetId> ids_;
};

std::string trimmed(const std::string& line) {
    const size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) return {};
    return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

} // namespace

Result<TargetId> find_target(const Program& program, const std::string& id) {
    const Names names(program);
    if (const auto target = names.find(id)) return *target;
    return Problem{names.unknown(id)};
}

Result<TargetSelection> select_targets(const Program& program, const std::vector<std::string>& ids,
                                       const std::string& waive_file) {
    TargetSelection out;
    out.wanted.assign(program.targets.size(), ids.empty());
    out.waived.assign(program.targets.size(), false);
    const Names names(program);
    for (const std::string& id : ids) {
        const auto target = names.find(id);
        if (!target) return Problem{"--target: " + names.unknown(id)};
        out.wanted[index(*target)] = true;
    }
    if (waive_file.empty()) return out;
    const auto text = read_file(waive_file);
    if (!text) return Problem{"cannot read `" + waive_file + "`: " + std::strerror(errno)};
    std::istringstream lines(*text);
    size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        // A name may hold a #, as in branch:f#1:then: only one that follows a blank starts a remark.
        std::string name = trimmed(line);
        if (name.empty() || name[0] == '#') continue;
        if (const auto whole = names.find(name); !whole) {
            for (size_t at = name.find(" #"); at != std::string::npos; at = name.find(" #", at + 1))
                if (names.find(trimmed(name.substr(0, at)))) {
                    name = trimmed(name.substr(0, at));
                    break;
                }
        }
        const auto target = names.find(name);
        if (!target) {
            out.warnings.push_back(waive_file + ":" + std::to_string(number) + ": warning: " + names.unknown(name));
            continue;
        }
        out.waived[index(*target)] = true;
        out.wanted[index(*target)] = false;
    }
    return out;
}

} // namespace espalier
