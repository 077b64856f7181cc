#include "testgen/explanation.hpp"

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace espalier {

namespace {

constexpr pda::Distance farthest = 1'000'000;
constexpr size_t longest_way = 100'000; // steps; a way may be far longer than the model
constexpr size_t longest_text = 60;

std::string times(uint64_t n) { return n == 1 ? "once" : std::to_string(n) + " times"; }

// The text there, on one line.
std::string quoted(const Sources& sources, Span span) {
    if (!span.known()) return "a condition";
    std::string text;
    for (char c : sources.text(span)) {
        const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!blank) text += c;
        if (blank && !text.empty() && text.back() != ' ') text += ' ';
        if (text.size() > longest_text) {
            while ((static_cast<unsigned char>(text.back()) & 0xc0U) == 0x80) text.pop_back(); // a whole character
            text.pop_back();
            text += "…";
            break;
        }
    }
    return "`" + text + "`";
}

} // namespace

Explainer::Explainer(const Program& program, const Flow& flow, const Story& story)
    : program_(program), flow_(flow), story_(story), spans_(program.label_count) {
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

std::vector<BlockId> Explainer::successors(BlockId block) const {
    std::vector<BlockId> next;
    const TerminatorKind& kind = program_[block].terminator.kind;
    if (const auto* t = std::get_if<term::Jump>(&kind)) next = {t->target};
    if (const auto* t = std::get_if<term::Branch>(&kind)) next = {t->then_block, t->else_block};
    if (const auto* t = std::get_if<term::Call>(&kind)) next = {t->back};
    if (const auto* t = std::get_if<term::Select>(&kind))
        for (const SelectClause& c : program_.select_clauses(*t)) next.push_back(c.test);
    if (const auto* t = std::get_if<term::Accept>(&kind)) next = {t->body};
    if (const auto* t = std::get_if<term::Choose>(&kind))
        for (uint32_t i = 0; i < t->count; ++i) next.push_back(program_.choices[t->first + i]);
    return next;
}

// Between two places of the way may lie blocks that have no node: the search stopped at one of them.
void Explainer::obstacle(BlockId from, BlockId to, Explanation& out) const {
    std::unordered_map<uint32_t, BlockId> before{{index(from), no_block}};
    std::deque<BlockId> pending{from};
    while (!pending.empty() && before.count(index(to)) == 0) {
        const BlockId b = pending.front();
        pending.pop_front();
        for (BlockId next : successors(b))
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

// The analysis has no node for the target: in the text, what leads to it?
void Explainer::dead(TargetId target, Explanation& out) const {
    out.kind = Explanation::Kind::dead;
    out.at = program_.targets[index(target)].span;
    const auto alive = [&](BlockId block) {
        return std::any_of(flow_.variants().begin(), flow_.variants().end(), [&](const Variant& v) {
            const auto id = VariantId{static_cast<uint32_t>(&v - flow_.variants().data())};
            return v.lambda == program_[block].lambda && flow_.node(id, block) != pda::no_node;
        });
    };
    for (uint32_t b = 0; b < program_.blocks.size(); ++b) {
        const Block& block = program_.blocks[b];
        const bool marks =
            std::any_of(program_.ops.begin() + block.first_op, program_.ops.begin() + block.first_op + block.op_count,
                        [&](const Operation& o) { return marked(o.kind) == target; });
        if (!marks) continue;
        // Backwards to the nearest branch that a run does come to.
        const Lambda& lambda = program_[block.lambda];
        std::vector<bool> leads(program_.blocks.size(), false);
        leads[b] = true;
        for (uint32_t from = b; from-- > lambda.first_block;) {
            const std::vector<BlockId> next = successors(BlockId{from});
            leads[from] = std::any_of(next.begin(), next.end(), [&](BlockId n) { return leads[index(n)]; });
            const auto* branch = std::get_if<term::Branch>(&program_.blocks[from].terminator.kind);
            if (!leads[from] || branch == nullptr || !alive(BlockId{from})) continue;
            const bool then = leads[index(branch->then_block)], other = leads[index(branch->else_block)];
            if (then == other) return;
            out.at = program_.blocks[from].terminator.span;
            out.kind = Explanation::Kind::dead;
            out.gone = 1;
            out.value = then;
            return;
        }
        return;
    }
}

Explanation Explainer::explain(TargetId target) const {
    Explanation out;
    const auto places = route(target, out.stable_states);
    if (!places) {
        out.stable_states = 0;
        dead(target, out);
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
    case Explanation::Kind::dead:
        if (e.gone == 0) return "no run of the model leads there";
        return quoted(sources, e.at) + place + " is never " + (e.value ? "true" : "false") + " where it is asked";
    case Explanation::Kind::condition: {
        std::string text = quoted(sources, e.at) + place + " was never " + (e.value ? "true" : "false");
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
        std::string text = quoted(sources, e.at) + " was evaluated, but never with these values";
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
