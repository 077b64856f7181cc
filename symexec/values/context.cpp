#include "symexec/values/context.hpp"

namespace espalier::sym {

std::string describe(const Program& program, const State& s, Value v) {
    if (v.is_term()) return "an input value";
    if (!v.is_address()) return to_text(&program, v, Style::write, 200);
    switch (kind_of(s.store.get(v.payload()))) {
    case Kind::vector: return "a vector";
    case Kind::bytevector: return "a bytevector";
    case Kind::record: return "a record";
    case Kind::channel: return "a channel";
    case Kind::timer: return "a timer";
    case Kind::table: return "a hash table";
    }
    return {};
}

} // namespace espalier::sym
