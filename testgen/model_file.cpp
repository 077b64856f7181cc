#include "testgen/model_file.hpp"

#include <array>
#include <cstdio>

namespace espalier {

void report(const Model& model) {
    for (const Diagnostic& d : model.diagnostics.all()) std::fputs(render(model.sources, d).c_str(), stderr);
}

std::optional<Model> load_or_report(const std::string& path, bool quiet) {
    Model model = load_model(path);
    if (!quiet || model.diagnostics.has_errors()) report(model);
    if (!model.program) return std::nullopt;
    return model;
}

std::string printable(std::string_view text) {
    std::string out;
    const auto escaped = [&](unsigned code) {
        std::array<char, 8> hex{};
        std::snprintf(hex.data(), hex.size(), "\\x%x;", code);
        out += hex.data();
    };
    for (size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        // U+0080 to U+009F are control characters too: U+009B begins a sequence for a terminal as ESC [ does.
        const bool c1 =
            byte == 0xc2 && i + 1 < text.size() && (static_cast<unsigned char>(text[i + 1]) & 0xe0U) == 0x80;
        if (c1)
            escaped(static_cast<unsigned char>(text[++i]));
        else if (byte < 0x20 || byte == 0x7f)
            escaped(byte);
        else
            out += text[i];
    }
    return out;
}

} // namespace espalier
