// The expander: data to core forms. It is made of parts, each of which knows some of the forms:
//   top_level, includes           the top level
//   walk                          what a datum is, and which part expands it
//   macros, pattern, template     syntax-rules
//   scheme_forms, quasiquote      procedures, conditionals, quotation
//   binding_forms, bodies         what binds and assigns names, bodies and their definitions
//   calls                         calls; which of them become primitives
//   records, type_forms, messages, ports, wheres      declarations
//   model_forms, waits, triggers  writes, marks, waits
//   machine_form, machine_reader, machine_expander   machines
// What they share is an `Expansion`:
//   syntax, names, scope          data, and what the names in them mean
//   reports, growth               errors, and the limits of an expansion
//   core_builder, context         core forms, and where an expression stands
#pragma once

#include <memory>

#include "lang/expand/includes.hpp"
#include "lang/names/growth.hpp"

namespace espalier {

class Expander {
public:
    Expander(Sources& sources, Data& data, Diagnostics& diagnostics, Includes::Load load, Growth::Bounds bounds);
    ~Expander();

    void expand_prelude(std::span<const DatumId> forms); // first, if at all
    void expand_model(std::span<const DatumId> forms);
    CoreProgram take();

private:
    const std::unique_ptr<Expansion> expansion_;
};

} // namespace espalier
