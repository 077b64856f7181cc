// Reading a model ends early where it is asked to.
#pragma once

#include <exception>

namespace espalier {

struct CompileStopped : std::exception {
    const char* what() const noexcept override { return "asked to stop while the model was read"; }
};

} // namespace espalier
