#include "testgen/suite/copy_value.hpp"

#include <stdexcept>

namespace espalier {

namespace {

Value copy_leaf(Heap& to, Value v, const FreshValue& fresh) {
    if (number::is_number(v) && v.is_object()) return number::copy(to, v);
    Object* o = v.as_object();
    switch (o->type) {
    case ObjectType::string: {
        const String& s = as_string(v);
        String* copy = to.string(s.count, s.is_wide());
        const size_t bytes = s.is_wide() ? size_t{4} * s.count : s.count;
        std::copy_n(reinterpret_cast<const uint8_t*>(&s + 1), bytes, reinterpret_cast<uint8_t*>(copy + 1));
        return Value::object(copy);
    }
    case ObjectType::bytevector: return to.bytevector({as_bytevector(v).bytes, o->count});
    case ObjectType::fresh: {
        if (fresh) {
            if (const auto own = fresh(o->count)) return *own;
        }
        auto* copy = static_cast<Fresh*>(to.allocate(ObjectType::fresh, sizeof(Fresh), o->count));
        copy->of = static_cast<Fresh*>(o)->of;
        copy->distinct_from_all = static_cast<Fresh*>(o)->distinct_from_all;
        copy->differs_from = Value::null();
        copy->told_apart = nullptr;
        return Value::object(copy);
    }
    default: throw std::logic_error("a port carries a value that is not data");
    }
}

} // namespace

Value copy_value(Heap& to, Value root, const FreshValue& fresh) {
    struct Step {
        Value value;
        bool build;
    };
    std::vector<Step> work{{root, false}};
    std::vector<Value> done;
    while (!work.empty()) {
        const auto [v, build] = work.back();
        work.pop_back();
        if (!v.is_object()) {
            done.push_back(v);
        } else if (is_pair(v)) {
            if (build) {
                const Value cdr = done.back();
                done.pop_back();
                done.back() = to.cons(done.back(), cdr);
                continue;
            }
            work.push_back({v, true});
            work.push_back({as_pair(v).cdr, false});
            work.push_back({as_pair(v).car, false});
        } else if (is_type(v, ObjectType::message)) {
            const Message& m = as_message(v);
            if (build) {
                Message* copy = to.message(m.message, m.count);
                for (uint32_t i = 0; i < m.count; ++i) copy->fields[i] = done[done.size() - m.count + i];
                done.resize(done.size() - m.count);
                done.push_back(Value::object(copy));
                continue;
            }
            work.push_back({v, true});
            for (uint32_t i = m.count; i-- > 0;) work.push_back({m.fields[i], false});
        } else {
            done.push_back(copy_leaf(to, v, fresh));
        }
    }
    return done.back();
}

} // namespace espalier
