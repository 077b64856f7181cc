// Why control does not get past a place, where that is a mistake of the author's and no end that the text asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "flowanalysis/evaluate/evaluator.hpp"

namespace espalier::flow {

struct Mistake {
    enum class Kind : uint8_t {
        operand,   // is of a kind that the operation does not take
        values,    // each operand could be, but not these together: a division by zero
        constant,  // would be changed
        undefined, // a variable that has no value yet
        callee,    // is no procedure
        arguments, // none of the procedures takes so many
        source,    // nothing that a clause can wait for
        library,   // a procedure of the language is called, and always fails
    } kind;
    size_t operand = 0;      // which; of a source: the clause's number
    Families given = 0;      // what it is
    std::string complaint{}; // of the primitive, where it is always the same

    void join(const Mistake& other); // of another variant
};

// "a string", "an integer or a symbol".
std::string noun_of(Families kinds);

// Looks at the block that was evaluated last, at the fixpoint. No mistake: control gets past all of the block, or the
// text itself asks for the end, by `error`, `assert` or an assumption.
class MistakeFinder {
public:
    explicit MistakeFinder(Evaluator& evaluator) : e_(evaluator) {}
    std::optional<Mistake> find() const;

private:
    std::optional<Mistake> in_terminator(const TerminatorKind& kind) const;
    std::optional<Mistake> in_operation(const Operation& o) const;
    std::optional<Mistake> in_primitive(const op::Primitive& o) const;
    std::optional<Mistake> in_message(const op::MakeMessage& o) const;
    std::optional<Mistake> in_call(VarId callee) const;
    std::optional<Mistake> in_select(const terminator::Select& t) const;
    Families families(VarId v) const { return e_.context.domain.families(e_.knowledge.known(v)); }
    Mistake of_operand(VarId v, size_t operand = 0) const { return {Mistake::Kind::operand, operand, families(v), {}}; }

    Evaluator& e_;
};

} // namespace espalier::flow
