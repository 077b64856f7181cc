#include "testgen/export/template_parser.hpp"

#include <algorithm>

namespace espalier {

namespace {

constexpr size_t most_errors = 20;

// The words of one tag: names, texts in quotes, signs.
struct Word {
    std::string text;
    bool quoted = false;
    Span at;
};

class Parser {
public:
    Parser(const Sources& sources, FileId file, Diagnostics& diagnostics)
        : text_(sources.text(file)), file_(file), diagnostics_(diagnostics) {}

    std::optional<TemplateNodes> parse() {
        if (const size_t bad = first_invalid_utf8(text_); bad != std::string_view::npos) {
            error(span(bad, bad + 1), "this is no UTF-8");
            return std::nullopt;
        }
        open_.push_back({Span{}, nullptr, &root_});
        while (at_ < text_.size() && diagnostics_.error_count() < most_errors && !stopped_) next();
        if (!stopped_ && diagnostics_.error_count() < most_errors)
            for (size_t i = open_.size(); i-- > 1;) error(open_[i].at, "this is not closed");
        if (diagnostics_.has_errors()) return std::nullopt;
        return std::move(root_);
    }

private:
    struct Section {
        Span at;            // of the tag that opened it
        TemplateNode* node; // null for the whole
        TemplateNodes* into;
        bool in_else = false;
    };

