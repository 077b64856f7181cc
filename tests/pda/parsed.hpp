// Texts that must be right.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "pda/pda.hpp"

namespace espalier::pda::test {

inline std::string listed(const std::vector<TextError>& errors) {
    std::string text;
    for (const TextError& error : errors) text += std::to_string(error.line) + ": " + error.text + '\n';
    return text;
}

inline Document parsed(std::string_view text) {
    auto result = parse(text);
    if (const auto* errors = std::get_if<std::vector<TextError>>(&result)) FAIL(listed(*errors));
    return std::get<Document>(std::move(result));
}

// The answers to a text's queries, on which all oracles must agree.
inline std::string answers(std::string_view text) {
    std::string agreed;
    for (const OracleKind kind : {OracleKind::v1, OracleKind::v2, OracleKind::v3}) {
        const auto result = answer_queries(text, kind);
        if (const auto* errors = std::get_if<std::vector<TextError>>(&result)) FAIL(listed(*errors));
        const std::string& answer = std::get<std::string>(result);
        if (kind == OracleKind::v1) agreed = answer;
        CHECK(answer == agreed);
    }
    return agreed;
}

} // namespace espalier::pda::test
