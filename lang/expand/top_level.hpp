// The top level is expanded in two passes: the first declares every name that a definition (or a macro that expands
// into one) introduces, the second expands what stands behind the names. So a procedure may call one that is defined
// below it, and a message may contain one that is declared later.
#pragma once

#include <functional>
#include <map>

#include "lang/expand/part.hpp"

namespace espalier {

class TopLevel : Part {
public:
    explicit TopLevel(Expansion& all);

    void expand_prelude(std::span<const DatumId> forms);
    void expand_model(std::span<const DatumId> forms);
    void declare(DatumId form, Scope* scope, bool prelude); // the first pass over one form

    // Done between the passes, when all names are known: types and fields.
    void when_declared(std::function<void()> todo) { declarations_.push_back(std::move(todo)); }
    void note_use(GlobalId global);

private:
    using MakeValue = std::function<CoreId(const Context&)>;
    void declare_definition(Form form, DatumId d, Scope* scope, bool prelude);
    void define(DatumId d, Scope* scope, bool prelude);
    void define_values(DatumId d, Scope* scope);
    void set_values(DatumId d, DatumId value, std::span<const GlobalId> globals, bool rest);
    void define_channel(DatumId d, Scope* scope);
    void define_timer(DatumId d, Scope* scope);
    std::optional<std::vector<DatumId>> named_parts(DatumId d); // (form name extra …)
    void define_global(DatumId name, Scope* scope, bool prelude, MakeValue value);
    void set_global(GlobalId id, bool prelude, const MakeValue& value, Span span);
    void start_as_built_in();
    void warn_unused();
    void warn_unused_groups();

    // A global of the author's that hides a built-in name.
    struct Redefinition {
        Ident name;
        bool defined;
        bool used_before;
    };
    std::map<uint32_t, Redefinition> redefinitions_; // by global
    std::vector<std::function<void()>> declarations_;
    std::vector<std::function<void()>> late_; // the second pass
    Numbering numbering_;
};

} // namespace espalier
