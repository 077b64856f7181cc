// Any bytes may be an automaton. Parsing them ends, in a document or in errors that stand in the text; a document,
// printed, parses as the same one; and the three oracles give the same answers, none of them below what can be reached
// at any distance.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "pda/pda.hpp"

using namespace espalier;

namespace {

constexpr size_t longest_text = 4096;

void require(bool holds, const char* what, const std::string& text) {
    if (holds) return;
    std::fprintf(stderr, "%s\n%s\n", what, text.c_str());
    std::abort();
}

std::string answers(std::string_view text, pda::OracleKind kind) {
    const auto result = pda::answer_queries(text, kind);
    const auto* lines = std::get_if<std::string>(&result);
    require(lines != nullptr, "a document has errors when it is asked about", std::string(text));
    return *lines;
}

void check_reachable(const pda::Document& document) {
    for (const pda::Query& q : document.queries) {
        const pda::Stack stack(q.stack);
        pda::ReachableSet reached(document.graph);
        reached.add(q.node, stack.top());
        const auto oracle = pda::make_guide(document.graph, q.limit, q.targets);
        const bool near = oracle->reachable_within(q.node, stack.top(), q.limit);
        const bool ever = std::any_of(q.targets.begin(), q.targets.end(), [&](auto t) { return reached.contains(t); });
        require(ever || !near, "a target within the limit that is proved unreachable", "");
        const auto route = oracle->route(q.node, stack.top());
        require(near == (route != nullptr), "a distance without a way, or a way without a distance", "");
        pda::Distance cost = 0;
        for (int i = 0; route != nullptr && i < 1000; ++i) {
            const auto step = route->next();
            if (!step) break;
            if (step->edge != pda::no_edge) cost += document.graph.cost(step->edge);
        }
        require(cost <= q.limit, "a way that is longer than the limit", "");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    if (size > longest_text) return -1;
    const std::string text(reinterpret_cast<const char*>(bytes), size);
    const auto parsed = pda::parse(text);
    if (const auto* errors = std::get_if<std::vector<pda::TextError>>(&parsed)) {
        require(!errors->empty(), "neither a document nor an error", text);
        const auto lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
        size_t last = 1;
        for (const pda::TextError& e : *errors) {
            require(e.line >= last && e.line <= lines && !e.text.empty(), "an error outside the text", e.text);
            last = e.line;
        }
        return 0;
    }
    const auto& document = std::get<pda::Document>(parsed);
    const std::string printed = pda::print(document.graph, document.queries);
    const auto again = pda::parse(printed);
    const auto* same = std::get_if<pda::Document>(&again);
    require(same != nullptr && *same == document, "a printed document parses as another", printed);
    const std::string v3 = answers(text, pda::OracleKind::v3);
    require(answers(text, pda::OracleKind::v1) == v3, "v1 and v3 disagree", text);
    require(answers(text, pda::OracleKind::v2) == v3, "v2 and v3 disagree", text);
    check_reachable(document);
    return 0;
}
