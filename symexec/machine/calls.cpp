#include "symexec/machine/calls.hpp"

#include <algorithm>

namespace espalier::sym {

void Calls::jump(Thread& t, BlockId to, VarList args) {
    const auto from = program_.list(args), into = program_.list(program_[to].params);
    const uint32_t* slots = code_.slots(t.frame->lambda);
    Value* v = t.frame->variables;
    scratch_.clear();
    for (VarId x : from) scratch_.push_back(v[slots[index(x)]]);
    for (size_t i = 0; i < into.size(); ++i) v[slots[index(into[i])]] = scratch_[i];
    t.pc = code_.start(to);
}

void Calls::call(State& s, Thread& t, const terminator::Call& c, Label label) {
    const uint32_t* slots = code_.slots(t.frame->lambda);
    FrameRef frame = callee_frame(s, t, t.frame->variables[slots[index(c.callee)]], c.args, c.known, c.spread, label);
    const uint32_t entry = code_.entry(frame->lambda).pc;
    frame->back = t.pc;
    t.frame.push(std::move(frame));
    begin(t, entry);
}

void Calls::tail_call(State& s, Thread& t, const terminator::TailCall& c, Label label) {
    const uint32_t* slots = code_.slots(t.frame->lambda);
    FrameRef frame = callee_frame(s, t, t.frame->variables[slots[index(c.callee)]], c.args, c.known, c.spread, label);
    const uint32_t entry = code_.entry(frame->lambda).pc;
    frame->back = t.frame->back;
    frame->caller = t.frame->caller;
    if (frame->caller != nullptr) ++frame->caller->refs;
    t.frame = std::move(frame);
    begin(t, entry);
}

void Calls::begin(Thread& t, uint32_t entry) {
    t.pc = entry;
    if (context_.heap.due()) context_.observer->collect();
}

FrameRef Calls::callee_frame(State& s, Thread& t, Value callee, VarList list, LambdaId known, bool spread,
                             Label label) {
    const uint32_t* slots = code_.slots(t.frame->lambda);
    scratch_.clear();
    for (VarId x : program_.list(list)) scratch_.push_back(t.frame->variables[slots[index(x)]]);
    if (spread) {
        Value rest = values_.forced(s, scratch_.back());
        const Value whole = rest;
        scratch_.pop_back();
        for (; is_pair(rest); rest = values_.forced(s, as_pair(rest).cdr)) scratch_.push_back(as_pair(rest).car);
        if (!rest.is_null()) throw Fault{"apply: " + describe(program_, s, whole) + " is not a list"};
    }
    FrameRef frame = enter(s, callee, scratch_, known);
    const bool inherits = program_[t.frame->lambda].prelude && t.frame->site != no_label;
    frame->site = inherits ? t.frame->site : label;
    return frame;
}

FrameRef Calls::enter(State& s, Value callee, std::span<const Value> args, LambdaId known) {
    if (!is_type(callee, ObjectType::closure)) {
        if (callee.is_unbound()) throw Fault{"a procedure is called before its definition"};
        throw Fault{describe(program_, s, callee) + " is not a procedure, but it is called with " +
                    std::to_string(args.size()) + (args.size() == 1 ? " argument" : " arguments")};
    }
    const Closure& closure = as_closure(callee);
    LambdaId id = known;
    if (id == no_lambda) {
        for (id = closure.lambda; id != no_lambda; id = program_[id].next_case) {
            const Lambda& l = program_[id];
            if (args.size() == l.required || (l.rest && args.size() > l.required)) break;
        }
    }
    if (id == no_lambda)
        throw Fault{std::string(name_of(program_[closure.lambda].name)) + " is called with " +
                    std::to_string(args.size()) + (args.size() == 1 ? " argument" : " arguments") +
                    ", which it does not take"};
    const Lambda& lambda = program_[id];
    FrameRef frame = FrameRef::make(id, code_.entry(id).slots);
    Value* v = frame->variables;
    std::copy_n(args.begin(), lambda.required, v);
    if (lambda.rest) v[lambda.required] = context_.heap.list(args.subspan(lambda.required));
    std::copy_n(static_cast<const Value*>(closure.captures), lambda.captures, v + lambda.params());
    if (code_.entry(id).uses_self) v[index(lambda.self())] = callee;
    return frame;
}

} // namespace espalier::sym
