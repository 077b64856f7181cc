// Files that the model includes, each read where it is named, and imports.
#pragma once

#include <functional>

#include "lang/expand/part.hpp"

namespace espalier {

class Includes : Part {
public:
    // Gives the text of an included file, by its path relative to the including one; nothing: it cannot be read.
    using Load = std::function<std::optional<FileId>(std::string_view path, FileId from)>;
    Includes(Expansion& all, Load load) : Part(all), load_(std::move(load)) {}

    void include(DatumId form, Scope* scope);
    void check_imports(DatumId form); // of an R7RS program: everything is here already, under its own name

private:
    std::optional<FileId> load(DatumId name); // says what is wrong
    void declare_contents(FileId file, Scope* scope);

    const Load load_;
    std::vector<FileId> including_; // the files that are being read, each included by the one before
    size_t bytes_ = 0, files_ = 0;  // so far
};

} // namespace espalier
