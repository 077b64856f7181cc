// eq?, eqv?, equal? and the hash that goes with equal?. Pairs and messages cannot be cyclic, but vectors can,
// and shared parts can make a small graph a tree of any size: past a number of steps, equal? remembers what
// it has compared.
#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_set>
#include <vector>

#include "lang/values/equality.hpp"
#include "lang/values/number.hpp"

namespace espalier {
namespace {

const Fresh& as_fresh(Value v) { return *static_cast<const Fresh*>(v.as_object()); }

bool lists(const Fresh& fresh, Value other) {
    for (Value rest = fresh.differs_from; is_pair(rest); rest = as_pair(rest).cdr) {
        if (as_pair(rest).car == other) return true;
    }
    return false;
}

// Of two fresh values that are not the same one. Returns only where they are known to differ.
void need_different(Value a, Value b) {
    const Fresh &f = as_fresh(a), &g = as_fresh(b);
    if (known_to_differ(a, b)) {
        if (f.told_apart != nullptr) f.told_apart->insert(std::minmax(f.count, g.count));
        return;
    }
    throw PrimitiveError("whether the fresh values x" + std::to_string(f.count) + " and x" + std::to_string(g.count) +
                         " are equal is not known: (fresh type) makes one that differs from all others, (fresh type "
                         "list) from those in the list");
}

bool same_string(const String& a, const String& b) {
    return a.count == b.count && a.is_wide() == b.is_wide() &&
           std::memcmp(a.narrow(), b.narrow(), size_t{a.count} * (a.is_wide() ? 4 : 1)) == 0;
}

bool same_bytes(const Bytevector& a, const Bytevector& b) {
    return a.count == b.count &&
           std::memcmp(static_cast<const void*>(a.bytes), static_cast<const void*>(b.bytes), a.count) == 0;
}

bool same_type(Value a, Value b) {
    return a.is_object() && b.is_object() && a.as_object()->type == b.as_object()->type;
}

bool has_parts(ObjectType type) {
    return type == ObjectType::pair || type == ObjectType::vector || type == ObjectType::message;
}

// Of objects of the same type, without parts.
bool equal_atoms(Value a, Value b) {
    switch (a.as_object()->type) {
    case ObjectType::string: return same_string(as_string(a), as_string(b));
    case ObjectType::bytevector: return same_bytes(as_bytevector(a), as_bytevector(b));
    default: return eqv(a, b);
    }
}

struct Task {
    Value a, b;
    friend bool operator==(const Task&, const Task&) = default;
};
struct TaskHash {
    size_t operator()(const Task& t) const { return (t.a.bits() * 0x9E3779B97F4A7C15U) ^ std::rotl(t.b.bits(), 32); }
};

class Comparison {
public:
    bool run(Value a, Value b) {
        tasks_.push_back({a, b});
        while (!tasks_.empty()) {
            const Task task = tasks_.back();
            tasks_.pop_back();
            if (++steps_ > forgetful_steps && !seen_.insert(task).second) continue;
            if (!open(task.a.as_object(), task.b.as_object())) return false;
        }
        return true;
    }

private:
    static constexpr size_t forgetful_steps = 10'000;

    // False where they differ for sure; what must still be looked into becomes a task.
    bool compare(Value a, Value b) {
        if (a == b) return true;
        if (!same_type(a, b)) return false;
        if (!has_parts(a.as_object()->type)) return equal_atoms(a, b);
        tasks_.push_back({a, b});
        return true;
    }

    bool open(const Object* a, const Object* b) {
        if (a->type == ObjectType::pair) return open_list(static_cast<const Pair*>(a), static_cast<const Pair*>(b));
        if (a->count != b->count) return false;
        if (a->type == ObjectType::vector) {
            return all(static_cast<const Vector*>(a)->elements, static_cast<const Vector*>(b)->elements, a->count);
        }
        const auto *m = static_cast<const Message*>(a), *n = static_cast<const Message*>(b);
        return m->message == n->message && all(m->fields, n->fields, m->count);
    }

    bool open_list(const Pair* a, const Pair* b) {
        for (;;) {
            if (!compare(a->car, b->car)) return false;
            if (a->cdr == b->cdr) return true;
            if (!is_pair(a->cdr) || !is_pair(b->cdr)) return compare(a->cdr, b->cdr);
            a = &as_pair(a->cdr);
            b = &as_pair(b->cdr);
        }
    }

