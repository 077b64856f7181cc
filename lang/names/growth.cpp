#include "lang/names/growth.hpp"

#include <algorithm>

#include "lang/names/reports.hpp"
#include "lang/names/stopped.hpp"

namespace espalier {

namespace {

constexpr size_t max_macro_data = size_t{1} << 24; // more than any sane macro makes of any sane model
constexpr size_t max_core = size_t{1} << 24;       // likewise
constexpr size_t max_weight = size_t{1} << 22;

std::string with_commas(uint32_t n) {
    std::string text = std::to_string(n);
    for (size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
    return text;
}

} // namespace

bool Growth::enter(Span span, uint32_t turns) {
    if (reports_.gave_up()) return false;
    if (bounds_.stop != nullptr && bounds_.stop->load(std::memory_order_relaxed)) throw CompileStopped();
    if (depth_ + turns > bounds_.levels) {
        const std::string levels = " (more than " + with_commas(bounds_.levels) + " levels)";
        const bool macro = reports_.macro_used_at(span) != nullptr;
        reports_.give_up(span, (macro ? "this macro use expands without end" : "nested too deeply") + levels);
        return false;
    }
    if (data_.size() > data_limit_ || program_.nodes.size() > core_limit_) {
        reports_.give_up(span, "the expansion of macros is too large");
        return false;
    }
    return true;
}

void Growth::begin_model() {
    data_limit_ = data_.size() + max_macro_data;
    core_limit_ = program_.nodes.size() + 8 * data_.size() + max_core;
    weight_limit_ = data_.size() + max_weight;
}

void Growth::add_text(size_t data) {
    data_limit_ += data;
    core_limit_ += 8 * data;
    weight_limit_ += data;
}

bool Growth::too_heavy(DatumId d) { return weight(d) > weight_limit_; }

// How many data it comes to, written out. An operand that a template uses twice is shared, so that a few small macros
// can make what no walk would ever end on; this one ends, because it looks at each datum once.
uint64_t Growth::weight(DatumId root) {
    constexpr uint64_t too_much = uint64_t{1} << 40;
    weights_.resize(data_.size(), 0);
    std::vector<DatumId> work{root};
    while (!work.empty()) {
        const DatumId d = work.back();
        uint64_t sum = 1;
        bool ready = true;
        auto part = [&](DatumId p) {
            if (const uint64_t w = weights_[static_cast<uint32_t>(p)]; w != 0) {
                sum = std::min(sum + w, too_much);
            } else {
                ready = false;
                work.push_back(p);
            }
        };
        if (weights_[static_cast<uint32_t>(d)] == 0) {
            if (data_.is_pair(d)) {
                part(data_.car(d)), part(data_.cdr(d));
            } else if (data_.is(d, DatumKind::vector)) {
                for (DatumId e : data_.elements(d)) part(e);
            }
        }
        if (!ready) continue;
        weights_[static_cast<uint32_t>(d)] = std::max(weights_[static_cast<uint32_t>(d)], sum);
        work.pop_back();
    }
    return weights_[static_cast<uint32_t>(root)];
}

} // namespace espalier
