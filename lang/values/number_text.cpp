// Numbers as text: what string->number accepts (R7RS 7.1.1, the exact part).
#include <algorithm>

#include "lang/values/number.hpp"

namespace espalier::number {
namespace {

int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 99;
}

bool all_digits(std::string_view text, int radix) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [radix](char c) { return digit_of(c) < radix; });
}

// "#x", "#e" and the like, each kind at most once; false where they are wrong.
bool take_prefixes(std::string_view& text, int& radix, bool& exact) {
    bool radix_given = false;
    while (text.size() >= 2 && text[0] == '#') {
        const char kind = static_cast<char>(text[1] | 0x20);
        if (kind == 'e' && !exact) {
            exact = true;
        } else if (const auto at = std::string_view("bodx").find(kind); at != std::string_view::npos && !radix_given) {
            constexpr int radices[] = {2, 8, 10, 16};
            radix = radices[at];
            radix_given = true;
        } else {
            return false;
        }
        text.remove_prefix(2);
    }
    return true;
}

Value power_of_ten(Heap& heap, int64_t exponent) {
    return from_digits(heap, "1" + std::string(static_cast<size_t>(exponent), '0'), 10);
}

// "12.5e3" as the exact number it denotes; only `#e` makes it one.
std::optional<Value> parse_decimal(Heap& heap, std::string_view text) {
    int64_t exponent = 0;
    if (const auto e = text.find_first_of("eE"); e != std::string_view::npos) {
        std::string_view power = text.substr(e + 1);
        const bool negative = power.starts_with('-');
        if (negative || power.starts_with('+')) power.remove_prefix(1);
        if (!all_digits(power, 10) || power.size() > 6) return std::nullopt;
        for (const char c : power) exponent = exponent * 10 + (c - '0');
        if (negative) exponent = -exponent;
        text = text.substr(0, e);
    }
    std::string digits(text);
    if (const auto point = digits.find('.'); point != std::string::npos) {
        exponent -= static_cast<int64_t>(digits.size() - point - 1);
        digits.erase(point, 1);
    }
    if (!all_digits(digits, 10)) return std::nullopt;
    const Value n = from_digits(heap, digits, 10);
    return exponent >= 0 ? mul(heap, n, power_of_ten(heap, exponent)) : div(heap, n, power_of_ten(heap, -exponent));
}

std::optional<Value> parse_unsigned(Heap& heap, std::string_view text, int radix, bool exact) {
    if (all_digits(text, radix)) {
        if (radix == 10 && text.size() <= 18) { // fits without asking
            int64_t n = 0;
            for (const char c : text) n = n * 10 + (c - '0');
            return from_int64(heap, n);
        }
        return from_digits(heap, text, radix);
    }
    if (const auto slash = text.find('/'); slash != std::string_view::npos) {
        const std::string_view above = text.substr(0, slash), below = text.substr(slash + 1);
        if (!all_digits(above, radix) || !all_digits(below, radix)) return std::nullopt;
        const Value divisor = from_digits(heap, below, radix);
        if (divisor == Value::fixnum(0)) return std::nullopt;
        return div(heap, from_digits(heap, above, radix), divisor);
    }
    return exact && radix == 10 ? parse_decimal(heap, text) : std::nullopt;
}

} // namespace

std::optional<Value> parse(Heap& heap, std::string_view text, int radix) {
    bool exact = false;
    if (!take_prefixes(text, radix, exact)) return std::nullopt;
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    std::optional<Value> result = parse_unsigned(heap, text, radix, exact);
    if (result && negative) result = sub(heap, Value::fixnum(0), *result);
    return result;
}

Value from_text(Heap& heap, std::string_view canonical) {
    const std::optional<Value> n = parse(heap, canonical, 10);
    assert(n && "the reader hands over numbers in canonical form");
    return *n;
}

} // namespace espalier::number
