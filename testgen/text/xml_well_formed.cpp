// Is it XML at all? pugixml takes much that is not: text without references, attributes given twice, several roots, any
// bytes. A hand-written suite with such a slip must be refused at the place of the slip, not be read as something else.
// One pass over the bytes; the names of open elements are the only thing remembered.
#include <algorithm>

#include "testgen/text/xml_tree.hpp"

namespace espalier {

namespace {

constexpr bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
constexpr bool name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
           (static_cast<uint8_t>(c) & 0x80U) != 0;
}
constexpr bool name_part(char c) { return name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; }
constexpr bool is_character(char32_t c) {
    return (c >= 0x20 || c == '\t' || c == '\n' || c == '\r') && c != 0xFFFE && c != 0xFFFF && is_scalar_value(c);
}

class Scanner {
public:
    Scanner(std::string_view text, FileId file, Diagnostics& diagnostics)
        : text_(text), file_(file), diagnostics_(diagnostics) {}

    bool run() {
        if (!characters()) return false;
        if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
        if (text_.substr(at_).starts_with("<?xml") && at_ + 5 < text_.size() && blank(text_[at_ + 5]) && !declaration())
            return false;
        while (at_ < text_.size()) {
            if (!(text_[at_] == '<' ? markup() : content())) return false;
        }
        if (!open_.empty()) return fail(open_.back(), "the element `" + name(open_.back()) + "` is never closed");
        return rooted_ || fail(text_.size(), "there is no element: a suite has the root element `suite`");
    }

private:
    bool fail(size_t at, std::string text) {
        const auto place = static_cast<uint32_t>(at);
        diagnostics_.error({file_, place, place}, std::move(text));
        return false;
    }
    bool starts(std::string_view what) const { return text_.substr(at_).starts_with(what); }
    void skip_blanks() {
        while (at_ < text_.size() && blank(text_[at_])) ++at_;
    }
    size_t name_end(size_t from) const {
        size_t end = from;
        if (end < text_.size() && name_start(text_[end])) {
            while (end < text_.size() && name_part(text_[end])) ++end;
        }
        return end;
    }
    std::string name(size_t from) const {
        return std::string(text_.substr(from, std::min<size_t>(name_end(from) - from, 80)));
    }

    bool characters() {
        if (const size_t bad = first_invalid_utf8(text_); bad != std::string_view::npos)
            return fail(bad, "this is not UTF-8");
        for (size_t i = 0; i < text_.size();) {
            const CodePoint point = decode_utf8(text_, i);
            if (!is_character(point.code)) return fail(i, "XML cannot carry this character");
            i += point.size;
        }
        return true;
    }

