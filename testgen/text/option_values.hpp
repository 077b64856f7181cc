// What may stand behind an option, and how a wrong value is refused. A parser of options would take "-1" for the
// largest number, "nan" for a limit and what is too large for the most that fits: here nothing is read as something
// else.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

// Each says what is wrong with the text, or nothing.
std::string check_whole_number(std::string_view text, uint64_t least, uint64_t most = UINT64_MAX);
std::string check_seconds(std::string_view text);
std::string check_percent(std::string_view text);
std::string check_one_of(std::string_view text, const std::vector<std::string>& words);

// "500M" becomes "524288000". A unit is one of K, M, G and T, powers of 1024, in either case and with or without a B.
std::string check_size(std::string& text);

// Options that take one of a few words. The words of a type are written once, beside the options that have it: by that
// table an option is read and refused, and its value is printed.
//
//   template <>
//   struct OptionWords<Search> {
//       static constexpr std::array<OptionWord<Search>, 2> all{{{Search::dfs, "dfs"}, {Search::bfs, "bfs"}}};
//   };
//   value_of<Search>("bfs");      // Search::bfs
//   word_of(Search::bfs);         // "bfs"
template <typename Value>
struct OptionWord {
    Value value;
    std::string_view word;
};
template <typename Value>
struct OptionWords; // `all`: a word for each value, in the order in which people read them

template <>
struct OptionWords<bool> {
    static constexpr std::array<OptionWord<bool>, 2> all{{{true, "on"}, {false, "off"}}};
};

template <typename Value>
std::vector<std::string> words_of() {
    std::vector<std::string> words;
    for (const auto& w : OptionWords<Value>::all) words.emplace_back(w.word);
    return words;
}

// None: it is not one of them.
template <typename Value>
std::optional<Value> value_of(std::string_view word) {
    for (const auto& w : OptionWords<Value>::all)
        if (w.word == word) return w.value;
    return std::nullopt;
}

template <typename Value>
constexpr std::string_view word_of(Value value) {
    for (const auto& w : OptionWords<Value>::all)
        if (w.value == value) return w.word;
    return {};
}

} // namespace espalier
