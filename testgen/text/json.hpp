// Writing JSON as it comes, without building it first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lang/lang.hpp"

namespace espalier {

class JsonWriter {
public:
    void begin_object() { open('{'); }
    void end_object() { close('}'); }
    void begin_list() { open('['); }
    void end_list() { close(']'); }
    void key(std::string_view name);
    void value(std::string_view text);
    void value(const char* text) { value(std::string_view(text)); }
    void value(bool b) { raw(b ? "true" : "false"); }
    void value(uint64_t n) { raw(std::to_string(n)); }
    void value(double n);
    void literal(std::string_view text) { raw(text); } // that is JSON already: a number
    template <typename T>
    void member(std::string_view name, T v) {
        key(name);
        value(v);
    }
    // What was written since the last time, for a file that is written in parts.
    std::string take_part() { return std::exchange(out_, {}); }
    std::string take() { return std::move(out_) + "\n"; }

private:
    void open(char bracket);
    void close(char bracket);
    void raw(std::string_view text);
    void separate();
    void break_line() { out_ += "\n" + std::string(2 * filled_.size(), ' '); }

    std::string out_;
    std::vector<bool> filled_; // by nesting: has an entry already
    bool after_key_ = false;
};

} // namespace espalier
