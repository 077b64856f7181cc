// What a function gives that can fail for a reason that must be told: a value, or the problem.
//
//   Result<Exporter> chosen = choose_exporter(format, template_file);
//   if (!chosen) return complain("export", chosen.problem());
//   chosen->write(view, sink);
//
// It always holds one of the two, and never both. Asking for the one that it does not hold is a bug of ours, and throws
// (std::bad_variant_access).
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace espalier {

struct Problem {
    // A few words of a sentence, or whole lines with their places, as diagnostics are rendered.
    enum class Form : unsigned char { words, lines };
    std::string text;
    Form form = Form::words;
};

template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : held_(std::in_place_index<0>, std::move(value)) {}           // NOLINT: so that it can be returned
    Result(Problem problem) : held_(std::in_place_index<1>, std::move(problem)) {} // NOLINT: likewise

    bool has_value() const { return held_.index() == 0; }
    explicit operator bool() const { return has_value(); }
    T& operator*() { return std::get<0>(held_); }
    const T& operator*() const { return std::get<0>(held_); }
    T* operator->() { return &**this; }
    const T* operator->() const { return &**this; }
    T value_or(T other) const { return has_value() ? **this : std::move(other); }
    const Problem& problem() const { return std::get<1>(held_); }

private:
    std::variant<T, Problem> held_;
};

} // namespace espalier
