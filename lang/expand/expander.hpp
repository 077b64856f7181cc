// The expander: data to core forms. One class whose members are grouped in files by what they expand:
//   expander.cpp        scopes, names, errors, literals
//   walk.cpp     the walk itself
//   top_level.cpp       the top level and include
//   scheme.cpp   the forms of Scheme: procedures, conditionals, quotation
//   binding.cpp  those that bind and assign names
//   body.cpp     bodies and their definitions, records
//   syntax_rules.cpp    macros
//   calls.cpp    calls; which of them become primitives
//   declarations.cpp  messages, ports, types
//   model.cpp    waits, writes, marks
//   parse_machine.cpp, machine.cpp   machines
//
// Hygiene is by renaming: a symbol that a macro's template inserts becomes an alias, an identifier that is found first
// where it was bound, if some binding form of the expansion bound it, and else where the macro was defined.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lang/ir/core.hpp"
#include "lang/read/datum.hpp"

namespace espalier {

// An identifier: a symbol, or with the high bit set an alias.
enum class Ident : uint32_t {};
inline constexpr uint32_t alias_bit = 0x80000000U;

enum class Form : uint8_t {
#define FORM(id, name) id,
#include "lang/expand/forms.def"
#undef FORM
};

struct Scope;

struct Binding {
    enum class Kind : uint8_t { none, form, macro, local, global, op, constant, type, absent };
    Kind kind = Kind::none;
    uint32_t id = 0; // of the Form, macro, Local, Global, Operator, constant, Type, absent text
    friend bool operator==(const Binding&, const Binding&) = default;
};

struct Scope {
    Scope* parent = nullptr;
    std::vector<std::pair<Ident, Binding>> few;
    std::unordered_map<uint32_t, Binding> many; // instead, from a dozen on

    const Binding* find(Ident name) const;
    void bind(Ident name, Binding binding); // replaces
};

struct Alias {
    Ident base;
    Scope* scope; // where the macro was defined
};

struct SyntaxRule {
    DatumId pattern; // without the macro's own name
    DatumId body;
};
struct Macro {
    Symbol name{};
    Span span;
    Scope* scope = nullptr;
    std::optional<Ident> ellipsis; // where the macro names its own
    std::vector<Ident> literals;
    std::vector<SyntaxRule> rules;
};

// A procedure that is one operation: a primitive, or what a record or message definition gives.
struct Operator {
    enum class Kind : uint8_t {
        primitive,
        make_record,
        record_ref,
        record_set,
        record_is,
        make_message,
        message_ref,
        message_is
    };
    Kind kind;
    Symbol name;
    int arity; // −1: any
    Prim prim{};
    uint32_t which = 0; // RecordId or MessageId
    uint32_t field = 0;
    std::vector<uint32_t> order; // make_record: parameter i is field order[i]
    GlobalId value{UINT32_MAX};  // its procedure, made when first used as a value
    Span span;
    bool used = false;
};

// What coverage criteria speak of is numbered within a procedure or machine state, in the order of the text.
struct Counters {
    uint32_t decisions = 1, comparisons = 1, errors = 1, procedures = 1;
    void advance_to(const Counters& other);
};
struct Numbering {
    Counters next;
    Symbol scope{};    // the procedure or state
    bool named = true; // false until the procedure itself has been met, whose name the scope is
};

// Where an arrow may stand: how the machine stays if none is taken, and how one is taken.
struct ArrowContext {
    std::function<CoreId(Span)> stay;
    std::function<CoreId(std::span<const DatumId>, Span, const struct Context&)> arrow;
};

struct Context {
    Scope* scope = nullptr;
    Numbering* numbering = nullptr;
    const ArrowContext* arrows = nullptr; // set in tail position of a machine's action only