    bool declaration() {
        const size_t end = text_.find("?>", at_);
        if (end == std::string_view::npos) return fail(at_, "the XML declaration is never closed");
        const std::string_view inside = text_.substr(at_, end - at_);
        if (const size_t found = inside.find("encoding"); found != std::string_view::npos) {
            std::string rest(inside.substr(found + 8));
            std::transform(rest.begin(), rest.end(), rest.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
            if (rest.find("utf-8") == std::string::npos && rest.find("us-ascii") == std::string::npos)
                return fail(at_ + found, "suites are UTF-8, no other encoding is read");
        }
        at_ = end + 2;
        return true;
    }

    bool markup() {
        if (starts("<!--")) return comment();
        if (starts("<![CDATA[")) return cdata();
        if (starts("<!DOCTYPE")) return fail(at_, "a suite has no document type");
        if (starts("<!")) return fail(at_, "`<!` begins nothing that a suite may hold");
        if (starts("<?")) {
            const size_t end = text_.find("?>", at_);
            if (end == std::string_view::npos) return fail(at_, "the processing instruction is never closed");
            if (name_end(at_ + 2) == at_ + 2) return fail(at_ + 2, "a processing instruction begins with a name");
            if (name(at_ + 2) == "xml")
                return fail(at_, "the XML declaration stands at the very beginning, or not at all");
            at_ = end + 2;
            return true;
        }
        return starts("</") ? end_tag() : start_tag();
    }

    bool comment() {
        const size_t dashes = text_.find("--", at_ + 4);
        if (dashes == std::string_view::npos) return fail(at_, "the comment is never closed");
        if (dashes + 2 >= text_.size() || text_[dashes + 2] != '>') return fail(dashes, "a comment does not hold `--`");
        at_ = dashes + 3;
        return true;
    }

    bool cdata() {
        if (open_.empty()) return fail(at_, "text stands inside of elements only");
        const size_t end = text_.find("]]>", at_);
        if (end == std::string_view::npos) return fail(at_, "the CDATA section is never closed");
        at_ = end + 3;
        return true;
    }

    bool end_tag() {
        const size_t begin = at_ + 2, end = name_end(begin);
        const std::string_view closed = text_.substr(begin, end - begin);
        if (closed.empty()) return fail(begin, "a name is missing");
        if (open_.empty()) return fail(begin, "`" + name(begin) + "` is closed, but not open");
        const std::string_view opened = text_.substr(open_.back(), name_end(open_.back()) - open_.back());
        if (opened != closed)
            return fail(begin, "`" + name(begin) + "` is closed while `" + name(open_.back()) + "` is open");
        at_ = end;
        skip_blanks();
        if (!starts(">")) return fail(at_, "`>` is missing");
        ++at_;
        open_.pop_back();
        return true;
    }

    bool start_tag() {
        const size_t begin = at_ + 1, end = name_end(begin);
        if (end == begin) return fail(at_, "`<` begins no element here; in text it is written `&lt;`");
        if (open_.empty() && rooted_) return fail(begin, "a second root element");
        rooted_ = true;
        at_ = end;
        names_.clear();
        for (;;) {
            const size_t before = at_;
            skip_blanks();
            if (at_ >= text_.size()) return fail(begin, "the tag of `" + name(begin) + "` is never closed");
            if (starts("/>") || starts(">")) break;
            if (at_ == before) return fail(at_, "a blank, `>` or `/>` is missing");
            if (!attribute()) return false;
        }
        if (!names_differ()) return false;
        if (starts(">")) open_.push_back(begin);
        at_ += starts(">") ? 1 : 2;
        return true;
    }

    bool attribute() {
        const size_t begin = at_;
        at_ = name_end(begin);
        if (at_ == begin) return fail(begin, "the name of an attribute is missing");
        names_.push_back({text_.substr(begin, at_ - begin), begin});
        skip_blanks();
        if (!starts("=")) return fail(at_, "the attribute `" + name(begin) + "` has no value");
        ++at_;
        skip_blanks();
        if (!starts("\"") && !starts("'")) return fail(at_, "the value of `" + name(begin) + "` is not in quotes");
        const char quote = text_[at_];
        const size_t opened = at_++;
        for (; at_ < text_.size() && text_[at_] != quote; ++at_) {
            if (text_[at_] == '<') return fail(at_, "`<` in a value is written `&lt;`");
            if (text_[at_] == '&' && !reference()) return false;
        }
        if (at_ >= text_.size()) return fail(opened, "the value of `" + name(begin) + "` is never closed");
        ++at_;
        return true;
    }

    bool names_differ() {
        std::sort(names_.begin(), names_.end());
        for (size_t i = 1; i < names_.size(); ++i) {
            if (names_[i].first == names_[i - 1].first)
                return fail(names_[i].second, "the attribute `" + name(names_[i].second) + "` is given twice");
        }
        return true;
    }

    bool content() {
        for (; at_ < text_.size() && text_[at_] != '<'; ++at_) {
            if (open_.empty() && !blank(text_[at_])) return fail(at_, "text stands inside of elements only");
            if (starts("]]>")) return fail(at_, "`]]>` in text is written `]]&gt;`");
            if (text_[at_] == '&' && !reference()) return false;
        }
        return true;
    }

    // Leaves at_ on the last byte of the reference.
    bool reference() {
        const size_t begin = at_;
        constexpr size_t longest = 32; // leading zeros are allowed, within reason
        const std::string_view rest = text_.substr(begin, longest);
        const size_t end = rest.find(';');
        const std::string_view inside = end == std::string_view::npos ? std::string_view() : rest.substr(1, end - 1);
        at_ = begin + inside.size() + 1;
        if (inside == "lt" || inside == "gt" || inside == "amp" || inside == "quot" || inside == "apos") return true;
        const bool hexadecimal = inside.starts_with("#x");
        if (!inside.starts_with('#') || inside.size() <= (hexadecimal ? 2U : 1U))
            return fail(begin, "`&` begins no reference that XML knows; by itself it is written `&amp;`");
        char32_t code = 0;
        for (const char c : inside.substr(hexadecimal ? 2 : 1)) {
            uint32_t digit = 16;
            if (c >= '0' && c <= '9') digit = static_cast<uint32_t>(c - '0');
            if (hexadecimal && c >= 'a' && c <= 'f') digit = static_cast<uint32_t>(c - 'a') + 10;
            if (hexadecimal && c >= 'A' && c <= 'F') digit = static_cast<uint32_t>(c - 'A') + 10;
            if (digit == 16) return fail(begin, "this is not the number of a character");
            code = std::min<char32_t>(code * (hexadecimal ? 16 : 10) + digit, 0x110000);
        }
        return is_character(code) || fail(begin, "XML cannot carry this character");
    }

    std::string_view text_;
    FileId file_;
    Diagnostics& diagnostics_;
    size_t at_ = 0;
    bool rooted_ = false;
    std::vector<size_t> open_;                               // where the names of the open elements stand
    std::vector<std::pair<std::string_view, size_t>> names_; // of the attributes of one element
};

} // namespace

bool check_well_formed(const Sources& sources, FileId file, Diagnostics& diagnostics) {
    return Scanner(sources.text(file), file, diagnostics).run();
}

} // namespace espalier
