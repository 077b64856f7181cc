// One expansion: what the parts of the expander share, and the parts themselves. A part reaches another through it,
// since forms stand inside forms of every other kind.
#pragma once

#include "lang/expand/binding_forms.hpp"
#include "lang/expand/bodies.hpp"
#include "lang/expand/calls.hpp"
#include "lang/expand/includes.hpp"
#include "lang/expand/macros.hpp"
#include "lang/expand/messages.hpp"
#include "lang/expand/model_forms.hpp"
#include "lang/expand/ports.hpp"
#include "lang/expand/prelude_definitions.hpp"
#include "lang/expand/records.hpp"
#include "lang/expand/scheme_forms.hpp"
#include "lang/expand/top_level.hpp"
#include "lang/expand/triggers.hpp"
#include "lang/expand/type_forms.hpp"
#include "lang/expand/waits.hpp"
#include "lang/expand/walk.hpp"
#include "lang/expand/wheres.hpp"
#include "lang/names/core_builder.hpp"
#include "lang/names/growth.hpp"
#include "lang/names/names.hpp"
#include "lang/names/reports.hpp"
#include "lang/names/syntax.hpp"

namespace espalier {

struct Expansion {
    Expansion(Sources& sources, Data& data, Diagnostics& diagnostics, Includes::Load load, Growth::Bounds bounds);
    Expansion(const Expansion&) = delete; // the parts know where it is
    Expansion& operator=(const Expansion&) = delete;

    Sources& sources;
    Data& data;
    Diagnostics& diagnostics;
    CoreProgram program;
    Syntax syntax;
    Reports reports;
    Names names;
    Growth growth;
    CoreBuilder core;
    PreludeDefinitions prelude;

    TopLevel top_level;
    Includes includes;
    Walk walk;
    Macros macros;
    SchemeForms scheme;
    BindingForms binding;
    Bodies bodies;
    Calls calls;
    Records records;
    TypeForms types;
    Messages messages;
    Ports ports;
    Wheres wheres;
    ModelForms model;
    Waits waits;
    Triggers triggers;
};

} // namespace espalier
