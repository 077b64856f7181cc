// Source text, places in it, and what is said about them.
//
// Every datum, core form and operation carries a Span, so that whatever goes wrong later, in the reader or in
// the thousandth step of a run, can be shown with its line and a caret.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

enum class FileId : uint32_t {};

// A range of bytes in one file; the empty range at 0 of no file stands for code that no author wrote.
struct Span {
    FileId file = FileId{UINT32_MAX};
    uint32_t begin = 0;
    uint32_t end = 0;

    bool known() const { return file != FileId{UINT32_MAX}; }
    friend bool operator==(const Span&, const Span&) = default;
};

// From the start of `first` to the end of `last`; `first` where they are in different files.
Span join(Span first, Span last);

// One-based; columns count code points, as editors do.
struct Position {
    uint32_t line = 0;
    uint32_t column = 0;
};

// The files of one model. Append-only, so that a FileId and every reference or view into a file stay good;
// the first file is the model itself. Lines end as in R7RS: \n, \r\n or \r.
class Sources {
public:
    FileId add(std::string path, std::string text);
    const std::string& path(FileId file) const;
    const std::string& text(FileId file) const;
    size_t size() const { return files_.size(); }

    Position position(Span span) const;                      // of its first byte
    std::string_view line(FileId file, uint32_t line) const; // without its end-of-line
    std::string_view text(Span span) const;
    // "file.scm:3:7", or "<built-in>" where no author wrote it.
    std::string place(Span span) const;

private:
    struct File {
        std::string path;
        std::string text;
        std::vector<uint32_t> line_starts;
    };
    std::deque<File> files_;
};

enum class Severity : uint8_t { error, warning, note };

struct Diagnostic {
    Severity severity = Severity::error;
    Span span;
    std::string text;
    std::string hint;              // "did you mean `foo`?"; empty where nothing is near
    std::vector<Diagnostic> notes; // places that belong to it: a first definition, a macro's text
};

// The author's mistakes, collected so that several show at once.
class Diagnostics {
public:
    Diagnostic& error(Span span, std::string text, std::string hint = {});
    Diagnostic& warning(Span span, std::string text, std::string hint = {});
    bool has_errors() const { return errors_ > 0; }
    size_t error_count() const { return errors_; }
    const std::vector<Diagnostic>& all() const { return all_; }
    void sort(const Sources& sources); // by place, errors and warnings together

private:
    std::vector<Diagnostic> all_;
    size_t errors_ = 0;
};

// `file:line:col: error: text`, the source line, a caret under the place, then hint and notes.
std::string render(const Sources& sources, const Diagnostic& diagnostic);
// One JSON array of objects {file, line, column, end_line, end_column, severity, text, hint, notes}.
std::string render_json(const Sources& sources, const Diagnostics& diagnostics);

} // namespace espalier
