// The decisions of the operation that a state executes: where they are kept until it is done.
//
//     if (const Decision* made = s.decisions.find(subject)) return made->way_of(2) == 0;
//     throw Fork{{condition, terms_.negation(condition)}, subject};
//
// The operation is started again after each decision. The path has grown by then, and may know what it did not know
// before, so that the operation asks less: a decision is not found by its number but by what it is about. One that is
// not asked for again, or that has other answers than the question, means that ways of the path are lost; that is a bug
// of ours, and says so (std::logic_error).
#pragma once

#include <cstdint>
#include <vector>

#include "lang/lang.hpp"

namespace espalier::sym {

// What a decision is about. Two questions of one operation with the same subject are the same question.
struct Subject {
    enum class Kind : uint8_t {
        truth,   // of a condition
        value,   // of a term: one of those that it may have
        index,   // what an index is, within something so long, or beyond
        delay,   // its least, its greatest, or none
        content, // of a value that is looked into for the first time
        fresh,   // is an input this fresh value?
        choice,  // of the environment
        turn,    // of the scheduler
    } kind = Kind::truth;
    uint32_t number = 0; // of the fresh value; the length that is indexed
    Value of{};          // a term
    friend bool operator==(const Subject&, const Subject&) = default;
};

struct Decision {
    Subject subject;
    uint32_t way = 0, ways = 0;
    Value value{};     // of a term that can have one of several values: which
    bool used = false; // by the operation, since it was started last

    uint32_t way_of(size_t these) const; // of so many, as there must have been
};

class Decisions {
public:
    bool empty() const { return all_.empty(); }
    void add(const Decision& decision) { all_.push_back(decision); }
    void start_again();
    // What was decided; null where the question is new.
    const Decision* find(const Subject& subject);
    void drop(const Decision* decision); // from now on something else says it
    void finish();                       // the operation is done, and must have used them all
    void clear() { all_.clear(); }

private:
    std::vector<Decision> all_;
    size_t next_ = 0; // where the next one that is used is likely to be: they are mostly used in order
};

} // namespace espalier::sym
