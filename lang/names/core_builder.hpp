// The pieces that core forms are built of: nodes, variables, and the numbers that coverage criteria name them by.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "lang/ir/core.hpp"
#include "lang/names/context.hpp"
#include "lang/read/datum.hpp"

namespace espalier {

class Syntax;

class CoreBuilder {
public:
    CoreBuilder(CoreProgram& program, Data& data, Syntax& syntax) : program_(program), data_(data), syntax_(syntax) {}

    CoreId node(CoreKind kind, Span span) { return program_.add(std::move(kind), span); }
    CoreId constant(Value v, Span span) { return node(core::Const{v}, span); }
    CoreId boolean(bool b, Span span) { return constant(Value::boolean(b), span); }
    CoreId unspecified(Span span) { return constant(Value::unspecified(), span); }
    CoreId local_ref(LocalId local, Span span);
    CoreId prim(Prim p, std::initializer_list<CoreId> args, Span span);
    CoreId seq(std::span<const CoreId> parts, Span span);
    CoreId call(CoreId callee, std::initializer_list<CoreId> args, Span span);
    CoreId branch(CoreId test, CoreId then_part, CoreId else_part, Span span); // none of the author's
    CoreId let(LocalId local, CoreId init, CoreId body, Span span);
    CoreId let(std::span<const LocalId> locals, std::span<const CoreId> inits, CoreId body, Span span);
    CoreId lambda(std::span<const LocalId> params, CoreId body, Symbol name, bool prelude, Span span);
    CoreId thunk(CoreId body, std::string_view name, Span span);
    CoreId recursive(LocalId local, CoreId lambda, CoreId body, Span span); // (letrec ((local lambda)) body)
    CoreId leaf(CoreId value, const Context& ctx); // ends an action in tail position: the machine stays

    LocalId new_local(DatumId name, bool generated = false);
    LocalId temporary(std::string_view name, Span span);
    void know_lambda(LocalId local, CoreId value); // where the value is one
    GlobalId new_global(Symbol name, Span span, bool prelude);

    // Numbers of what the author wrote; 0 in the prelude.
    uint32_t decide(const Context& ctx);
    uint32_t error_site(const Context& ctx); // an `assert` or `error`
    uint32_t procedure_name(Symbol name, const Context& ctx);
    void number_sites(size_t first, const Context& ctx); // comparisons and errors among the nodes made since then
    TargetId target(TargetKind kind, std::string name, std::string text, Span span); // the same for the same name

    bool in_prelude() const { return in_prelude_; }
    void set_in_prelude(bool in_prelude) { in_prelude_ = in_prelude; }

private:
    CoreProgram& program_;
    Data& data_;
    Syntax& syntax_;
    std::unordered_map<std::string, TargetId> target_ids_;
    bool in_prelude_ = false;
};

} // namespace espalier
