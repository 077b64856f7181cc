// What a question to the oracle costs. For bench/oracle.sh:
//
//   bench_oracle depth             oracle v3, by the depth of the stack
//   bench_oracle stream MODEL…     the questions of a search with fewer and fewer targets, to each oracle; and how much
//                                  of the table is repaired when a target is covered. QUESTIONS says how many
//                                  (default: 100000)
//   bench_oracle build MODEL…      oracle v3 made, and asked once
//   bench_oracle text MODEL        the model's automaton as text, with one question, for `espalier pda`
//
// Times are processor time, so that a busy machine matters little.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "flowanalysis/flowanalysis.hpp"

using namespace espalier;

namespace {

constexpr pda::Distance depth = 3;
constexpr int turns = 5; // the best counts

double now() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

template <typename F>
double best_of(int count, F f) {
    double best = 0;
    for (int i = 0; i < count; ++i) {
        const double start = now();
        f();
        const double took = now() - start;
        best = i == 0 ? took : std::min(best, took);
    }
    return best;
}

std::vector<pda::TargetId> all_targets(const pda::Graph& graph) {
    const auto targets = graph.targets();
    return {targets.begin(), targets.end()};
}

// ── By depth ──

// `deep` calls itself or returns; what is looked for follows the outermost call, so every answer depends on the whole
// stack.
struct Recursion {
    Recursion() {
        pda::GraphBuilder builder;
        const auto main = builder.add_procedure("main"), deep = builder.add_procedure("deep");
        const auto start = builder.add_node(main, pda::NodeKind::call);
        const auto goal = builder.add_node(main, pda::NodeKind::checkpoint);
        const auto other = builder.add_node(main, pda::NodeKind::checkpoint);
        const auto entry = builder.add_node(deep, pda::NodeKind::branch);
        const auto call = builder.add_node(deep, pda::NodeKind::call);
        const auto back = builder.add_node(deep, pda::NodeKind::ret);
        builder.set_root(main, start);
        builder.set_root(deep, entry);
        builder.add_callee(start, deep);
        builder.add_callee(call, deep);
        builder.set_target(goal, builder.target("goal"));
        builder.set_target(other, builder.target("other"));
        builder.add_edge(start, goal);
        builder.add_edge(goal, other);
        builder.add_edge(entry, call);
        builder.add_edge(entry, back);
        builder.add_edge(call, back);
        graph = std::get<pda::Graph>(std::move(builder).build());
        outer = start;
        inner = call;
        node = entry;
    }
    pda::Graph graph;
    pda::NodeId outer, inner, node;
};

int by_depth() {
    const Recursion model;
    const std::vector<pda::TargetId> targets = all_targets(model.graph);
    constexpr size_t questions = 2'000'000;
    const auto seconds = [&](size_t frames) {
        const auto oracle = pda::make_oracle(pda::OracleKind::v3, model.graph, depth, targets);
        std::deque<pda::PendingCall> stack{{model.outer}};
        while (stack.size() < frames) stack.push_back({model.inner, &stack.back()});
        // As a run asks: it calls, asks, returns and asks; all below is shared with what was asked before.
        uint64_t found = 0;
        const double best = best_of(turns, [&] {
            for (size_t i = 0; i < questions / 2; ++i) {
                const pda::PendingCall above{model.inner, &stack.back()};
                found += oracle->reachable_within(model.node, &above, depth - 1) ? 1 : 0;
                found += oracle->reachable_within(model.node, &stack.back(), depth - 1) ? 1 : 0;
            }
        });
        if (found != questions * turns) std::abort(); // the target is always in reach
        return best / questions * 1e9;
    };
    const auto first = [&](size_t frames) { // after a target was covered, every frame is out of date
        std::deque<pda::PendingCall> stack{{model.outer}};
        while (stack.size() < frames) stack.push_back({model.inner, &stack.back()});
        double best = 0;
        for (int i = 0; i < turns; ++i) {
            const auto oracle = pda::make_oracle(pda::OracleKind::v3, model.graph, depth, targets);
            oracle->cover(targets[1]);
            const double start = now();
            oracle->reachable_within(model.node, &stack.back(), depth - 1);
            const double took = now() - start;
            best = i == 0 ? took : std::min(best, took);
        }
        return best * 1e9;
    };
    for (const size_t frames : {size_t{10}, size_t{100}, size_t{1'000}, size_t{10'000}, size_t{100'000}})
        std::printf("%zu %.2f %.0f\n", frames, seconds(frames), first(frames));
    return 0;
}

// ── Streams ──

struct Event {
    pda::TargetId covered; // no_target: a question
    pda::NodeId node;
    const pda::PendingCall* stack;
    pda::Distance limit;
};

// A search, without the search: random walks, from where some thread begins, that ask at each branch about every way
// on, and end where the bound does. A target that is come upon is covered and gives the bound back.
class Stream {
public:
    Stream(const pda::Graph& graph, pda::NodeId start, size_t questions) : graph_(graph), starts_{start} {
        for (const pda::NodeId node : graph.nodes())
            if (graph.kind(node) == pda::NodeKind::spawn)
                for (const pda::ProcedureId p : graph.callees(node)) starts_.push_back(graph.root(p));
        uncovered_.assign(graph.target_count(), true);
        while (asked_ < questions) walk(questions);
    }
    const std::vector<Event>& events() const { return events_; }
    size_t questions() const { return asked_; }
    size_t covered() const { return events_.size() - asked_; }
    size_t deepest() const { return deepest_; }

private:
    void walk(size_t questions) {
        pda::NodeId node = starts_[random_() % starts_.size()];
        const pda::PendingCall* stack = nullptr;
        size_t frames = 0;
        pda::Distance k = depth;
        for (int step = 0; step < longest_walk && asked_ < questions; ++step) {
            if (const auto target = graph_.target(node); target != pda::no_target && uncovered_[pda::raw(target)]) {
                uncovered_[pda::raw(target)] = false;
                events_.push_back({target, node, stack, 0});
                k = depth;
            }
            const auto callees = graph_.callees(node);
            const auto kind = graph_.kind(node);
            if (!callees.empty() && (kind == pda::NodeKind::call || random_() % 2 == 0)) {
                if (kind == pda::NodeKind::call) {
                    frames_.push_back({node, stack});
                    deepest_ = std::max(deepest_, ++frames);
                }
                stack = kind == pda::NodeKind::call ? &frames_.back() : nullptr;
                if (kind == pda::NodeKind::spawn) frames = 0;
                node = graph_.root(callees[random_() % callees.size()]);
                continue;
            }
            pda::NodeId from = node;
            if (kind == pda::NodeKind::ret) {
                if (stack == nullptr) return;
                from = stack->call;
                stack = stack->parent;
                --frames;
            }
            const auto edges = graph_.edges(from);
            if (edges.empty()) return;
            const auto taken = random_() % edges.size();
            size_t number = 0;
            for (const pda::EdgeId edge : edges) {
                const pda::Distance left = k - graph_.cost(edge);
                if (left == 0) return;
                if (edges.size() > 1) ask(graph_.to(edge), stack, left - 1);
                if (number++ == taken) node = graph_.to(edge);
            }
            if (graph_.kind(from) == pda::NodeKind::stable) --k;
            if (k == 0) return;
        }
    }
    void ask(pda::NodeId node, const pda::PendingCall* stack, pda::Distance limit) {
        events_.push_back({pda::no_target, node, stack, limit});
        ++asked_;
    }

    static constexpr int longest_walk = 2'000;
    const pda::Graph& graph_;
    std::vector<pda::NodeId> starts_;
    std::mt19937_64 random_{1};
    std::vector<bool> uncovered_;
    std::deque<pda::PendingCall> frames_;
    std::vector<Event> events_;
    size_t asked_ = 0, deepest_ = 0;
};

struct Analysed {
    explicit Analysed(const char* path) : model(load_model(path)) {
        if (!model.program) {
            for (const Diagnostic& d : model.diagnostics.all()) std::fputs(render(model.sources, d).c_str(), stderr);
            std::exit(1);
        }
        model.program = instrument(*model.program, Criteria::standard());
        flow = analyse(*model.program);
        start = flow.graph().root(flow[flow.variant(model.program->top, no_label)].procedure);
    }
    Model model;
    Flow flow;
    pda::NodeId start{};
};

// Plays the stream, the making of the oracle included. What it answered is returned, as a number.
uint64_t play(pda::OracleKind kind, const pda::Graph& graph, const Stream& stream, double& seconds) {
    uint64_t answers = 0;
    const double start = now();
    const auto oracle = pda::make_oracle(kind, graph, depth, all_targets(graph));
    for (const Event& e : stream.events()) {
        if (e.covered != pda::no_target)
            oracle->cover(e.covered);
        else
            answers = answers * 3 + (oracle->reachable_within(e.node, e.stack, e.limit) ? 1 : 2);
    }
    seconds = now() - start;
    return answers;
}

int stream(const char* path) {
    const Analysed a(path);
    const pda::Graph& graph = a.flow.graph();
    const char* given = std::getenv("QUESTIONS");
    const Stream stream(graph, a.start, given == nullptr ? 100'000 : std::strtoull(given, nullptr, 10));
    double seconds[3] = {};
    uint64_t answers[3] = {};
    const pda::OracleKind kinds[] = {pda::OracleKind::v1, pda::OracleKind::v2, pda::OracleKind::v3};
    for (int i = 0; i < 3; ++i) {
        for (int turn = 0; turn < (i == 2 ? turns : 1); ++turn) {
            double took = 0;
            answers[i] = play(kinds[i], graph, stream, took);
            seconds[i] = turn == 0 ? took : std::min(seconds[i], took);
        }
    }
    if (answers[0] != answers[2] || answers[1] != answers[2]) {
        std::fprintf(stderr, "the oracles disagree on %s\n", path);
        return 1;
    }
    // One after the other, all that can be covered.
    const auto oracle = pda::make_oracle(pda::OracleKind::v3, graph, depth, all_targets(graph));
    std::vector<pda::TargetId> order = all_targets(graph);
    std::shuffle(order.begin(), order.end(), std::mt19937_64{2});
    std::vector<uint64_t> repaired;
    for (const pda::TargetId target : order) {
        const uint64_t before = oracle->work().repaired_nodes;
        oracle->cover(target);
        repaired.push_back(oracle->work().repaired_nodes - before);
    }
    const auto place = std::max_element(repaired.begin(), repaired.end()) - repaired.begin();
    const double when = 100.0 * static_cast<double>(place + 1) / static_cast<double>(repaired.size());
    std::sort(repaired.begin(), repaired.end());
    uint64_t sum = 0;
    for (const uint64_t n : repaired) sum += n;
    const double share = 100.0 / static_cast<double>(graph.node_count());
    std::printf("%s %zu %zu %zu %zu %zu %.6f %.6f %.6f %.3f %.3f %.3f %.3f %.1f\n", path, graph.node_count(),
                graph.edge_count(), stream.questions(), stream.covered(), stream.deepest(), seconds[0], seconds[1],
                seconds[2], share * static_cast<double>(sum) / static_cast<double>(repaired.size()),
                share * static_cast<double>(repaired[repaired.size() / 2]),
                share * static_cast<double>(repaired[repaired.size() * 99 / 100]),
                share * static_cast<double>(repaired.back()), when);
    return 0;
}

// ── Building ──

int build(const char* path) {
    const Analysed a(path);
    const pda::Graph& graph = a.flow.graph();
    const auto targets = all_targets(graph);
    const double seconds = best_of(turns, [&] {
        const auto oracle = pda::make_oracle(pda::OracleKind::v3, graph, depth, targets);
        oracle->distance(a.start, nullptr, depth);
    });
    std::printf("%s %zu %zu %.4f\n", path, graph.node_count(), graph.edge_count(), seconds);
    return 0;
}

int text(const char* path) {
    const Analysed a(path);
    const pda::Query query{a.start, {}, depth, all_targets(a.flow.graph())};
    std::fputs(pda::print(a.flow.graph(), {&query, 1}).c_str(), stdout);
    return 0;
}

} // namespace

int main(int count, char** arguments) {
    const std::string what = count > 1 ? arguments[1] : "";
    if (what == "depth" && count == 2) return by_depth();
    int (*const each)(const char*) = what == "stream"  ? stream
                                     : what == "build" ? build
                                     : what == "text"  ? text
                                                       : nullptr;
    if (each == nullptr || count < 3) {
        std::fputs("usage: bench_oracle depth | bench_oracle stream|build|text MODEL...\n", stderr);
        return 2;
    }
    int failed = 0;
    for (int i = 2; i < count; ++i) failed |= each(arguments[i]);
    return failed;
}
