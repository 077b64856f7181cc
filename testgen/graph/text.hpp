// What a picture says about a place in a model: where it is, and what stands there, on one line.
#pragma once

#include <array>
#include <map>
#include <string>

#include "lang/lang.hpp"

namespace espalier {

class SourceText {
public:
    explicit SourceText(const Model& model);

    // "12:5" in the model itself, "lib.scm:12:5" in a file it includes; empty where no author wrote it.
    std::string place(Span span) const;
    bool in_prelude(Span span) const;
    // The text without comments and line ends, at most so many characters.
    std::string text(Span span, size_t limit) const;
    // What a clause waits for, and its `where`, if it has one, on a second line.
    std::string clause(const SelectClause& clause, size_t limit) const;
    // Of an operation, terminator or clause.
    Span span(Label label) const { return label == no_label ? Span{} : spans_[index(label)]; }
    std::string model_name() const; // without its folder

private:
    using Key = std::array<uint32_t, 3>; // file, begin, end
    std::string printed(DatumId datum, size_t limit) const;

    const Sources& sources_;
    Data data_;
    std::map<Key, DatumId> pairs_; // whose car has that span
    std::vector<Span> spans_;
};

} // namespace espalier
