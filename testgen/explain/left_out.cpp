#include "testgen/explain/left_out.hpp"

#include <algorithm>
#include <unordered_map>

#include "testgen/explain/dead_ends.hpp"

namespace espalier {

using Kind = LeftOut::Kind;

namespace {

constexpr size_t most_told_apart = 64; // places; each costs a walk over the automaton

// Forwards from nodes with any stack: a return leads to all callers, also of procedures that jump here.
class Ahead {
public:
    explicit Ahead(const pda::Graph& graph)
        : graph_(graph), reached_(graph.node_count(), false), popped_(graph.procedure_count(), false) {}

    void mark(pda::NodeId node) {
        if (node == pda::no_node || reached_[pda::raw(node)]) return;
        reached_[pda::raw(node)] = true;
        pending_.push_back(node);
    }

    std::vector<bool> walk() && {
        while (!pending_.empty()) {
            const pda::NodeId node = pending_.back();
            pending_.pop_back();
            for (const pda::ProcedureId callee : graph_.callees(node)) mark(graph_.root(callee));
            for (const pda::EdgeId edge : graph_.edges(node)) mark(graph_.to(edge));
            if (graph_.kind(node) == pda::NodeKind::ret) pop(graph_.procedure(node));
        }
        return std::move(reached_);
    }

private:
    void pop(pda::ProcedureId procedure) {
        if (jumpers_.empty()) find_jumpers();
        std::vector<pda::ProcedureId> pending{procedure};
        while (!pending.empty()) {
            const pda::ProcedureId p = pending.back();
            pending.pop_back();
            if (popped_[pda::raw(p)]) continue;
            popped_[pda::raw(p)] = true;
            for (const pda::NodeId call : graph_.callers(p))
                for (const pda::EdgeId edge : graph_.edges(call)) mark(graph_.to(edge));
            for (const pda::ProcedureId from : jumpers_[pda::raw(p)]) pending.push_back(from);
        }
    }

    void find_jumpers() {
        jumpers_.resize(graph_.procedure_count());
        for (const pda::NodeId node : graph_.nodes())
            for (const pda::EdgeId edge : graph_.edges(node))
                if (const auto to = graph_.procedure(graph_.to(edge)); to != graph_.procedure(node))
                    jumpers_[pda::raw(to)].push_back(graph_.procedure(node));
    }

