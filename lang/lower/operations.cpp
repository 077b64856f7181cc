// Core forms that are one operation.
#include "lang/lower/lowering.hpp"

namespace espalier {

// Lowers one core form, which is one operation.
class Lowering::Leaf {
public:
    Leaf(Lowering& lowering, CoreId id) : lowering_(lowering), id_(id), span_(lowering.c_[id].span) {}

    VarId operator()(const core::Const& n);
    VarId operator()(const core::LocalRef& n);
    VarId operator()(const core::LocalSet& n);
    VarId operator()(const core::GlobalRef& n);
    VarId operator()(const core::GlobalSet& n);
    VarId operator()(const core::Lambda&);
    VarId operator()(const core::PrimCall& n);
    VarId operator()(const core::MakeRecord& n);
    VarId operator()(const core::RecordRef& n);
    VarId operator()(const core::RecordSet& n);
    VarId operator()(const core::RecordIs& n);
    VarId operator()(const core::MakeMessage& n);
    VarId operator()(const core::MessageRef& n);
    VarId operator()(const core::MessageIs& n);
    VarId operator()(const core::Mark& n);
    VarId operator()(const core::Write& n);
    VarId operator()(const core::Assume& n);
    VarId operator()(const core::Assert& n);
    VarId operator()(const core::Spawn& n);
    VarId operator()(const core::Send& n);
    VarId operator()(const core::StartTimer& n);
    VarId operator()(const core::StopTimer& n);
    VarId operator()(const core::Fresh& n);
    // Control is lowered by value() and towards().
    VarId operator()(const core::If&) { return lowering_.value(id_); }
    VarId operator()(const core::Seq&) { return lowering_.value(id_); }
    VarId operator()(const core::Let&) { return lowering_.value(id_); }
    VarId operator()(const core::Fix&) { return lowering_.value(id_); }
    VarId operator()(const core::Letrec&) { return lowering_.value(id_); }
    VarId operator()(const core::Call&) { return lowering_.value(id_); }
    VarId operator()(const core::Select&) { return lowering_.value(id_); }
    VarId operator()(const core::Choose&) { return lowering_.value(id_); }

private:
    // An operation with a result, and one without.
    template <typename Make>
    VarId result(Make make, uint32_t site = 0) {
        const VarId v = lowering_.fresh();
        lowering_.emit(make(v), span_, site);
        return v;
    }
    VarId nothing(OpKind op, uint32_t site = 0) {
        lowering_.emit(std::move(op), span_, site);
        return result([](VarId v) { return op::Constant{v, Value::unspecified()}; });
    }

    Lowering& lowering_;
    const CoreId id_;
    const Span span_;
};

VarId Lowering::Leaf::operator()(const core::Const& n) {
    return result([&](VarId v) { return op::Constant{v, n.value}; });
}

VarId Lowering::Leaf::operator()(const core::LocalRef& n) {
    const Local& local = lowering_.c_[n.local];
    if (!local.assigned) return lowering_.var_of(n.local);
    return result([&](VarId v) { return op::BoxRef{v, lowering_.var_of(n.local), !local.unchecked}; });
}

VarId Lowering::Leaf::operator()(const core::LocalSet& n) {
    const VarId value_var = lowering_.value(n.value);
    return nothing(op::BoxSet{lowering_.var_of(n.local), value_var, lowering_.c_[n.local].name, false});
}

VarId Lowering::Leaf::operator()(const core::GlobalRef& n) {
    const VarId v = lowering_.fresh(lowering_.c_.globals[index(n.global)].name);
    lowering_.emit(op::GlobalRef{v, n.global, !lowering_.is_hoisted(n.global)}, span_);
    return v;
}

VarId Lowering::Leaf::operator()(const core::GlobalSet& n) {
    const VarId v = lowering_.value(n.value);
    return nothing(op::GlobalSet{n.global, v, n.definition});
}

VarId Lowering::Leaf::operator()(const core::Lambda&) { return lowering_.make_closures({}, std::span(&id_, 1), span_); }

VarId Lowering::Leaf::operator()(const core::PrimCall& n) {
    const VarList args = lowering_.values(n.args);
    return result([&](VarId v) { return op::Primitive{v, n.prim, args}; }, n.site);
}

VarId Lowering::Leaf::operator()(const core::MakeRecord& n) {
    const VarList fields = lowering_.values(n.fields);
    return result([&](VarId v) { return op::MakeRecord{v, n.record, fields}; });
}

VarId Lowering::Leaf::operator()(const core::RecordRef& n) {
    const VarId object = lowering_.value(n.object);
    return result([&](VarId v) { return op::RecordRef{v, n.record, n.field, object}; });
}

VarId Lowering::Leaf::operator()(const core::RecordSet& n) {
    const VarId object = lowering_.value(n.object);
    const VarId field = lowering_.value(n.value);
    return nothing(op::RecordSet{n.record, n.field, object, field});
}

VarId Lowering::Leaf::operator()(const core::RecordIs& n) {
    const VarId object = lowering_.value(n.object);
    return result([&](VarId v) { return op::RecordIs{v, n.record, object}; });
}

VarId Lowering::Leaf::operator()(const core::MakeMessage& n) {
    const VarList fields = lowering_.values(n.fields);
    return result([&](VarId v) { return op::MakeMessage{v, n.message, fields}; });
}

VarId Lowering::Leaf::operator()(const core::MessageRef& n) {
    const VarId object = lowering_.value(n.object);
    return result([&](VarId v) { return op::MessageRef{v, n.message, n.field, object}; });
}

VarId Lowering::Leaf::operator()(const core::MessageIs& n) {
    const VarId object = lowering_.value(n.object);
    return result([&](VarId v) { return op::MessageIs{v, n.message, object}; });
}

VarId Lowering::Leaf::operator()(const core::Mark& n) { return nothing(op::Mark{n.target}); }

VarId Lowering::Leaf::operator()(const core::Write& n) {
    const VarId port = lowering_.value(n.port);
    const VarId v = lowering_.value(n.value);
    return nothing(op::Write{port, v});
}

VarId Lowering::Leaf::operator()(const core::Assume& n) {
    const VarId v = lowering_.value(n.condition);
    return nothing(op::Assume{v});
}

VarId Lowering::Leaf::operator()(const core::Assert& n) {
    const VarId v = lowering_.value(n.condition);
    return nothing(op::Assert{v}, n.site);
}

VarId Lowering::Leaf::operator()(const core::Spawn& n) {
    const VarId v = lowering_.value(n.procedure);
    return nothing(op::Spawn{v, n.service});
}

VarId Lowering::Leaf::operator()(const core::Send& n) {
    const VarId channel = lowering_.value(n.channel);
    const VarId v = lowering_.value(n.value);
    return nothing(op::Send{channel, v});
}

VarId Lowering::Leaf::operator()(const core::StartTimer& n) {
    const VarId timer = lowering_.value(n.timer);
    const VarId delay = lowering_.value(n.delay);
    return nothing(op::StartTimer{timer, delay});
}

VarId Lowering::Leaf::operator()(const core::StopTimer& n) {
    const VarId timer = lowering_.value(n.timer);
    return nothing(op::StopTimer{timer});
}

VarId Lowering::Leaf::operator()(const core::Fresh& n) {
    const VarId others = n.others == no_core ? no_var : lowering_.value(n.others);
    return result([&](VarId v) { return op::MakeFresh{v, n.type, others}; });
}

VarId Lowering::leaf_value(CoreId id) {
    const CoreKind kind = c_[id].kind; // a copy: lowering it may move the nodes
    return std::visit(Leaf(*this, id), kind);
}

} // namespace espalier
