// The constants are the first 32 bits of the fractional parts of roots of primes (FIPS 180-4, 4.2.2 and 5.3.3). They
// are computed here, with integers, rather than copied: a table of 72 numbers hides a slip too well.
#include "testgen/text/sha256.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace espalier {

namespace {

// A double has 53 bits: the roots' whole parts need three, so some twenty are left beyond the 32 that count.
uint32_t fraction(double root) { return static_cast<uint32_t>((root - std::floor(root)) * 4294967296.0); }

struct Constants {
    std::array<uint32_t, 64> rounds{};
    std::array<uint32_t, 8> start{};
};

const Constants& constants() {
    static const Constants made = [] {
        Constants c;
        size_t count = 0;
        for (uint64_t n = 2; count < c.rounds.size(); ++n) {
            bool prime = true;
            for (uint64_t d = 2; d * d <= n && prime; ++d) prime = n % d != 0;
            if (!prime) continue;
            if (count < c.start.size()) c.start[count] = fraction(std::sqrt(static_cast<double>(n)));
            c.rounds[count++] = fraction(std::cbrt(static_cast<double>(n)));
        }
        return c;
    }();
    return made;
}

// 6.2.2
void mix(std::array<uint32_t, 8>& hash, const unsigned char* block) {
    std::array<uint32_t, 64> w{};
    for (size_t i = 0; i < 16; ++i)
        w[i] = uint32_t{block[4 * i]} << 24 | uint32_t{block[4 * i + 1]} << 16 | uint32_t{block[4 * i + 2]} << 8 |
               uint32_t{block[4 * i + 3]};
    for (size_t i = 16; i < w.size(); ++i) {
        const uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
        const uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    auto [a, b, c, d, e, f, g, h] = hash;
    for (size_t i = 0; i < w.size(); ++i) {
        const uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + constants().rounds[i] + w[i];
        const uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        const uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    const std::array<uint32_t, 8> more{a, b, c, d, e, f, g, h};
    for (size_t i = 0; i < hash.size(); ++i) hash[i] += more[i];
}

} // namespace

std::string sha256_hex(std::string_view bytes) {
    std::array<uint32_t, 8> hash = constants().start;
    std::string tail(bytes.substr(bytes.size() / 64 * 64));
    for (size_t at = 0; at + 64 <= bytes.size(); at += 64)
        mix(hash, reinterpret_cast<const unsigned char*>(bytes.data() + at));
    tail += '\x80';
    while (tail.size() % 64 != 56) tail += '\0';
    for (int shift = 56; shift >= 0; shift -= 8)
        tail += static_cast<char>(static_cast<unsigned char>(uint64_t{bytes.size()} * 8 >> shift));
    for (size_t at = 0; at < tail.size(); at += 64) mix(hash, reinterpret_cast<const unsigned char*>(tail.data() + at));
    std::string hex;
    for (const uint32_t word : hash) {
        std::array<char, 12> digits{};
        std::snprintf(digits.data(), digits.size(), "%08x", word);
        hex += digits.data();
    }
    return hex;
}

} // namespace espalier
