// Closed sets of values that are written as words: what an option takes, what became of a target, how a test ended. The
// words of a type are written once, beside the type: by that table a word is read and refused, and a value is printed.
//
//   template <>
//   struct Words<Search> {
//       static constexpr std::array<Word<Search>, 2> all{{{Search::dfs, "dfs"}, {Search::bfs, "bfs"}}};
//   };
//   value_of<Search>("bfs");      // Search::bfs
//   word_of(Search::bfs);         // "bfs"
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

template <typename Value>
struct Word {
    Value value;
    std::string_view word;
};
template <typename Value>
struct Words; // `all`: a word for each value, in the order in which people read them

template <>
struct Words<bool> {
    static constexpr std::array<Word<bool>, 2> all{{{true, "on"}, {false, "off"}}};
};

template <typename Value>
std::vector<std::string> words_of() {
    std::vector<std::string> words;
    for (const auto& w : Words<Value>::all) words.emplace_back(w.word);
    return words;
}

// None: it is not one of them.
template <typename Value>
std::optional<Value> value_of(std::string_view word) {
    for (const auto& w : Words<Value>::all)
        if (w.word == word) return w.value;
    return std::nullopt;
}

template <typename Value>
constexpr std::string_view word_of(Value value) {
    for (const auto& w : Words<Value>::all)
        if (w.value == value) return w.word;
    return {};
}

} // namespace espalier
