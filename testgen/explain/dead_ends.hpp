// Dead ends: where control stops on the way to a place that the analysis has proved dead. They are the reason in the
// text of the model, where there is a simple one: a condition that is never true, a call that never returns, a
// procedure that is never called.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "flowanalysis/flowanalysis.hpp"

namespace espalier {

struct DeadEnd {
    enum class Kind : uint8_t {
        condition, // never has that value
        call,      // never returns
        clause,    // of a wait: nothing that it takes ever comes
        operation, // only ever ends the run
        values,    // a comparison: no operands that it has count
        refusal,   // of a message that no other clause takes: what lies before it does not count
        procedure, // never entered
        state,     // of a machine, never entered
    };
    Kind kind;
    Span at;
    bool value = false; // of a condition
    Symbol name{};      // of a procedure
    friend bool operator==(const DeadEnd&, const DeadEnd&) = default;
};

class DeadEnds {
public:
    // Both must outlive this. Linear in the program and the flow.
    DeadEnds(const Program& program, const Flow& flow);

    // Nothing where the target is alive, or where there are too many dead ends for a simple reason.
    std::vector<DeadEnd> before(TargetId target) const;
    // The blocks that control may go on to, as far as the text says.
    static std::vector<BlockId> successors(const Program& program, BlockId block);

private:
    using Ends = std::vector<DeadEnd>;
    bool alive(BlockId block) const { return passed_[index(block)] > 0; }
    bool stopped(BlockId block) const; // before its terminator
    DeadEnd operation(BlockId block) const;
    DeadEnd leaving(BlockId block, BlockId to) const;
    void follow(const Lambda& lambda);
    Ends before(BlockId block, uint32_t position) const;
    DeadEnd uncounted(TargetId target, BlockId block) const; // control comes there
    Ends never_entered(LambdaId lambda) const;
    LambdaId outermost(LambdaId lambda) const;

    const Program& program_;
    const Flow& flow_;
    std::vector<uint32_t> passed_; // by block: 0 where it is dead, else one more than the operations that are passed
    std::vector<bool> entered_;    // by λ
    std::vector<BlockId> makers_;  // by λ: where its closure is made
    std::vector<Span> states_;     // sorted: where the λs of machines' states stand
    std::unordered_map<uint32_t, Ends> ends_;                    // by dead block of a λ that is entered
    std::unordered_map<uint32_t, std::vector<BlockId>> callers_; // of a λ that is never entered, where the text says so
    std::unordered_map<uint32_t, std::vector<std::pair<BlockId, uint32_t>>> marks_; // by target: block and position
};

// In a sentence: "`(> x 5)` is never true", or "`(> x 5)` at m.scm:3:4 is never true".
std::string to_text(const DeadEnd& end, const Sources& sources, bool with_place);
// The text there, on one line and not too long, between backquotes.
std::string quoted(const Sources& sources, Span span);

} // namespace espalier
