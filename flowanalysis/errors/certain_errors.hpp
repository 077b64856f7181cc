// Places that runs may come to, and that are a model error in each of them.
//
// A block is evaluated once for each variant, at the fixpoint. The place at which the furthest of them ends is one that
// no run gets past. It is an error unless the text asks for that end. The mistakes of the variants that end there say
// why.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_set>
#include <vector>

#include "flowanalysis/errors/certain_error.hpp"
#include "flowanalysis/errors/mistakes.hpp"
#include "flowanalysis/evaluate/analyser.hpp"

namespace espalier::flow {

class CertainErrors {
public:
    explicit CertainErrors(Analyser& analyser)
        : program_(analyser.context().program), variants_(analyser.context().variants), analyser_(analyser) {}
    // The block that was just evaluated in that variant, and the mistake in it.
    void note(VariantId variant, BlockId block, const Outcome& outcome, std::optional<Mistake> mistake);
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
    std::vector<uint64_t> last_places() const;
    std::vector<uint64_t> definitions() const;
    CertainError described(const Block& block, const Ended& ended) const;

    const Program& program_;
    const Variants& variants_;
    Analyser& analyser_;
    std::map<uint32_t, Ended> ends_; // by block
    std::vector<Call> calls_;
    std::unordered_set<uint32_t> waiting_; // variants of prelude code that wait
};

} // namespace espalier::flow
