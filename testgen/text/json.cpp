#include "testgen/text/json.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace espalier {

void JsonWriter::separate() {
    if (after_key_) {
        after_key_ = false;
        return;
    }
    if (filled_.empty()) return;
    if (filled_.back()) out_ += ',';
    filled_.back() = true;
    break_line();
}

void JsonWriter::open(char bracket) {
    separate();
    out_ += bracket;
    filled_.push_back(false);
}

void JsonWriter::close(char bracket) {
    const bool filled = filled_.back();
    filled_.pop_back();
    if (filled) break_line();
    out_ += bracket;
}

void JsonWriter::raw(std::string_view text) {
    separate();
    out_ += text;
}

void JsonWriter::key(std::string_view name) {
    value(name);
    out_ += ": ";
    after_key_ = true;
}

void JsonWriter::value(double n) {
    if (!std::isfinite(n)) return raw("null");
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6f", n);
    raw(text.data());
}

void JsonWriter::value(std::string_view text) {
    separate();
    append_json_string(out_, text);
}

} // namespace espalier
