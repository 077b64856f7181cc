#include "symexec/values/concretiser.hpp"

#include <algorithm>

namespace espalier::sym {

namespace {

Value copy_fresh(Value v, Heap& heap) {
    auto* copy = static_cast<Fresh*>(heap.allocate(ObjectType::fresh, sizeof(Fresh), as_fresh(v).count));
    copy->of = as_fresh(v).of;
    copy->distinct_from_all = as_fresh(v).distinct_from_all;
    copy->differs_from = Value::null();
    copy->told_apart = nullptr;
    return Value::object(copy);
}

} // namespace

std::vector<Value> Concretiser::variables(const State& s) const {
    std::vector<Value> all;
    std::vector<bool> seen(terms_.size(), false); // terms share parts
    std::vector<Value> left;
    const auto add = [&](std::span<const Value> parts) { left.insert(left.end(), parts.begin(), parts.end()); };
    for (const auto* n = s.path.last(); n != nullptr; n = n->before) left.push_back(n->item);
    for (const auto* e = s.events.last(); e != nullptr; e = e->before)
        if (e->item.kind == Event::Kind::input) left.push_back(e->item.value);
    while (!left.empty()) {
        const Value v = left.back();
        left.pop_back();
        if (v.is_term()) {
            if (seen[v.payload()]) continue;
            seen[v.payload()] = true;
        }
        if (terms_.is_sort(v, Sort::lazy)) {
            const auto cell = static_cast<uint32_t>(terms_.operands(v)[1].as_fixnum());
            const Value content = s.store.get(cell);
            left.push_back(content.is_address() ? s.store.get(cell + 1) : content);
        } else if (v.is_term() && terms_[v].op == Op::variable) {
            if (fresh_.resolved(s, v) == v) all.push_back(v); // else it is a fresh value
        } else if (v.is_term()) {
            add(terms_.operands(v));
        } else if (is_type(v, ObjectType::message)) {
            add({static_cast<const Value*>(as_message(v).fields), v.as_object()->count});
        } else if (is_type(v, ObjectType::vector)) { // bytes as they were sent
            add({static_cast<const Value*>(as_vector(v).elements), v.as_object()->count});
        } else if (is_pair(v)) {
            left.push_back(as_pair(v).cdr);
            left.push_back(as_pair(v).car);
        }
    }
    std::sort(all.begin(), all.end(), [&](Value a, Value b) { return terms_.ordinal(a) < terms_.ordinal(b); });
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

// What is still to be made goes on a list, with the place where it belongs: inputs are as long and as deep as the model
// looks into them. Objects do not move, and this heap is not collected.
Value Concretiser::concretise(const State& s, Value root, const Assignment& model, Heap& heap) const {
    Value result;
    std::vector<std::pair<Value, Value*>> left{{root, &result}};
    while (!left.empty()) {
        auto [v, place] = left.back();
        left.pop_back();
        if (const auto whole = concretise_leaf(s, v, model, heap)) {
            *place = *whole;
        } else if (is_pair(v)) {
            *place = heap.cons(Value::null(), Value::null());
            left.emplace_back(as_pair(v).cdr, &as_pair(*place).cdr);
            left.emplace_back(as_pair(v).car, &as_pair(*place).car);
        } else {
            Message* copy = heap.message(as_message(v).message, v.as_object()->count);
            *place = Value::object(copy);
            for (uint32_t i = v.as_object()->count; i-- > 0;)
                left.emplace_back(as_message(v).fields[i], &copy->fields[i]);
        }
    }
    return result;
}

// Nothing where it turns out to be a pair or a message: that is what `v` is then, and its parts are still to be made.
std::optional<Value> Concretiser::concretise_leaf(const State& s, Value& v, const Assignment& model, Heap& heap) const {
    while (terms_.is_sort(v, Sort::lazy)) {
        const auto parts = terms_.operands(v);
        const auto cell = static_cast<uint32_t>(parts[1].as_fixnum());
        const Value content = s.store.get(cell);
        if (content.is_unbound()) return inputs_.fallback(TypeId{static_cast<uint32_t>(parts[2].as_fixnum())}, heap, 0);
        if (content.is_address()) return concrete_bytes(s.store.get(cell + 1), model, heap);
        v = content;
    }
    if (v.is_term() && fresh_.resolved(s, v) != v) return copy_fresh(fresh_.resolved(s, v), heap);
    if (v.is_term()) v = terms_.evaluate(v, model);
    if (!v.is_object()) return v;
    switch (v.as_object()->type) {
    case ObjectType::string: return heap.string(to_utf8(as_string(v)));
    case ObjectType::bignum:
    case ObjectType::rational: return number::copy(heap, v);
    case ObjectType::bytevector: return heap.bytevector({as_bytevector(v).bytes, v.as_object()->count});
    case ObjectType::pair:
    case ObjectType::message: return std::nullopt;
    default: throw Unsupported("an input that holds a value of this kind");
    }
}

// Bytes as they were sent: a vector of terms.
Value Concretiser::concrete_bytes(Value sent, const Assignment& model, Heap& heap) const {
    const Vector& original = as_vector(sent);
    std::vector<uint8_t> bytes;
    for (uint32_t i = 0; i < original.count; ++i)
        bytes.push_back(static_cast<uint8_t>(terms_.evaluate(original.elements[i], model).as_fixnum()));
    return heap.bytevector(bytes);
}

std::vector<FreshUse> Concretiser::fresh_uses(const State& s, Value v) const {
    std::vector<FreshUse> uses;
    if (s.fresh.facts.empty()) return uses;
    std::vector<uint32_t> place;
    struct Open {
        Value of; // a message, or what is left of a list
        uint32_t next;
    };
    std::vector<Open> open;
    const auto visit = [&](Value part) {
        part = as_looked_into(s, part);
        if (part.is_term() && terms_[part].op == Op::variable) {
            for (const FreshFacts::Fact& f : s.fresh.facts)
                if (f.ordinal == terms_.ordinal(part)) uses.push_back({place, f.number, f.equal});
        } else if (is_type(part, ObjectType::message) || is_pair(part)) {
            open.push_back({part, 0});
            place.push_back(0);
        }
    };
    visit(v);
    while (!open.empty()) {
        auto& [of, next] = open.back();
        const bool is_list = is_pair(of);
        if (!is_list && (!is_type(of, ObjectType::message) || next == of.as_object()->count)) {
            open.pop_back();
            place.pop_back();
            continue;
        }
        place.back() = next;
        const Value part = is_list ? as_pair(of).car : as_message(of).fields[next];
        if (is_list) of = as_looked_into(s, as_pair(of).cdr);
        ++next;
        visit(part);
    }
    return uses;
}

// A message, list or enum that the path made up its mind about; else v itself, or bytes, which are nothing fresh.
Value Concretiser::as_looked_into(const State& s, Value v) const {
    while (terms_.is_sort(v, Sort::lazy)) {
        const Value content = s.store.get(static_cast<uint32_t>(terms_.operands(v)[1].as_fixnum()));
        if (content.is_unbound() || content.is_address()) return content;
        v = content;
    }
    return v;
}

} // namespace espalier::sym
