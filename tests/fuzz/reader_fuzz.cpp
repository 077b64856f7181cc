// Any bytes may be a file. Reading them ends, in data or in errors; every span lies in the file; what was
// read without an error, printed, reads as what prints the same; and errors can be shown in both forms.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "lang/read/datum.hpp"

using namespace espalier;

namespace {

struct Reading {
    explicit Reading(std::string text) : file(sources.add("fuzz.scm", std::move(text))) {
        top = read_data(sources, file, data, diagnostics);
    }
    std::string printed() const {
        std::string all;
        for (const DatumId id : top) all += print_datum(data, id) + '\n';
        return all;
    }

    Sources sources;
    FileId file;
    Data data;
    Diagnostics diagnostics;
    std::vector<DatumId> top;
};

void require(bool holds, const char* what, const std::string& text) {
    if (holds) return;
    std::fprintf(stderr, "%s\n%s\n", what, text.c_str());
    std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    const Reading first(std::string(reinterpret_cast<const char*>(bytes), size));
    for (size_t i = 0; i < first.data.size(); ++i) {
        const Span span = first.data[DatumId{static_cast<uint32_t>(i)}].span;
        require(span.file == first.file && span.begin <= span.end && span.end <= size, "a span outside the file", "");
    }
    require(first.diagnostics.error_count() <= 20, "too many errors", "");
    for (const Diagnostic& diagnostic : first.diagnostics.all()) render(first.sources, diagnostic);
    render_json(first.sources, first.diagnostics);

    const std::string printed = first.printed();
    const Reading second(printed);
    for (const Diagnostic& diagnostic : second.diagnostics.all()) {
        require(false, "printed data do not read", render(second.sources, diagnostic));
    }
    require(second.top.size() == first.top.size(), "printed data read as more or fewer", printed);
    require(second.printed() == printed, "printed data read as others", printed + second.printed());
    return 0;
}
