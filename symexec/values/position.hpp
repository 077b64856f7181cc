// Where the running state stands in the author's text. It is looked up only where it is needed: for a fork, for a
// mistake, for an entry of the ledger. Between threads, the wait that is being tried has said it.
#pragma once

#include <string>

#include "symexec/state/code.hpp"
#include "symexec/state/state.hpp"
#include "symexec/values/limits.hpp"

namespace espalier::sym {

class Position {
public:
    Position(const Program& program, const Code& code) : program_(program), code_(code) {}
    void set(Label label, Span span) {
        label_ = label;
        span_ = span;
    }
    void set(Label label) { label_ = label; }
    void set(Span span) { span_ = span; }
    void set_to_wait(BlockId select) { set(program_[select].terminator.label, program_[select].terminator.span); }
    Label label() const { return label_; }

    void locate(const State& state);
    // What happens in prelude code happened, for the author, where it was called.
    void blame_caller(const State& state);
    Label author_label(const State& state) const; // of what it executes, or of the author's call that led there
    ErrorAt error(std::string text) const;        // of the model, at this place

private:
    const Program& program_;
    const Code& code_;
    Span span_;
    Label label_ = no_label;
};

} // namespace espalier::sym
