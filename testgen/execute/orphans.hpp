// Processes that a child of this process has started, and whose own parent has ended. They are found even where they
// have left its process group and session.
#pragma once

namespace espalier {

// From now on they become children of this process.
void adopt_orphans();
// Ends every child that this process has, and what they leave behind. For when no child of our own is left.
void end_orphans();

} // namespace espalier