    Context in(Scope* s) const { return {s, numbering, arrows}; }
    Context not_tail() const { return {scope, numbering, nullptr}; }
};

// One level of nesting, for the time of a scope.
class DepthGuard {
public:
    explicit DepthGuard(uint32_t& depth) : depth_(depth) { ++depth_; }
    ~DepthGuard() { --depth_; }
    DepthGuard(const DepthGuard&) = delete;
    DepthGuard& operator=(const DepthGuard&) = delete;

private:
    uint32_t& depth_;
};

class Expander {
public:
    // `load` gives the text of an included file, by its path relative to the including one; nothing: it cannot be read.
    using Load = std::function<std::optional<FileId>(std::string_view path, FileId from)>;
    struct Bounds {
        uint32_t levels = 10'000;                // of nesting
        const std::atomic<bool>* stop = nullptr; // once set, CompileStopped is thrown
    };
    Expander(Sources& sources, Data& data, Diagnostics& diagnostics, Load load, Bounds bounds);
    ~Expander();

    void expand_prelude(std::span<const DatumId> forms);
    void expand_model(std::span<const DatumId> forms);
    CoreProgram take();

private:
    // ── names and errors (expander.cpp)
    bool is_identifier(DatumId d) const { return data_.is(d, DatumKind::symbol) || data_.is(d, DatumKind::alias); }
    Ident ident(DatumId d) const;
    Symbol base_name(Ident name) const;
    Symbol base_name(DatumId d) const { return base_name(ident(d)); }
    bool named(DatumId d, std::string_view name) const; // an identifier with that base name
    Binding lookup(Ident name, const Scope* scope) const;
    Binding lookup(DatumId d, const Scope* scope) const { return lookup(ident(d), scope); }
    bool is_form(DatumId d, const Scope* scope, Form form) const;
    Scope* new_scope(Scope* parent);
    LocalId new_local(DatumId name, bool generated = false);
    LocalId temporary(std::string_view name, Span span);
    GlobalId new_global(Symbol name, Span span, bool prelude);
    Span span(DatumId d) const { return data_[d].span; }
    CoreId fail(Span span, std::string text, std::string hint = {});
    CoreId fail(DatumId d, std::string text, std::string hint = {}) {
        return fail(span(d), std::move(text), std::move(hint));
    }
    std::string suggest(std::string_view name, const Scope* scope,
                        const std::function<bool(const Binding&)>& wanted) const;
    std::string show(DatumId d) const; // short external representation, for messages
    // A proper list's elements; reports what is wrong and returns nothing otherwise.
    std::optional<std::vector<DatumId>> list(DatumId d, std::string_view what);
    std::optional<std::vector<DatumId>> elements(DatumId d) const; // the same, silently
    Value literal(DatumId d);                                      // quoted: aliases become symbols again

    const Macro* macro_used_at(Span span) const;

    // ── building core (expander.cpp)
    CoreId node(CoreKind kind, Span span) { return program_.add(std::move(kind), span); }
    CoreId constant(Value v, Span span) { return node(core::Const{v}, span); }
    CoreId unspecified(Span span) { return constant(Value::unspecified(), span); }
    CoreId local_ref(LocalId local, Span span);
    CoreId prim(Prim p, std::initializer_list<CoreId> args, Span span);
    CoreId seq(std::span<const CoreId> parts, Span span);
    CoreId call(CoreId callee, std::initializer_list<CoreId> args, Span span);
    CoreId thunk(CoreId body, std::string_view name, Span span);
    uint32_t decide(const Context& ctx);                      // numbers a decision of the author's; 0 in the prelude
    uint32_t error_site(const Context& ctx);                  // likewise an `assert` or `error`
    uint32_t procedure_name(Symbol name, const Context& ctx); // likewise a procedure
    void number_sites(size_t first, const Context& ctx);      // comparisons and errors among the nodes made since then
    CoreId leaf(CoreId value, const Context& ctx);            // ends an action in tail position: the machine stays

