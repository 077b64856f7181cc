// Text of models, suites and systems is data wherever it is written: for every byte, pairs of bytes, what is no UTF-8,
// and what ends something in one of the languages, each escape gives text that a reader takes for text, and for the
// same text.
#include "testgen/text/escapes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>

#include "testgen/graph/dot.hpp"
#include "testgen/suite/spelling.hpp"
#include "testgen/text/json.hpp"
#include "testgen/text/json_reader.hpp"

using namespace espalier;

namespace {

const std::vector<std::string>& hard_texts() {
    static const std::vector<std::string> texts = [] {
        std::vector<std::string> all{"",
                                     std::string("a\0b", 3),
                                     "</script><script>alert(1)</script>",
                                     "<!--",
                                     "-->",
                                     "]]>",
                                     "<![CDATA[",
                                     "<?xml?>",
                                     "<!DOCTYPE x>",
                                     "&amp;",
                                     "&#0;",
                                     "&",
                                     "\"",
                                     "'",
                                     "\\",
                                     "\\x7;",
                                     "`",
                                     "?\?=",
                                     "\" & char(0,0,0,7) & \"",
                                     "\x1b[31m\x1b]0;title\x07",
                                     "\xc2\x9b[31m",             // CSI as one character
                                     "\xe2\x80\xae (abc)",       // right-to-left override
                                     "\xe2\x80\xa8\xe2\x80\xa9", // line ends, to JavaScript
                                     "\xef\xbb\xbf",
                                     "\xef\xbf\xbe",
                                     "\xef\xbf\xbf",
                                     "\xef\xbf\xbd",
                                     "\xed\xa0\x80\xed\xb0\x80", // surrogates
                                     "\xc0\x80",
                                     "\xe0\x80\xbc", // overlong: 0, <
                                     "\xf4\x90\x80\x80",
                                     "\xf8\x88\x80\x80\x80",
                                     "\xe2\x82",
                                     "a\xe2",
                                     "\xc3<", // broken off
                                     "\xf0\x9f\x98\x80 \xc3\xa9 \xc2\xa0|"};
        for (int a = 0; a < 256; ++a) {
            all.emplace_back(1, static_cast<char>(a));
            for (int b = 0; b < 256; ++b) all.push_back({static_cast<char>(a), static_cast<char>(b)});
        }
        return all;
    }();
    return texts;
}

// As any reader of UTF-8 would take it.
std::string mended(std::string_view text) {
    std::string out;
    for (size_t i = 0; i < text.size();) {
        const CodePoint point = decode_utf8(text, i);
        append_utf8(out, point.code);
        i += point.size;
    }
    return out;
}

bool has_any(std::string_view text, std::string_view bytes) {
    return text.find_first_of(bytes) != std::string_view::npos;
}

// Nothing that a terminal obeys, and nothing that is not seen; of controls, those listed.
bool is_seen(std::string_view text, std::string_view admitted = "") {
    for (size_t i = 0; i < text.size();) {
        const CodePoint point = decode_utf8(text, i);
        i += point.size;
        const bool listed = point.code < 0x80 && admitted.find(static_cast<char>(point.code)) != std::string_view::npos;
        if (point.code != ' ' && point.code != 0xA0 && !listed && !is_visible(point.code)) return false;
    }
    return true;
}

// The text that XML or HTML reads; nothing where an ampersand begins none of the references that are written here.
std::optional<std::string> without_references(std::string_view text) {
    static constexpr std::pair<std::string_view, char> known[] = {{"&amp;", '&'},  {"&lt;", '<'},   {"&gt;", '>'},
                                                                  {"&quot;", '"'}, {"&#39;", '\''}, {"&#13;", '\r'},
                                                                  {"&#10;", '\n'}, {"&#9;", '\t'}};
    std::string out;
    while (!text.empty()) {
        if (text[0] != '&') {
            out += text[0];
            text.remove_prefix(1);
            continue;
        }
        const auto* found =
            std::find_if(std::begin(known), std::end(known), [&](const auto& k) { return text.starts_with(k.first); });
        if (found == std::end(known)) return std::nullopt;
        out += found->second;
        text.remove_prefix(found->first.size());
    }
    return out;
}

// With the characters that `carried` refuses as the language writes them.
template <typename Carried>
std::string spelt(std::string_view text, const Carried& carried) {
    std::string out;
    for (size_t i = 0; i < text.size();) {
        const CodePoint point = decode_utf8(text, i);
        i += point.size;
        if (carried(point.code)) {
            append_utf8(out, point.code);
        } else {
            char hex[16];
            std::snprintf(hex, sizeof hex, "\\x%x;", static_cast<unsigned>(point.code));
            out += hex;
        }
    }
    return out;
}

// What a TTCN-3 expression of strings and char(…) stands for; nothing where it is none.
std::optional<std::string> ttcn3_value(std::string_view text) {
    std::string out;
    while (true) {
        if (text.starts_with('"')) {
            text.remove_prefix(1);
            while (true) {
                if (text.empty() || text[0] < 0x20 || text[0] == 0x7f || text[0] == '\\') return std::nullopt;
                const bool quote = text[0] == '"';
                if (quote && !text.starts_with("\"\"")) break;
                out += text[0];
                text.remove_prefix(quote ? 2 : 1);
            }
            text.remove_prefix(1);
        } else {
            unsigned group = 0, plane = 0, row = 0, cell = 0;
            int read = 0;
            const std::string rest(text);
            if (std::sscanf(rest.c_str(), "char(%u, %u, %u, %u)%n", &group, &plane, &row, &cell, &read) != 4 ||
                read == 0)
                return std::nullopt;
            append_utf8(out, group << 24 | plane << 16 | row << 8 | cell);
            text.remove_prefix(static_cast<size_t>(read));
        }
        if (text.empty()) return out;
        if (!text.starts_with(" & ")) return std::nullopt;
        text.remove_prefix(3);
    }
}

bool is_shown(char32_t code) { return code == ' ' || is_visible(code); }
bool is_laid_out(char32_t code) { return is_shown(code) || code == 0xA0; }

// The first of the hard texts for which `good` is false, as bytes; empty where there is none.
template <typename Good>
std::string counterexample(const Good& good) {
    for (const std::string& text : hard_texts()) {
        if (good(text)) continue;
        std::string bytes = "bytes";
        for (const char c : text) bytes += " " + std::to_string(static_cast<unsigned char>(c));
        return bytes;
    }
    return {};
}

} // namespace

