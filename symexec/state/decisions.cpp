#include "symexec/state/decisions.hpp"

#include <stdexcept>

namespace espalier::sym {

uint32_t Decision::way_of(size_t these) const {
    if (ways != these) throw std::logic_error("a decision is used for a question that has other answers");
    return way;
}

void Decisions::start_again() {
    for (Decision& d : all_) d.used = false;
    next_ = 0;
}

const Decision* Decisions::find(const Subject& subject) {
    for (size_t i = 0; i < all_.size(); ++i) {
        const size_t at = (next_ + i) % all_.size();
        if (all_[at].subject != subject) continue;
        all_[at].used = true;
        next_ = at + 1;
        return &all_[at];
    }
    return nullptr;
}

void Decisions::drop(const Decision* decision) {
    all_.erase(all_.begin() + (decision - all_.data()));
    next_ = all_.size();
}

void Decisions::finish() {
    for (const Decision& d : all_)
        if (!d.used) throw std::logic_error("an operation does not ask again what it asked before the path divided");
    clear();
}

} // namespace espalier::sym
