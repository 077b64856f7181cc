// Text cut into lines of words.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace espalier::pda {

inline bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
inline bool is_name_character(char c) { return !is_blank(c) && c != '[' && c != ']' && c != '#'; }

// The lines that are not blank, in order. A word is a bracket, or a run of name characters.
class Tokens {
public:
    struct Line {
        size_t number; // from 1
        std::span<const std::string_view> words;
    };

    // The words point into the text, which must outlive them.
    explicit Tokens(std::string_view text);
    size_t size() const { return lines_.size(); }
    Line operator[](size_t at) const;

private:
    struct Extent {
        size_t number;
        size_t first_word;
    };
    void add_line(std::string_view line, size_t number);

    std::vector<std::string_view> words_;
    std::vector<Extent> lines_;
};

} // namespace espalier::pda
