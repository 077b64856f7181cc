// The forms of Scheme that bind no names but a procedure's parameters (language manual, "Scheme core"): quotation,
// procedures, conditionals, sequences.
#pragma once

#include "lang/expand/part.hpp"

namespace espalier {

class SchemeForms : Part {
public:
    explicit SchemeForms(Expansion& all) : Part(all) {}

    CoreId expand(Form form, DatumId d, const Context& ctx); // of FormGroup::scheme
    CoreId expand_lambda(DatumId params, std::span<const DatumId> body, Symbol name, Span span, const Context& ctx);
    CoreId expand_named(DatumId d, Symbol name, const Context& ctx); // an initial value: a lambda takes the name

private:
    CoreId expand_quote(DatumId d);
    CoreId expand_syntax_error(DatumId d, std::span<const DatumId> args);
    CoreId expand_apply_list(DatumId d, std::span<const DatumId> args, const Context& ctx);
    bool lambda_case(DatumId params, std::span<const DatumId> body, Span span, const Context& ctx, LambdaCase& out);
    bool bind_parameters(DatumId params, Scope* scope, LambdaCase& out);
    CoreId expand_case_lambda(DatumId d, Symbol name, const Context& ctx);

    // conditionals.cpp
    CoreId expand_if(DatumId d, const Context& ctx);
    CoreId expand_cond(DatumId d, const Context& ctx);
    CoreId expand_case(DatumId d, const Context& ctx);
    CoreId case_test(LocalId key, std::span<const DatumId> data, Span span);
    void warn_of_case_data(DatumId clause, const std::vector<DatumId>& data);
    CoreId expand_and_or(DatumId d, bool conjunction, const Context& ctx);
    CoreId expand_when_unless(DatumId d, bool positive, const Context& ctx);
};

} // namespace espalier
