#include "symexec/learn/interpolants.hpp"

#include <algorithm>

namespace espalier::sym {

namespace {

size_t bytes_of(const Outline& outline) { return sizeof(Outline) + (outline.words.size() + outline.data.size()) * 8; }
size_t bytes_of(const Reason& reason) { return 64 + reason.conditions.size() * sizeof(Value); }

} // namespace

uint64_t hash_of(const Outline& outline) {
    uint64_t h = outline.words.size();
    for (const uint64_t w : outline.words) {
        h = (h ^ w) * 0x9E3779B97F4A7C15U;
        h ^= h >> 32;
    }
    return h;
}

void Interpolants::add(std::shared_ptr<const Outline> outline, uint32_t counter, std::shared_ptr<const Reason> reason,
                       uint64_t size) {
    if (bytes_ > most_bytes_) forget_useless();
    std::vector<Entry>& alike = entries_[hash_of(*outline)];
    auto entry =
        std::find_if(alike.begin(), alike.end(), [&](const Entry& e) { return e.outline->words == outline->words; });
    if (entry == alike.end()) {
        bytes_ += bytes_of(*outline);
        alike.push_back({std::move(outline), {}});
        entry = alike.end() - 1;
    }
    bytes_ += bytes_of(*reason);
    entry->all.insert(entry->all.begin(), {counter, 0, size, std::move(reason)});
    if (entry->all.size() <= most_alike) return;
    bytes_ -= bytes_of(*entry->all.back().reason);
    entry->all.pop_back();
}

Interpolants::Found Interpolants::find(const State& s, const Outline& outline) {
    const auto alike = entries_.find(hash_of(outline));
    if (alike == entries_.end()) return {};
    Assignment values; // of the data, in a solution
    for (const Value v : outline.data)
        values.push_back(v.is_term() ? terms_.evaluate(v, s.model == nullptr ? Assignment{} : *s.model) : v);
    for (Entry& e : alike->second) {
        if (e.outline->words != outline.words) continue;
        for (auto i = e.all.begin(); i != e.all.end(); ++i) {
            if ((counts_ && i->counter < s.k) || !surely_holds(s, outline, values, *i->reason)) continue;
            ++i->hits;
            std::rotate(e.all.begin(), i, i + 1);
            return {e.all.front().reason, e.all.front().size};
        }
        break;
    }
    return {};
}

// Not where that takes a condition that would be too deep.
bool Interpolants::surely_holds(const State& s, const Outline& outline, const Assignment& values,
                                const Reason& reason) {
    try {
        return holds(s, outline, values, reason);
    } catch (const Unsupported&) {
        return false;
    }
}

// Mostly a look at the values of some solution shows that it does not. Of symbolic data the path must say that it does.
bool Interpolants::holds(const State& s, const Outline& outline, const Assignment& values, const Reason& reason) {
    const auto& conditions = reason.conditions;
    if (std::any_of(conditions.begin(), conditions.end(),
                    [&](Value condition) { return !terms_.evaluate(condition, values).is_true(); }))
        return false;
    std::vector<Value> open;
    Terms::Rebuilt done;
    const auto datum = [&](Value variable) { return outline.data[terms_.ordinal(variable)]; };
    for (const Value condition : conditions) {
        const auto ordinals = terms_.variables(condition);
        if (std::none_of(ordinals.begin(), ordinals.end(), [&](uint32_t n) { return outline.data[n].is_term(); }))
            continue;
        const Value here = terms_.substitute(condition, datum, done);
        if (!here.is_term() && here.is_false()) return false;
        if (here.is_term() && !is_always_true(terms_, here)) open.push_back(here);
    }
    if (open.empty()) return true;
    const std::vector<Value> path = s.path.to_vector();
    facts_.follow(path);
    std::erase_if(open, [&](Value condition) { return facts_.truth(condition).value_or(false); });
    return open.empty() ||
           solver_.ask({path, terms_.negation(terms_.all_of(open)), s.model.get()}).verdict == Verdict::unsat;
}

// Those that have not served.
void Interpolants::forget_useless() {
    bytes_ = 0;
    for (auto at = entries_.begin(); at != entries_.end();) {
        std::erase_if(at->second, [](Entry& e) {
            std::erase_if(e.all, [](const Interpolant& i) { return i.hits == 0; });
            return e.all.empty();
        });
        for (Entry& e : at->second) {
            bytes_ += bytes_of(*e.outline);
            for (Interpolant& i : e.all) {
                bytes_ += bytes_of(*i.reason);
                i.hits /= 2;
            }
        }
        at = at->second.empty() ? entries_.erase(at) : std::next(at);
    }
}

void Interpolants::clear() {
    entries_.clear();
    bytes_ = 0;
}

} // namespace espalier::sym
