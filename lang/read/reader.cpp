// From text to data: checks that it is text, takes one token after the other, and says what is wrong with
// those that are none. `Scanner` knows their shapes, `Nesting` puts them together.
#include <charconv>
#include <cstring>

#include "lang/read/nesting.hpp"
#include "lang/read/tokens.hpp"
#include "lang/text/unicode.hpp"
#include "lang/text/utf8.hpp"
#include "lang/values/lexical.hpp"

namespace espalier {
namespace {

constexpr size_t max_file_size = size_t{1} << 30; // keeps offsets, and data of all but the oddest text, within 32 bits

class Reader {
public:
    Reader(const Sources& sources, FileId file, Data& data, Diagnostics& diagnostics)
        : file_(file), data_(data), nesting_(data, diagnostics),
          begin_(sources.text(file).data()), scan_{begin_, begin_ + sources.text(file).size()} {}

    std::vector<DatumId> read();

private:
    bool is_text();
    void token();
    void word_token();
    void hash_token();
    void number(const Number& literal, std::string_view text);
    void character();
    void quoted(char quote);
    void escape();
    void bracket();
    void block_comment();
    void directive();
    const char* next_form(const char* place) const;

    Span span(const char* from, const char* to) const {
        return {file_, static_cast<uint32_t>(from - begin_), static_cast<uint32_t>(to - begin_)};
    }
    Span span(std::string_view text) const { return span(text.data(), text.data() + text.size()); }
    Span span_from(const char* from) const { return span(from, scan_.at); }
    Span end_of_file() const { return span(scan_.end, scan_.end); }
    Span advance(ptrdiff_t bytes) {
        scan_.at += bytes;
        return span_from(scan_.at - bytes);
    }
    void wrong(Span where, std::string text, std::string hint = {}) {
        nesting_.error(where, std::move(text), std::move(hint));
        nesting_.placeholder(where);
    }
    // R7RS has it and the language does not: allowed where `#;` leaves it out.
    Symbol name(std::string_view text) const;
    void not_in_language(Span where, std::string text, std::string hint) {
        if (!nesting_.discarding()) nesting_.error(where, std::move(text), std::move(hint));
    }
    void unterminated(Span opening, const std::string& what, const std::string& expected);

