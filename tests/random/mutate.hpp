// A model's text with a few tokens, or whole forms, dropped, doubled, swapped or replaced by others of the text.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/random/form.hpp"

namespace espalier::test {

// Parentheses, strings and words; blanks and comments belong to the token before them.
inline std::vector<std::string> tokens_of(const std::string& text) {
    std::vector<std::string> tokens;
    const auto is_end = [](char c) { return c == '(' || c == ')' || c == ' ' || c == '\n' || c == '"' || c == ';'; };
    const auto skip_blanks = [&](size_t& at) {
        while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == ';'))
            if (text[at++] == ';')
                while (at < text.size() && text[at] != '\n') ++at;
    };
    size_t at = 0;
    for (skip_blanks(at); at < text.size();) {
        const size_t begin = at++;
        if (text[begin] == '"') {
            while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
            at = std::min(at + 1, text.size());
        } else if (!is_end(text[begin])) {
            while (at < text.size() && !is_end(text[at])) ++at;
        }
        skip_blanks(at);
        tokens.push_back(text.substr(begin, at - begin));
    }
    return tokens;
}

// Parentheses still match, so that more of them get past the reader.
inline std::string with_forms_changed(const std::string& text, std::mt19937& random) {
    std::string plain; // without comments
    for (const std::string& token : tokens_of(text)) {
        const size_t end = token[0] == '"' ? token.rfind('"') + 1 : std::min(token.find_first_of(" \n;"), token.size());
        plain += token.substr(0, end) + (end < token.size() ? " " : "");
    }
    Form all = read_forms(plain);
    for (auto n = 1 + random() % 2; n > 0; --n) {
        std::vector<Form*> lists{&all}, forms;
        for (size_t i = 0; i < lists.size(); ++i)
            for (Form& item : lists[i]->items) {
                forms.push_back(&item);
                if (item.is_list) lists.push_back(&item);
            }
        if (forms.empty()) break;
        Form* const to = forms[random() % forms.size()];
        Form copy = *forms[random() % forms.size()];
        switch (random() % 6) {
        case 0: {
            Form* const in = lists[random() % lists.size()];
            if (!in->items.empty())
                in->items.erase(in->items.begin() + static_cast<std::ptrdiff_t>(random() % in->items.size()));
            break;
        }
        case 1: {
            Form* const in = lists[random() % lists.size()];
            in->items.insert(in->items.begin() + static_cast<std::ptrdiff_t>(random() % (in->items.size() + 1)), copy);
            break;
        }
        default: // like by like, more often than not
            for (int tries = 0; tries < 20 && copy.is_list != to->is_list; ++tries)
                copy = *forms[random() % forms.size()];
            *to = std::move(copy);
            break;
        }
    }
    return top_level_text(all);
}

inline std::string mutilated(const std::string& text, uint32_t seed) {
    std::mt19937 random(seed);
    if (random() % 3 != 0) return with_forms_changed(text, random);
    std::vector<std::string> tokens = tokens_of(text);
    for (auto n = 1 + random() % 3; n > 0 && !tokens.empty(); --n) {
        const size_t i = random() % tokens.size(), j = random() % tokens.size();
        const auto at = tokens.begin() + static_cast<std::ptrdiff_t>(i);
        const bool word = tokens[i][0] != '(' && tokens[i][0] != ')';
        switch (random() % (word ? 6 : 3)) {
        case 0: tokens.erase(at); break;
        case 1: tokens.insert(at, std::string(tokens[i])); break;
        case 2: std::swap(tokens[i], tokens[j]); break;
        default: // a word by another: often still a model
            if (tokens[j][0] != '(' && tokens[j][0] != ')') tokens[i] = tokens[j];
            break;
        }
    }
    std::string out;
    for (const std::string& t : tokens) out += t;
    return out;
}

} // namespace espalier::test
