// The arena of data. Everything here is a few instructions, since the reader and the expander spend their
// time in it.
#include "lang/read/datum.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <stdexcept>

namespace espalier {

void Data::reserve_more(size_t nodes) {
    const size_t needed = nodes_.size() + nodes;
    if (needed > nodes_.capacity()) nodes_.reserve(std::max(needed, nodes_.capacity() * 2));
}

void Data::too_many() { throw std::length_error("more than 4294967295 data in one model"); }

DatumId Data::integer(Span span, int64_t value) {
    const auto bits = static_cast<uint64_t>(value);
    return add({span, DatumKind::integer, static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)});
}

int64_t Data::integer(DatumId id) const {
    const Datum& datum = (*this)[id];
    return static_cast<int64_t>(uint64_t{datum.b} << 32 | datum.a);
}

DatumId Data::number(Span span, std::string canonical) {
    texts_.push_back(std::move(canonical));
    return add({span, DatumKind::number, static_cast<uint32_t>(texts_.size() - 1), 0});
}

DatumId Data::string(Span span, std::string utf8) {
    texts_.push_back(std::move(utf8));
    return add({span, DatumKind::string, static_cast<uint32_t>(texts_.size() - 1), 0});
}

DatumId Data::bytevector(Span span, std::string bytes) {
    texts_.push_back(std::move(bytes));
    return add({span, DatumKind::bytevector, static_cast<uint32_t>(texts_.size() - 1), 0});
}

DatumId Data::vector(Span span, std::span<const DatumId> elements) {
    const auto first = static_cast<uint32_t>(elements_.size());
    // `elements` may be those of another vector of this arena, which the growth below would pull away.
    const bool own = !elements.empty() && !std::less<>{}(elements.data(), elements_.data()) &&
                     std::less<>{}(elements.data(), elements_.data() + elements_.size());
    if (own) {
        const auto offset = static_cast<size_t>(elements.data() - elements_.data());
        for (size_t i = 0; i < elements.size(); ++i) elements_.push_back(DatumId{elements_[offset + i]});
    } else {
        elements_.insert(elements_.end(), elements.begin(), elements.end());
    }
    return add({span, DatumKind::vector, first, static_cast<uint32_t>(elements_.size() - first)});
}

std::span<const DatumId> Data::elements(DatumId vector) const {
    const Datum& datum = (*this)[vector];
    assert(datum.kind == DatumKind::vector);
    return std::span(elements_).subspan(datum.a, datum.b);
}

} // namespace espalier
