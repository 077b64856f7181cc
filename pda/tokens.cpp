#include "pda/tokens.hpp"

namespace espalier::pda {

Tokens::Tokens(std::string_view text) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    for (size_t number = 1; !text.empty(); ++number) {
        const size_t end = text.find('\n');
        add_line(text.substr(0, end), number);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
}

void Tokens::add_line(std::string_view line, size_t number) {
    line = line.substr(0, line.find('#'));
    const size_t first_word = words_.size();
    for (size_t at = 0; at < line.size();) {
        size_t end = at + 1;
        if (is_name_character(line[at])) {
            while (end < line.size() && is_name_character(line[end])) ++end;
        }
        if (!is_blank(line[at])) words_.push_back(line.substr(at, end - at));
        at = end;
    }
    if (words_.size() > first_word) lines_.push_back({number, first_word});
}

Tokens::Line Tokens::operator[](size_t at) const {
    const size_t first = lines_[at].first_word;
    const size_t last = at + 1 < lines_.size() ? lines_[at + 1].first_word : words_.size();
    return {lines_[at].number, std::span(words_).subspan(first, last - first)};
}

} // namespace espalier::pda
