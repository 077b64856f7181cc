// A model's text as a tree of forms, so that a shrinker can take it apart.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace espalier::test {

struct Form {
    std::string text; // an atom; of a list, what stands before its parenthesis: "'", "#", or nothing
    bool is_list = false;
    std::vector<Form> items;
};

namespace form_detail {

inline bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t'; }

// One form from `at` on. The texts are well formed: a generator or a printer made them.
inline Form read_one(std::string_view text, size_t& at) {
    while (at < text.size() && is_blank(text[at])) ++at;
    Form form;
    const size_t begin = at;
    if (text[at] == '"') {
        for (++at; text[at] != '"'; ++at)
            if (text[at] == '\\') ++at;
        ++at;
    } else {
        while (at < text.size() && !is_blank(text[at]) && text[at] != '(' && text[at] != ')') ++at;
    }
    form.text = text.substr(begin, at - begin);
    const bool opens = form.text.empty() || form.text == "'" || form.text == "#" || form.text == "#u8";
    if (!opens || at >= text.size() || text[at] != '(') return form;
    form.is_list = true;
    for (++at;;) {
        while (is_blank(text[at])) ++at;
        if (text[at] == ')') break;
        form.items.push_back(read_one(text, at));
    }
    ++at;
    return form;
}

} // namespace form_detail

// The whole text as one list, whose items are the top-level forms.
inline Form read_forms(std::string_view text) {
    Form all{"", true, {}};
    for (size_t at = 0;;) {
        while (at < text.size() && form_detail::is_blank(text[at])) ++at;
        if (at >= text.size()) return all;
        all.items.push_back(form_detail::read_one(text, at));
    }
}

inline std::string to_text(const Form& form) {
    if (!form.is_list) return form.text;
    std::string out = form.text + "(";
    for (const Form& item : form.items) out += (&item == form.items.data() ? "" : " ") + to_text(item);
    return out + ")";
}

inline std::string top_level_text(const Form& all) {
    std::string out;
    for (const Form& item : all.items) out += to_text(item) + "\n";
    return out;
}

} // namespace espalier::test
