// How a command ends.
#pragma once

namespace espalier {

// What scripts depend on.
enum ExitStatus : int {
    exit_done = 0,
    exit_found = 1, // the command found what it is there to find: a model error, a failed replay or verdict
    exit_usage = 2, // wrong usage, or a model or suite that cannot be read or expanded
    exit_internal = 3,
};

} // namespace espalier
