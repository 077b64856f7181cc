// The forms of modelling that are no waits: writing, choosing, threads, timers, and the marks that the search must
// reach.
#pragma once

#include "lang/expand/part.hpp"

namespace espalier {

class ModelForms : Part {
public:
    explicit ModelForms(Expansion& all) : Part(all) {}

    CoreId expand(Form form, DatumId d, const Context& ctx); // of FormGroup::model

private:
    using Parts = std::span<const DatumId>; // (form operand …)
    CoreId wrong(DatumId d, const std::string& shape);
    CoreId expand_condition(Form form, DatumId d, Parts args, const Context& ctx); // assume, assert
    CoreId expand_timer(Form form, DatumId d, Parts args, const Context& ctx);     // start, stop
    CoreId expand_send(DatumId d, Parts args, const Context& ctx);
    CoreId expand_spawn(DatumId d, Parts parts, bool service, const Context& ctx);
    CoreId expand_choose(DatumId d, Parts parts, const Context& ctx);
    CoreId expand_fresh(DatumId d, Parts parts, const Context& ctx);
    CoreId expand_type_values(DatumId d, Parts parts, const Context& ctx);
    CoreId expand_write(DatumId d, Parts parts, const Context& ctx);
    CoreId checked_write(DatumId d, Parts parts, CoreId port, CoreId value);
    CoreId expand_checkpoint(DatumId d, Parts parts);
    std::string checkpoint_name(Parts words);
    CoreId expand_requirement(DatumId d, Parts parts);
};

} // namespace espalier
