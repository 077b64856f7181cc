// Processes whose parent has ended, and that were started by a child of ours, whatever they did to get away.
#pragma once

namespace espalier {

// From now on they become children of this process.
void adopt_orphans();
// Ends every child that this process has, and what they leave behind. For when no child of our own is left.
void end_orphans();

} // namespace espalier