    CoreId not_a_port(CoreId operand, const char* wanted, std::string hint);
    bool failed(CoreId id) const { // an error was said already
        const auto* c = std::get_if<core::Const>(&program_[id].kind);
        return c != nullptr && c->value.is_unbound();
    }

    // ── the walk (expander.cpp)
    CoreId expand(DatumId d, const Context& ctx);
    CoreId expand_inner(DatumId d, const Context& ctx);
    CoreId expand_identifier(DatumId d, const Context& ctx);
    CoreId expand_form(Form form, DatumId d, const Context& ctx);
    CoreId expand_sequence(std::span<const DatumId> forms, const Context& ctx, Span span);
    bool propagates_tail(Form form) const;
    bool enter(Span span); // one level deeper; false past the limit
    void top_level(DatumId form, Scope* scope, bool prelude);
    bool declare(DatumId name, Scope* scope, Binding binding); // false: it is there already
    GlobalId define_global(DatumId name, Scope* scope, bool prelude, std::function<CoreId(const Context&)> value);
    void top_define(DatumId form, Scope* scope, bool prelude);
    void top_define_values(DatumId form, Scope* scope);
    void include(DatumId form, Scope* scope);
    void check_imports(DatumId form);
    void warn_unused_declarations();
    void start_as_built_in();
    void keep_used_prelude();

    // ── scheme.cpp
    CoreId expand_quote(DatumId d, const Context& ctx);
    CoreId expand_quasi(DatumId d, int depth, const Context& ctx);
    CoreId expand_lambda(DatumId params, std::span<const DatumId> body, Symbol name, Span span, const Context& ctx);
    bool lambda_case(DatumId params, std::span<const DatumId> body, Span span, const Context& ctx, LambdaCase& out);
    CoreId expand_case_lambda(DatumId d, Symbol name, const Context& ctx);
    CoreId expand_if(DatumId d, const Context& ctx);
    CoreId expand_cond(DatumId d, const Context& ctx);
    CoreId expand_case(DatumId d, const Context& ctx);
    void warn_of_case_data(DatumId clause, const std::vector<DatumId>& data);
    CoreId expand_and_or(DatumId d, bool conjunction, const Context& ctx);
    CoreId expand_when_unless(DatumId d, bool positive, const Context& ctx);
    CoreId expand_let(DatumId d, Form form, const Context& ctx);
    CoreId expand_named_let(DatumId d, std::span<const DatumId> parts, const Context& ctx);
    CoreId expand_do(DatumId d, const Context& ctx);
    CoreId expand_set(DatumId d, const Context& ctx);
    CoreId expand_let_values(DatumId d, bool sequential, const Context& ctx);
    CoreId expand_let_syntax(DatumId d, bool recursive, const Context& ctx);
    CoreId expand_named(DatumId d, Symbol name, const Context& ctx); // an init; a lambda gets the name
    CoreId assign(const Binding& b, DatumId name, CoreId value, Span span);
    std::optional<std::pair<std::vector<DatumId>, std::vector<DatumId>>> bindings(DatumId d);

    // ── body.cpp
    CoreId expand_body(std::span<const DatumId> forms, const Context& ctx, Span span);
    struct Definition {
        DatumId name;
        DatumId value;
        bool procedure;
        DatumId params;
        std::vector<DatumId> body;
    };
    std::optional<Definition> parse_define(DatumId d);
    void define_record(DatumId d, Scope* scope);
    void define_syntax(DatumId d, Scope* scope);
    bool parse_values_formals(DatumId formals, std::vector<DatumId>& names, bool& rest);
    CoreId unpack(LocalId packed, uint32_t i, uint32_t count, bool rest, Span span);
    DatumId expand_macro_head(DatumId form, Scope* scope); // macro uses at its head, until it is none

