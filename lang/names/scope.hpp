// Identifiers, what they may be bound to, and scopes: tables from the one to the other, each inside its parent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace espalier {

// An identifier: a symbol, or with the high bit set an alias.
enum class Ident : uint32_t {};
inline constexpr uint32_t alias_bit = 0x80000000U;

enum class Form : uint8_t {
#define FORM(id, name, group) id,
#include "lang/names/forms.def"
#undef FORM
};

// Which part of the expander a form belongs to.
enum class FormGroup : uint8_t { scheme, binding, definition, top_level, model, wait, arrow, auxiliary };
FormGroup group_of(Form form);

// What an identifier means.
struct Binding {
    enum class Kind : uint8_t { none, form, macro, local, global, op, constant, type, absent };
    Kind kind = Kind::none;
    uint32_t id = 0; // of the Form, macro, Local, Global, Operator, constant, Type, absent text
    friend bool operator==(const Binding&, const Binding&) = default;
};

struct Scope {
    Scope* parent = nullptr;
    const Scope* top = this;                       // the first on the way out that is no inner scope
    std::unordered_set<uint32_t>* inner = nullptr; // of an inner scope: the names that any inner scope binds
    std::vector<std::pair<Ident, Binding>> few;
    std::unordered_map<uint32_t, Binding> many; // instead, from a dozen on

    const Binding* find(Ident name) const;
    void bind(Ident name, Binding binding); // replaces
    // Where the search for a name may begin. The name of a form is bound by no inner scope: looked for from scope to
    // scope, it would take as long as the text is deep, at every level of it.
    const Scope* first_for(Ident name) const;
};

// A symbol that a macro's template inserted. It is found first where the expansion bound it, and else where the macro
// was defined.
struct Alias {
    Ident base;
    Scope* scope; // where the macro was defined
};

} // namespace espalier
