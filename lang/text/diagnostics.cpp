// How an author's mistakes are shown: to people with the line and a caret, to editors as JSON.
//
// Whatever a file contains may end up in a message, so neither form passes on bytes that are not UTF-8, nor
// controls that a terminal would obey; and of a line of megabytes only the part around the caret is shown.
#include <algorithm>
#include <tuple>

#include "lang/text/json_text.hpp"
#include "lang/text/source.hpp"
#include "lang/text/utf8.hpp"

namespace espalier {
namespace {

constexpr size_t shown_before = 100; // code points of a long line on either side of the caret
constexpr size_t shown_after = 100;

std::string_view label(Severity severity) {
    switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: return "note";
    }
    return "error";
}

Position end_of(const Sources& sources, Span span) { return sources.position({span.file, span.end, span.end}); }

bool safe_to_show(char32_t code) { return code == ' ' || code == '\t' || is_visible(code); }

void append_shown(std::string& out, std::string_view text) {
    for (size_t i = 0; i < text.size();) {
        const CodePoint point = decode_utf8(text, i);
        i += point.size;
        append_utf8(out, safe_to_show(point.code) || point.code == '\n' ? point.code : 0xFFFD);
    }
}

// The line and its caret; tabs stand in both, so that the caret is under its place whatever a tab's width is.
void append_excerpt(std::string& out, const Sources& sources, Span span) {
    const Position at = sources.position(span);
    const std::string_view line = sources.line(span.file, at.line);
    const size_t line_begin = static_cast<size_t>(line.data() - sources.text(span.file).data());
    std::string text = "  ";
    std::string marks = "  ";
    const size_t skipped = at.column > shown_before ? at.column - shown_before : 0;
    if (skipped > 0) {
        text += "…";
        marks += ' ';
    }
    size_t column = 0;
    for (size_t i = 0; i < line.size(); ++column) {
        const CodePoint point = decode_utf8(line, i);
        const size_t offset = line_begin + i;
        i += point.size;
        if (column < skipped) continue;
        if (column > at.column + shown_after) {
            text += "…";
            break;
        }
        append_utf8(text, safe_to_show(point.code) ? point.code : 0xFFFD);
        if (offset < span.begin)
            marks += point.code == '\t' ? '\t' : ' ';
        else if (offset > span.begin && offset < span.end)
            marks += '~';
        else if (offset == span.begin)
            marks += '^';
    }
    if (span.begin >= line_begin + line.size()) marks += '^'; // at the end of the line, or of the file
    out += text + '\n' + marks + '\n';
}

void append_rendering(std::string& out, const Sources& sources, const Diagnostic& diagnostic) {
    if (diagnostic.span.known()) append_shown(out, sources.place(diagnostic.span) + ": ");
    out.append(label(diagnostic.severity)).append(": ");
    append_shown(out, diagnostic.text);
    out += '\n';
    if (diagnostic.span.known()) append_excerpt(out, sources, diagnostic.span);
    if (!diagnostic.hint.empty()) {
        out += "  hint: ";
        append_shown(out, diagnostic.hint);
        out += '\n';
    }
    for (const Diagnostic& note : diagnostic.notes) append_rendering(out, sources, note);
}

void append_json(std::string& out, const Sources& sources, const Diagnostic& diagnostic) {
    const auto number = [&out](std::string_view key, uint32_t value) {
        out.append(",\"").append(key).append("\":").append(std::to_string(value));
    };
    out += "{\"file\":";
    if (diagnostic.span.known()) {
        append_json_string(out, sources.path(diagnostic.span.file));
        const Position begin = sources.position(diagnostic.span);
        const Position end = end_of(sources, diagnostic.span);
        number("line", begin.line);
        number("column", begin.column);
        number("end_line", end.line);
        number("end_column", end.column);
    } else {
        out += R"(null,"line":null,"column":null,"end_line":null,"end_column":null)";
    }
    out.append(",\"severity\":\"").append(label(diagnostic.severity)).append("\",\"text\":");
    append_json_string(out, diagnostic.text);
    out += ",\"hint\":";
    append_json_string(out, diagnostic.hint);
    out += ",\"notes\":[";
    for (size_t i = 0; i < diagnostic.notes.size(); ++i) {
        if (i > 0) out += ',';
        append_json(out, sources, diagnostic.notes[i]);
    }
    out += "]}";
}

} // namespace

Diagnostic& Diagnostics::error(Span span, std::string text, std::string hint) {
    ++errors_;
    return all_.emplace_back(Diagnostic{Severity::error, span, std::move(text), std::move(hint), {}});
}

Diagnostic& Diagnostics::warning(Span span, std::string text, std::string hint) {
    return all_.emplace_back(Diagnostic{Severity::warning, span, std::move(text), std::move(hint), {}});
}

// Files in the order they were read; what has no place in any of them comes last. Stable, so that two
// messages about one place stay in the order of the passes.
void Diagnostics::sort(const Sources&) {
    const auto key = [](const Diagnostic& d) { return std::tuple(d.span.file, d.span.begin, d.span.end); };
    std::stable_sort(all_.begin(), all_.end(),
                     [&key](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
}

std::string render(const Sources& sources, const Diagnostic& diagnostic) {
    std::string out;
    append_rendering(out, sources, diagnostic);
    return out;
}

std::string render_json(const Sources& sources, const Diagnostics& diagnostics) {
    std::string out = "[";
    for (const Diagnostic& diagnostic : diagnostics.all()) {
        if (out.size() > 1) out += ",\n ";
        append_json(out, sources, diagnostic);
    }
    out += "]\n";
    return out;
}

} // namespace espalier
