// The shapes of tokens: what the text at a place is, without judging it. The reader decides what becomes of
// it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "lang/read/number_literal.hpp"

namespace espalier {

// A place in a text, and steps over what stands there. A step that does not fit leaves the place as it is.
struct Scanner {
    const char* at;
    const char* end;

    bool done() const { return at == end; }
    char peek(ptrdiff_t ahead) const { return end - at > ahead ? at[ahead] : '\0'; }

    void skip_blanks();
    void skip_line_comment();
    bool skip_block_comment(); // nested ones too; false, at the end of the text, where it does not end
    std::string_view word();   // up to the next delimiter; may be empty
    bool plain_symbol();       // the usual kind: ASCII, and no sign or dot first
    std::optional<int64_t> small_integer();
    bool bytevector_open();
    // Inside a string or |symbol|:
    std::string_view run(char quote); // up to the quote, a backslash or a return
    bool line_end();
    bool line_continuation();             // after its backslash
    std::optional<uint32_t> hex_escape(); // after its backslash
};

// What a whole word is.
struct Number {
    enum class Kind : uint8_t { no_number, exact, inexact, special, complex };
    Kind kind = Kind::no_number;
    char exactness = 0; // of the prefix: e, i or none
    ExactLiteral value; // but for the exponent; of exact and inexact ones only
    std::string_view exponent;

    explicit operator bool() const { return kind != Kind::no_number; }
};

// By the whole grammar of R7RS: what is not in the language still has to be told from symbols and typos.
Number parse_number(std::string_view word);
// Its value, also of an inexact literal. Nothing where it would be longer than literals may be, or has none.
std::optional<std::string> exact_value(const Number& number);
std::optional<bool> parse_boolean(std::string_view word);
std::optional<uint32_t> parse_hex_character(std::string_view name);
bool starts_with_datum_label(std::string_view word);
// By its form; single code points beyond ASCII are not judged, and numbers of the same form come first.
bool has_symbol_form(std::string_view word);
// The first code point that a symbol cannot have without bars: what cannot be seen, and typesetters'
// quotation marks, which are mistakes for `"` or `'`. Empty where there is none.
std::string_view first_bad_code_point(std::string_view word);

} // namespace espalier
