// What became of a target, and where no run reaches it, how that is proved.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "lang/lang.hpp"
#include "testgen/text/words.hpp"

namespace espalier {

enum class TargetStatus : uint8_t { covered, unreached, infeasible };
template <>
struct Words<TargetStatus> {
    static constexpr std::array<Word<TargetStatus>, 3> all{{{TargetStatus::covered, "covered"},
                                                            {TargetStatus::unreached, "unreached"},
                                                            {TargetStatus::infeasible, "infeasible"}}};
};

// The provers, a type each, for what a prover has to show. The set is closed, and is visited without a catch-all: a new
// prover shows every place that has to tell it from the others.
namespace proof {
struct Flow {};      // the analysis: no path of the automaton leads to the target
struct Exhausted {}; // the search: it ended by itself, and nothing that it dropped hides the target
} // namespace proof
using Proof = std::variant<proof::Flow, proof::Exhausted>;
std::string_view proof_word(const Proof& proof);           // in suites and statistics
std::optional<Proof> proof_of_word(std::string_view word); // none: there is no such prover

struct TargetResult {
    TargetStatus status = TargetStatus::unreached;
    std::optional<uint32_t> test{}; // covered: the first test that reaches it
    std::optional<Proof> proof{};   // infeasible; none in a suite that was read and does not say
    bool listed = true;             // in the table of a suite that was read
    Span in_suite{};
};

} // namespace espalier
