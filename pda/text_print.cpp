// Writes the text format. Names that a reader would not take as one word, or that are missing or not unique,
// are replaced; what came from text keeps every name.
#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "pda/pda.hpp"
#include "pda/tokens.hpp"

namespace espalier::pda {

namespace {

// Names of one sort of thing, no two the same.
class Names {
public:
    // Each text as it is, where that is a name and not taken; else a name made from it, or from the prefix.
    template <typename Id, typename NameOf>
    Names(IdRange<Id> ids, char prefix, NameOf name_of) : names_(ids.size()) {
        for (const Id id : ids) {
            const std::string_view name = name_of(id);
            if (!name.empty() && std::ranges::all_of(name, is_name_character) &&
                taken_.insert(std::string(name)).second)
                names_[raw(id)] = name;
        }
        for (const Id id : ids) {
            if (!names_[raw(id)].empty()) continue;
            std::string name(name_of(id));
            std::ranges::replace_if(
                name, [](char c) { return !is_name_character(c); }, '_');
            names_[raw(id)] = fresh(name.empty() ? prefix + std::to_string(raw(id)) : name);
        }
    }

    template <typename Id>
    const std::string& operator[](Id id) const {
        return names_[raw(id)];
    }

    // The name itself, or with a number after it.
    std::string fresh(const std::string& name) {
        if (taken_.insert(name).second) return name;
        while (true) {
            std::string numbered = name + '~' + std::to_string(++last_number_);
            if (taken_.insert(numbered).second) return numbered;
        }
    }

private:
    std::vector<std::string> names_;
    std::unordered_set<std::string> taken_;
    uint64_t last_number_ = 0;
};

class Printer {
public:
    explicit Printer(const Graph& graph)
        : graph_(graph), procedures_(graph.procedures(), 'p', [&](ProcedureId id) { return graph.name(id); }),
          nodes_(graph.nodes(), 'n', [&](NodeId id) { return graph.name(id); }),
          targets_(graph.targets(), 't', [&](TargetId id) { return graph.name(id); }) {}

    std::string print(std::span<const Query> queries) {
        for (const ProcedureId procedure : graph_.procedures())
            text_ += "procedure " + procedures_[procedure] + ' ' + nodes_[graph_.root(procedure)] + '\n';
        for (const NodeId node : graph_.nodes()) print_node(node);
        for (const NodeId node : graph_.nodes()) print_edges(node);
        for (const Query& query : queries) print_query(query);
        return std::move(text_);
    }

private:
    // The text charges every edge of a stable node: is that what the graph does?
    bool is_printed_stable(NodeId node) const {
        return graph_.kind(node) == NodeKind::stable &&
               std::ranges::all_of(graph_.edges(node), [&](EdgeId edge) { return graph_.cost(edge) == 1; });
    }

    void print_node(NodeId node) {
        text_ += "node " + nodes_[node] + ' ' + procedures_[graph_.procedure(node)] + ' ';
        switch (graph_.kind(node)) {
        case NodeKind::call:
        case NodeKind::spawn:
            text_ += to_string(graph_.kind(node));
            for (const ProcedureId callee : graph_.callees(node)) text_ += ' ' + procedures_[callee];
            break;
        case NodeKind::checkpoint: text_ += "checkpoint " + targets_[graph_.target(node)]; break;
        case NodeKind::ret: text_ += "return"; break;
        case NodeKind::stable: text_ += is_printed_stable(node) ? "stable" : "plain"; break;
        case NodeKind::entry:
        case NodeKind::branch:
        case NodeKind::plain: text_ += "plain"; break;
        }
        if (!graph_.label(node).empty()) {
            text_ += " # ";
            std::ranges::replace_copy(graph_.label(node), std::back_inserter(text_), '\n', ' ');
        }
        text_ += '\n';
    }

    void print_edges(NodeId node) {
        const bool charges = is_printed_stable(node);
        for (const EdgeId edge : graph_.edges(node)) {
            std::string from = nodes_[node];
            if (graph_.cost(edge) == 1 && !charges) {
                const std::string stable = nodes_.fresh(from + "~charged");
                text_ += "node " + stable + ' ' + procedures_[graph_.procedure(node)] + " stable\n";
                print_edge(from, stable);
                from = stable;
            }
            print_edge(from, nodes_[graph_.to(edge)]);
        }
    }

    void print_edge(std::string_view from, std::string_view to) {
        text_ += "edge ";
        text_ += from;
        text_ += ' ';
        text_ += to;
        text_ += '\n';
    }

    void print_query(const Query& query) {
        text_ += "query " + nodes_[query.node] + " [";
        const char* separator = "";
        for (const NodeId call : query.stack) {
            text_ += separator + nodes_[call];
            separator = " ";
        }
        text_ += "] " + std::to_string(query.limit);
        for (const TargetId target : query.targets) text_ += ' ' + targets_[target];
        text_ += '\n';
    }

    const Graph& graph_;
    Names procedures_;
    Names nodes_;
    Names targets_;
    std::string text_;
};

} // namespace

std::string print(const Graph& graph, std::span<const Query> queries) { return Printer(graph).print(queries); }

} // namespace espalier::pda
