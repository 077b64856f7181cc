// One function of several, by the type of what a variant holds.
#pragma once

namespace espalier {

template <typename... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

} // namespace espalier