    bool all(const Value* a, const Value* b, size_t count) {
        for (size_t i = 0; i < count; ++i) {
            if (!compare(a[i], b[i])) return false;
        }
        return true;
    }

    std::vector<Task> tasks_;
    std::unordered_set<Task, TaskHash> seen_;
    size_t steps_ = 0;
};

uint64_t mix(uint64_t h, uint64_t with) {
    h = (h ^ with) * 0x9E3779B97F4A7C15U;
    return h ^ (h >> 29);
}

uint64_t hash_bytes(const uint8_t* bytes, size_t size) {
    constexpr size_t most = 512;
    uint64_t h = mix(0x5EED, size);
    if (size > most) { // both ends: names often differ in their last characters only
        for (size_t i = size - most / 2; i < size; ++i) h = mix(h, bytes[i]);
        size = most / 2;
    }
    size_t i = 0;
    for (; i + 8 <= size; i += 8) {
        uint64_t eight = 0;
        std::memcpy(&eight, bytes + i, 8);
        h = mix(h, eight);
    }
    for (; i < size; ++i) h = mix(h, bytes[i]);
    return h;
}

} // namespace

bool known_to_differ(Value a, Value b) {
    const Fresh &f = as_fresh(a), &g = as_fresh(b);
    return a != b && (f.distinct_from_all != 0 || g.distinct_from_all != 0 || lists(f, b) || lists(g, a));
}

bool eq(Value a, Value b) {
    if (a == b) return true;
    if (is_type(a, ObjectType::fresh) && is_type(b, ObjectType::fresh)) need_different(a, b);
    return false;
}

bool eqv(Value a, Value b) {
    if (a == b) return true;
    if (!same_type(a, b)) return false;
    switch (a.as_object()->type) {
    case ObjectType::bignum:
    case ObjectType::rational: return number::equal(a, b);
    case ObjectType::fresh: need_different(a, b); return false;
    default: return false;
    }
}

bool equal(Value a, Value b) {
    if (a == b) return true;
    if (!same_type(a, b)) return false;
    return has_parts(a.as_object()->type) ? Comparison().run(a, b) : equal_atoms(a, b);
}

// Looks at no more than a few dozen parts. All fresh values share one hash, so that a table compares a fresh
// key with the others in it, and an unknown equality shows as the error that it is.
uint64_t equal_hash(Value v) {
    constexpr size_t most_parts = 48;
    Value pending[most_parts];
    size_t count = 0, parts = 0;
    uint64_t h = 0x243F6A88;
    const auto add = [&](const Value* values, size_t n) {
        for (size_t i = 0; i < n && count < most_parts; ++i) pending[count++] = values[i];
    };
    for (add(&v, 1); count > 0 && parts < most_parts; ++parts) {
        const Value next = pending[--count];
        if (!next.is_object()) {
            h = mix(h, next.bits());
            continue;
        }
        const Object* o = next.as_object();
        h = mix(h, static_cast<uint64_t>(o->type) << 32 ^ o->count * uint64_t{o->type != ObjectType::fresh});
        switch (o->type) {
        case ObjectType::pair:
            add(&static_cast<const Pair*>(o)->cdr, 1);
            add(&static_cast<const Pair*>(o)->car, 1);
            break;
        case ObjectType::vector: add(static_cast<const Vector*>(o)->elements, o->count); break;
        case ObjectType::message:
            h = mix(h, index(static_cast<const Message*>(o)->message));
            add(static_cast<const Message*>(o)->fields, o->count);
            break;
        case ObjectType::string:
            h = mix(h, hash_bytes(static_cast<const String*>(o)->narrow(),
                                  size_t{o->count} * ((o->flags & wide_flag) != 0 ? 4 : 1)));
            break;
        case ObjectType::bytevector: h = mix(h, hash_bytes(static_cast<const Bytevector*>(o)->bytes, o->count)); break;
        case ObjectType::bignum:
        case ObjectType::rational: h = mix(h, number::hash(next)); break;
        case ObjectType::fresh: break;
        default: h = mix(h, next.bits()); break;
        }
    }
    return h;
}

} // namespace espalier
