// One frame for each open bracket and for each prefix that waits for its datum. A bracket is closed by its
// counterpart, a prefix by the datum that follows it.
#include "lang/read/nesting.hpp"

#include <algorithm>

namespace espalier {
namespace {

struct PrefixName {
    std::string_view sign;
    std::string_view name;
};

// In the order of Nesting::Prefix.
constexpr PrefixName prefix_names[] = {
    {"'", "quote"}, {"`", "quasiquote"}, {",", "unquote"}, {",@", "unquote-splicing"}, {"#;", ""}};

Symbol prefix_symbol(size_t index) {
    static const Symbol symbols[] = {intern(prefix_names[0].name), intern(prefix_names[1].name),
                                     intern(prefix_names[2].name), intern(prefix_names[3].name)};
    return symbols[index];
}

} // namespace

Diagnostic& Nesting::error(Span span, std::string text, std::string hint) {
    faulty_ = true;
    if (span.begin < reported_to_ || enough_errors()) return unreported_ = {};
    ++errors_;
    return diagnostics_.error(span, std::move(text), std::move(hint));
}

std::string Nesting::shown(const Frame& frame) {
    if (is_prefix(frame)) {
        const auto index = static_cast<size_t>(frame.kind) - static_cast<size_t>(Kind::quote);
        return '`' + std::string(prefix_names[index].sign) + '`';
    }
    if (frame.kind == Kind::vector) return "`#(`";
    if (frame.kind == Kind::bytevector) return "`#u8(`";
    return std::string("`") + frame.bracket + '`';
}

Span Nesting::token_of(const Frame& frame) const { return {file_, frame.begin, frame.begin + frame.token_size}; }

void Nesting::push(Kind kind, Span token, char bracket) {
    file_ = token.file;
    const bool vector = kind == Kind::vector || kind == Kind::bytevector;
    frames_.push_back({kind, bracket, static_cast<uint8_t>(token.end - token.begin), Tail::none, token.begin,
                       vector ? static_cast<uint32_t>(elements_.size()) : none, none});
    if (kind == Kind::discard) ++discards_;
}

void Nesting::pop() {
    if (frames_.back().kind == Kind::discard) --discards_;
    frames_.pop_back();
}

void Nesting::open(Opening what, Span token, char bracket) { push(static_cast<Kind>(what), token, bracket); }

void Nesting::prefix(Prefix what, Span token) {
    push(static_cast<Kind>(static_cast<size_t>(what) + static_cast<size_t>(Kind::quote)), token, 0);
}

void Nesting::dot(Span token) {
    Frame* const frame = frames_.empty() ? nullptr : &frames_.back();
    if (frame != nullptr && frame->kind == Kind::list && frame->first != none && frame->tail == Tail::none) {
        frame->tail = Tail::expected;
        return;
    }
    error(token, "`.` has no place here", "it stands before the last datum of a list: (a b . c)");
    spare_next_datum();
}

// Prefixes take their datum, and what they make of it may be what the next prefix waits for.
void Nesting::datum(DatumId id) {
    while (!frames_.empty() && is_prefix(frames_.back())) {
        const Frame frame = frames_.back();
        pop();
        if (frame.kind == Kind::discard) {
            spare_next_datum();
            return;
        }
        const Span inner = data_[id].span;
        const Span after{inner.file, inner.end, inner.end};
        const auto index = static_cast<size_t>(frame.kind) - static_cast<size_t>(Kind::quote);
        const DatumId rest = data_.pair(inner, id, data_.null(after));
        const DatumId name = data_.symbol(token_of(frame), prefix_symbol(index));
        id = data_.pair(span_to(frame, inner.end), name, rest);
    }
    if (!frames_.empty()) {
        append(frames_.back(), id);
        return;
    }
    if (!faulty_) complete_.push_back(id);
    faulty_ = false;
}

void Nesting::append(Frame& frame, DatumId id) {
    if (frame.kind == Kind::list)
        append_to_list(frame, id);
    else
        elements_.push_back(id);
}

void Nesting::append_to_list(Frame& list, DatumId id) {
    if (list.tail == Tail::expected) {
        list.tail = Tail::read;
        data_.set_cdr(DatumId{list.last}, id);
        return;
    }
    if (list.tail == Tail::read) {
        error(data_[id].span, "only one datum may follow the `.` of a list");
        return;
    }
    const DatumId pair = data_.pair(data_[id].span, id, DatumId{none});
    if (list.first == none)
        list.first = static_cast<uint32_t>(pair);
    else
        data_.set_cdr(DatumId{list.last}, pair);
    list.last = static_cast<uint32_t>(pair);
}

// Only the innermost is reported; those outside it wait for the same datum.
void Nesting::drop_prefixes(const std::string& before) {
    if (frames_.empty() || !is_prefix(frames_.back())) return;
    error(token_of(frames_.back()), "no datum follows " + shown(frames_.back()) + ", only " + before);
    while (!frames_.empty() && is_prefix(frames_.back())) pop();
}

void Nesting::close(Span token, char bracket) {
    const std::string shown_token = std::string("`") + bracket + '`';
    drop_prefixes(shown_token);
    if (frames_.empty()) {
        error(token, shown_token + " closes nothing: there is no open `(` before it");
        spare_next_datum();
        return;
    }
    const Frame frame = frames_.back();
    // A bracket that is not in the language was reported where it opened.
    if (bracket != ')' && frame.bracket == '(') {
        Diagnostic& wrong = error(token, shown_token + " where `)` is expected");
        wrong.notes.push_back({Severity::note, token_of(frame), "to close this " + shown(frame), {}, {}});
    }
    pop();
    const Span whole = span_to(frame, token.end);
    if (frame.kind == Kind::list) {
        datum(close_list(frame, token));
        return;
    }
    DatumId id{};
    if (frame.kind == Kind::vector)
        id = data_.vector(whole, std::span(elements_).subspan(frame.first));
    else
        id = close_bytevector(frame, whole);
    elements_.resize(frame.first);
    datum(id);
}

DatumId Nesting::close_list(const Frame& frame, Span token) {
    if (frame.first == none) return data_.null(span_to(frame, token.end));
    if (frame.tail == Tail::expected) error(token, "no datum follows the `.` of this list");
    if (frame.tail != Tail::read) data_.set_cdr(DatumId{frame.last}, data_.null(token));
    data_.set_span(DatumId{frame.first}, span_to(frame, token.end));
    return DatumId{frame.first};
}

DatumId Nesting::close_bytevector(const Frame& frame, Span span) {
    std::string bytes;
    bytes.reserve(elements_.size() - frame.first);
    for (const DatumId id : std::span(elements_).subspan(frame.first)) {
        const bool good = data_.is(id, DatumKind::integer) && data_.integer(id) >= 0 && data_.integer(id) <= 255;
        const bool reported = data_.is(id, DatumKind::alias);
        if (good)
            bytes.push_back(static_cast<char>(static_cast<unsigned char>(data_.integer(id))));
        else if (!reported)
            error(data_[id].span, "an element of a bytevector is an integer from 0 to 255");
    }
    return data_.bytevector(span, std::move(bytes));
}

void Nesting::finish(Span end, Span next) {
    drop_prefixes("the end of the file");
    reported_to_ = 0;
    // What opens behind `next` is found again when that is read.
    const auto counts = [next](const Frame& frame) {
        return !is_prefix(frame) && (!next.known() || frame.begin < next.begin);
    };
    const auto innermost = std::find_if(frames_.rbegin(), frames_.rend(), counts);
    if (innermost != frames_.rend()) {
        const auto open = std::count_if(frames_.begin(), frames_.end(), counts);
        const auto outermost = std::find_if(frames_.begin(), frames_.end(), counts);
        Diagnostic& unclosed = error(token_of(*innermost), "unclosed " + shown(*innermost));
        const auto note = [&unclosed](Span span, std::string text) {
            unclosed.notes.push_back({Severity::note, span, std::move(text), {}, {}});
        };
        if (open > 1) note(token_of(*outermost), "the outermost of " + std::to_string(open) + " opens here");
        if (next.known())
            note(next, "this looks like the next form: " +
                           (open == 1 ? std::string("is `)`") : "are " + std::to_string(open) + " `)`") +
                           " missing before it?");
        note(end,
             "expected " + (open == 1 ? std::string() : std::to_string(open) + " more ") + "`)` before the file's end");
    }
    reported_to_ = end.end;
    abandon();
}

void Nesting::abandon() {
    frames_.clear();
    elements_.clear();
    discards_ = 0;
    faulty_ = false;
}

} // namespace espalier
