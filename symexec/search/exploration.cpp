#include "symexec/search/exploration.hpp"

namespace espalier {

std::string to_text(EndedBy what) {
    switch (what) {
    case EndedBy::nothing: break;
    case EndedBy::step_limit: return "step limit";
    case EndedBy::effort: return "effort";
    case EndedBy::memory_limit: return "memory limit";
    case EndedBy::stopped: return "stopped";
    case EndedBy::internal_error: return "internal error";
    case EndedBy::time_limit: return "time limit";
    case EndedBy::signal: return "signal";
    case EndedBy::killed: return "killed";
    }
    return "nothing";
}

} // namespace espalier
