// Core forms that are one operation.
#include "lang/lower/lowering.hpp"

namespace espalier {

// Everything that is one operation.
VarId Lowering::leaf_value(CoreId id) {
    const CoreKind kind = c_[id].kind;
    const Span span = c_[id].span;
    // An operation with a result, and one without.
    auto result = [&](auto make, uint32_t site = 0) {
        const VarId v = fresh();
        emit(make(v), span, site);
        return v;
    };
    auto nothing = [&](OpKind op, uint32_t site = 0) {
        emit(std::move(op), span, site);
        return result([](VarId v) { return op::Constant{v, Value::unspecified()}; });
    };
    return std::visit(Overloaded{
                          [&](const core::Const& n) {
                              return result([&](VarId v) { return op::Constant{v, n.value}; });
                          },
                          [&](const core::LocalRef& n) {
                              const Local& local = c_[n.local];
                              if (!local.assigned) return var_of(n.local);
                              return result([&](VarId v) { return op::BoxRef{v, var_of(n.local), !local.unchecked}; });
                          },
                          [&](const core::LocalSet& n) {
                              const VarId value_var = value(n.value);
                              return nothing(op::BoxSet{var_of(n.local), value_var, c_[n.local].name, false});
                          },
                          [&](const core::GlobalRef& n) {
                              const VarId v = fresh(c_.globals[index(n.global)].name);
                              emit(op::GlobalRef{v, n.global, !is_hoisted(n.global)}, span);
                              return v;
                          },
                          [&](const core::GlobalSet& n) {
                              const VarId v = value(n.value);
                              return nothing(op::GlobalSet{n.global, v, n.definition});
                          },
                          [&](const core::Lambda&) { return make_closures({}, std::span(&id, 1), span); },
                          [&](const core::PrimCall& n) {
                              const VarList args = values(n.args);
                              return result([&](VarId v) { return op::Primitive{v, n.prim, args}; }, n.site);
                          },
                          [&](const core::MakeRecord& n) {
                              const VarList fields = values(n.fields);
                              return result([&](VarId v) { return op::MakeRecord{v, n.record, fields}; });
                          },
                          [&](const core::RecordRef& n) {
                              const VarId object = value(n.object);
                              return result([&](VarId v) { return op::RecordRef{v, n.record, n.field, object}; });
                          },
                          [&](const core::RecordSet& n) {
                              const VarId object = value(n.object);
                              const VarId field = value(n.value);
                              return nothing(op::RecordSet{n.record, n.field, object, field});
                          },
                          [&](const core::RecordIs& n) {
                              const VarId object = value(n.object);
                              return result([&](VarId v) { return op::RecordIs{v, n.record, object}; });
                          },
                          [&](const core::MakeMessage& n) {
                              const VarList fields = values(n.fields);
                              return result([&](VarId v) { return op::MakeMessage{v, n.message, fields}; });
                          },
                          [&](const core::MessageRef& n) {
                              const VarId object = value(n.object);
                              return result([&](VarId v) { return op::MessageRef{v, n.message, n.field, object}; });
                          },
                          [&](const core::MessageIs& n) {
                              const VarId object = value(n.object);
                              return result([&](VarId v) { return op::MessageIs{v, n.message, object}; });
                          },
                          [&](const core::Mark& n) { return nothing(op::Mark{n.target}); },
                          [&](const core::Write& n) {
                              const VarId port = value(n.port);
                              const VarId v = value(n.value);
                              return nothing(op::Write{port, v});
                          },
                          [&](const core::Assume& n) {
                              const VarId v = value(n.condition);
                              return nothing(op::Assume{v});
                          },
                          [&](const core::Assert& n) {
                              const VarId v = value(n.condition);
                              return nothing(op::Assert{v}, n.site);
                          },
                          [&](const core::Spawn& n) {
                              const VarId v = value(n.procedure);
                              return nothing(op::Spawn{v, n.service});
                          },
                          [&](const core::Send& n) {
                              const VarId channel = value(n.channel);
                              const VarId v = value(n.value);
                              return nothing(op::Send{channel, v});
                          },
                          [&](const core::StartTimer& n) {
                              const VarId timer = value(n.timer);
                              const VarId delay = value(n.delay);
                              return nothing(op::StartTimer{timer, delay});
                          },
                          [&](const core::StopTimer& n) {
                              const VarId timer = value(n.timer);
                              return nothing(op::StopTimer{timer});
                          },
                          [&](const core::Fresh& n) {
                              const VarId others = n.others == no_core ? no_var : value(n.others);
                              return result([&](VarId v) { return op::MakeFresh{v, n.type, others}; });
                          },
                          // Control is lowered by value() and towards().
                          [&](const core::If&) { return value(id); },
                          [&](const core::Seq&) { return value(id); },
                          [&](const core::Let&) { return value(id); },
                          [&](const core::Fix&) { return value(id); },
                          [&](const core::Letrec&) { return value(id); },
                          [&](const core::Call&) { return value(id); },
                          [&](const core::Select&) { return value(id); },
                          [&](const core::Choose&) { return value(id); },
                      },
                      kind);
}

} // namespace espalier
