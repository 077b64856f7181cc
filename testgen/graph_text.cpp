#include "testgen/graph_text.hpp"

#include <filesystem>

#include "testgen/graph_dot.hpp"

namespace espalier {

namespace {

constexpr std::string_view prelude_path = "<prelude>";
constexpr uint32_t longest_printed = 2000; // bytes; longer ones are shortened anyway

std::string base_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

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

std::string SourceText::printed(DatumId datum, size_t limit) const {
    const Span span = data_[datum].span;
    if (span.end - span.begin <= longest_printed) return shortened(print_datum(data_, datum), limit);
    std::string out;
    bool comment = false;
    for (char c : sources_.text(span).substr(0, longest_printed)) {
        if (c == ';') comment = true;
        if (c == '\n') comment = false;
        const bool blank = comment || c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (!blank)
            out += c;
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    return shortened(out, limit);
}

std::string SourceText::text(Span span, size_t limit) const {
    if (!span.known()) return {};
    const auto pair = pairs_.find(Key{static_cast<uint32_t>(span.file), span.begin, span.end});
    if (pair != pairs_.end()) return printed(data_.car(pair->second), limit);
    return shortened(sources_.text(span).substr(0, sources_.text(span).find('\n')), limit);
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
    return out + "\nwhere " + printed(data_.car(data_.cdr(data_.car(next))), limit);
}

} // namespace espalier
