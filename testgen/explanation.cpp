#include "testgen/explanation.hpp"

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace espalier {

namespace {

constexpr pda::Distance farthest = 1'000'000;
constexpr size_t longest_way = 100'000; // steps; a way may be far longer than the model

std::string times(uint64_t n) { return n == 1 ? "once" : std::to_string(n) + " times"; }

std::string dead_text(const std::vector<DeadEnd>& ends, const Sources& sources) {
    if (ends.empty()) return "no run of the model leads there";
    std::string text;
    for (const DeadEnd& e : ends) text += (text.empty() ? "" : "; ") + to_text(e, sources, true);
    return text;
}

std::string condition_text(const Explanation& e, const Sources& sources) {
    return e.at.known() ? quoted(sources, e.at) : "a condition";
}

} // namespace

Explainer::Explainer(const Program& program, const Flow& flow, const Story& story)
    : program_(program), flow_(flow), story_(story), spans_(program.label_count), ends_(program, flow) {
    for (const Operation& o : program.ops) spans_[index(o.label)] = o.span;
    for (const Block& b : program.blocks) spans_[index(b.terminator.label)] = b.terminator.span;
    for (const SelectClause& c : program.clauses)
        if (c.label != no_label) spans_[index(c.label)] = c.span;
}

std::optional<std::vector<Explainer::Place>> Explainer::route(TargetId target, uint32_t& charged) const {
    const VariantId top = flow_.variant(program_.top, no_label);
    const pda::NodeId start = flow_.graph().root(flow_[top].procedure);
    const pda::TargetId wanted[] = {flow_.target(target)};
    const auto guide = pda::make_guide(flow_.graph(), farthest, wanted);
    charged = guide->distance(start, nullptr, farthest);
    const auto route = charged == pda::unreachable ? nullptr : guide->route(start, nullptr);
    if (route == nullptr) return std::nullopt;
    std::vector<Place> places{{start, flow_.place(start).block}};
    while (places.size() < longest_way) {
        const auto step = route->next();
        if (!step) break;
        places.push_back({step->node, flow_.place(step->node).block});
    }
    return places;
}

// Between two places of the way may lie blocks that have no node: the search stopped at one of them.
void Explainer::obstacle(BlockId from, BlockId to, Explanation& out) const {
    std::unordered_map<uint32_t, BlockId> before{{index(from), no_block}};
    std::deque<BlockId> pending{from};
    while (!pending.empty() && before.count(index(to)) == 0) {
        const BlockId b = pending.front();
        pending.pop_front();
        for (BlockId next : DeadEnds::successors(program_, b))
            if (before.emplace(index(next), b).second) pending.push_back(next);
    }
    BlockId last = from, first_missed = to;
    if (const auto found = before.find(index(to)); found != before.end()) {
        for (BlockId b = to; b != from; b = before.at(index(b))) {
            if (story_.entered[index(b)]) break;
            first_missed = b;
            last = before.at(index(b));
        }
    }
    const Terminator& t = program_[last].terminator;
    out.at = t.span;
    out.kind = Explanation::Kind::stuck;
    if (const auto* b = std::get_if<term::Branch>(&t.kind)) {
        out.kind = Explanation::Kind::condition;
        out.value = b->then_block == first_missed;
        const auto found = story_.refuted.find({t.label, out.value ? 0 : 1});
        if (found != story_.refuted.end()) out.refuted = found->second;
        const auto cut = story_.cut.find({t.label, out.value ? 0 : 1});
        if (cut != story_.cut.end()) out.bounded = cut->second;
    } else if (std::holds_alternative<term::Select>(t.kind)) {
        out.kind = Explanation::Kind::wait;
        const auto found = story_.bounded.find(t.label);
        if (found != story_.bounded.end()) out.bounded = found->second;
    } else { // such as a call that no path has come back from
        for (const auto& [label, n] : story_.bounded) out.bounded += n;
    }
}

Explanation Explainer::explain(TargetId target) const {
    Explanation out;
    const auto places = route(target, out.stable_states);
    if (!places) {
        out.stable_states = 0;
        out.at = program_.targets[index(target)].span;
        out.ends = ends_.before(target);
        return out;
    }
    size_t last = 0;
    while (last + 1 < places->size() && story_.entered[index((*places)[last + 1].block)]) ++last;
    for (size_t i = 0; i < places->size(); ++i) {
        const Label label = flow_.place((*places)[i].node).label;
        if (label == no_label || program_[program_[(*places)[i].block].lambda].prelude) continue;
        const Span span = spans_[index(label)];
        if (!span.known() || (!out.way.empty() && out.way.back() == span)) continue;
        out.way.push_back(span);
        if (i <= last) ++out.gone;
    }
    if (last + 1 < places->size()) {
        obstacle((*places)[last].block, (*places)[last + 1].block, out);
        return out;
    }
    const auto found = story_.edges_refuted.find(target);
    const TargetKind kind = program_.targets[index(target)].kind;
    const bool conditional = kind == TargetKind::boundary || kind == TargetKind::mcdc;
    // These stand where something begins, so a path that comes there has come to them.
    const bool at_start = kind == TargetKind::branch || kind == TargetKind::condition || kind == TargetKind::procedure;
    out.kind = conditional ? Explanation::Kind::edge
               : at_start  ? Explanation::Kind::unaccepted
                           : Explanation::Kind::before;
    out.at = program_.targets[index(target)].span;
    if (found != story_.edges_refuted.end()) out.refuted = found->second;
    return out;
}

std::string to_text(const Explanation& e, const Sources& sources) {
    const std::string place = e.at.known() ? " at " + sources.place(e.at) : "";
    switch (e.kind) {
    case Explanation::Kind::dead: return dead_text(e.ends, sources);
    case Explanation::Kind::condition: {
        std::string text = condition_text(e, sources) + place + " was never " + (e.value ? "true" : "false");
        if (e.refuted > 0) text += ": refuted " + times(e.refuted);
        if (e.bounded > 0)
            text += (e.refuted > 0 ? ", and " : ": ") + std::string("left out ") + times(e.bounded) +
                    " where no target was within the bound";
        return text;
    }
    case Explanation::Kind::wait:
        if (e.bounded > 0) return "the bound ended paths at the wait" + place + ", " + times(e.bounded);
        return "nothing was taken at the wait" + place;
    case Explanation::Kind::edge: {
        std::string text = condition_text(e, sources) + " was evaluated, but never with these values";
        if (e.refuted > 0) text += ": refuted " + times(e.refuted);
        return text;
    }
    case Explanation::Kind::before:
        return "paths ended just before it: by an error, an `assume`, or a message that no clause accepts in the end";
    case Explanation::Kind::unaccepted:
        return "its place was passed only where it does not count: by messages that no clause accepts in the end";
    case Explanation::Kind::stuck: {
        std::string text = "the search did not come past" + (place.empty() ? " the start" : place.substr(3));
        if (e.bounded > 0) text += "; the bound ended paths " + times(e.bounded);
        return text;
    }
    }
    return {};
}

} // namespace espalier
