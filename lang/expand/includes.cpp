#include "lang/expand/includes.hpp"

#include <algorithm>

#include "lang/expand/expansion.hpp"

namespace espalier {

void Includes::include(DatumId form, Scope* scope) {
    const auto parts = reports_.list(form, "a form");
    if (!parts) return;
    // Files that each include the next one twice are as much text as one likes.
    constexpr size_t most_bytes = size_t{64} << 20, most_files = 10'000;
    for (size_t i = 1; i < parts->size(); ++i) {
        const DatumId name = (*parts)[i];
        const auto file = load(name);
        if (!file) continue;
        bytes_ += all_.sources.text(*file).size();
        if (including_.size() == 100) {
            reports_.fail(name, "files include each other more than 100 deep");
            continue;
        }
        if (++files_ > most_files || bytes_ > most_bytes) {
            reports_.give_up(syntax_.span(name), "too much is included: more than 10,000 files, or 64 megabytes");
            return;
        }
        declare_contents(*file, scope);
    }
    if (parts->size() < 2) reports_.fail(form, "malformed `include`", "its shape is (include \"relative/path.scm\")");
}

std::optional<FileId> Includes::load(DatumId name) {
    if (!data_.is(name, DatumKind::string)) {
        reports_.fail(name, "`include` takes file names as strings");
        return std::nullopt;
    }
    const auto file = load_(data_.text(name), syntax_.span(name).file);
    if (!file) {
        reports_.fail(name, "cannot read the included file \"" + data_.text(name) + "\"");
        return std::nullopt;
    }
    if (std::find(including_.begin(), including_.end(), *file) != including_.end() || *file == FileId{0}) {
        reports_.fail(name, "the file \"" + data_.text(name) + "\" includes itself");
        return std::nullopt;
    }
    return file;
}

void Includes::declare_contents(FileId file, Scope* scope) {
    including_.push_back(file);
    const size_t before = data_.size();
    const size_t errors = diagnostics_.error_count();
    const std::vector<DatumId> included = read_data(all_.sources, file, data_, diagnostics_);
    growth_.add_text(data_.size() - before);
    if (diagnostics_.error_count() > errors) names_.lose_text();
    for (DatumId d : included) all_.top_level.declare(d, scope, false);
    including_.pop_back();
}

void Includes::check_imports(DatumId form) {
    for (DatumId sets = data_.cdr(form); data_.is_pair(sets); sets = data_.cdr(sets)) {
        // (rename (prefix (only (library) name) p:) (name other)): one import set inside the other
        DatumId set = data_.car(sets);
        while (data_.is_pair(set) && data_.is_pair(data_.cdr(set)) && data_.is_pair(data_.car(data_.cdr(set)))) {
            const DatumId word = data_.car(set);
            if (syntax_.named(word, "rename") || syntax_.named(word, "prefix")) {
                reports_.fail(word, "`" + syntax_.show(word) + "` in an import is not in the language",
                              "every procedure is here already: call it by its own name");
                break;
            }
            set = data_.car(data_.cdr(set));
        }
    }
}

} // namespace espalier
