// Scopes, names, the walk over data, and the top level.
//
// The top level is expanded in two passes: the first declares every name that a definition (or a macro that expands
// into one) introduces, the second expands what stands behind the names. So a procedure may call one that is defined
// below it, and a message may contain one that is declared later.
#include "lang/expander.hpp"

#include <algorithm>

#include "lang/runtime.hpp"

namespace espalier {

namespace {

constexpr uint32_t alias_bit = 0x80000000U;
constexpr uint32_t max_depth = 10000;
constexpr size_t max_macro_data = size_t{1} << 24; // more than any sane macro makes of any sane model

struct Absent {
    const char* name;
    const char* instead;
    bool syntax = false; // its operands are not expressions
};
// R7RS names that the language does not have, with what to use instead.
constexpr Absent absent_names[] = {
    {"call/cc", "return early with a named let or a helper procedure"},
    {"call-with-current-continuation", "return early with a named let or a helper procedure"},
    {"dynamic-wind", "call the procedures in order"},
    {"guard", "test for the condition before it becomes an error", true},
    {"raise", "use (error message irritant ...), which ends the path with a model error"},
    {"raise-continuable", "use (error message irritant ...), which ends the path with a model error"},
    {"with-exception-handler", "test for the condition before it becomes an error"},
    {"error-object?", "test for the condition before it becomes an error"},
    {"error-object-message", "test for the condition before it becomes an error"},
    {"error-object-irritants", "test for the condition before it becomes an error"},
    {"read-error?", "test for the condition before it becomes an error"},
    {"file-error?", "test for the condition before it becomes an error"},
    {"eval", "write a procedure, or a macro with syntax-rules"},
    {"environment", "write a procedure, or a macro with syntax-rules"},
    {"interaction-environment", "write a procedure, or a macro with syntax-rules"},
    {"load", "use (include \"file.scm\")"},
    {"include-ci", "use (include \"file.scm\"), with #!fold-case in that file", true},
    {"delay", "use (lambda () ...) and call it", true},
    {"delay-force", "use (lambda () ...) and call it", true},
    {"make-promise", "use (lambda () ...) and call it"},
    {"force", "call the procedure that holds the computation"},
    {"promise?", "use (lambda () ...) and procedure?"},
    {"parameterize", "pass the value as an argument", true},
    {"make-parameter", "use a variable, or pass the value as an argument"},
    {"set-car!", "pairs are immutable: build a new list, or use a vector or a record"},
    {"set-cdr!", "pairs are immutable: build a new list, or use a vector or a record"},
    {"list-set!", "pairs are immutable: build a new list, or use a vector"},
    {"string-set!", "strings are immutable: build a new one with string-append or list->string"},
    {"string-fill!", "strings are immutable: build a new one with make-string"},
    {"string-copy!", "strings are immutable: build a new one with string-append and substring"},
    {"exact->inexact", "numbers are exact: keep the rational"},
    {"inexact->exact", "numbers are exact already"},
    {"inexact", "numbers are exact: keep the rational"},
    {"sqrt", "use exact-integer-sqrt"},
    {"exp", "numbers are exact: inexact functions are not in the language"},
    {"log", "numbers are exact: inexact functions are not in the language"},
    {"sin", "numbers are exact: inexact functions are not in the language"},
    {"cos", "numbers are exact: inexact functions are not in the language"},
    {"tan", "numbers are exact: inexact functions are not in the language"},
    {"atan", "numbers are exact: inexact functions are not in the language"},
    {"asin", "numbers are exact: inexact functions are not in the language"},
    {"acos", "numbers are exact: inexact functions are not in the language"},
    {"finite?", "numbers are exact: every number is finite"},
    {"infinite?", "numbers are exact: every number is finite"},
    {"nan?", "numbers are exact: every number is finite"},
    {"make-rectangular", "complex numbers are not in the language: keep the two parts"},
    {"make-polar", "complex numbers are not in the language: keep the two parts"},
    {"real-part", "complex numbers are not in the language: a number is its own real part"},
    {"imag-part", "complex numbers are not in the language: the imaginary part of a number is 0"},
    {"magnitude", "complex numbers are not in the language: use abs"},
    {"angle", "complex numbers are not in the language: use negative?"},
    {"open-input-file", "a model talks through its ports: use read and write"},
    {"open-output-file", "a model talks through its ports: use read and write"},
    {"open-input-string", "use the string procedures"},
    {"open-output-string", "build the string with string-append"},
    {"get-output-string", "build the string with string-append"},
    {"open-input-bytevector", "use the bytevector procedures"},
    {"open-output-bytevector", "build the bytevector with bytevector-append"},
    {"get-output-bytevector", "build the bytevector with bytevector-append"},
    {"open-binary-input-file", "a model talks through its ports: use read and write"},
    {"open-binary-output-file", "a model talks through its ports: use read and write"},
    {"call-with-port", "a model talks through its ports: use read and write"},
    {"call-with-input-file", "a model talks through its ports: use read and write"},
    {"call-with-output-file", "a model talks through its ports: use read and write"},
    {"with-input-from-file", "a model talks through its ports: use read and write"},
    {"with-output-to-file", "a model talks through its ports: use read and write"},
    {"close-port", "a model's ports are always open"},
    {"close-input-port", "a model's ports are always open"},
    {"close-output-port", "a model's ports are always open"},
    {"input-port-open?", "a model's ports are always open"},
    {"output-port-open?", "a model's ports are always open"},
    {"file-exists?", "a model talks through its ports: use read and write"},
    {"delete-file", "a model talks through its ports: use read and write"},
    {"read-string", "a model talks through its ports: use (read port)"},
    {"read-u8", "a model talks through its ports: use (read port)"},
    {"read-bytevector", "a model talks through its ports: use (read port)"},
    {"read-bytevector!", "a model talks through its ports: use (read port)"},
    {"peek-u8", "a model talks through its ports: use (read port)"},
    {"char-ready?", "a model talks through its ports: use (read port)"},
    {"u8-ready?", "a model talks through its ports: use (read port)"},
    {"eof-object", "a port of a model has no end: define a message for it"},
    {"eof-object?", "a port of a model has no end: define a message for it"},
    {"write-simple", "use display for debugging, (write port message) for output"},
    {"write-shared", "use display for debugging, (write port message) for output"},
    {"write-bytevector", "use display for debugging, (write port message) for output"},
    {"flush-output-port", "display always goes to standard output"},
    {"current-error-port", "display always goes to standard output"},
    {"input-port?", "ports are declared with define-port"},
    {"output-port?", "ports are declared with define-port"},
    {"textual-port?", "ports are declared with define-port"},
    {"binary-port?", "ports are declared with define-port"},
    {"read-line", "a model talks through its ports: use (read port)"},
    {"read-char", "a model talks through its ports: use (read port)"},
    {"peek-char", "a model talks through its ports: use (read port)"},
    {"write-string", "use display for debugging, (write port message) for output"},
    {"write-char", "use display for debugging, (write port message) for output"},
    {"write-u8", "use display for debugging, (write port message) for output"},
    {"current-output-port", "display always goes to standard output"},
    {"current-input-port", "a model talks through its ports: use (read port)"},
    {"exit", "a run ends when no thread is left; a machine ends in a (final) state"},
    {"emergency-exit", "a run ends when no thread is left; a machine ends in a (final) state"},
    {"current-second", "a model's time passes in its timers: use define-timer and after"},
    {"current-jiffy", "a model's time passes in its timers: use define-timer and after"},
    {"jiffies-per-second", "a model's time passes in its timers: use define-timer and after"},
    {"command-line", "what a model is told comes through its ports: use (read port)"},
    {"get-environment-variable", "what a model is told comes through its ports: use (read port)"},
    {"get-environment-variables", "what a model is told comes through its ports: use (read port)"},
    {"features", "write the code for this language only"},
    {"define-library", "put the definitions in a file of their own and (include \"file.scm\") it", true},
    {"cond-expand", "write the code for this language only", true},
    {"let*-syntax", "nest let-syntax", true},
    {"define-macro", "use define-syntax with syntax-rules", true},
};

constexpr std::string_view machine_words[] = {"state", "on", "entry", "locals", "initial", "final", "done", "ignores", "with"};
bool is_machine_word(std::string_view name) {
    return std::find(std::begin(machine_words), std::end(machine_words), name) != std::end(machine_words);
}

// But for upper and lower case.
bool same_letters(std::string_view a, std::string_view b) {
    auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

uint32_t edit_distance(std::string_view a, std::string_view b, uint32_t limit) {
    if (a.size() > b.size()) std::swap(a, b);
    if (b.size() - a.size() > limit) return limit + 1;
    std::vector<uint32_t> row(a.size() + 1), before(a.size() + 1), two(a.size() + 1);
    for (uint32_t i = 0; i <= a.size(); ++i) row[i] = i;
    for (uint32_t j = 1; j <= b.size(); ++j) {
        two = before;
        before = row;
        row[0] = j;
        for (uint32_t i = 1; i <= a.size(); ++i) {
            row[i] = std::min({before[i] + 1, row[i - 1] + 1, before[i - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[i] = std::min(row[i], two[i - 2] + 1);
        }
    }
    return row[a.size()];
}

}  // namespace

const Binding* Scope::find(Ident name) const {
    if (!many.empty()) {
        auto it = many.find(static_cast<uint32_t>(name));
        return it == many.end() ? nullptr : &it->second;
    }
    for (auto it = few.rbegin(); it != few.rend(); ++it) {
        if (it->first == name) return &it->second;
    }
    return nullptr;
}

void Scope::bind(Ident name, Binding binding) {
    if (many.empty()) {
        for (auto& [n, b] : few) {
            if (n == name) {
                b = binding;
                return;
            }
        }
        if (few.size() < 12) {
            few.emplace_back(name, binding);
            return;
        }
        for (auto& [n, b] : few) many.emplace(static_cast<uint32_t>(n), b);
        few.clear();
    }
    many[static_cast<uint32_t>(name)] = binding;
}

Expander::Expander(Sources& sources, Data& data, Diagnostics& diagnostics, Load load)
    : sources_(sources), data_(data), diagnostics_(diagnostics), load_(std::move(load)) {
    program_.literals = std::make_unique<Heap>(Heap::Lifetime::immortal);
    top_numbering_.scope = intern("top");
    base_ = new_scope(nullptr);
    inside_ = new_scope(base_);
    user_ = new_scope(base_);
    auto bind = [&](Scope* scope, std::string_view name, Binding b) { scope->bind(Ident{index(intern(name))}, b); };
    struct Named { Form form; std::string_view name; };
    static constexpr Named forms[] = {
#define FORM(id, name) {Form::id, name},
#include "lang/forms.def"
#undef FORM
    };
    for (const Named& f : forms) {
        bind(f.name[0] == '%' ? inside_ : base_, f.name, {Binding::Kind::form, static_cast<uint32_t>(f.form)});
    }
    for (size_t i = 0; i < prim_count; ++i) {
        const PrimInfo& p = info(static_cast<Prim>(i));
        Operator op{Operator::Kind::primitive, intern(p.name), p.arity, static_cast<Prim>(i), 0, 0, {}, GlobalId{UINT32_MAX}, {}, false};
        bind(p.name[0] == '%' ? inside_ : base_, p.name, {Binding::Kind::op, add_operator(std::move(op))});
    }
    for (const Absent& a : absent_names) {
        bind(base_, a.name, {Binding::Kind::absent, static_cast<uint32_t>(absents_.size())});
        absents_.push_back({a.instead, a.syntax});
    }
    // The default ports carry bare values.
    for (bool in : {true, false}) {
        bind(base_, in ? "in" : "out", {Binding::Kind::constant, static_cast<uint32_t>(constants_.size())});
        constants_.push_back(Value::port(PortId{static_cast<uint32_t>(program_.ports.size())}));
        program_.ports.push_back({intern(in ? "in" : "out"), {}, {}, {}, in, !in});
    }
}

Expander::~Expander() = default;

CoreProgram Expander::take() {
    return std::move(program_);
}

// ── Names ───────────────────────────────────────────────────────────────────────────────────────────────────────

Ident Expander::ident(DatumId d) const {
    const Datum& datum = data_[d];
    return Ident{datum.kind == DatumKind::alias ? datum.a | alias_bit : datum.a};
}

Symbol Expander::base_name(Ident name) const {
    while ((index(name) & alias_bit) != 0) name = aliases_[index(name) & ~alias_bit].base;
    return Symbol{index(name)};
}

bool Expander::named(DatumId d, std::string_view name) const {
    return is_identifier(d) && name_of(base_name(d)) == name;
}

Binding Expander::lookup(Ident name, const Scope* scope) const {
    while (true) {
        for (const Scope* s = scope; s != nullptr; s = s->parent) {
            if (const Binding* b = s->find(name)) {
                if (s == user_) used_names_.insert(index(name));
                return *b;
            }
        }
        if ((index(name) & alias_bit) == 0) return {};
        const Alias& alias = aliases_[index(name) & ~alias_bit];
        name = alias.base;
        scope = alias.scope;
    }
}

bool Expander::is_form(DatumId d, const Scope* scope, Form form) const {
    return is_identifier(d) && lookup(d, scope) == Binding{Binding::Kind::form, static_cast<uint32_t>(form)};
}

Scope* Expander::new_scope(Scope* parent) {
    scopes_.emplace_back();
    scopes_.back().parent = parent;
    return &scopes_.back();
}

LocalId Expander::new_local(DatumId name, bool generated) {
    LocalId id{static_cast<uint32_t>(program_.locals.size())};
    Local local;
    local.name = base_name(name);
    local.span = span(name);
    local.generated = generated || data_.is(name, DatumKind::alias);
    program_.locals.push_back(local);
    return id;
}

LocalId Expander::temporary(std::string_view name, Span span) {
    LocalId id{static_cast<uint32_t>(program_.locals.size())};
    Local local;
    local.name = intern(name);
    local.span = span;
    local.generated = true;
    program_.locals.push_back(local);
    return id;
}

GlobalId Expander::new_global(Symbol name, Span span, bool prelude) {
    GlobalId id{static_cast<uint32_t>(program_.globals.size())};
    program_.globals.push_back({name, span, prelude, false, no_lambda});
    program_.global_lambda.push_back(no_core);
    return id;
}

CoreId Expander::fail(Span span, std::string text, std::string hint) {
    std::string key = std::to_string(index(span.file)) + ":" + std::to_string(span.begin) + ":" + text;
    if (!gave_up_ && reported_.insert(std::move(key)).second) {
        Diagnostic& d = diagnostics_.error(span, std::move(text), std::move(hint));
        if (const Macro* m = macro_used_at(span)) {
            d.notes.push_back({Severity::note, m->span, "in the expansion of the macro `" + std::string(name_of(m->name)) + "`, defined here", {}, {}});
        }
    }
    return node(core::Const{Value::unbound()}, span);
}

const Macro* Expander::macro_used_at(Span span) const {
    const auto it = macro_uses_.find({index(span.file), span.begin});
    return it == macro_uses_.end() ? nullptr : it->second;
}

std::string Expander::suggest(std::string_view name, const Scope* scope,
                              const std::function<bool(const Binding&)>& wanted) const {
    const uint32_t limit = name.size() <= 2 ? 0 : name.size() <= 5 ? 1 : 2;
    uint32_t best = limit + 1;
    std::string found;
    auto consider = [&](Ident id, const Binding& b) {
        if ((index(id) & alias_bit) != 0 || !wanted(b)) return;
        std::string_view candidate = name_of(Symbol{index(id)});
        if (candidate == name || candidate[0] == '%') return;
        const uint32_t d = same_letters(name, candidate) ? 0 : edit_distance(name, candidate, limit);
        if (d < best || (d == best && candidate < found)) {
            best = d;
            found = candidate;
        }
    };
    for (const Scope* s = scope; s != nullptr; s = s->parent) {
        for (const auto& [id, b] : s->few) consider(id, b);
        for (const auto& [id, b] : s->many) consider(Ident{id}, b);
    }
    return found.empty() || best > limit ? std::string() : "did you mean `" + found + "`?";
}

std::string Expander::show(DatumId d) const {
    std::string text;
    if (is_identifier(d)) {
        text = name_of(base_name(d));
    } else {
        text = print_datum(data_, d);
    }
    if (text.size() > 40) {
        size_t cut = 37;
        while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
        text = text.substr(0, cut) + "...";
    }
    return text;
}

std::optional<std::vector<DatumId>> Expander::elements(DatumId d) const {
    std::vector<DatumId> out;
    while (data_.is_pair(d)) {
        out.push_back(data_.car(d));
        d = data_.cdr(d);
    }
    if (!data_.is_null(d)) return std::nullopt;
    return out;
}

std::optional<std::vector<DatumId>> Expander::list(DatumId d, std::string_view what) {
    auto out = elements(d);
    if (!out) fail(d, "expected " + std::string(what) + ", found `" + show(d) + "`");
    return out;
}

// A quoted datum as a value; never recurses, since data may be nested as deep as memory allows.
Value Expander::literal(DatumId root) {
    Heap& heap = *program_.literals;
    struct Step { DatumId datum; uint32_t build; };   // build: 0 visit, 1 make a pair, 2 make a vector
    std::vector<Step> work{{root, 0}};
    std::vector<Value> done;
    while (!work.empty()) {
        const Step step = work.back();
        work.pop_back();
        const Datum& d = data_[step.datum];
        if (step.build == 1) {
            const Value cdr = done.back();
            done.pop_back();
            done.back() = heap.cons(done.back(), cdr);
            continue;
        }
        if (step.build == 2) {
            const Value v = heap.vector(std::span<const Value>(done.data() + done.size() - d.b, d.b));
            done.resize(done.size() - d.b);
            done.push_back(v);
            continue;
        }
        switch (d.kind) {
            case DatumKind::null: done.push_back(Value::null()); break;
            case DatumKind::pair:
                work.push_back({step.datum, 1});
                work.push_back({data_.cdr(step.datum), 0});
                work.push_back({data_.car(step.datum), 0});
                break;
            case DatumKind::symbol: done.push_back(Value::symbol(Symbol{d.a})); break;
            case DatumKind::alias: done.push_back(Value::symbol(base_name(step.datum))); break;
            case DatumKind::boolean: done.push_back(Value::boolean(d.a != 0)); break;
            case DatumKind::integer: done.push_back(number::from_int64(heap, data_.integer(step.datum))); break;
            case DatumKind::number: done.push_back(number::from_text(heap, data_.text(step.datum))); break;
            case DatumKind::character: done.push_back(Value::character(static_cast<char32_t>(d.a))); break;
            case DatumKind::string: done.push_back(heap.string(data_.text(step.datum))); break;
            case DatumKind::bytevector: {
                const std::string& bytes = data_.text(step.datum);
                done.push_back(heap.bytevector({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}));
                break;
            }
            case DatumKind::vector: {
                work.push_back({step.datum, 2});
                auto items = data_.elements(step.datum);
                for (size_t i = items.size(); i-- > 0;) work.push_back({items[i], 0});
                break;
            }
        }
    }
    return done.back();
}

// ── Building core ───────────────────────────────────────────────────────────────────────────────────────────────

CoreId Expander::local_ref(LocalId local, Span span) {
    program_[local].referenced = true;
    return node(core::LocalRef{local}, span);
}

CoreId Expander::prim(Prim p, std::initializer_list<CoreId> args, Span span) {
    return node(core::PrimCall{p, program_.add_list(std::vector<CoreId>(args))}, span);
}

CoreId Expander::call(CoreId callee, std::initializer_list<CoreId> args, Span span) {
    return node(core::Call{callee, program_.add_list(std::vector<CoreId>(args)), false}, span);
}

CoreId Expander::seq(std::span<const CoreId> parts, Span span) {
    if (parts.empty()) return unspecified(span);
    if (parts.size() == 1) return parts[0];
    return node(core::Seq{program_.add_list(parts)}, span);
}

CoreId Expander::thunk(CoreId body, std::string_view name, Span span) {
    const auto first = static_cast<uint32_t>(program_.cases.size());
    program_.cases.push_back({{}, false, body, span});
    return node(core::Lambda{first, 1, intern(name), in_prelude_}, span);
}

uint32_t Expander::decide(const Context& ctx) {
    if (in_prelude_) return 0;
    program_.decisions.push_back({ctx.numbering->scope, ctx.numbering->next++});
    return static_cast<uint32_t>(program_.decisions.size());
}

CoreId Expander::leaf(CoreId value, const Context& ctx) {
    if (ctx.arrows == nullptr) return value;
    const Span at = program_[value].span;
    const CoreId stay = ctx.arrows->stay(at);
    if (std::holds_alternative<core::Const>(program_[value].kind)) return stay;
    const CoreId parts[] = {value, stay};
    return seq(parts, at);
}

// ── The walk ────────────────────────────────────────────────────────────────────────────────────────────────────

bool Expander::enter(Span span) {
    if (gave_up_) return false;
    if (depth_ > max_depth) {
        fail(span, macro_used_at(span) == nullptr ? "nested too deeply (more than 10,000 levels)" : "this macro use expands without end (more than 10,000 levels)");
        gave_up_ = true;
        return false;
    }
    if (data_.size() > data_limit_) {
        fail(span, "the expansion of macros is too large");
        gave_up_ = true;
        return false;
    }
    return true;
}

bool Expander::propagates_tail(Form form) const {
    switch (form) {
        case Form::if_: case Form::cond: case Form::case_: case Form::and_: case Form::or_: case Form::when:
        case Form::unless: case Form::let: case Form::let_star: case Form::letrec: case Form::letrec_star:
        case Form::let_values: case Form::let_star_values: case Form::begin: case Form::select: case Form::choose:
        case Form::let_syntax: case Form::letrec_syntax: case Form::to: return true;
        default: return false;
    }
}

CoreId Expander::expand(DatumId d, const Context& ctx) {
    if (!enter(span(d))) return unspecified(span(d));
    const DepthGuard guard(depth_);
    return expand_inner(d, ctx);
}

CoreId Expander::expand_inner(DatumId d, const Context& ctx) {
    switch (data_[d].kind) {
        case DatumKind::symbol:
        case DatumKind::alias: return leaf(expand_identifier(d, ctx), ctx);
        case DatumKind::null: return fail(d, "`()` is not an expression", "write '() for the empty list");
        case DatumKind::pair: break;
        default: return leaf(constant(literal(d), span(d)), ctx);
    }
    const DatumId head = data_.car(d);
    if (is_identifier(head)) {
        const Binding b = lookup(head, ctx.scope);
        // What cannot be an expression is not looked into.
        const bool machine_word = b.kind == Binding::Kind::none && (is_machine_word(name_of(base_name(head))) || named(head, "where"));
        if (machine_word || (b.kind == Binding::Kind::absent && absents_[b.id].syntax)) return expand_identifier(head, ctx);
        if (b.kind == Binding::Kind::form) {
            const Form form = static_cast<Form>(b.id);
            if (ctx.arrows == nullptr || propagates_tail(form)) return expand_form(form, d, ctx);
            return leaf(expand_form(form, d, ctx.not_tail()), ctx);
        }
        if (b.kind == Binding::Kind::macro) {
            return expand(expand_macro(macros_[b.id], d, ctx.scope), ctx);
        }
    }
    return leaf(expand_call(d, ctx.not_tail()), ctx);
}

CoreId Expander::expand_identifier(DatumId d, const Context& ctx) {
    const Binding b = lookup(d, ctx.scope);
    const std::string name(name_of(base_name(d)));
    switch (b.kind) {
        case Binding::Kind::local: return local_ref(LocalId{b.id}, span(d));
        case Binding::Kind::global:
            if (auto it = redefinitions_.find(b.id); it != redefinitions_.end() && !it->second.defined) it->second.used_before = true;
            return node(core::GlobalRef{GlobalId{b.id}}, span(d));
        case Binding::Kind::op: return operator_value(b.id, span(d));
        case Binding::Kind::constant: return constant(constants_[b.id], span(d));
        case Binding::Kind::form:
            return fail(d, "`" + name + "` is a form, not a value", "use it as (" + name + " ...)");
        case Binding::Kind::macro: return fail(d, "`" + name + "` is a macro, not a value");
        case Binding::Kind::type: return fail(d, "`" + name + "` is a type, not a value");
        case Binding::Kind::absent: return fail(d, "`" + name + "` is not in the language", absents_[b.id].instead);
        case Binding::Kind::none: break;
    }
    if (name == "where") return fail(d, "a clause has one `where`, directly after its trigger");
    if (is_machine_word(name)) {
        return fail(d, "`" + name + "` has a meaning only inside define-machine");
    }
    if (text_lost_) return node(core::Const{Value::unbound()}, span(d)); // its definition may be what could not be read
    return fail(d, "`" + name + "` is not defined", suggest(name, ctx.scope, [](const Binding& c) {
                    return c.kind == Binding::Kind::local || c.kind == Binding::Kind::global || c.kind == Binding::Kind::op ||
                           c.kind == Binding::Kind::constant || c.kind == Binding::Kind::form || c.kind == Binding::Kind::macro;
                }));
}

CoreId Expander::expand_sequence(std::span<const DatumId> forms, const Context& ctx, Span span) {
    std::vector<CoreId> parts;
    parts.reserve(forms.size());
    for (size_t i = 0; i < forms.size(); ++i) parts.push_back(expand(forms[i], i + 1 == forms.size() ? ctx : ctx.not_tail()));
    if (parts.empty()) return leaf(unspecified(span), ctx);
    return seq(parts, span);
}

CoreId Expander::expand_form(Form form, DatumId d, const Context& ctx) {
    const auto parts = list(d, "a form");
    if (!parts) return unspecified(span(d));
    const std::span<const DatumId> args(parts->data() + 1, parts->size() - 1);
    const std::string name(name_of(base_name(parts->front())));
    auto wrong = [&](const char* shape) { return fail(d, "malformed `" + name + "`", std::string("its shape is ") + shape); };
    auto one = [&](auto make) {
        return args.size() == 1 ? node(make(expand(args[0], ctx)), span(d)) : wrong(("(" + name + " expression)").c_str());
    };
    switch (form) {
        case Form::quote: return expand_quote(d, ctx);
        case Form::quasiquote: return args.size() == 1 ? expand_quasi(args[0], 1, ctx) : wrong("(quasiquote template)");
        case Form::lambda:
            if (args.size() < 2) return wrong("(lambda (parameter ...) body ...)");
            return expand_lambda(args[0], args.subspan(1), intern("lambda"), span(d), ctx);
        case Form::case_lambda: return expand_case_lambda(d, intern("lambda"), ctx);
        case Form::set: return expand_set(d, ctx);
        case Form::if_: return expand_if(d, ctx);
        case Form::cond: return expand_cond(d, ctx);
        case Form::case_: return expand_case(d, ctx);
        case Form::and_: return expand_and_or(d, true, ctx);
        case Form::or_: return expand_and_or(d, false, ctx);
        case Form::when: return expand_when_unless(d, true, ctx);
        case Form::unless: return expand_when_unless(d, false, ctx);
        case Form::let: case Form::let_star: case Form::letrec: case Form::letrec_star: return expand_let(d, form, ctx);
        case Form::let_values: return expand_let_values(d, false, ctx);
        case Form::let_star_values: return expand_let_values(d, true, ctx);
        case Form::do_: return expand_do(d, ctx);
        case Form::begin:
            if (args.empty()) return fail(d, "an empty `begin` is not an expression");
            return expand_sequence(args, ctx, span(d));
        case Form::let_syntax: return expand_let_syntax(d, false, ctx);
        case Form::letrec_syntax: return expand_let_syntax(d, true, ctx);
        case Form::syntax_error: {
            std::string text;
            for (DatumId a : args) {
                if (!text.empty()) text += ' ';
                text += data_.is(a, DatumKind::string) && text.empty() ? data_.text(a) : print_datum(data_, a);
            }
            return fail(d, text);
        }
        case Form::apply_list:
            if (args.size() != 2) return wrong("(%apply procedure list)");
            {
                const CoreId f = expand(args[0], ctx);
                const CoreId last = expand(args[1], ctx);
                return node(core::Call{f, program_.add_list(std::span<const CoreId>(&last, 1)), true}, span(d));
            }
        case Form::define: case Form::define_values: case Form::define_record_type: case Form::define_syntax:
            return fail(d, "a definition is not an expression", "definitions stand at the top level or at the start of a body");
        case Form::define_type: case Form::define_message: case Form::define_port:
            return fail(d, "`" + name + "` may stand only at the top level");
        case Form::define_channel: case Form::define_timer: case Form::define_machine:
            return fail(d, "a definition is not an expression", "definitions stand at the top level or at the start of a body");
        case Form::include: case Form::import: return fail(d, "`" + name + "` may stand only at the top level");
        case Form::read: return expand_read(d, ctx);
        case Form::write: return expand_write(d, ctx);
        case Form::choose: return expand_choose(d, ctx);
        case Form::fresh: return expand_fresh(d, ctx);
        case Form::any:
            if (!args.empty()) return wrong("(any)");
            return constant(Value::any(), span(d));
        case Form::type_values: return expand_type_values(d, ctx);
        case Form::assume: return one([](CoreId c) { return core::Assume{c}; });
        case Form::assert_: return one([](CoreId c) { return core::Assert{c}; });
        case Form::select: return expand_select(d, ctx);
        case Form::start:
            if (args.size() != 2) return wrong("(start timer delay)");
            {
                const CoreId timer = not_a_port(expand(args[0], ctx), "a timer", {});
                return node(core::StartTimer{timer, expand(args[1], ctx)}, span(d));
            }
        case Form::stop:
            if (args.size() != 1) return wrong("(stop timer)");
            return node(core::StopTimer{not_a_port(expand(args[0], ctx), "a timer", {})}, span(d));
        case Form::spawn: return expand_spawn(d, false, ctx);
        case Form::spawn_service: return expand_spawn(d, true, ctx);
        case Form::send:
            if (args.size() != 2) return wrong("(send channel value)");
            {
                const CoreId channel = not_a_port(expand(args[0], ctx), "a channel", "use (write " + show(args[0]) + " message)");
                return node(core::Send{channel, expand(args[1], ctx)}, span(d));
            }
        case Form::receive: return expand_receive(d, ctx);
        case Form::checkpoint: return expand_checkpoint(d, ctx);
        case Form::requirement: return expand_requirement(d, ctx);
        case Form::to: {
            if (ctx.arrows == nullptr) {
                return fail(d, "an arrow may stand only at the end of a machine's clause or in tail position of its action");
            }
            return ctx.arrows->arrow(args, span(d), ctx);
        }
        case Form::unquote: case Form::unquote_splicing: return fail(d, "`" + name + "` outside of a quasiquote");
        case Form::syntax_rules: return fail(d, "`syntax-rules` may stand only in define-syntax, let-syntax or letrec-syntax");
        case Form::else_: case Form::arrow: case Form::ellipsis: case Form::underscore:
            return fail(d, "`" + name + "` has no meaning here");
    }
    return unspecified(span(d));
}

// ── The top level ───────────────────────────────────────────────────────────────────────────────────────────────

void Expander::expand_prelude(std::span<const DatumId> forms) {
    in_prelude_ = true;
    for (DatumId form : forms) top_level(form, base_, true);
    for (auto& f : late_) f();
    late_.clear();
    defined_at_.clear();     // the author may define these names anew
    in_prelude_ = false;
}

void Expander::expand_model(std::span<const DatumId> forms) {
    data_limit_ = data_.size() + max_macro_data;
    text_lost_ = diagnostics_.has_errors();
    for (DatumId form : forms) top_level(form, user_, false);
    for (auto& f : declarations_) f();
    define_wheres();
    for (size_t i = 0; i < late_.size(); ++i) late_[i]();
    late_.clear();
    start_as_built_in();
    keep_used_prelude();
    if (!diagnostics_.has_errors()) warn_unused_declarations();
}

bool Expander::declare(DatumId name, Scope* scope, Binding binding) {
    const Ident id = ident(name);
    if (scope == user_ || scope == base_) {
        auto [it, fresh] = defined_at_.try_emplace(index(id), span(name));
        if (!fresh) {
            const std::string text = "`" + std::string(name_of(base_name(id))) + "` is defined twice";
            if (reported_.insert(std::to_string(span(name).begin) + text).second) {
                diagnostics_.error(span(name), text).notes.push_back({Severity::note, it->second, "first defined here", {}, {}});
            }
            return false;
        }
    }
    scope->bind(id, binding);
    return true;
}

GlobalId Expander::define_global(DatumId name, Scope* scope, bool prelude, std::function<CoreId(const Context&)> value) {
    const GlobalId id = new_global(base_name(name), span(name), prelude);
    declare(name, scope, {Binding::Kind::global, index(id)});
    if (!prelude && base_->find(ident(name)) != nullptr) redefinitions_.emplace(index(id), Redefinition{ident(name), false, false});
    late_.push_back([this, id, prelude, value = std::move(value), at = span(name)] {
        if (auto it = redefinitions_.find(index(id)); it != redefinitions_.end()) it->second.defined = true;
        Context ctx{prelude ? inside_ : user_, &top_numbering_, nullptr};
        const CoreId core = value(ctx);
        const CoreId definition = node(core::GlobalSet{id, core, true}, at);
        if (std::holds_alternative<core::Lambda>(program_[core].kind)) program_.global_lambda[index(id)] = core;
        if (prelude) {
            prelude_definitions_[index(id)] = definition;
            prelude_globals_.push_back(id);
        } else {
            program_.top.push_back(definition);
        }
    });
    return id;
}

void Expander::top_define(DatumId form, Scope* scope, bool prelude) {
    auto def = parse_define(form);
    if (!def) return;
    define_global(def->name, scope, prelude, [this, def = *def, form](const Context& ctx) {
        Numbering own{1, base_name(def.name)};
        const Symbol name = base_name(def.name);
        const Context inner{ctx.scope, &own, nullptr};
        if (def.procedure) return expand_lambda(def.params, def.body, name, span(form), inner);
        // A procedure's branches are counted within it, those of any other value with the top level's.
        const bool procedure = data_.is_pair(def.value) && (is_form(data_.car(def.value), ctx.scope, Form::lambda) || is_form(data_.car(def.value), ctx.scope, Form::case_lambda));
        return expand_named(def.value, name, procedure ? inner : ctx);
    });
}

void Expander::top_define_values(DatumId form, Scope* scope) {
    const auto parts = list(form, "a definition");
    if (!parts) return;
    std::vector<DatumId> names;
    bool rest = false;
    if (parts->size() != 3 || !parse_values_formals((*parts)[1], names, rest)) {
        fail(form, "malformed `define-values`", "its shape is (define-values (name ...) expression)");
        return;
    }
    std::vector<GlobalId> globals;
    for (DatumId n : names) {
        globals.push_back(new_global(base_name(n), span(n), false));
        declare(n, scope, {Binding::Kind::global, index(globals.back())});
    }
    late_.push_back([this, form, globals, rest, value = (*parts)[2]] {
        const Context ctx{user_, &top_numbering_, nullptr};
        const LocalId packed = temporary("values", span(form));
        const CoreId init = expand(value, ctx);
        std::vector<CoreId> sets;
        const auto count = static_cast<uint32_t>(globals.size());
        for (uint32_t i = 0; i < count; ++i) {
            sets.push_back(node(core::GlobalSet{globals[i], unpack(packed, i, count, rest, span(form)), true}, span(form)));
        }
        if (globals.empty()) sets.push_back(unpack(packed, 0, 0, rest, span(form)));
        program_.top.push_back(node(core::Let{program_.add_list(std::span<const LocalId>(&packed, 1)),
                                              program_.add_list(std::span<const CoreId>(&init, 1)), seq(sets, span(form))},
                                    span(form)));
    });
}

void Expander::include(DatumId form, Scope* scope) {
    const auto parts = list(form, "a form");
    if (!parts) return;
    for (size_t i = 1; i < parts->size(); ++i) {
        const DatumId name = (*parts)[i];
        if (!data_.is(name, DatumKind::string)) {
            fail(name, "`include` takes file names as strings");
            continue;
        }
        const auto file = load_(data_.text(name), span(name).file);
        if (!file) {
            fail(name, "cannot read the included file \"" + data_.text(name) + "\"");
            continue;
        }
        if (std::find(including_.begin(), including_.end(), *file) != including_.end() || *file == FileId{0}) {
            fail(name, "the file \"" + data_.text(name) + "\" includes itself");
            continue;
        }
        including_.push_back(*file);
        const size_t before = data_.size();
        const size_t errors = diagnostics_.error_count();
        const std::vector<DatumId> included = read_data(sources_, *file, data_, diagnostics_);
        data_limit_ += data_.size() - before;
        text_lost_ = text_lost_ || diagnostics_.error_count() > errors;
        for (DatumId d : included) top_level(d, scope, false);
        including_.pop_back();
    }
    if (parts->size() < 2) fail(form, "malformed `include`", "its shape is (include \"relative/path.scm\")");
}

void Expander::top_level(DatumId original, Scope* scope, bool prelude) {
    if (!enter(span(original))) return;
    ++depth_;
    const DatumId form = expand_macro_head(original, scope);
    Form head = Form::quote;
    if (data_.is_pair(form) && is_identifier(data_.car(form))) {
        const Binding b = lookup(data_.car(form), scope);
        if (b.kind == Binding::Kind::form) head = static_cast<Form>(b.id);
    }
    auto definition = [&](auto make) {   // (form name extra…): a global with a value of its own
        const auto parts = list(form, "a definition");
        if (!parts || parts->size() < 2 || !is_identifier((*parts)[1])) {
            fail(form, "malformed `" + show(data_.car(form)) + "`", "its shape is (" + show(data_.car(form)) + " name)");
            return;
        }
        make(*parts);
    };
    switch (head) {
        case Form::begin:
            if (auto parts = list(form, "a form")) {
                for (size_t i = 1; i < parts->size(); ++i) top_level((*parts)[i], scope, prelude);
            }
            break;
        case Form::include: include(form, scope); break;
        case Form::import: break;   // an R7RS program's imports: everything is here already
        case Form::define: top_define(form, scope, prelude); break;
        case Form::define_values: top_define_values(form, scope); break;
        case Form::define_record_type: define_record(form, scope); break;
        case Form::define_syntax: define_syntax(form, scope); break;
        case Form::define_type: define_type(form, scope); break;
        case Form::define_message: define_message(form, scope); break;
        case Form::define_port: define_port(form, scope); break;
        case Form::define_channel:
            definition([&](const std::vector<DatumId>& parts) {
                if (parts.size() != 2) fail(form, "malformed `define-channel`", "its shape is (define-channel name)");
                define_global(parts[1], scope, false, [this, form](const Context&) { return prim(Prim::make_channel, {}, span(form)); });
            });
            break;
        case Form::define_timer:
            definition([&](const std::vector<DatumId>& parts) {
                const bool early = parts.size() == 3 && named(parts[2], "early");
                if (parts.size() != 2 && !early) fail(form, "malformed `define-timer`", "its shape is (define-timer name) or (define-timer name early)");
                define_global(parts[1], scope, false, [this, form, early](const Context&) {
                    return prim(early ? Prim::make_early_timer : Prim::make_timer, {}, span(form));
                });
            });
            break;
        case Form::define_machine: {
            const auto parts = elements(form);
            if (!parts || parts->size() < 2 || !data_.is_pair((*parts)[1]) || !is_identifier(data_.car((*parts)[1]))) {
                fail(form, "malformed `define-machine`", "its shape is (define-machine (name parameter ...) (state ...) ...)");
                break;
            }
            define_global(data_.car((*parts)[1]), scope, false, [this, form](const Context& ctx) { return expand_machine(form, ctx); });
            break;
        }
        default:
            late_.push_back([this, form, scope] {
                program_.top.push_back(expand(form, {scope, &top_numbering_, nullptr}));
            });
    }
    --depth_;
}

// Types, messages, ports, records and macros that nothing refers to; variables are checked later, on the core forms.
void Expander::warn_unused_declarations() {
    std::vector<bool> message_used(program_.messages.size(), false), record_used(program_.records.size(), false);
    for (const auto& [name, at] : defined_at_) {
        const Binding b = *user_->find(Ident{name});
        if (b.kind != Binding::Kind::op || !used_names_.contains(name)) continue;
        const Operator& op = operators_[b.id];
        const bool message = op.kind == Operator::Kind::make_message || op.kind == Operator::Kind::message_ref || op.kind == Operator::Kind::message_is;
        (message ? message_used : record_used)[op.which] = true;
    }
    auto warn = [&](Span at, std::string_view name) { diagnostics_.warning(at, "`" + std::string(name) + "` is defined but never used"); };
    for (const auto& [name, at] : defined_at_) {
        if ((name & alias_bit) != 0 || used_names_.contains(name)) continue;
        const Binding b = *user_->find(Ident{name});
        const std::string_view text = name_of(Symbol{name});
        if (b.kind == Binding::Kind::type) warn(at, text);
        if (b.kind == Binding::Kind::macro) warn(at, text);
        if (b.kind == Binding::Kind::constant && constants_[b.id].is_port()) warn(at, text);
    }
    for (size_t m = 0; m < message_used.size(); ++m) {
        if (!message_used[m]) warn(program_.messages[m].span, name_of(program_.messages[m].name));
    }
    for (size_t r = 0; r < record_used.size(); ++r) {
        if (!record_used[r] && local_records_.count(static_cast<uint32_t>(r)) == 0) warn(program_.records[r].span, name_of(program_.records[r].name));
    }
}

// (define old-abs abs) (define (abs x) … (old-abs x) …): what stands above a new definition of a built-in name sees the
// built-in one. So where there is such a use, the name starts out as the built-in procedure and is assigned later.
void Expander::start_as_built_in() {
    for (const auto& [global, r] : redefinitions_) {
        if (!r.used_before) continue;
        const Binding b = *base_->find(r.name);
        const Span at = program_.globals[global].span;
        CoreId value = no_core;
        if (b.kind == Binding::Kind::global) value = node(core::GlobalRef{GlobalId{b.id}}, at);
        if (b.kind == Binding::Kind::op) value = operator_value(b.id, at);
        if (b.kind == Binding::Kind::constant) value = constant(constants_[b.id], at);
        if (value == no_core) continue;
        program_.globals[global].assigned = true;
        program_.top.insert(program_.top.begin(), node(core::GlobalSet{GlobalId{global}, value, true}, at));
    }
}

// What the model does not use of the prelude is not compiled.
void Expander::keep_used_prelude() {
    std::vector<CoreId> work = program_.top;
    std::unordered_set<uint32_t> wanted;
    auto want = [&](GlobalId g) {
        auto it = prelude_definitions_.find(index(g));
        if (it == prelude_definitions_.end() || !wanted.insert(index(g)).second) return;
        work.push_back(it->second);
    };
    while (!work.empty()) {
        const CoreId id = work.back();
        work.pop_back();
        if (const auto* ref = std::get_if<core::GlobalRef>(&program_[id].kind)) want(ref->global);
        for_each_child(program_, id, [&](CoreId child) { work.push_back(child); });
    }
    for (GlobalId g : prelude_globals_) {
        if (wanted.contains(index(g))) program_.prelude.push_back(prelude_definitions_[index(g)]);
    }
}

}  // namespace espalier
