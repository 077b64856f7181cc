#include "flowanalysis/shape/operands.hpp"

namespace espalier::flow {

bool is_test(const OpKind& kind) {
    const auto* o = std::get_if<op::Primitive>(&kind);
    if (o == nullptr) return std::holds_alternative<op::RecordIs>(kind) || std::holds_alternative<op::MessageIs>(kind);
    return (o->prim >= Prim::eq && o->prim <= Prim::is_integer) || (o->prim >= Prim::num_eq && o->prim <= Prim::ge) ||
           o->prim == Prim::string_eq;
}

bool reads_part(const OpKind& kind) {
    if (const auto* o = std::get_if<op::Primitive>(&kind)) return o->prim == Prim::car || o->prim == Prim::cdr;
    return std::holds_alternative<op::BoxRef>(kind) || std::holds_alternative<op::MessageRef>(kind) ||
           std::holds_alternative<op::RecordRef>(kind);
}

} // namespace espalier::flow
