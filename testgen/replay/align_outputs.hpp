// Outputs between two of the tester's steps, side by side with what a test expects there. They are in order on each
// port, and in any order between ports.
#pragma once

#include <map>
#include <utility>
#include <vector>

namespace espalier {

// Tells `judge` about each output once: as expected (`same`), not there (`missing`), not expected (`unexpected`, or
// `left_over` where nothing more is expected), or another one in its place (`changed`). A look at the next one on the
// port tells an output that is missing, or too many, from one that is changed. That is enough to show a small change as
// a small difference, in linear time.
//
// The judge says what matches: `matches` may bind names, and `would_match` leaves nothing behind. `port_of` gives the
// port of either kind of output.
template <typename Expected, typename Found, typename Judge>
void align_outputs(const std::vector<const Expected*>& all_expected, const std::vector<const Found*>& all_found,
                   Judge&& judge) {
    using Port = std::decay_t<decltype(judge.port_of(*all_expected.front()))>;
    std::map<Port, std::pair<std::vector<const Expected*>, std::vector<const Found*>>> by_port;
    for (const Expected* e : all_expected) by_port[judge.port_of(*e)].first.push_back(e);
    for (const Found* f : all_found) by_port[judge.port_of(*f)].second.push_back(f);
    for (const auto& [port, both] : by_port) {
        const auto& [expected, found] = both;
        size_t e = 0, f = 0;
        while (e < expected.size() && f < found.size()) {
            const size_t left = expected.size() - e, there = found.size() - f;
            if (judge.matches(*expected[e], *found[f]))
                judge.same(*expected[e++], *found[f++]);
            else if (left > there && judge.would_match(*expected[e + 1], *found[f]))
                judge.missing(*expected[e++]);
            else if (there > left && judge.would_match(*expected[e], *found[f + 1]))
                judge.unexpected(*found[f++]);
            else
                judge.changed(*expected[e++], *found[f++]);
        }
        for (; e < expected.size(); ++e) judge.missing(*expected[e]);
        for (; f < found.size(); ++f) judge.left_over(*found[f]);
    }
}

} // namespace espalier
