#include "testgen/graph/text.hpp"

#include <filesystem>

#include "testgen/graph/dot.hpp"

namespace espalier {

namespace {

constexpr std::string_view prelude_path = "<prelude>";

std::string base_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

// The author's words, with one blank for each run of blanks, line ends and comments.
std::string one_line(std::string_view text, size_t limit) {
    std::string out;
    bool gap = false;
    char inside = 0; // of a comment, a string, or a name in bars: the character that ends it
    for (size_t i = 0; i < text.size() && out.size() <= 4 * limit; ++i) {
        const char c = text[i];
        const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (inside == '\n') {
            if (c == '\n' || c == '\r') inside = 0;
            continue;
        }
        if (inside == 0 && (blank || c == ';')) {
            gap = true;
            if (c == ';') inside = '\n';
            continue;
        }
        if (gap && !out.empty() && out.back() != '(' && c != ')') out += ' ';
        gap = false;
        const bool escapes = c == '\\' && (inside != 0 || (i > 0 && text[i - 1] == '#'));
        out += c;
        if (escapes && i + 1 < text.size())
            out += text[++i];
        else if (inside != 0)
            inside = c == inside ? '\0' : inside;
        else if (c == '"' || c == '|')
            inside = c;
    }
    return shortened(out, limit);
}

} // namespace

SourceText::SourceText(const Model& model) : sources_(model.sources), spans_(model.program->label_count) {
    Diagnostics none; // all of it has been read before
    for (uint32_t file = 0; file < sources_.size(); ++file)
        if (sources_.path(FileId{file}) != prelude_path) read_data(sources_, FileId{file}, data_, none);
    for (uint32_t i = 0; i < data_.size(); ++i) {
        if (!data_.is_pair(DatumId{i})) continue;
        const Span at = data_[data_.car(DatumId{i})].span;
        pairs_.emplace(Key{static_cast<uint32_t>(at.file), at.begin, at.end}, DatumId{i});
    }
    const Program& program = *model.program;
    for (const Operation& o : program.ops) spans_[index(o.label)] = o.span;
    for (const Block& b : program.blocks) spans_[index(b.terminator.label)] = b.terminator.span;
    for (const SelectClause& c : program.clauses) spans_[index(c.label)] = c.span;
}

std::string SourceText::model_name() const { return base_name(sources_.path(FileId{0})); }

bool SourceText::in_prelude(Span span) const { return span.known() && sources_.path(span.file) == prelude_path; }

std::string SourceText::place(Span span) const {
    if (!span.known()) return {};
    const Position at = sources_.position(span);
    const std::string where = std::to_string(at.line) + ":" + std::to_string(at.column);
    if (in_prelude(span)) return "prelude:" + where;
    return span.file == FileId{0} ? where : base_name(sources_.path(span.file)) + ":" + where;
}

std::string SourceText::printed(DatumId datum, size_t limit) const { return text(data_[datum].span, limit); }

std::string SourceText::text(Span span, size_t limit) const {
    return span.known() ? one_line(sources_.text(span), limit) : std::string();
}

// The span of (on trigger …) is the trigger's, that of (after delay …) the whole clause.
std::string SourceText::clause(const SelectClause& clause, size_t limit) const {
    const auto found = pairs_.find(Key{static_cast<uint32_t>(clause.span.file), clause.span.begin, clause.span.end});
    if (found == pairs_.end()) return text(clause.span, limit);
    const auto starts_with = [&](DatumId list, std::string_view word) {
        return data_.is_pair(list) && data_.is(data_.car(list), DatumKind::symbol) &&
               name_of(data_.symbol(data_.car(list))) == word && data_.is_pair(data_.cdr(list));
    };
    DatumId pair = found->second;
    std::string out;
    if (starts_with(data_.car(pair), "after")) {
        const DatumId delay = data_.cdr(data_.car(pair));
        out = shortened("after " + printed(data_.car(delay), limit), limit);
        if (data_.is_pair(data_.cdr(delay))) pair = delay;
    } else {
        out = printed(data_.car(pair), limit);
    }
    const DatumId next = data_.cdr(pair);
    if (!data_.is_pair(next) || !starts_with(data_.car(next), "where")) return out;
    return out + "\n\u00a0\u00a0where " + printed(data_.car(data_.cdr(data_.car(next))), limit);
}

} // namespace espalier
