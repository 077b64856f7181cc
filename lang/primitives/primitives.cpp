// The table of primitives, built from primitives.def: one without a meaning does not link.
#include "lang/primitives/primitives.hpp"

#include "lang/values/number.hpp"

namespace espalier {

const PrimInfo& info(Prim prim) {
    static constexpr PrimInfo infos[] = {
#define PRIMITIVE(id, name, arity, effect) {name, arity, Effect::effect},
#include "lang/ir/primitives.def"
#undef PRIMITIVE
    };
    return infos[static_cast<size_t>(prim)];
}

std::string author_name(Prim prim) {
    if (prim == Prim::string_concatenate) return "string-append";
    if (prim == Prim::isqrt) return "exact-integer-sqrt";
    const std::string_view name = info(prim).name;
    return std::string(name[0] == '%' ? name.substr(1) : name);
}

PrimFunction concrete(Prim prim) {
    static constexpr PrimFunction functions[] = {
#define PRIMITIVE(id, name, arity, effect) concrete_##id,
#include "lang/ir/primitives.def"
#undef PRIMITIVE
    };
    return functions[static_cast<size_t>(prim)];
}

void fail(std::string_view operation, const std::string& text) {
    throw PrimitiveError(std::string(operation) + ": " + text);
}

void fail_operand(const PrimContext& context, std::string_view operation, Value v, std::string_view wanted) {
    throw PrimitiveError(wrong_operand(&context.program, operation, v, wanted));
}

uint32_t need_index(const PrimContext& context, Value v, uint32_t length, std::string_view operation,
                    std::string_view of) {
    if (!number::is_integer(v)) fail_operand(context, operation, v, "an index");
    if (!v.is_fixnum() || v.as_fixnum() < 0 || v.as_fixnum() >= length) {
        fail(operation, "index " + number::to_text(v) + " is out of range for " + std::string(of) + " of length " +
                            std::to_string(length));
    }
    return static_cast<uint32_t>(v.as_fixnum());
}

uint32_t need_count(const PrimContext& context, Value v, uint32_t most, std::string_view operation) {
    if (!number::is_integer(v) || number::compare(v, Value::fixnum(0), "<") < 0) {
        fail_operand(context, operation, v, "a length");
    }
    if (!v.is_fixnum() || v.as_fixnum() > most) fail(operation, "a length of " + number::to_text(v) + " is too much");
    return static_cast<uint32_t>(v.as_fixnum());
}

void need_range(const PrimContext& context, Value start, Value end, uint32_t length, std::string_view operation,
                std::string_view of) {
    if (!number::is_integer(start)) fail_operand(context, operation, start, "an index");
    if (!number::is_integer(end)) fail_operand(context, operation, end, "an index");
    if (!start.is_fixnum() || !end.is_fixnum() || start.as_fixnum() < 0 || start.as_fixnum() > end.as_fixnum() ||
        end.as_fixnum() > length) {
        fail(operation, "the range from " + number::to_text(start) + " to " + number::to_text(end) + " is not within " +
                            std::string(of) + " of length " + std::to_string(length));
    }
}

} // namespace espalier
