#include "testgen/generate/beginnings.hpp"

#include <algorithm>

namespace espalier {

std::vector<uint32_t> Beginnings::add(const std::vector<FoundTest>& tests, uint32_t number) {
    const std::vector<Choice>& way = tests[number].signature.choices;
    SignatureHash hash;
    size_t length = 0;
    const auto go_to = [&](size_t to) {
        while (length < to) hash.extend(way[length++]);
    };
    std::vector<uint32_t> begun;
    for (auto of_length = ends_.begin(); of_length != ends_.end() && of_length->first < way.size();) {
        go_to(of_length->first);
        ByHash& tests_there = of_length->second;
        const auto test = tests_there.find(hash.value());
        if (test != tests_there.end()) {
            const std::vector<Choice>& beginning = tests[test->second].signature.choices;
            if (std::equal(beginning.begin(), beginning.end(), way.begin())) {
                begun.push_back(test->second);
                tests_there.erase(test);
            }
        }
        of_length = tests_there.empty() ? ends_.erase(of_length) : std::next(of_length);
    }
    go_to(way.size());
    ends_[length].emplace(hash.value(), number);
    return begun;
}

} // namespace espalier
