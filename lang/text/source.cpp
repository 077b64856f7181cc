// Places are byte offsets until one is shown: only the starts of lines are kept, and a column is
// counted when it is asked for.
#include "lang/text/source.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdio>

#include "lang/text/utf8.hpp"

namespace espalier {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// A file beyond 4 GiB has no offsets for its end; the reader refuses it, and nothing past that point is ever
// shown.
std::vector<uint32_t> find_line_starts(std::string_view text) {
    text = text.substr(0, UINT32_MAX);
    std::vector<uint32_t> starts;
    // The mark is no character of the first line, or every column of it would be one too high.
    starts.push_back(text.starts_with(byte_order_mark) ? static_cast<uint32_t>(byte_order_mark.size()) : 0);
    for (size_t i = 0; i < text.size(); ++i) {
        if (static_cast<unsigned char>(text[i]) > '\r') continue;
        const bool ends = text[i] == '\n' || (text[i] == '\r' && !text.substr(i + 1).starts_with('\n'));
        if (ends) starts.push_back(static_cast<uint32_t>(i + 1));
    }
    return starts;
}

// A file's name is any bytes: what a terminal would obey, or ends the line, is written as the language does, \x7;
std::string shown(std::string_view path) {
    std::string out;
    for (size_t i = 0; i < path.size();) {
        const CodePoint point = decode_utf8(path, i);
        i += point.size;
        if (point.code == ' ' || point.code == 0xFFFD || is_visible(point.code)) {
            append_utf8(out, point.code);
        } else {
            std::array<char, 16> text{};
            std::snprintf(text.data(), text.size(), "\\x%x;", static_cast<unsigned>(point.code));
            out += text.data();
        }
    }
    return out;
}

} // namespace

Span join(Span first, Span last) {
    if (first.file != last.file) return first;
    return {first.file, first.begin, std::max(first.end, last.end)};
}

FileId Sources::add(std::string path, std::string text) {
    std::vector<uint32_t> starts = find_line_starts(text);
    files_.push_back({std::move(path), std::move(text), std::move(starts)});
    return FileId{static_cast<uint32_t>(files_.size() - 1)};
}

const std::string& Sources::path(FileId file) const { return files_.at(static_cast<uint32_t>(file)).path; }

const std::string& Sources::text(FileId file) const { return files_.at(static_cast<uint32_t>(file)).text; }

Position Sources::position(Span span) const {
    if (!span.known()) return {};
    const File& file = files_.at(static_cast<uint32_t>(span.file));
    const auto after = std::upper_bound(file.line_starts.begin() + 1, file.line_starts.end(), span.begin);
    const uint32_t start = *(after - 1);
    const size_t end = std::min<size_t>(std::max(span.begin, start), file.text.size());
    const std::string_view before = std::string_view(file.text).substr(start, end - start);
    return {static_cast<uint32_t>(after - file.line_starts.begin()),
            static_cast<uint32_t>(count_code_points(before) + 1)};
}

std::string_view Sources::line(FileId file, uint32_t line) const {
    const File& f = files_.at(static_cast<uint32_t>(file));
    assert(line >= 1 && line <= f.line_starts.size());
    const size_t begin = f.line_starts[line - 1];
    const size_t end = line < f.line_starts.size() ? f.line_starts[line] : f.text.size();
    std::string_view content = std::string_view(f.text).substr(begin, end - begin);
    if (content.ends_with('\n')) content.remove_suffix(1);
    if (content.ends_with('\r')) content.remove_suffix(1);
    return content;
}

std::string_view Sources::text(Span span) const {
    if (!span.known()) return {};
    return std::string_view(text(span.file)).substr(span.begin, span.end - span.begin);
}

std::string Sources::place(Span span) const {
    if (!span.known()) return "<built-in>";
    const Position at = position(span);
    return shown(path(span.file)) + ':' + std::to_string(at.line) + ':' + std::to_string(at.column);
}

} // namespace espalier
