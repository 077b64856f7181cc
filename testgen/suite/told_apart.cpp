#include "testgen/suite/told_apart.hpp"

#include <algorithm>

namespace espalier {

namespace {

// What a suite can spell is nested no deeper than its reader allows, and so is this recursion.
class Binder {
public:
    Binder(const Program& program, const FreshPairs& pairs) : program_(program), pairs_(pairs) {}

    void output(SuiteEvent& e) {
        uses_ = &e.fresh;
        if (e.printed.empty()) value(e.value);
    }

private:
    void value(Value v) {
        if (is_type(v, ObjectType::fresh)) {
            bind(v);
        } else if (is_type(v, ObjectType::message)) {
            for (uint32_t i = 0; i < v.as_object()->count; ++i) part(i, as_message(v).fields[i]);
        } else {
            for (uint32_t i = 0; is_pair(v); v = as_pair(v).cdr) part(i++, as_pair(v).car);
        }
    }
    void part(uint32_t number, Value v) {
        place_.push_back(number);
        value(v);
        place_.pop_back();
    }
    void bind(Value v) {
        if (!known_.insert(v.as_object()->count).second) return;
        for (const Value before : bound_)
            if (must_differ(program_, before, v, pairs_)) uses_->push_back({place_, before.as_object()->count, false});
        bound_.push_back(v);
    }

    const Program& program_;
    const FreshPairs& pairs_;
    std::vector<Value> bound_; // in order
    std::set<uint32_t> known_; // their numbers
    std::vector<uint32_t> place_;
    std::vector<FreshUse>* uses_ = nullptr;
};

} // namespace

bool must_differ(const Program& program, Value a, Value b, const FreshPairs& pairs) {
    const Object *one = a.as_object(), *other = b.as_object();
    if (pairs.count(std::minmax(one->count, other->count)) > 0) return true;
    const auto &f = *static_cast<const Fresh*>(one), &g = *static_cast<const Fresh*>(other);
    return (f.distinct_from_all != 0 || g.distinct_from_all != 0) && to_text(program, f.of) == to_text(program, g.of);
}

void note_told_apart(const Program& program, std::vector<SuiteEvent>& events, const FreshPairs& pairs) {
    Binder binder(program, pairs);
    for (SuiteEvent& e : events)
        if (e.kind == SuiteEvent::Kind::output) binder.output(e);
}

} // namespace espalier
