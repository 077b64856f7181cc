// Scopes and names, errors and suggestions, literals, and the small pieces that core forms are built of.
#include "lang/expand/expander.hpp"

#include <algorithm>

#include "lang/expand/absent.hpp"
#include "lang/values/equality.hpp"
#include "lang/values/number.hpp"

namespace espalier {

namespace {

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
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[i] = std::min(row[i], two[i - 2] + 1);
        }
    }
    return row[a.size()];
}

} // namespace

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

Expander::Expander(Sources& sources, Data& data, Diagnostics& diagnostics, Load load, Bounds bounds)
    : sources_(sources), data_(data), diagnostics_(diagnostics), load_(std::move(load)), bounds_(bounds) {
    program_.literals = std::make_unique<Heap>(Heap::Lifetime::immortal);
    top_numbering_.scope = intern("top");
    base_ = new_scope(nullptr);
    inside_ = new_scope(base_);
    user_ = new_scope(base_);
    auto bind = [&](Scope* scope, std::string_view name, Binding b) { scope->bind(Ident{index(intern(name))}, b); };
    struct Named {
        Form form;
        std::string_view name;
    };
    static constexpr Named forms[] = {
#define FORM(id, name) {Form::id, name},
#include "lang/expand/forms.def"
#undef FORM
    };
    for (const Named& f : forms) {
        bind(f.name[0] == '%' ? inside_ : base_, f.name, {Binding::Kind::form, static_cast<uint32_t>(f.form)});
    }
    for (size_t i = 0; i < prim_count; ++i) {
        const PrimInfo& p = info(static_cast<Prim>(i));
        Operator op{Operator::Kind::primitive,
                    intern(p.name),
                    p.arity,
                    static_cast<Prim>(i),
                    0,
                    0,
                    {},
                    GlobalId{UINT32_MAX},
                    {},
                    false};
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

CoreProgram Expander::take() { return std::move(program_); }

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
            d.notes.push_back({Severity::note,
                               m->span,
                               "in the expansion of the macro `" + std::string(name_of(m->name)) + "`, defined here",
                               {},
                               {}});
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
    struct Step {
        DatumId datum;
        uint32_t build;
    }; // build: 0 visit, 1 make a pair, 2 make a vector
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

void Counters::advance_to(const Counters& other) {
    decisions = std::max(decisions, other.decisions);
    comparisons = std::max(comparisons, other.comparisons);
    errors = std::max(errors, other.errors);
    procedures = std::max(procedures, other.procedures);
}

uint32_t Expander::decide(const Context& ctx) {
    if (in_prelude_) return 0;
    program_.decisions.push_back({ctx.numbering->scope, ctx.numbering->next.decisions++});
    return static_cast<uint32_t>(program_.decisions.size());
}

uint32_t Expander::error_site(const Context& ctx) {
    if (in_prelude_) return 0;
    program_.sites.push_back({Site::Kind::error, ctx.numbering->scope, ctx.numbering->next.errors++});
    return static_cast<uint32_t>(program_.sites.size());
}

uint32_t Expander::procedure_name(Symbol name, const Context& ctx) {
    if (in_prelude_) return 0;
    const bool own = !ctx.numbering->named;
    ctx.numbering->named = true;
    program_.procedures.push_back({ctx.numbering->scope, name, own ? 0 : ctx.numbering->next.procedures++});
    return static_cast<uint32_t>(program_.procedures.size());
}

// Only a call of the author's makes these nodes, so whatever it was expanded into counts for that call.
void Expander::number_sites(size_t first, const Context& ctx) {
    if (in_prelude_) return;
    for (size_t i = first; i < program_.nodes.size(); ++i) {
        auto* p = std::get_if<core::PrimCall>(&program_.nodes[i].kind);
        if (p == nullptr) continue;
        if (p->prim == Prim::error) p->site = error_site(ctx);
        if (p->prim < Prim::num_eq || p->prim > Prim::ge) continue;
        const auto* left = std::get_if<core::PrimCall>(&program_[program_.children[p->args.first]].kind);
        if (left != nullptr && left->prim == Prim::char_to_integer) continue; // compares characters
        program_.sites.push_back({Site::Kind::comparison, ctx.numbering->scope, ctx.numbering->next.comparisons++});
        p->site = static_cast<uint32_t>(program_.sites.size());
    }
}

CoreId Expander::leaf(CoreId value, const Context& ctx) {
    if (ctx.arrows == nullptr) return value;
    const Span at = program_[value].span;
    const CoreId stay = ctx.arrows->stay(at);
    if (std::holds_alternative<core::Const>(program_[value].kind)) return stay;
    const CoreId parts[] = {value, stay};
    return seq(parts, at);
}

} // namespace espalier