TEST_CASE("JSON is read back as it was") {
    CHECK(counterexample([](const std::string& text) {
              std::string json;
              append_json_string(json, text);
              const auto read = parse_json(json);
              return read && read->string() != nullptr && *read->string() == mended(text) &&
                     first_invalid_utf8(json) == std::string_view::npos && json == "\"" + json_string(text) + "\"" &&
                     !has_any(json, std::string_view("\0\t\n\r\x1b\x7f", 6)) && json.find("\xe2\x80\xa8") == json.npos;
          }) == "");
}

TEST_CASE("JSON in a script element is read back, and cannot end the element") {
    CHECK(counterexample([](const std::string& text) {
              JsonWriter json;
              json.begin_object();
              json.member("a", std::string_view(text));
              json.end_object();
              const std::string embedded = inline_json(json.take());
              const auto read = parse_json(embedded);
              return read && *read->member("a")->string() == mended(text) && !has_any(embedded, "<>&\n");
          }) == "");
}

TEST_CASE("XML is read back as it was, but for what it cannot carry") {
    CHECK(counterexample([](const std::string& text) {
              const std::string content = xml_text(text), attribute = xml_attribute(text),
                                wanted = spelt(text, xml_can_carry);
              return !has_any(content, "<>\r") && !has_any(attribute, "<>\"\t\n\r") &&
                     without_references(content) == wanted && without_references(attribute) == wanted &&
                     first_invalid_utf8(content) == std::string_view::npos;
          }) == "");
}

TEST_CASE("a suite's text is read back as it was, and XML can carry it") {
    CHECK(counterexample([](const std::string& bytes) {
              const std::string text = mended(bytes); // the language has no other strings
              const std::string inside = needs_escapes(text) ? escape(text) : text;
              return (needs_escapes(text) ? unescape(inside) : text) == text &&
                     from_attribute_text(attribute_text(text)) == text && spelt(inside, xml_can_carry) == inside &&
                     !has_any(inside, "\r") && !has_any(attribute_text(text), "\t\n\r");
          }) == "");
}

TEST_CASE("HTML shows the text, and everything of it") {
    CHECK(counterexample([](const std::string& text) {
              const std::string html = html_text(text);
              return !has_any(html, "<>\"'") && is_seen(html) && without_references(html) == spelt(text, is_laid_out);
          }) == "");
}

TEST_CASE("TTCN-3 has the same characters") {
    CHECK(counterexample([](const std::string& text) { return ttcn3_value(ttcn3_string(text)) == mended(text); }) ==
          "");
}

TEST_CASE("a terminal obeys nothing, and a line stays one") {
    CHECK(counterexample([](const std::string& text) {
              const std::string line = printable(text);
              return is_seen(line) && line == spelt(text, is_shown) &&
                     first_invalid_utf8(line) == std::string_view::npos;
          }) == "");
}

TEST_CASE("Graphviz: a string stays one, and markup has only the tags that are meant") {
    CHECK(counterexample([](const std::string& text) {
              const std::string inside = dot_string(text);
              for (size_t i = 0; i < inside.size(); ++i) {
                  if (inside[i] == '"') return false;
                  if (inside[i] == '\\' && (++i == inside.size() || !has_any(inside.substr(i, 1), "\"\\")))
                      return false;
              }
              std::string markup = html_lines(text);
              for (size_t at = 0; (at = markup.find("<BR ALIGN=\"LEFT\"/>")) != std::string::npos;)
                  markup.erase(at, 18);
              return is_seen(inside) && is_seen(markup) && !has_any(markup, "<>\"'");
          }) == "");
}

TEST_CASE("Markdown and comments: one line that is seen") {
    CHECK(counterexample([](const std::string& text) {
              return is_seen(markdown_text(text)) && is_seen(markdown_code(text));
          }) == "");
}
