#include "testgen/text/option_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace espalier {

namespace {

std::optional<uint64_t> whole_number(std::string_view text) {
    uint64_t n = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, n);
    if (error != std::errc{} || end != last) return std::nullopt;
    return n;
}

std::optional<double> decimal_number(std::string_view text) {
    double n = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, n);
    if (error != std::errc{} || end != last || !std::isfinite(n)) return std::nullopt;
    return n;
}

std::string is_not(std::string_view text, const std::string& what) {
    return "`" + std::string(text) + "` is not " + what;
}

} // namespace

std::string check_whole_number(std::string_view text, uint64_t least, uint64_t most) {
    const auto n = whole_number(text);
    if (n && *n >= least && *n <= most) return {};
    return is_not(text, "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
}

std::string check_seconds(std::string_view text) {
    const auto n = decimal_number(text);
    return n && *n > 0 ? "" : is_not(text, "a number of seconds greater than 0");
}

std::string check_percent(std::string_view text) {
    const auto n = decimal_number(text);
    return n && *n >= 0 && *n <= 100 ? "" : is_not(text, "a percentage from 0 to 100");
}

std::string check_one_of(std::string_view text, const std::vector<std::string>& words) {
    if (std::find(words.begin(), words.end(), text) != words.end()) return {};
    std::string all;
    for (const std::string& word : words) all += (all.empty() ? "" : word == words.back() ? " or " : ", ") + word;
    return is_not(text, all);
}

std::string check_size(std::string& text) {
    static constexpr std::string_view units = "kmgt";
    std::string_view number = text;
    const auto ends_in = [&](char lower) { return !number.empty() && (number.back() | 0x20) == lower; };
    if (ends_in('b')) number.remove_suffix(1);
    uint64_t factor = 1;
    for (size_t i = 0; i < units.size(); ++i)
        if (factor == 1 && ends_in(units[i])) {
            factor = uint64_t{1} << (10 * (i + 1));
            number.remove_suffix(1);
        }
    const auto n = whole_number(number);
    if (!n || *n == 0 || *n > UINT64_MAX / factor) return is_not(text, "a number of bytes such as 1000000, 500M or 2G");
    text = std::to_string(*n * factor);
    return {};
}

} // namespace espalier
