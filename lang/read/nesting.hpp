// What the tokens of a file nest into: the reader's explicit stack.
//
// Tokens come in one by one; complete top-level data come out. A mistake is reported and marks the top-level
// datum around it, which is then left out; reading goes on, so that several mistakes show at once.
#pragma once

#include <string>
#include <vector>

#include "lang/read/datum.hpp"

namespace espalier {

class Nesting {
public:
    Nesting(Data& data, Diagnostics& diagnostics) : data_(data), diagnostics_(diagnostics) {}

    enum class Opening : uint8_t { list, vector, bytevector };
    enum class Prefix : uint8_t { quote, quasiquote, unquote, unquote_splicing, discard };

    void open(Opening what, Span token, char bracket);
    void close(Span token, char bracket);
    void prefix(Prefix what, Span token);
    void dot(Span token);
    void datum(DatumId id);
    // In place of a datum that was an error; never seen outside, since the top-level datum around it is left
    // out.
    void placeholder(Span span) { datum(data_.alias(span, 0)); }

    bool at_top() const { return frames_.empty(); }
    // Inside `#;`, where what is not in the language may stand: leaving it out is what `#;` is for.
    bool discarding() const { return discards_ > 0; }
    // Forgets what is open.
    void abandon();
    // Where the open top-level datum begins.
    uint32_t outermost() const { return frames_.front().begin; }
    // Reports and forgets what is still open at the end of the file. `next`, where it is known, looks like
    // the bracket of the next top-level datum: reading goes on there, and mistakes that were found behind it
    // are not reported again.
    void finish(Span end, Span next);

    // Reports it, and has the top-level datum around it left out: the open one, or the next where none is
    // open. The reference is good until the next one.
    Diagnostic& error(Span span, std::string text, std::string hint = {});
    // For an error that is part of no datum, such as a stray bracket: where none is open, the next one is
    // kept.
    void spare_next_datum() { faulty_ = faulty_ && !frames_.empty(); }
    // So many were reported that the rest would hide them.
    bool enough_errors() const { return errors_ >= max_errors; }
    std::vector<DatumId> take() { return std::move(complete_); }

private:
    enum class Kind : uint8_t { list, vector, bytevector, quote, quasiquote, unquote, unquote_splicing, discard };
    enum class Tail : uint8_t { none, expected, read }; // what follows a `.`
    // Kept small: there are ten million of them in the deepest files that are tested.
    struct Frame {
        Kind kind;
        char bracket;
        uint8_t token_size;
        Tail tail;
        uint32_t begin;
        uint32_t first; // the list's first pair, or where the vector begins in elements_
        uint32_t last;  // the list's last pair
    };
    static constexpr uint32_t none = UINT32_MAX;
    static constexpr size_t max_errors = 20;

    static bool is_prefix(const Frame& frame) { return frame.kind >= Kind::quote; }
    static std::string shown(const Frame& frame);
    Span token_of(const Frame& frame) const;
    Span span_to(const Frame& frame, uint32_t end) const { return {file_, frame.begin, end}; }
    void push(Kind kind, Span token, char bracket);
    void pop();
    void append(Frame& list, DatumId id);
    void append_to_list(Frame& list, DatumId id);
    void drop_prefixes(const std::string& before);
    DatumId close_list(const Frame& frame, Span token);
    DatumId close_bytevector(const Frame& frame, Span span);

    Data& data_;
    Diagnostics& diagnostics_;
    FileId file_{UINT32_MAX};
    std::vector<Frame> frames_;
    std::vector<DatumId> elements_; // of all open vectors
    std::vector<DatumId> complete_;
    size_t discards_ = 0;
    size_t errors_ = 0;
    uint32_t reported_to_ = 0; // mistakes before this place were reported when it was read for the first time
    Diagnostic unreported_;
    bool faulty_ = false; // the top-level datum that is being read has an error
};

} // namespace espalier
