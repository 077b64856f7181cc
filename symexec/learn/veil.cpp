#include "symexec/learn/veil.hpp"

#include <algorithm>

namespace espalier::sym {

DataVariables::DataVariables(Terms& terms) : terms_(terms) {
    const auto domain = [&](Sort sort, Value fallback) {
        domains_.push_back(terms.add_domain({sort, {}, {}, {}, fallback}));
    };
    domain(Sort::boolean, Value::boolean(false));
    domain(Sort::integer, Value::fixnum(0));
    domain(Sort::rational, Value::fixnum(0));
    domain(Sort::symbol, Value::symbol(Symbol{}));
    domain(Sort::string, terms.heap().string(""));
}

Veiled Veiler::veil(const State& s) {
    result_ = {s, {}, {}};
    copies_.clear();
    State& v = result_.state;
    v.path = {};
    v.implied = {};
    v.words = {};
    v.model = nullptr;
    v.fresh.facts.clear(); // of inputs that are no data: numbers of data are others
    v.records.set(RecordOf::cutting, nullptr);
    v.records.set(RecordOf::memo, nullptr);
    v.records.set(RecordOf::learning, nullptr);
    for (uint32_t g = 0; g < program_.globals.size(); ++g) set(g);
    veil_contents();
    for (Thread& t : v.threads) thread(t);
    if (v.delivering) v.delivered = veiled(v.delivered);
    for (HeldMark& m : v.held) m.condition = veiled(m.condition);
    veil_contents();
    // Inputs that are still to come have other numbers than the data, and than the inputs in what the data are.
    v.variables = std::max(s.variables, static_cast<uint32_t>(result_.content.size()));
    return std::move(result_);
}

void Veiler::veil_contents() {
    while (!waiting_.empty()) {
        const auto [original, copy] = waiting_.front();
        waiting_.pop_front();
        if (original.is_object())
            fill(original, copy);
        else if (is_box(original))
            set(original.payload());
        else
            cells(original.payload());
    }
}

void Veiler::thread(Thread& t) {
    const State& s = result_.state;
    const bool is_running = s.running != UINT32_MAX && &t == &s.threads[s.running];
    t.frame.make_all_own();
    for (const Wait& w : t.waits)
        if (w.source.is_address()) veiled(w.source);
    if (is_running && t.waiting) {
        t.source = veiled(t.source);
        t.message = veiled(t.message);
    }
    live_.each_frame(t, is_running, [&](Frame& f, uint32_t, std::span<const uint32_t> live) {
        for (const uint32_t slot : live) f.variables[slot] = veiled(f.variables[slot]);
    });
}

Value Veiler::veiled(Value v) {
    while (terms_.is_sort(v, Sort::lazy)) { // what the path has looked into is what it found
        const Value content = result_.state.store.get(static_cast<uint32_t>(terms_.operands(v)[1].as_fixnum()));
        if (content.is_unbound()) return unopened(v);
        v = content;
    }
    if (const auto sort = sort_of_datum(terms_, v)) {
        const Value variable = variables_.variable(static_cast<uint32_t>(result_.content.size()), *sort);
        result_.content.push_back(v);
        result_.variables.push_back(variable);
        return variable;
    }
    if (v.is_address()) {
        if (copies_.emplace(v.bits(), v).second) waiting_.emplace_back(v, v);
        return v;
    }
    return v.is_object() && (v.as_object()->flags & literal_flag) == 0 ? copy_of(v) : v;
}

// An input of the same type, which a run from here may look into.
Value Veiler::unopened(Value lazy) {
    const auto [known, is_new] = copies_.try_emplace(lazy.bits(), lazy);
    if (!is_new) return known->second;
    const std::vector<Value> parts(terms_.operands(lazy).begin(), terms_.operands(lazy).end());
    const auto ordinal = first_unopened + static_cast<uint32_t>(copies_.size());
    known->second =
        terms_.lazy(ordinal, result_.state.store.allocate(2, Value::unbound()),
                    TypeId{static_cast<uint32_t>(parts[2].as_fixnum())}, static_cast<uint32_t>(parts[3].as_fixnum()));
    return known->second;
}

// Objects that hold no values are what they are. Of one object there is one copy, so what was the same stays the same.
Value Veiler::copy_of(Value v) {
    const Object& o = *v.as_object();
    if (const auto known = copies_.find(v.bits()); known != copies_.end()) return known->second;
    Value copy = v;
    switch (o.type) {
    case ObjectType::pair: copy = heap_.cons(Value::null(), Value::null()); break;
    case ObjectType::closure:
        if (program_[as_closure(v).lambda].captures > 0)
            copy = Value::object(heap_.closure(as_closure(v).lambda, program_[as_closure(v).lambda].captures));
        break;
    case ObjectType::message: copy = Value::object(heap_.message(as_message(v).message, o.count)); break;
    case ObjectType::values:
        if (o.count > 1) copy = heap_.values(std::vector<Value>(o.count, Value::null()));
        break;
    case ObjectType::free:
    case ObjectType::bignum:
    case ObjectType::rational:
    case ObjectType::string:
    case ObjectType::vector:
    case ObjectType::bytevector:
    case ObjectType::box:
    case ObjectType::record:
    case ObjectType::hash_table:
    case ObjectType::channel:
    case ObjectType::timer:
    case ObjectType::fresh: break;
    }
    copies_.emplace(v.bits(), copy);
    if (copy != v) waiting_.emplace_back(v, copy);
    return copy;
}

void Veiler::fill(Value original, Value copy) {
    Object* to = copy.as_object();
    const auto all = [&](const Value* from, Value* into, uint32_t count) {
        for (uint32_t i = 0; i < count; ++i) into[i] = veiled(from[i]);
    };
    if (espalier::is_pair(original)) {
        static_cast<Pair*>(to)->car = veiled(as_pair(original).car);
        static_cast<Pair*>(to)->cdr = veiled(as_pair(original).cdr);
    } else if (is_type(original, ObjectType::closure)) {
        const Closure& c = as_closure(original);
        all(static_cast<const Value*>(c.captures), static_cast<Value*>(static_cast<Closure*>(to)->captures),
            program_[c.lambda].captures);
    } else if (is_type(original, ObjectType::message)) {
        const Message& m = as_message(original);
        all(static_cast<const Value*>(m.fields), static_cast<Value*>(static_cast<Message*>(to)->fields), m.count);
    } else {
        const auto& v = static_cast<const Values&>(*original.as_object());
        all(static_cast<const Value*>(v.elements), static_cast<Value*>(static_cast<Values*>(to)->elements), v.count);
    }
}

// Messages in a queue, those that came last: a list of its own, since its cells are seen by the queue alone. The list's
// end is the next to be taken where `is_reversed`.
Value Veiler::list(Value list, bool is_reversed) {
    std::vector<Value> items;
    for (; espalier::is_pair(list); list = as_pair(list).cdr) items.push_back(as_pair(list).car);
    if (is_reversed) std::reverse(items.begin(), items.end());
    for (Value& item : items) item = veiled(item);
    if (is_reversed) std::reverse(items.begin(), items.end());
    return heap_.list(items);
}

void Veiler::cells(uint32_t a) {
    Store& store = result_.state.store;
    const Value head = store.get(a);
    const auto all = [&](uint32_t count) {
        for (uint32_t i = 1; i <= count; ++i) set(a + i);
    };
    switch (kind_of(head)) {
    case Kind::vector:
    case Kind::bytevector: return all(number_of(head));
    case Kind::record: return all(static_cast<uint32_t>(program_.records[number_of(head)].fields.size()));
    case Kind::channel:
        store.set(a + 1, list(store.get(a + 1), false));
        store.set(a + 2, list(store.get(a + 2), true));
        return;
    case Kind::timer: return;
    case Kind::table: {
        const auto number = [&](uint32_t at) { return static_cast<uint32_t>(store.get(at).as_fixnum()); };
        const uint32_t used = number(a + 1), block = number(a + 3);
        for (uint32_t i = 0; i < used; ++i) {
            const Value key = store.get(block + 2 * i);
            if (key.is_unbound()) continue; // deleted
            set(block + 2 * i);
            set(block + 2 * i + 1);
        }
        store.set(a + 5, Value::boolean(true)); // keys are found by comparing them, one after the other
        return;
    }
    }
}

} // namespace espalier::sym