    FileId file_;
    Data& data_;
    Nesting nesting_;
    const char* begin_;
    Scanner scan_;
    std::string content_; // of the string or |symbol| that is being read
    bool fold_case_ = false;
};

// A symbol without bars: after #!fold-case, whatever its case.
Symbol Reader::name(std::string_view text) const {
    if (!fold_case_) return intern(text);
    std::u32string wide;
    for (size_t at = 0; at < text.size();) {
        const CodePoint point = decode_utf8(text, at);
        wide += point.code;
        at += point.size;
    }
    std::string folded;
    for (const char32_t c : unicode::foldcase(wide)) append_utf8(folded, c);
    return intern(folded);
}

// ---- what messages show

// Long texts are not repeated whole.
std::string shown(std::string_view text) {
    size_t size = 0;
    for (int i = 0; i < 40 && size < text.size(); ++i) size += decode_utf8(text, size).size;
    return '`' + std::string(text.substr(0, size)) + (size < text.size() ? "…`" : "`");
}

std::string hex(char32_t code, size_t width) {
    std::string digits;
    for (; code != 0 || digits.size() < width; code >>= 4) digits.insert(digits.begin(), "0123456789ABCDEF"[code & 15]);
    return digits;
}

std::string unicode_name(char32_t code) { return "U+" + hex(code, 4); }

std::string as_symbol_hint(std::string_view text) {
    const bool plain = text.size() <= 40 && text.find('\\') == std::string_view::npos;
    return "a symbol of this name is written |" + (plain ? std::string(text) : "…") + '|';
}

// The exact number that a short inexact literal stands for.
std::string exact_hint(const Number& literal, std::string_view text) {
    const bool finite = literal.kind == Number::Kind::inexact && text.size() <= 20;
    const std::optional<std::string> exact = finite ? exact_value(literal) : std::nullopt;
    return exact && exact->size() <= 40 ? "the exact number is " + *exact : "use an exact rational, such as 3/2";
}

// ---- the whole file

bool Reader::is_text() {
    const std::string_view text(begin_, scan_.end);
    if (text.size() > max_file_size) {
        nesting_.error(span(begin_, begin_), "the file is larger than 1 GiB");
        return false;
    }
    if (const size_t bad = first_invalid_utf8(text); bad != std::string_view::npos) {
        const bool utf16 = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
        nesting_.error(span(text.substr(bad, 1)),
                       "the file is not UTF-8: byte 0x" + hex(static_cast<unsigned char>(text[bad]), 2),
                       utf16 ? "it looks like UTF-16; save it as UTF-8" : "save it as UTF-8");
        return false;
    }
    if (const size_t nul = text.find('\0'); nul != std::string_view::npos) {
        nesting_.error(span(text.substr(nul, 1)), "a NUL byte in the file", "is this a text file?");
        return false;
    }
    if (text.starts_with("\xEF\xBB\xBF")) scan_.at += 3;
    return true;
}

// Growing the arena costs more than reading: it copies all that was read. Each word, and each list, is a
// datum and the pair that holds it; a quotation has three nodes more. What stands in comments and strings
// only makes it generous.
size_t estimate_nodes(std::string_view text) {
    constexpr auto in_word = [](char c) { return c != ' ' && c != '\n' && c != '(' && c != ')' && c != '\''; };
    size_t words = 0;
    size_t brackets = 0;
    size_t quotes = 0;
    bool inside = false;
    for (const char c : text) {
        words += in_word(c) && !inside ? 1U : 0U;
        brackets += c == '(' ? 1U : 0U;
        quotes += c == '\'' ? 1U : 0U;
        inside = in_word(c);
    }
    return 2 * words + 2 * brackets + 4 * quotes + 1;
}

std::vector<DatumId> Reader::read() {
    if (!is_text()) return {};
    data_.reserve_more(estimate_nodes({begin_, scan_.end}));
    while (!nesting_.enough_errors()) {
        scan_.skip_blanks();
        if (!scan_.done()) {
            token();
        } else if (!nesting_.at_top()) {
            const char* const next = next_form(begin_ + nesting_.outermost());
            nesting_.finish(end_of_file(), next == scan_.end ? Span{} : span(next, next + 1));
            scan_.at = next;
        } else {
            break;
        }
    }
    return nesting_.take();
}

// Where an unclosed or unterminated datum begins at `place`, nothing tells where it was meant to end. But
// authors begin the next one in the first column.
const char* Reader::next_form(const char* place) const {
    for (const char* at = place + 1; at < scan_.end; ++at) {
        at = static_cast<const char*>(std::memchr(at, '(', static_cast<size_t>(scan_.end - at)));
        if (at == nullptr) break;
        if (at[-1] == '\n' || at[-1] == '\r') return at;
    }
    return scan_.end;
}

void Reader::unterminated(Span opening, const std::string& what, const std::string& expected) {
    Diagnostic& error = nesting_.error(opening, "unterminated " + what);
    error.notes.push_back({Severity::note, end_of_file(), "expected " + expected + " before the file's end", {}, {}});
    nesting_.abandon();
    scan_.at = next_form(begin_ + opening.begin);
}

// ---- tokens

void Reader::token() {
    using Opening = Nesting::Opening;
    using Prefix = Nesting::Prefix;
    switch (*scan_.at) {
    case '(': return nesting_.open(Opening::list, advance(1), '(');
    case ')': return nesting_.close(advance(1), ')');
    case ';': return scan_.skip_line_comment();
    case '\'': return nesting_.prefix(Prefix::quote, advance(1));
    case '`': return nesting_.prefix(Prefix::quasiquote, advance(1));
    case ',':
        if (scan_.peek(1) == '@') return nesting_.prefix(Prefix::unquote_splicing, advance(2));
        return nesting_.prefix(Prefix::unquote, advance(1));
    case '"':
    case '|': return quoted(*scan_.at);
    case '#': return hash_token();
    case '[':
    case ']':
    case '{':
    case '}': return bracket();
    default: return word_token();
    }
}

void Reader::word_token() {
    const char* const from = scan_.at;
    if (scan_.plain_symbol()) return nesting_.datum(data_.symbol(span_from(from), name({from, scan_.at})));
    if (const auto small = scan_.small_integer()) return nesting_.datum(data_.integer(span_from(from), *small));
    const std::string_view text = scan_.word();
    if (text == ".") return nesting_.dot(span(text));
    if (const Number literal = parse_number(text)) return number(literal, text);
    if (const std::string_view bad = first_bad_code_point(text); !bad.empty()) {
        const char32_t code = decode_utf8(bad, 0).code;
        return wrong(span(bad), unicode_name(code) + " in a symbol",
                     is_visible(code) ? "quotation marks are \" and '"
                                      : "it cannot be seen, or looks like a blank; delete it");
    }
    if (has_symbol_form(text)) return nesting_.datum(data_.symbol(span(text), name(text)));
    wrong(span(text), shown(text) + " is neither a number nor a symbol", as_symbol_hint(text));
}

void Reader::number(const Number& literal, std::string_view text) {
    using Kind = Number::Kind;
    const Span where = span(text);
    if (literal.kind == Kind::complex) {
        not_in_language(where, "complex numbers are not in the language", as_symbol_hint(text));
        return nesting_.placeholder(where);
    }
    const std::string_view denominator = literal.value.denominator;
    if (!denominator.empty() && denominator.find_first_not_of('0') == std::string_view::npos) {
        return wrong(where, "the denominator is zero");
    }
    if (literal.kind != Kind::exact) {
        not_in_language(where, "inexact numbers are not in the language", exact_hint(literal, text));
        return nesting_.placeholder(where);
    }
    const std::optional<std::string> exact = exact_value(literal);
    if (!exact) return wrong(where, "a number of more than " + std::to_string(max_literal_digits) + " digits");
    int64_t small = 0;
    const auto [end, failure] = std::from_chars(exact->data(), exact->data() + exact->size(), small);
    const bool fits = failure == std::errc{} && end == exact->data() + exact->size();
    nesting_.datum(fits ? data_.integer(where, small) : data_.number(where, *exact));
}

void Reader::bracket() {
    const char which = *scan_.at;
    const Span token = advance(1);
    if (which == ']' || which == '}') return nesting_.close(token, which);
    not_in_language(token, std::string("`") + which + "` is not in the language", "use ( and )");
    nesting_.open(Nesting::Opening::list, token, which);
}

void Reader::hash_token() {
    const char* const from = scan_.at;
    switch (scan_.peek(1)) {
    case '(': return nesting_.open(Nesting::Opening::vector, advance(2), '(');
    case ';': return nesting_.prefix(Nesting::Prefix::discard, advance(2));
    case '|': return block_comment();
    case '\\': return character();
    case '!': return directive();
    default: break;
    }
    if (scan_.bytevector_open()) return nesting_.open(Nesting::Opening::bytevector, span_from(from), '(');
    const std::string_view text = scan_.word();
    if (const auto truth = parse_boolean(text)) return nesting_.datum(data_.boolean(span(text), *truth));
    if (const Number literal = parse_number(text)) return number(literal, text);
    if (starts_with_datum_label(text)) {
        // `#0=` may be followed by its datum without a blank, so only the label itself is taken.
        scan_.at = from + text.find_first_of("=#", 1) + 1;
        not_in_language(span_from(from), "datum labels are not in the language", "write the datum out");
        if (scan_.at[-1] == '#') nesting_.placeholder(span_from(from));
        return;
    }
    const bool r6rs = text == "#vu8" && scan_.peek(0) == '(';
    wrong(span(text), shown(text) + " is not known", r6rs ? "a bytevector is written #u8(…)" : "");
}

void Reader::block_comment() {
    const char* const from = scan_.at;
    if (!scan_.skip_block_comment()) unterminated(span(from, from + 2), "block comment", "`|#`");
}

void Reader::directive() {
    const std::string_view text = scan_.word();
    if (text == "#!fold-case" || text == "#!no-fold-case") {
        fold_case_ = text == "#!fold-case";
        return;
    }
    nesting_.error(span(text), shown(text) + " is not known");
    nesting_.spare_next_datum();
}

void Reader::character() {
    const char* const from = scan_.at;
    advance(2);
    if (scan_.done()) return wrong(span_from(from), "no character follows `#\\`");
    // The first one may be a delimiter itself.
    const CodePoint point = decode_utf8({scan_.at, scan_.end}, 0);
    scan_.at += point.size;
    scan_.word();
    const Span where = span_from(from);
    const std::string_view name(from + 2, scan_.at);
    if (name.size() == point.size) return nesting_.datum(data_.character(where, point.code));
    const std::string_view wanted = fold_case_ ? name_of(this->name(name)) : name;
    for (const CharacterName& known : character_names) {
        if (known.name == wanted) return nesting_.datum(data_.character(where, known.code));
    }
    const std::optional<uint32_t> code = parse_hex_character(name);
    if (code && is_scalar_value(*code)) return nesting_.datum(data_.character(where, *code));
    if (code) return wrong(where, unicode_name(*code) + " is not a character");
    wrong(where, shown({from, scan_.at}) + " is not a character",
          "names are alarm, backspace, delete, escape, newline, null, return, space, tab; others are #\\A or "
          "#\\x41");
}

void Reader::quoted(char quote) {
    const char* const from = scan_.at++;
    content_.clear();
    while (!nesting_.enough_errors()) {
        content_ += scan_.run(quote);
        if (scan_.done()) {
            return unterminated(span(from, from + 1), quote == '"' ? "string" : "|symbol|", {'`', quote, '`'});
        }
        if (*scan_.at == quote) {
            const Span where = span(from, ++scan_.at);
            return nesting_.datum(quote == '"' ? data_.string(where, content_) : data_.symbol(where, intern(content_)));
        }
        if (*scan_.at == '\\')
            escape();
        else if (scan_.line_end())
            content_ += '\n'; // as R7RS wants, however the file's lines end
    }
}

void Reader::escape() {
    const char* const from = scan_.at++;
    if (scan_.done()) return;
    static constexpr std::string_view letters = "abtnr\"\\|";
    static constexpr std::string_view meanings = "\a\b\t\n\r\"\\|";
    if (const size_t which = letters.find(*scan_.at); which != std::string_view::npos) {
        ++scan_.at;
        content_ += meanings[which];
        return;
    }
    if (scan_.line_continuation()) return;
    const bool numeric = *scan_.at == 'x' || *scan_.at == 'X';
    if (const std::optional<uint32_t> code = scan_.hex_escape()) {
        if (is_scalar_value(*code)) return append_utf8(content_, *code);
    } else {
        scan_.at += decode_utf8({scan_.at, scan_.end}, 0).size;
    }
    nesting_.error(span_from(from), shown({from, scan_.at}) + " is not an escape",
                   numeric ? "a code point is written \\x41; with its hexadecimal digits and a semicolon"
                           : "there are \\a \\b \\t \\n \\r \\\" \\\\ \\| \\x41; and \\ at the end of a line");
}

} // namespace

std::vector<DatumId> read_data(const Sources& sources, FileId file, Data& data, Diagnostics& diagnostics) {
    return Reader(sources, file, data, diagnostics).read();
}

} // namespace espalier
