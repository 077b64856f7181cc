#include "symexec/prune/subtree.hpp"

namespace espalier::sym {

void Subtree::leave_open() {
    for (Subtree* t = this; t != nullptr && !t->progress->open; t = t->above_.get()) t->progress->open = true;
}

// A long path's subtrees end one after the other, not one inside the other.
Subtree::~Subtree() {
    settle();
    std::shared_ptr<Subtree> up = std::move(above_);
    while (up != nullptr && up.use_count() == 1) {
        up->settle();
        std::shared_ptr<Subtree> next = std::move(up->above_);
        up = std::move(next); // the old one has nothing above it now, and settles again alike
    }
}

} // namespace espalier::sym
