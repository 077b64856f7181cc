// The value word: what variables, fields and cells hold, in every engine.
//
// 64 bits. Small integers are unboxed with tag 0, so that adding two words adds two numbers. Heap objects never move,
// so a word is also an identity. One tag belongs to symbolic terms and one to addresses in a persistent store: the
// concrete interpreter never makes those, the symbolic executor does, and both share everything else.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

#include "lang/values/symbol.hpp"

namespace espalier {

struct Object;

enum class PortId : uint32_t {};

// The number of an id.
template <typename Id>
constexpr uint32_t index(Id id) {
    return static_cast<uint32_t>(id);
}

class Value {
public:
    // Low three bits.
    enum Tag : uint64_t { fixnum_tag = 0, object_tag = 1, immediate_tag = 2, term_tag = 3, address_tag = 4 };
    // Bits 3 to 7 of an immediate; its payload is in the upper half.
    enum Immediate : uint64_t { constant_kind = 0, character_kind = 1, symbol_kind = 2, port_kind = 3 };

    static constexpr int64_t fixnum_max = (int64_t{1} << 60) - 1;
    static constexpr int64_t fixnum_min = -(int64_t{1} << 60);

    constexpr Value() = default; // unspecified
    static constexpr Value from_bits(uint64_t bits) {
        Value v;
        v.bits_ = bits;
        return v;
    }
    constexpr uint64_t bits() const { return bits_; }

    static constexpr bool fits_fixnum(int64_t n) { return n >= fixnum_min && n <= fixnum_max; }
    static constexpr Value fixnum(int64_t n) { return from_bits(static_cast<uint64_t>(n) << 3); }
    static constexpr Value boolean(bool b) { return constant(b ? 1 : 0); }
    static constexpr Value null() { return constant(2); }
    static constexpr Value unspecified() { return constant(3); }
    static constexpr Value unbound() { return constant(4); } // a global or letrec variable before its definition
    static constexpr Value any() { return constant(5); }     // (any): in an output, not compared
    static constexpr Value character(char32_t c) { return immediate(character_kind, c); }
    static constexpr Value symbol(Symbol s) { return immediate(symbol_kind, static_cast<uint32_t>(s)); }
    static constexpr Value port(PortId p) { return immediate(port_kind, static_cast<uint32_t>(p)); }
    static Value object(const Object* o) { return from_bits(reinterpret_cast<uint64_t>(o) | object_tag); }
    static constexpr Value term(uint32_t id) { return from_bits(uint64_t{id} << 32 | term_tag); }
    static constexpr Value address(uint32_t id) { return from_bits(uint64_t{id} << 32 | address_tag); }

    constexpr Tag tag() const { return static_cast<Tag>(bits_ & 7); }
    constexpr bool is_fixnum() const { return tag() == fixnum_tag; }
    constexpr bool is_object() const { return tag() == object_tag; }
    constexpr bool is_term() const { return tag() == term_tag; }
    constexpr bool is_address() const { return tag() == address_tag; }
    constexpr bool is_boolean() const { return bits_ == boolean(true).bits_ || bits_ == boolean(false).bits_; }
    constexpr bool is_true() const { return bits_ != boolean(false).bits_; } // everything but #f counts as true
    constexpr bool is_false() const { return bits_ == boolean(false).bits_; }
    constexpr bool is_null() const { return bits_ == null().bits_; }
    constexpr bool is_unbound() const { return bits_ == unbound().bits_; }
    constexpr bool is_character() const { return is_immediate(character_kind); }
    constexpr bool is_symbol() const { return is_immediate(symbol_kind); }
    constexpr bool is_port() const { return is_immediate(port_kind); }

    constexpr int64_t as_fixnum() const { return static_cast<int64_t>(bits_) >> 3; }
    constexpr char32_t as_character() const { return static_cast<char32_t>(bits_ >> 32); }
    constexpr Symbol as_symbol() const { return Symbol{static_cast<uint32_t>(bits_ >> 32)}; }
    constexpr PortId as_port() const { return PortId{static_cast<uint32_t>(bits_ >> 32)}; }
    constexpr uint32_t payload() const { return static_cast<uint32_t>(bits_ >> 32); } // of a term or an address
    Object* as_object() const { return reinterpret_cast<Object*>(bits_ - object_tag); }

    friend constexpr bool operator==(Value, Value) = default; // eq?

private:
    static constexpr Value immediate(uint64_t kind, uint32_t payload) {
        return from_bits(uint64_t{payload} << 32 | kind << 3 | immediate_tag);
    }
    static constexpr Value constant(uint32_t which) { return immediate(constant_kind, which); }
    constexpr bool is_immediate(uint64_t kind) const { return (bits_ & 0xff) == (kind << 3 | immediate_tag); }

    uint64_t bits_ = uint64_t{3} << 32 | immediate_tag;
};

static_assert(sizeof(Value) == 8);

} // namespace espalier