    const pda::Graph& graph_;
    std::vector<bool> reached_, popped_;
    std::vector<std::vector<pda::ProcedureId>> jumpers_;
    std::vector<pda::NodeId> pending_;
};

std::string times(uint64_t n) { return n == 1 ? "once" : std::to_string(n) + " times"; }

} // namespace

LeftOuts::LeftOuts(const Program& program, const Flow* flow, const Exploration& found, Schedules schedules)
    : program_(program), flow_(flow), found_(found), places_(program) {
    const auto starts_none = [&](pda::NodeId node) { return flow->graph().kind(node) != pda::NodeKind::spawn; };
    if (flow != nullptr) {
        const auto nodes = flow->graph().nodes();
        one_thread_ = std::all_of(nodes.begin(), nodes.end(), starts_none);
    }
    const Story& story = found.story;
    if (!found.complete) add({Kind::limit, found.given_up, {}, to_text(found.ended_by)}, {});

    std::vector<BlockId> bounded;
    uint64_t dropped = 0;
    const auto note = [&](BlockId block, uint64_t n) {
        bounded.push_back(block);
        dropped += n;
    };
    for (const auto& [label, n] : story.bounded) note(places_.block(label), n);
    for (const auto& [block, n] : story.cut_into) note(block, n);
    for (const auto& [label, n] : story.cut_from) note(places_.block(label), n);
    // What was cut because nothing lies ahead of it hides nothing: see leads_to().
    if (dropped > 0) add({Kind::bound, dropped}, bounded);

    const auto add_each = [&](Kind kind, const Story::Times& places) {
        for (const auto& [label, n] : places) add({kind, n, places_.span(label)}, {places_.block(label)});
    };
    add_each(Kind::undecided, story.undecided);
    if (const uint64_t n = story.count(Dropped::undecided); n > 0 && story.undecided.empty())
        add({Kind::undecided, n}, {});
    for (const auto& [what, n] : story.unsupported)
        add({Kind::unsupported, n, places_.span(what.first), what.second}, {places_.block(what.first)});
    if (story.unsupported.empty())
        for (const auto& [why, n] : found.unsupported) add({Kind::unsupported, n, {}, why}, {});
    add_each(Kind::steps, story.out_of_steps);
    add_each(Kind::delay, story.delays);
    for (const auto& [label, reasons] : story.subsumed)
        for (const auto& [why, n] : reasons) add({Kind::subsumed, n, places_.span(label), why}, {places_.block(label)});
    add_each(Kind::moment, story.moments);
    if (schedules == Schedules::first && found.concurrent) add({Kind::schedules}, {});
}

void LeftOuts::add(LeftOut what, const std::vector<BlockId>& from) {
    const bool known = flow_ != nullptr && one_thread_ && !from.empty() && items_.size() < most_told_apart;
    items_.push_back({std::move(what), known ? ahead_of(from) : std::vector<bool>{}});
}

std::vector<bool> LeftOuts::ahead_of(const std::vector<BlockId>& from) const {
    Ahead ahead(flow_->graph());
    std::unordered_map<uint32_t, std::vector<BlockId>> blocks; // by λ
    for (const BlockId block : from) {
        if (block == no_block) return {}; // at no one place
        blocks[index(program_[block].lambda)].push_back(block);
    }
    for (uint32_t v = 0; v < flow_->variants().size(); ++v) {
        const auto found = blocks.find(index((*flow_)[VariantId{v}].lambda));
        if (found == blocks.end()) continue;
        for (const BlockId block : found->second) ahead.mark(flow_->node(VariantId{v}, block));
    }
    return std::move(ahead).walk();
}

// Where the search knows the places of the paths that it dropped, that is exact to the calls that wait below them, and
// of all threads.
bool LeftOuts::is_hidden(Kind kind, TargetId target) const {
    const auto by = [&](Dropped why) {
        const std::vector<bool>& hidden = found_.story.hidden[static_cast<size_t>(why)];
        return flow_ == nullptr || hidden.empty() || hidden[index(target)];
    };
    switch (kind) {
    case Kind::limit:
    case Kind::schedules: return true;
    case Kind::bound: return by(Dropped::bound) || by(Dropped::cut);
    case Kind::undecided: return by(Dropped::undecided);
    case Kind::unsupported: return by(Dropped::unsupported);
    case Kind::steps: return by(Dropped::steps);
    case Kind::delay: return by(Dropped::delay);
    case Kind::subsumed: return by(Dropped::subsumed);
    case Kind::moment: return by(Dropped::moment);
    }
    return true;
}

bool LeftOuts::leads_to(const Item& item, TargetId target) const {
    if (!is_hidden(item.what.kind, target)) return false;
    if (item.ahead.empty()) return true;
    const auto nodes = flow_->graph().checkpoints(flow_->target(target));
    return std::any_of(nodes.begin(), nodes.end(), [&](pda::NodeId n) { return item.ahead[pda::raw(n)]; });
}

std::vector<LeftOut> LeftOuts::before(TargetId target) const {
    std::vector<LeftOut> all;
    for (const Item& item : items_) {
        if (!leads_to(item, target)) continue;
        const LeftOut& what = item.what;
        const auto same = std::find_if(all.begin(), all.end(), [&](const LeftOut& other) {
            return other.kind == what.kind && other.at == what.at && other.why == what.why; // made by one macro
        });
        if (same == all.end())
            all.push_back(what);
        else
            same->times += what.times;
    }
    return all;
}

bool LeftOuts::saw_all(TargetId target) const {
    const auto is_of_all = [](const Item& item) {
        return item.what.kind == Kind::limit || item.what.kind == Kind::schedules;
    };
    if (std::any_of(items_.begin(), items_.end(), is_of_all)) return false;
    if (flow_ == nullptr || found_.story.hidden[0].empty())
        return items_.empty() && found_.story.count(Dropped::bound) == 0;
    return std::none_of(found_.story.hidden.begin(), found_.story.hidden.end(),
                        [&](const std::vector<bool>& hidden) { return hidden[index(target)]; });
}

std::vector<Span> untried_places(const Program& program, const Exploration& found) {
    if (found.untried.empty()) return {};
    const Places places(program);
    std::vector<Span> all;
    for (const Label label : found.untried) {
        const Span span = places.span(label);
        const bool shown =
            std::any_of(found.errors.begin(), found.errors.end(), [&](const FoundError& e) { return e.span == span; });
        if (span.known() && !shown && std::find(all.begin(), all.end(), span) == all.end()) all.push_back(span);
    }
    std::sort(all.begin(), all.end(), [](const Span& a, const Span& b) {
        return std::pair(index(a.file), a.begin) < std::pair(index(b.file), b.begin);
    });
    return all;
}

std::string to_text(const LeftOut& what, const Sources& sources, uint32_t depth) {
    const std::string text = what.at.known() ? quoted(sources, what.at) + " at " + sources.place(what.at) : "";
    switch (what.kind) {
    case Kind::limit:
        return "the search was ended by the " + what.why + " with " + std::to_string(what.times) +
               (what.times == 1 ? " state" : " states") + " waiting";
    case Kind::bound:
        return "the bound (depth " + std::to_string(depth) + ") ended paths that might lead there, " +
               times(what.times);
    case Kind::undecided:
        return text.empty() ? "the solver gave up, " + times(what.times)
                            : "the solver gave up on " + text + ", " + times(what.times);
    case Kind::unsupported:
        return (text.empty() ? "paths were not followed" : text + " was not followed") + ", " + times(what.times) +
               ": " + what.why;
    case Kind::steps: return "a path that does not come to wait was given up at " + text + ", " + times(what.times);
    case Kind::delay: return "of the delay in " + text + " only the least and the greatest value were tried";
    case Kind::subsumed:
        return "states at " + text + " were skipped, " + times(what.times) + ": " +
               (what.why.empty() ? "whatever their data are" : "where " + what.why) + ", nothing comes of them" +
               (depth < no_bound ? " within the bound" : "");
    case Kind::moment: return "the tester might act at other moments before " + text + ", where another timer runs";
    case Kind::schedules: return "other orders of the threads were not tried (--schedules all)";
    }
    return {};
}

} // namespace espalier