    Span span(size_t begin, size_t end) const {
        return {file_, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
    }
    void error(Span at, std::string text) { diagnostics_.error(at, std::move(text)); }

    void plain(std::string_view text) {
        if (text.empty()) return;
        TemplateNodes& into = *open_.back().into;
        if (!into.empty())
            if (auto* before = std::get_if<TemplateText>(&into.back().what)) {
                before->text += text;
                return;
            }
        into.push_back({TemplateText{std::string(text)}});
    }

    void next() {
        const size_t begin = std::min(text_.find("{{", at_), text_.size());
        if (begin == text_.size()) {
            plain(text_.substr(at_));
            at_ = begin;
            return;
        }
        const size_t end = end_of_tag(begin + 2);
        if (end == std::string_view::npos) {
            error(span(begin, begin + 2), "this has no `}}`");
            stopped_ = true;
            return;
        }
        size_t text_end = begin, resume = end + 2;
        const char kind = begin + 2 < end ? text_[begin + 2] : ' ';
        const bool section = kind == '#' || kind == '/' || kind == '!' || inside(begin, end) == "else";
        if (section) alone_on_its_line(text_end, resume);
        plain(text_.substr(at_, text_end - at_));
        at_ = resume;
        if (kind != '!') tag(begin, end);
    }

    std::string_view inside(size_t begin, size_t end) const {
        std::string_view in = text_.substr(begin + 2, end - begin - 2);
        while (!in.empty() && in.front() == ' ') in.remove_prefix(1);
        while (!in.empty() && in.back() == ' ') in.remove_suffix(1);
        return in;
    }

    // A quoted text may hold "}}"; a remark may hold quotes.
    size_t end_of_tag(size_t at) const {
        if (at < text_.size() && text_[at] == '!') return text_.find("}}", at);
        bool quoted = false;
        for (; at < text_.size() && text_[at] != '\n'; ++at) {
            if (text_[at] == '"') quoted = !quoted;
            if (!quoted && text_.substr(at, 2) == "}}") return at;
        }
        return std::string_view::npos;
    }

    // A line with nothing but a section's tag leaves no line behind.
    void alone_on_its_line(size_t& begin, size_t& resume) const {
        size_t left = begin, right = resume;
        while (left > at_ && (text_[left - 1] == ' ' || text_[left - 1] == '\t')) --left;
        if (left > 0 && text_[left - 1] != '\n') return;
        while (right < text_.size() && (text_[right] == ' ' || text_[right] == '\t' || text_[right] == '\r')) ++right;
        if (right < text_.size() && text_[right] != '\n') return;
        begin = left;
        resume = std::min(right + 1, text_.size());
    }

    // Splits a tag into words; false after an error.
    bool split(size_t begin, size_t end, std::vector<Word>& words) {
        for (size_t at = begin; at < end;) {
            const char c = text_[at];
            const size_t from = at;
            if (c == ' ' || c == '\t') {
                ++at;
            } else if (c == '"') {
                const size_t close = text_.find('"', at + 1);
                at = close + 1; // end_of_tag has seen it
                words.push_back({std::string(text_.substr(from + 1, close - from - 1)), true, span(from, at)});
            } else if (is_name(c)) {
                while (at < end && is_name(text_[at])) ++at;
                words.push_back({std::string(text_.substr(from, at - from)), false, span(from, at)});
            } else {
                at += text_.substr(at, 2) == "!=" ? 2 : 1;
                words.push_back({std::string(text_.substr(from, at - from)), false, span(from, at)});
                if (std::string_view("#/|=").find(c) != std::string_view::npos || at == from + 2) continue;
                error(span(from, at), "a tag has names, texts in \"quotes\" and the signs # / | = !=");
                return false;
            }
        }
        return true;
    }
    static bool is_name(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    }

    void tag(size_t begin, size_t end) {
        const Span whole = span(begin, end + 2);
        std::vector<Word> words;
        if (!split(begin + 2, end, words)) return;
        const auto is = [&](size_t i, std::string_view text) {
            return i < words.size() && !words[i].quoted && words[i].text == text;
        };
        if (words.empty()) return error(whole, "this is empty");
        if (is(0, "#") && is(1, "each")) return each(whole, words);
        if (is(0, "#") && is(1, "if")) return condition(whole, words);
        if (is(0, "#")) return unknown(whole, "a section begins with #each or #if");
        if (is(0, "/") && words.size() == 2 && (is(1, "each") || is(1, "if"))) return close(whole, words[1]);
        if (is(0, "/")) return unknown(whole, "a section ends with {{/each}} or {{/if}}");
        if (is(0, "else") && words.size() == 1) return otherwise(whole);
        if (words.size() == 1 && words[0].quoted) return plain(words[0].text);
        field(whole, words);
    }

    // What follows could not be understood without knowing which section this is.
    void unknown(Span at, const char* text) {
        error(at, text);
        stopped_ = true;
    }

    void open(Span at, TemplateNode node) {
        if (open_.size() > deepest_template) return unknown(at, "sections are nested too deeply");
        TemplateNodes& into = *open_.back().into;
        into.push_back(std::move(node));
        TemplateNode& made = into.back();
        auto* loop = std::get_if<TemplateEach>(&made.what);
        open_.push_back({at, &made, loop != nullptr ? &loop->body : &std::get<TemplateIf>(made.what).then});
    }

    void each(Span whole, const std::vector<Word>& words) {
        if (words.size() != 3 || words[2].quoted) return unknown(whole, "a loop is {{#each LIST}}");
        const ThingList* list = find_list(things_.back(), words[2].text);
        if (list == nullptr) {
            const std::string there = list_names(things_.back());
            error(words[2].at, "a " + std::string(kind_name(things_.back())) + " has no list `" + words[2].text + "`" +
                                   (there.empty() ? ", nor any other" : ", but these: " + there));
            stopped_ = true;
            return;
        }
        open(whole, {TemplateEach{list, {}}});
        things_.push_back(list->items);
    }

    void condition(Span whole, const std::vector<Word>& words) {
        TemplateIf made;
        size_t at = 2;
        if (words.size() > 3 && !words[2].quoted && words[2].text == "not" && words[3].text != "=" &&
            words[3].text != "!=") {
            made.negated = true;
            ++at;
        }
        const bool plain = words.size() == at + 1;
        const bool compared = words.size() == at + 3 && !made.negated && words[at + 2].quoted &&
                              (words[at + 1].text == "=" || words[at + 1].text == "!=");
        if (!plain && !compared)
            return unknown(whole, "a condition is {{#if NAME}}, {{#if not NAME}}, {{#if NAME = \"text\"}} or with !=");
        if (compared) {
            made.equals = words[at + 2].text;
            made.negated = words[at + 1].text == "!=";
        }
        const auto value = resolve(words[at]);
        if (value) made.value = *value;
        open(whole, {std::move(made)}); // also after a mistake, so that its end is found
    }

    void otherwise(Span whole) {
        Section& section = open_.back();
        auto* node = section.node == nullptr ? nullptr : std::get_if<TemplateIf>(&section.node->what);
        if (node == nullptr || section.in_else) return unknown(whole, "there is no {{#if}} that this belongs to");
        section.in_else = true;
        section.into = &node->otherwise;
    }

    void close(Span whole, const Word& what) {
        const Section& section = open_.back();
        if (section.node == nullptr) return unknown(whole, "nothing is open here");
        const bool loop = std::holds_alternative<TemplateEach>(section.node->what);
        if (loop != (what.text == "each"))
            return unknown(whole, loop ? "{{#each}} is open here, not {{#if}}" : "{{#if}} is open here, not {{#each}}");
        if (loop) things_.pop_back();
        open_.pop_back();
    }

    void field(Span whole, const std::vector<Word>& words) {
        TemplateField made;
        const auto value = words[0].quoted ? std::nullopt : resolve(words[0]);
        if (words[0].quoted) error(whole, "a text in quotes has no filter");
        for (size_t i = 1; i < words.size(); i += 2) {
            if (words[i].quoted || words[i].text != "|" || i + 1 == words.size())
                return error(words[i].at, "after a field comes `|` and a filter, or the end");
            const TemplateFilter* filter = find_filter(words[i + 1].text);
            if (filter == nullptr)
                return error(words[i + 1].at,
                             "there is no filter `" + words[i + 1].text + "`, but these: " + filter_names());
            made.filters.push_back(filter);
        }
        if (!value) return;
        // A filter can make a character six or more; one after the other would be six times six times …
        if (made.filters.size() > 2) return error(whole, "two filters are enough");
        made.value = *value;
        open_.back().into->push_back({std::move(made)});
    }

    // `id` of the innermost thing that has one, or `test.id` of the innermost test.
    std::optional<TemplateValue> resolve(const Word& word) {
        const size_t dot = word.text.find('.');
        const std::string_view all = word.text;
        const std::string_view kind = dot == std::string::npos ? std::string_view() : all.substr(0, dot);
        const std::string_view name = dot == std::string::npos ? all : all.substr(dot + 1);
        if (!word.quoted)
            for (size_t i = things_.size(); i-- > 0;) {
                if (!kind.empty() && kind_name(things_[i]) != kind) continue;
                if (const ThingField* found = find_field(things_[i], name)) return TemplateValue{found, i};
            }
        std::string there;
        for (size_t i = things_.size(); i-- > 0;)
            there += (there.empty() ? "" : "; ") + std::string(kind_name(things_[i])) + ": " + field_names(things_[i]);
        error(word.at, "there is no field `" + word.text + "` here, but these: " + there);
        return std::nullopt;
    }

    std::string_view text_;
    FileId file_;
    Diagnostics& diagnostics_;
    TemplateNodes root_;
    std::vector<Section> open_;
    std::vector<ThingKind> things_{ThingKind::suite}; // at hand, from the outside
    size_t at_ = 0;
    bool stopped_ = false;
};

} // namespace

std::optional<TemplateNodes> parse_template(const Sources& sources, FileId file, Diagnostics& diagnostics) {
    return Parser(sources, file, diagnostics).parse();
}

} // namespace espalier
