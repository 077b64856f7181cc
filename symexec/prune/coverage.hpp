// What a search is asked for, and what it has found of it. All others read it here, or are told by it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "lang/lang.hpp"

namespace espalier::sym {

class CoverageListener {
public:
    virtual ~CoverageListener() = default;
    virtual void target_covered(TargetId target) = 0;
    virtual void error_found(Label at) = 0; // of those that were looked for
};

class Coverage {
public:
    // Of the targets all are asked for, or these; `errors` are model errors that are looked for. The targets in `had`
    // are asked for where they lie on the way to others: the search does not go on for them alone.
    Coverage(size_t targets, bool all, std::span<const TargetId> asked, std::vector<Label> errors,
             std::span<const TargetId> had = {});
    void tell(CoverageListener& listener) { listeners_.push_back(&listener); } // from now on, in this order

    bool is_asked(TargetId target) const { return asked_[index(target)]; }
    bool is_wanted(TargetId target) const { return asked_[index(target)] && !covered_[index(target)]; }
    bool is_done() const { return needed_ == 0 && errors_left_.empty(); }
    size_t asked_count() const { return count_; }
    size_t covered_count() const { return count_ - left_; }
    const std::vector<bool>& asked() const { return asked_; }     // by TargetId
    const std::vector<bool>& covered() const { return covered_; } // by TargetId
    std::vector<bool> wanted() const;                             // by TargetId
    const std::vector<Label>& errors() const { return errors_; }
    const std::vector<Label>& errors_left() const { return errors_left_; }

    // These are wanted. All of them are covered before the first listener is told of one.
    void cover(std::span<const TargetId> targets);
    void find_error(Label at); // tells of it where it was looked for

private:
    bool is_needed(TargetId target) const { return is_wanted(target) && !had_[index(target)]; }

    std::vector<bool> asked_, covered_, had_;
    std::vector<Label> errors_, errors_left_;
    size_t count_, left_; // asked for; and not covered yet
    size_t needed_;       // and of these: for which the search goes on
    std::vector<CoverageListener*> listeners_;
};

} // namespace espalier::sym
