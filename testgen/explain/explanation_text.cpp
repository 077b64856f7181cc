// Explanations in words.
#include "testgen/explain/explanation.hpp"

namespace espalier {

using Kind = Explanation::Kind;

namespace {

constexpr size_t most_inputs = 8; // in a line

std::string times(uint64_t n) { return n == 1 ? "once" : std::to_string(n) + " times"; }

std::string located(Span at, const Sources& sources) {
    return at.known() ? quoted(sources, at) + " at " + sources.place(at) : "the start";
}

std::string dead_text(const std::vector<DeadEnd>& ends, const Sources& sources) {
    if (ends.empty()) return "no run of the model leads there";
    std::string text;
    for (const DeadEnd& e : ends) text += (text.empty() ? "" : "; ") + to_text(e, sources, true);
    return text;
}

std::string end_text(const PathEnd& end, const Sources& sources) {
    const std::string at = located(end.at, sources);
    switch (end.kind) {
    case PathEnd::Kind::error: return "an error of the model ended paths at " + at + ", " + times(end.times);
    case PathEnd::Kind::assumption: return at + " ended paths, " + times(end.times);
    case PathEnd::Kind::unsupported: return at + " was not followed, " + times(end.times) + ": " + end.why;
    case PathEnd::Kind::steps: return "a path that does not come to wait was given up at " + at;
    }
    return {};
}

std::string bound_text(const Explanation& e) {
    return e.bounded == 0 ? "" : "the bound allowed no more, " + times(e.bounded);
}

std::string obstacle_text(const Explanation& e, const Sources& sources) {
    const std::string at = located(e.at, sources);
    std::string text;
    switch (e.kind) {
    case Kind::dead: return dead_text(e.dead_ends, sources);
    case Kind::condition:
        text = to_text(Explanation::Condition{e.at, e.value, e.refuted}, sources);
        if (e.bounded > 0) text += (e.refuted > 0 ? ", and " : ": ") + bound_text(e);
        return text;
    case Kind::wait:
        if (e.bounded > 0 && !e.left) return "the bound ended paths at the wait " + at + ", " + times(e.bounded);
        text = e.left ? "other clauses were taken at the wait " + at + ", but not this one"
                      : "nothing was taken at the wait " + at;
        if (e.bounded > 0) text += "; the bound ended paths there, " + times(e.bounded);
        for (const Explanation& why : e.send)
            text += "; no path came to " + located(why.send_at, sources) + ": " + to_text(why, sources);
        return text;
    case Kind::call: return "the procedure that is needed was never called by " + at;
    case Kind::back: return "no path came back from " + at;
    case Kind::inside: return "no path came through " + at + " in the way that is needed";
    case Kind::ended: return e.path_ends.empty() ? "no path came past " + at : "";
    case Kind::values:
        text = located(e.at, sources) + " was evaluated, but never with these values";
        if (e.refuted > 0) text += ": refuted " + times(e.refuted);
        if (e.unaccepted > 0) text += "; and " + times(e.unaccepted) + " in a message that no clause accepts";
        return text;
    case Kind::unaccepted:
        return "its place was passed only where it does not count: in messages that no clause accepts in the end";
    case Kind::undecided:
        return "paths come there, but the solver gave up on " + at + ", so it is not known whether they can be";
    case Kind::unwritten: return "paths come there, but no inputs could be written down for them";
    case Kind::start: return "the search did not begin";
    case Kind::left_out: return "a test for it was found, but there was no time to replay it";
    }
    return text;
}

} // namespace

std::string to_text(const Explanation::Condition& c, const Sources& sources) {
    std::string text = located(c.at, sources) + " was never " + (c.value ? "true" : "false");
    if (c.refuted > 0) text += ": refuted " + times(c.refuted);
    return text;
}

std::string to_text(const Explanation& e, const Sources& sources) {
    std::string text = obstacle_text(e, sources);
    for (const PathEnd& end : e.path_ends) text += (text.empty() ? "" : "; ") + end_text(end, sources);
    return text;
}

std::string inputs_text(const Explanation& e) {
    std::string text;
    size_t count = 0;
    for (const WayStep& s : e.way) {
        if (s.stable == 0) continue;
        if (++count > most_inputs) continue;
        text += (text.empty() ? "" : ", ") + s.what;
    }
    if (count > most_inputs) text += ", … " + std::to_string(count - most_inputs) + " more";
    return text;
}

} // namespace espalier
