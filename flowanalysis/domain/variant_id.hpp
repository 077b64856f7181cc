// The number of a variant, and the key by which it is found.
#pragma once

#include <cstdint>

#include "lang/lang.hpp"

namespace espalier {

// A procedure as entered from one call site: a λ, and the label of the call or spawn. Calls that prelude code makes
// count as made where the prelude was entered. The top level has no_label, and so has what a message's `where` demands.
//
// Two kinds of calls share a variant. Tail calls of a procedure without parameters do, where the text says which one it
// is: they hand nothing over that could tell them apart, and the states of a machine are entered from everywhere. Calls
// that may go to very many procedures do too, as through a table: told apart, the variants would be such calls times
// entries of the table.
enum class VariantId : uint32_t {};
inline constexpr VariantId no_variant{UINT32_MAX};

inline uint64_t variant_key(LambdaId lambda, Label site) {
    return static_cast<uint64_t>(index(lambda)) << 32 | index(site);
}

} // namespace espalier
