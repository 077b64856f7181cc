#include "testgen/text/escapes.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "lang/lang.hpp"

namespace espalier {

namespace {

// Gives each character to `put`, with its bytes; one that is no UTF-8 as U+FFFD.
template <typename Put>
std::string each_character(std::string_view text, const Put& put) {
    std::string out;
    out.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
        const CodePoint point = decode_utf8(text, at);
        const bool broken = point.code == 0xFFFD && point.size == 1;
        put(out, point.code, broken ? std::string_view("\xef\xbf\xbd") : text.substr(at, point.size));
        at += point.size;
    }
    return out;
}

void append_formatted(std::string& out, const char* format, char32_t code) {
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), format, static_cast<unsigned>(code));
    out += text.data();
}

// What does no harm where text is laid out: what can be seen, and blanks.
bool is_harmless(char32_t code) { return code == ' ' || code == 0xA0 || is_visible(code); }

std::string xml(std::string_view text, bool attribute) {
    return each_character(text, [=](std::string& out, char32_t code, std::string_view bytes) {
        if (!xml_can_carry(code))
            append_formatted(out, "\\x%x;", code);
        else if (code == '&')
            out += "&amp;";
        else if (code == '<')
            out += "&lt;";
        else if (code == '>')
            out += "&gt;";
        else if (code == '"' && attribute)
            out += "&quot;";
        else if (code == '\r' || (attribute && (code == '\n' || code == '\t')))
            append_formatted(out, "&#%u;", code); // else a reader would make a line end or a blank of it
        else
            out += bytes;
    });
}

} // namespace

bool xml_can_carry(char32_t code) {
    if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
    return code != 0xFFFE && code != 0xFFFF;
}

std::string valid_utf8(std::string_view text) {
    return each_character(text, [](std::string& out, char32_t, std::string_view bytes) { out += bytes; });
}

std::string xml_text(std::string_view text) { return xml(text, false); }
std::string xml_attribute(std::string_view text) { return xml(text, true); }

std::string html_text(std::string_view text) {
    return each_character(text, [](std::string& out, char32_t code, std::string_view bytes) {
        switch (code) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        case '\'': out += "&#39;"; break;
        default:
            if (is_harmless(code))
                out += bytes;
            else
                append_formatted(out, "\\x%x;", code);
        }
    });
}

// The three stand only in strings there.
std::string inline_json(std::string_view json) {
    std::string out;
    out.reserve(json.size());
    for (size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (c == '\n') {
            while (i + 1 < json.size() && json[i + 1] == ' ') ++i;
        } else if (c == '<' || c == '>' || c == '&') {
            append_formatted(out, "\\u%04x", static_cast<unsigned char>(c));
        } else {
            out += c;
        }
    }
    return out;
}

// Graphviz knows HTML's entities in plain strings too.
std::string dot_string(std::string_view text) {
    return each_character(text, [](std::string& out, char32_t code, std::string_view bytes) {
        if (code == '"' || code == '\\')
            out.append("\\").append(bytes);
        else if (code == '&')
            out += "&amp;";
        else if (is_harmless(code))
            out += bytes;
        else
            append_formatted(out, "\\\\x%x;", code);
    });
}

std::string c_string(std::string_view text) {
    return each_character(text, [](std::string& out, char32_t code, std::string_view bytes) {
        if (code == '"' || code == '\\' || code == '?') { // "??=" is a trigraph
            out += std::string("\\") + static_cast<char>(code);
        } else if (code >= 0x20 && code < 0x7F) {
            out += bytes;
        } else { // three digits, so that a digit that follows is none of them
            for (const char c : bytes) append_formatted(out, "\\%03o", static_cast<unsigned char>(c));
        }
    });
}

std::string python_string(std::string_view text) {
    return each_character(text, [](std::string& out, char32_t code, std::string_view bytes) {
        if (code == '"' || code == '\'' || code == '\\')
            out += std::string("\\") + static_cast<char>(code);
        else if (code >= 0x20 && code < 0x7F)
            out += bytes;
        else
            append_formatted(out, code < 0x10000 ? "\\u%04x" : "\\U%08x", code);
    });
}

std::string csv_string(std::string_view text) {
    return each_character(text, [](std::string& out, char32_t code, std::string_view bytes) {
        if (code == '"') out += '"';
        out += bytes;
    });
}

// The backslash too is written by its number: some compilers know escapes that begin with one.
std::string ttcn3_string(std::string_view text) {
    bool inside = false; // of quotes
    std::string all = each_character(text, [&](std::string& out, char32_t code, std::string_view bytes) {
        const bool plain = code >= 0x20 && code < 0x7F && code != '\\';
        if (plain != inside || !plain) {
            if (inside) out += '"';
            if (!out.empty()) out += " & ";
            if (plain) out += '"';
            inside = plain;
        }
        if (!plain) {
            std::array<char, 48> quadruple{};
            const auto c = static_cast<unsigned>(code);
            std::snprintf(quadruple.data(), quadruple.size(), "char(%u, %u, %u, %u)", c >> 24, c >> 16 & 0xFFU,
                          c >> 8 & 0xFFU, c & 0xFFU);
            out += quadruple.data();
        } else {
            out += bytes;
            if (code == '"') out += '"';
        }
    });
    if (inside) all += '"';
    return all.empty() ? "\"\"" : all;
}

std::string printable(std::string_view text) {
    return each_character(text, [](std::string& out, char32_t code, std::string_view bytes) {
        if (code == ' ' || is_visible(code))
            out += bytes;
        else
            append_formatted(out, "\\x%x;", code);
    });
}

// For text inside a line: signs that count only where a line begins stay as they are, so that the source can be read
// too. Addresses would become links in some readers.
std::string markdown_text(std::string_view text) {
    const std::string shown = printable(text);
    std::string out;
    for (size_t i = 0; i < shown.size(); ++i) {
        const bool address = (shown[i] == ':' && shown.compare(i, 3, "://") == 0) ||
                             (shown[i] == '.' && i >= 3 && shown.compare(i - 3, 3, "www") == 0);
        if (address || std::string_view("\\`*_[]<>#|~&$@").find(shown[i]) != std::string_view::npos) out += '\\';
        out += shown[i];
    }
    return out;
}

std::string markdown_code(std::string_view text) {
    std::string shown = printable(text);
    size_t longest = 0, run = 0;
    for (const char c : shown) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    const std::string fence(longest + 1, '`');
    // A blank on either side is no part of the code, and parts a backtick from the fence.
    const bool padded =
        shown.empty() || shown.front() == '`' || shown.back() == '`' || shown.front() == ' ' || shown.back() == ' ';
    return fence + (padded ? " " + shown + " " : shown) + fence;
}

std::string identifier(std::string_view text) {
    constexpr size_t longest = 120;
    std::string out;
    bool gap = false;
    for (const char c : text) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'), digit = c >= '0' && c <= '9';
        if (!letter && !digit) {
            gap = true;
            continue;
        }
        if (out.size() >= longest) break;
        if (out.empty() && digit) out += "n";
        if (gap && !out.empty()) out += '_';
        gap = false;
        out += c;
    }
    return out.empty() ? "x" : out;
}

} // namespace espalier