    // ── syntax_rules.cpp
    std::optional<Macro> parse_syntax_rules(DatumId spec, Symbol name, Scope* scope);
    DatumId expand_macro(const Macro& macro, DatumId use, Scope* scope);
    uint64_t weight(DatumId d);
    struct Match;
    bool match(const Macro& m, DatumId pattern, DatumId datum, const Scope* use_scope,
               std::vector<std::pair<Ident, Match>>& out);
    bool check_pattern(const Macro& m, DatumId pattern, std::vector<Ident>& vars);
    DatumId instantiate(const Macro& m, DatumId tmpl, std::vector<std::pair<Ident, Match>>& vars, Span use,
                        std::unordered_map<uint32_t, DatumId>& renamed, bool escaped);
    bool is_ellipsis(const Macro& m, DatumId d) const;
    bool is_wildcard(const Macro& m, DatumId d) const;

    // ── calls.cpp
    CoreId expand_call(DatumId d, const Context& ctx);
    CoreId apply_operator(uint32_t op, std::vector<CoreId> args, Span span);
    std::optional<CoreId> integrate(Symbol name, std::vector<CoreId>& args, Span span);
    CoreId operator_value(uint32_t op, Span span);
    uint32_t add_operator(Operator op);
    CoreId chain(Prim p, std::span<const CoreId> args, Span span, bool chars);

    // ── declarations.cpp
    void define_message(DatumId d, Scope* scope);
    void define_port(DatumId d, Scope* scope);
    void define_type(DatumId d, Scope* scope);
    void fill_type(TypeId id, const Scope* scope);
    std::optional<TypeId> parse_type(DatumId d, const Scope* scope);
    TypeId add_type(TypeDef def);
    bool looks_like_type(DatumId d, const Scope* scope) const;
    std::optional<MessageId> message_named(DatumId d, const Scope* scope);
    void check_nesting(MessageId message, std::vector<uint8_t>& seen); // no message contains itself
    void define_wheres();
    void check_field(MessageId message, uint32_t field, Value value, Span place); // a literal outside the field's type
    bool needs_where(TypeId type) const;
    CoreId nested_where(TypeId type, LocalId value, Span span); // no_core: nothing to check
    GlobalId any_where();

    // ── model.cpp
    std::optional<PortId> static_port(CoreId source) const;
    CoreId expand_read(DatumId d, const Context& ctx);
    CoreId expand_write(DatumId d, const Context& ctx);
    CoreId expand_select(DatumId d, const Context& ctx);
    CoreId expand_receive(DatumId d, const Context& ctx);
    CoreId expand_choose(DatumId d, const Context& ctx);
    CoreId expand_fresh(DatumId d, const Context& ctx);
    CoreId expand_type_values(DatumId d, const Context& ctx);
    CoreId expand_checkpoint(DatumId d, const Context& ctx);
    CoreId expand_requirement(DatumId d, const Context& ctx);
    CoreId expand_spawn(DatumId d, bool service, const Context& ctx);
    CoreId wait_for_one(CoreClause clause, DatumId place);
    CoreId select(std::vector<CoreClause> clauses, Span span);
    // Fills in source, filter, bindings and tests of a clause from its trigger, then from a `where` at the front of
    // `rest`, which it removes. Returns the scope that the body is to be expanded in, or null after an error.
    Scope* parse_trigger(DatumId trigger, std::span<const DatumId>& rest, const Context& ctx, CoreClause& clause);
    bool parse_where(std::span<const DatumId>& rest, const Context& ctx, CoreClause& clause);
    bool parse_pattern(DatumId pattern, const Context& ctx, CoreClause& clause, Scope* scope);
    void bind_in_pattern(DatumId name, LocalId local, Scope* scope, const Context& ctx);
    void add_input_test(CoreClause& clause);
    void check_direction(const CoreClause& clause, Span place);
    void warn_shadowed(std::span<const CoreClause> clauses);
    TargetId target(TargetKind kind, std::string name, std::string text, Span span);

