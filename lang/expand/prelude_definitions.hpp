// The definitions of the prelude, of which the program gets those that the model uses.
#pragma once

#include <unordered_map>
#include <vector>

#include "lang/ir/core.hpp"

namespace espalier {

class PreludeDefinitions {
public:
    void add(GlobalId global, CoreId definition);
    void keep_used(CoreProgram& program) const; // what the model does not use is not compiled

private:
    std::vector<GlobalId> order_;
    std::unordered_map<uint32_t, CoreId> definitions_; // by global
};

} // namespace espalier
