// What names mean: the scopes, and the tables that their bindings point into.
//
// Hygiene is by renaming: a symbol that a macro's template inserts becomes an alias, an identifier that is found first
// where it was bound, if some binding form of the expansion bound it, and else where the macro was defined.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lang/ir/core.hpp"
#include "lang/names/scope.hpp"
#include "lang/read/datum.hpp"

namespace espalier {

class Reports;
class Syntax;

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
    std::vector<uint32_t> order = {}; // make_record: parameter i is field order[i]
    GlobalId value{UINT32_MAX};       // its procedure, made when first used as a value
    Span span = {};

    bool of_message() const {
        return kind == Kind::make_message || kind == Kind::message_ref || kind == Kind::message_is;
    }
};

// A name that R7RS has and the language does not.
struct AbsentName {
    std::string instead;
    bool syntax; // its operands are not expressions
};

class Names {
public:
    // The base scope has the forms, the primitives and the absent names.
    Names(Syntax& syntax, Reports& reports, Diagnostics& diagnostics);

    Scope* base() { return base_; }     // forms, primitives, prelude procedures
    Scope* inside() { return inside_; } // what only the prelude sees
    Scope* user() { return user_; }     // the author's top level
    Scope* new_scope(Scope* parent);    // an inner one

    Binding lookup(Ident name, const Scope* scope) const;
    Binding lookup(DatumId d, const Scope* scope) const;
    bool is_form(DatumId d, const Scope* scope, Form form) const;
    std::optional<Form> head_form(const Data& data, DatumId d, const Scope* scope) const; // (form …)
    bool is_message(const Binding& b) const;                                              // the name of a message
    bool declare(DatumId name, Scope* scope, Binding binding); // false: it is there already, which was said
    std::string suggest(std::string_view name, const Scope* scope,
                        const std::function<bool(const Binding&)>& wanted) const; // a hint, or nothing

    // The tables: each `add` gives the binding of the new entry.
    Operator& op(uint32_t id) { return operators_[id]; }
    const Operator& op(uint32_t id) const { return operators_[id]; }
    Binding add(Operator op);
    Macro& macro(uint32_t id) { return macros_[id]; }
    Binding add(Macro macro);
    Value value(uint32_t id) const { return constants_[id]; }
    Binding add(Value constant);
    const AbsentName& absent(uint32_t id) const { return absents_[id]; }

    // The reader left something out: a name that is not there may stand in it.
    bool text_lost() const { return text_lost_; }
    void lose_text() { text_lost_ = true; }

    // The top level's names and their places, and those among them that were looked up.
    const std::unordered_map<uint32_t, Span>& defined_at() const { return defined_at_; }
    bool was_used(uint32_t name) const { return used_names_.contains(name); }
    void begin_model() { defined_at_.clear(); } // the author may define the prelude's names anew

private:
    Scope* top_scope(Scope* parent);

    Syntax& syntax_;
    Reports& reports_;
    Diagnostics& diagnostics_;
    std::deque<Scope> scopes_;
    std::unordered_set<uint32_t> inner_names_; // bound by some inner scope
    std::deque<Macro> macros_;
    std::vector<Operator> operators_;
    std::vector<Value> constants_;
    std::vector<AbsentName> absents_;
    Scope* base_ = nullptr;
    Scope* inside_ = nullptr;
    Scope* user_ = nullptr;
    std::unordered_map<uint32_t, Span> defined_at_;
    mutable std::unordered_set<uint32_t> used_names_;
    bool text_lost_ = false;
};

} // namespace espalier
