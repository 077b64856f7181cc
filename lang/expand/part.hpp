// A part of the expander: a class that knows some of the forms. The parts share one expansion, in which each finds the
// others, and have what they use most at hand.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lang/ir/core.hpp"
#include "lang/names/context.hpp"
#include "lang/read/datum.hpp"

namespace espalier {

class CoreBuilder;
class Growth;
class Names;
class Reports;
class Syntax;
struct Expansion;

class Part {
protected:
    explicit Part(Expansion& all);

    Expansion& all_;
    Data& data_;
    Diagnostics& diagnostics_;
    CoreProgram& program_;
    Syntax& syntax_;
    Names& names_;
    Reports& reports_;
    Growth& growth_;
    CoreBuilder& core_;
};

} // namespace espalier
