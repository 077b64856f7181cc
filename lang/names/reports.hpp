// What is wrong with the model, said once for each place, with a note where the place is a macro's use.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "lang/ir/core.hpp"
#include "lang/read/datum.hpp"

namespace espalier {

struct Macro;
class Syntax;

class Reports {
public:
    Reports(Syntax& syntax, CoreProgram& program, Diagnostics& diagnostics)
        : syntax_(syntax), program_(program), diagnostics_(diagnostics) {}

    // An error, and the core form that stands for what could not be expanded.
    CoreId fail(Span span, std::string text, std::string hint = {});
    CoreId fail(DatumId d, std::string text, std::string hint = {});
    bool failed(CoreId id) const; // it is such a core form
    // A proper list's elements; otherwise an error, which says what was expected.
    std::optional<std::vector<DatumId>> list(DatumId d, std::string_view what);

    // The last error: nested too deeply or grown too large, nothing more is expanded.
    CoreId give_up(Span span, std::string text);
    bool gave_up() const { return gave_up_; }

    // True the first time. A clause that is expanded for several states has its mistakes said once.
    bool first_time(Span place, std::string_view text);

    void note_macro_use(Span place, const Macro& macro);
    const Macro* macro_used_at(Span place) const;

private:
    Syntax& syntax_;
    CoreProgram& program_;
    Diagnostics& diagnostics_;
    std::unordered_set<std::string> reported_;
    std::map<std::pair<uint32_t, uint32_t>, const Macro*>
        macro_uses_; // by file and place: what a template inserts stands there
    bool gave_up_ = false;
};

} // namespace espalier
