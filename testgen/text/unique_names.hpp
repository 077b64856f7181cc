// Identifiers for a file in another language: each one is given out once. What was asked for again gets a number.
#pragma once

#include <map>
#include <set>
#include <string>

namespace espalier {

class UniqueNames {
public:
    std::string give(const std::string& wanted) {
        if (given_.insert(wanted).second) return wanted;
        for (size_t& n = next_.emplace(wanted, 2).first->second;; ++n)
            if (std::string name = wanted + "_" + std::to_string(n); given_.insert(name).second) return name;
    }

private:
    std::set<std::string> given_;
    std::map<std::string, size_t> next_; // so that the thousandth of a name costs what the second did
};

} // namespace espalier