    // ── machine.cpp
    struct Machine;
    struct State;
    CoreId expand_machine(DatumId d, const Context& ctx); // the machine's lambda
    void parse_state(Machine& m, DatumId d, uint32_t parent);
    bool parse_state_item(Machine& m, uint32_t state, DatumId item);
    void parse_after_timers(Machine& m, uint32_t state);
    std::optional<uint32_t> state_named(const Machine& m, DatumId name);
    CoreId machine_body(Machine& m, Span span);
    CoreId wait_body(Machine& m, uint32_t leaf);
    CoreId enter_body(Machine& m, uint32_t state);
    CoreId entry_body(Machine& m, uint32_t state);
    CoreId exit_body(Machine& m, uint32_t state);
    CoreId expand_arrow(Machine& m, uint32_t owner, uint32_t leaf, uint64_t key, std::span<const DatumId> parts,
                        Span span, const Context& ctx);
    TargetId transition(Machine& m, uint32_t owner, uint64_t key, std::string to, Span at);
    CoreId action(Machine& m, uint32_t owner, uint32_t leaf, DatumId clause, std::span<const DatumId> forms,
                  Scope* scope, Numbering& numbering, const std::function<CoreId()>& before_staying);
    void warn_unreachable(const Machine& m);

    Sources& sources_;
    Data& data_;
    Diagnostics& diagnostics_;
    Load load_;
    CoreProgram program_;
    std::deque<Scope> scopes_;
    std::vector<Alias> aliases_;
    std::deque<Macro> macros_;
    std::vector<Operator> operators_;
    std::vector<Value> constants_;
    struct AbsentName {
        std::string instead;
        bool syntax;
    };
    std::vector<AbsentName> absents_;
    Scope* base_ = nullptr;   // forms, primitives, prelude procedures
    Scope* inside_ = nullptr; // what only the prelude sees
    Scope* user_ = nullptr;
    bool in_prelude_ = false;
    std::vector<GlobalId> prelude_globals_;
    std::unordered_map<uint32_t, CoreId> prelude_definitions_; // by global
    std::unordered_set<uint32_t> prelude_wanted_;
    std::vector<std::function<void()>> declarations_; // types and fields, when all names are known
    std::vector<std::function<void()>> late_;         // top-level forms, when all is declared
    std::unordered_map<std::string, TargetId> target_ids_;
    std::unordered_set<std::string> reported_;      // what is in a duplicated clause is said once
    std::unordered_map<uint32_t, Span> defined_at_; // the author's top-level names
    std::map<std::pair<uint32_t, uint32_t>, const Macro*>
        macro_uses_;                                  // by file and place: what a template inserts stands there
    mutable std::unordered_set<uint32_t> used_names_; // of the top level
    std::unordered_set<uint32_t> local_records_, broken_ports_;
    struct Redefinition {
        Ident name;
        bool defined;
        bool used_before;
    };
    std::map<uint32_t, Redefinition> redefinitions_; // globals of the author's that hide built-in names
    std::vector<FileId> including_;
    std::optional<GlobalId> any_where_;
    std::unordered_map<uint32_t, DatumId> type_values_; // define-type: what is still to be filled in
    std::vector<TypeId> filling_;
    std::vector<std::pair<MessageId, DatumId>> wheres_; // of define-message, as written
    Numbering top_numbering_;
    uint32_t depth_ = 0;
    size_t data_limit_ = SIZE_MAX;       // what macros may make of the text
    size_t core_limit_ = SIZE_MAX;       // what the expansion of it all may come to
    uint64_t weight_limit_ = UINT64_MAX; // what one expansion of a macro may come to, written out
    std::vector<uint64_t> weights_;      // of data, where known; else 0
    bool text_lost_ = false;             // the reader left something out: a name that is not there may stand in it
    const Bounds bounds_;
    size_t included_bytes_ = 0, included_files_ = 0;
    bool gave_up_ = false; // nested too deeply or grown too large: said once, and nothing more is expanded
};

} // namespace espalier
