// Places that runs may come to, and that are a model error in each of them.
//
// A block is evaluated once for each variant, at the fixpoint. The place at which the furthest of them ends is one
// that no run gets past; Machine::mistake says why, where it is no end that the text asks for.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "flowanalysis/domain.hpp"

namespace espalier::flow {

class Machine;
struct Outcome;

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

class CertainErrors {
public:
    CertainErrors(const Program& program, Machine& machine) : program_(program), machine_(machine) {}
    // What the block does in the variant, just evaluated.
    void note(VariantId variant, BlockId block, const Outcome& outcome);
    std::vector<CertainError> all(); // once each variant's blocks are noted

private:
    struct Ended {
        uint32_t position = 0; // of the operation; the number of all for the terminator, more: it is passed
        std::optional<Mistake> mistake{};
        std::vector<VariantId> callees{}; // of Kind::library
    };
    struct Call {
        VariantId caller, callee;
        BlockId block;
        bool waits; // for its end
    };
    std::optional<Mistake> library_call(const Block& block, const Outcome& outcome) const;
    bool stays_in_prelude(const std::vector<VariantId>& from) const;
    void find_early_uses();
    std::vector<uint64_t> definitions() const;
    CertainError described(const Block& block, const Ended& ended) const;
    CertainError described(const Block& block, const Operation& o, const Mistake& mistake) const;

    const Program& program_;
    Machine& machine_;
    std::map<uint32_t, Ended> ends_; // by block
    std::vector<Call> calls_;
    std::unordered_set<uint32_t> waiting_; // variants of prelude code that wait
};

} // namespace espalier::flow
