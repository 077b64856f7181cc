#include "testgen/suite/target_result.hpp"

#include <utility>

namespace espalier {

namespace {

// One of the provers, by its place in the set: all of them are tried, also those that are yet to come.
template <size_t... Provers>
std::optional<Proof> find_proof(std::string_view word, std::index_sequence<Provers...>) {
    std::optional<Proof> found;
    const auto try_one = [&](const Proof& proof) {
        if (proof_word(proof) == word) found = proof;
    };
    (try_one(Proof(std::in_place_index<Provers>)), ...);
    return found;
}

} // namespace

std::string_view proof_word(const Proof& proof) {
    return std::visit(Overloaded{[](const proof::Flow&) { return std::string_view("flow"); },
                                 [](const proof::Exhausted&) { return std::string_view("exhausted"); }},
                      proof);
}

std::optional<Proof> proof_of_word(std::string_view word) {
    return find_proof(word, std::make_index_sequence<std::variant_size_v<Proof>>{});
}

} // namespace espalier
