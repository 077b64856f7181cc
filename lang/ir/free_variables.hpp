// Which lambda binds each local, and which locals each lambda needs from outside: what flat closures capture.
#pragma once

#include <unordered_map>
#include <vector>

#include "lang/ir/core.hpp"

namespace espalier {

class FreeVariables {
public:
    explicit FreeVariables(const CoreProgram& program);
    // In order of first use; without the lambda's own name where it refers to itself.
    const std::vector<LocalId>& of(CoreId lambda) const { return free_.at(index(lambda)); }
    // That name; no_local where it does not. The running closure stands for it.
    LocalId self(CoreId lambda) const {
        auto it = self_.find(index(lambda));
        return it == self_.end() ? no_local : it->second;
    }

private:
    std::unordered_map<uint32_t, std::vector<LocalId>> free_;
    std::unordered_map<uint32_t, LocalId> self_;
};

} // namespace espalier
