// Tokens in Boost.Spirit X3, and the only file that includes it. Only tokens: rules for nested data would
// recurse on the stack, and are slower to run and to compile.
//
// Lexical syntax is that of R7RS 7.1.1, with two differences that models want: `,` `'` `` ` `` and `#` inside
// a word belong to it (`b:id=1,true` is one symbol), and form feeds are blanks. Brackets that are not in the
// language end a word too, so that the message about one is at its place. X3 sees bytes; all of the text was
// checked to be UTF-8.
#include "lang/read/tokens.hpp"

#include <algorithm>
#include <boost/spirit/home/x3.hpp>

#include "lang/text/utf8.hpp"
#include "lang/values/lexical.hpp"

namespace espalier {
namespace {

namespace x3 = boost::spirit::x3;

const auto blank = x3::char_(" \t");
const auto ending = x3::lit("\r\n") | '\n' | '\r';
const auto blanks = *x3::char_(" \t\r\n\f");
const auto comment = ';' >> *~x3::char_("\r\n");
const auto word_byte = ~x3::char_(" \t\r\n\f()[]{}\";|");
const auto at_delimiter = !word_byte;

const auto initial = x3::char_("a-zA-Z!$%&*/:<=>?^_~");
const auto subsequent = x3::char_("a-zA-Z!$%&*/:<=>?^_~0-9+.@,'`#-");
const auto usual_symbol = initial >> *subsequent >> at_delimiter;
// With bytes of code points beyond ASCII, which are judged one by one afterwards.
const auto wide_initial = initial | x3::char_('\x80', '\xff');
const auto wide_subsequent = subsequent | x3::char_('\x80', '\xff');
const auto sign = x3::char_("+-");
const auto sign_subsequent = wide_initial | x3::char_("+@-");
const auto dot_subsequent = sign_subsequent | '.';
const auto symbol = (wide_initial >> *wide_subsequent | sign >> sign_subsequent >> *wide_subsequent |
                     -sign >> '.' >> dot_subsequent >> *wide_subsequent | sign) >>
                    x3::eoi;

const auto decimal_integer = x3::int_parser<int64_t>() >> at_delimiter;
const auto hex_code = x3::omit[x3::char_("xX")] >> x3::uint_parser<uint32_t, 16>();
const auto boolean_true = '#' >> x3::char_("tT") >> -(x3::char_("rR") >> x3::char_("uU") >> x3::char_("eE")) >> x3::eoi;
const auto boolean_false = '#' >> x3::char_("fF") >>
                           -(x3::char_("aA") >> x3::char_("lL") >> x3::char_("sS") >> x3::char_("eE")) >> x3::eoi;
const auto bytevector_start = '#' >> x3::char_("uU") >> '8' >> '(';
const auto datum_label = '#' >> +x3::char_("0-9") >> x3::char_("=#");
const auto continuation = *blank >> ending >> *blank;

// Cheap, and false for nearly every symbol.
const auto number_start = '#' | x3::char_("0-9.") | x3::char_("+-") >> x3::char_("0-9.iInN");

template <class Parser>
bool matches(std::string_view text, const Parser& parser) {
    const char* at = text.data();
    return x3::parse(at, text.data() + text.size(), parser);
}

} // namespace

// ---- steps

void Scanner::skip_blanks() { x3::parse(at, end, blanks); }

void Scanner::skip_line_comment() { x3::parse(at, end, comment); }

bool Scanner::skip_block_comment() {
    static const auto uninteresting = *~x3::char_("#|");
    for (size_t depth = 0; at != end; x3::parse(at, end, uninteresting)) {
        if (x3::parse(at, end, "#|"))
            ++depth;
        else if (x3::parse(at, end, "|#"))
            --depth;
        else
            ++at;
        if (depth == 0) return true;
    }
    return false;
}

std::string_view Scanner::word() {
    const char* const from = at;
    x3::parse(at, end, *word_byte);
    return {from, at};
}

bool Scanner::plain_symbol() { return x3::parse(at, end, usual_symbol); }

std::optional<int64_t> Scanner::small_integer() {
    int64_t value = 0;
    return x3::parse(at, end, decimal_integer, value) ? std::optional(value) : std::nullopt;
}

bool Scanner::bytevector_open() { return x3::parse(at, end, bytevector_start); }

std::string_view Scanner::run(char quote) {
    static const auto in_string = *~x3::char_("\"\\\r");
    static const auto in_symbol = *~x3::char_("|\\\r");
    const char* const from = at;
    if (quote == '"')
        x3::parse(at, end, in_string);
    else
        x3::parse(at, end, in_symbol);
    return {from, at};
}

bool Scanner::line_end() { return x3::parse(at, end, ending); }

bool Scanner::line_continuation() { return x3::parse(at, end, continuation); }

std::optional<uint32_t> Scanner::hex_escape() {
    uint32_t code = 0;
    return x3::parse(at, end, hex_code >> ';', code) ? std::optional(code) : std::nullopt;
}

// ---- words

std::optional<bool> parse_boolean(std::string_view word) {
    if (matches(word, boolean_true)) return true;
    if (matches(word, boolean_false)) return false;
    return std::nullopt;
}

std::optional<uint32_t> parse_hex_character(std::string_view name) {
    uint32_t code = 0;
    const char* at = name.data();
    const bool good = x3::parse(at, at + name.size(), hex_code >> x3::eoi, code);
    return good ? std::optional(code) : std::nullopt;
}

bool starts_with_datum_label(std::string_view word) { return matches(word, datum_label); }

bool has_symbol_form(std::string_view word) { return matches(word, symbol); }

std::string_view first_bad_code_point(std::string_view text) {
    for (size_t at = 0; at < text.size();) {
        const auto [code, size] = decode_utf8(text, at);
        const bool joiner = code == 0x200C || code == 0x200D;
        const bool quotation = code == 0x2018 || code == 0x2019 || code == 0x201C || code == 0x201D;
        if (code >= 0x80 && !joiner && (quotation || !is_visible(code))) return text.substr(at, size);
        at += size;
    }
    return {};
}

bool reads_as_symbol(std::string_view name) {
    if (matches(name, usual_symbol >> x3::eoi)) return true;
    return has_symbol_form(name) && first_bad_code_point(name).empty() && !parse_number(name);
}

// ---- numbers

Number parse_number(std::string_view text) {
    Number number;
    if (!matches(text, number_start)) return number;
    const char* at = text.data();
    const char* const end = at + text.size();
    const auto letter = [](char& to) {
        return [&to](const auto& context) { to = static_cast<char>(x3::_attr(context) | 0x20); };
    };
    const auto part = [](std::string_view& to) {
        return [&to](const auto& context) { to = {x3::_attr(context).begin(), x3::_attr(context).end()}; };
    };

    char radix = 'd';
    const auto radix_prefix = '#' >> x3::char_("bodxBODX")[letter(radix)];
    const auto exactness_prefix = '#' >> x3::char_("eiEI")[letter(number.exactness)];
    x3::parse(at, end, radix_prefix >> -exactness_prefix | exactness_prefix >> -radix_prefix | x3::eps);
    number.value.radix = radix == 'b' ? 2 : radix == 'o' ? 8 : radix == 'x' ? 16 : 10;

    const std::string digits = radix == 'b' ? "01" : radix == 'o' ? "0-7" : radix == 'x' ? "0-9a-fA-F" : "0-9";
    const auto digit = x3::char_(digits);
    bool decimal = false;
    const auto only_decimal = x3::eps[([radix](const auto& context) { x3::_pass(context) = radix == 'd'; })];
    const auto is_decimal = [&decimal](const auto&) { decimal = true; };
    const auto exponent = x3::char_("eE")[is_decimal] >> x3::raw[-sign >> +digit][part(number.exponent)];
    const auto after_point = x3::lit('.')[is_decimal] >> x3::raw[*digit][part(number.value.fraction)] >> -exponent;
    const auto unsigned_real =
        x3::raw[+digit][part(number.value.whole)] >>
            -('/' >> x3::raw[+digit][part(number.value.denominator)] | only_decimal >> (after_point | exponent)) |
        only_decimal >> &('.' >> digit) >> after_point;
    const auto letters = [](char a, char b) { return x3::char_(a) | x3::char_(b); };
    const auto special = sign >> (letters('i', 'I') >> letters('n', 'N') >> letters('f', 'F') |
                                  letters('n', 'N') >> letters('a', 'A') >> letters('n', 'N')) >>
                         ".0";
    const auto imaginary_end = letters('i', 'I') >> x3::eoi;

    number.value.negative = at != end && *at == '-';
    using Kind = Number::Kind;
    const auto real = special | -sign >> unsigned_real;
    if (x3::parse(at, end, -sign >> unsigned_real >> x3::eoi)) {
        number.kind = number.exactness == 'i' || (decimal && number.exactness != 'e') ? Kind::inexact : Kind::exact;
    } else if (x3::parse(at, end, special >> x3::eoi)) {
        number.kind = Kind::special;
    } else if (x3::parse(at, end, real >> '@' >> real >> x3::eoi) ||
               x3::parse(at, end, real >> special >> imaginary_end) ||
               x3::parse(at, end, real >> sign >> -unsigned_real >> imaginary_end) ||
               x3::parse(at, end, special >> imaginary_end) ||
               x3::parse(at, end, sign >> -unsigned_real >> imaginary_end)) {
        number.kind = Kind::complex;
    }
    return number;
}

std::optional<std::string> exact_value(const Number& number) {
    ExactLiteral value = number.value;
    constexpr auto limit = static_cast<long>(max_literal_digits);
    if (value.whole.size() + value.fraction.size() + value.denominator.size() > max_literal_digits) return std::nullopt;
    if (!number.exponent.empty()) {
        const char* at = number.exponent.data();
        const char* const end = at + number.exponent.size();
        if (!x3::parse(at, end, x3::int_parser<long>() >> x3::eoi, value.exponent)) return std::nullopt;
        if (value.exponent > limit || value.exponent < -limit) return std::nullopt;
    }
    // What the number is written as in the end must be readable, too: a power of ten, or another radix, has more
    // digits.
    std::optional<std::string> text = canonical_number(value);
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (text && std::count_if(text->begin(), text->end(), is_digit) > limit) return std::nullopt;
    return text;
}

} // namespace espalier
