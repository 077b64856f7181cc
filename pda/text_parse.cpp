// Reads the text format: first the form of each line, then the names, which may be used before they are
// defined, then what a graph must satisfy. Each stage reports all it finds; a later one begins only where the
// earlier found nothing, so that one mistake is not reported as many.
#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

#include "pda/pda.hpp"
#include "pda/quote.hpp"
#include "pda/tokens.hpp"

namespace espalier::pda {

namespace {

using Words = std::span<const std::string_view>;

bool is_name(std::string_view word) { return is_name_character(word.front()); }
bool all_names(Words words) { return std::ranges::all_of(words, is_name); }

std::optional<NodeKind> kind_named(std::string_view word) {
    for (const NodeKind kind :
         {NodeKind::call, NodeKind::spawn, NodeKind::ret, NodeKind::stable, NodeKind::checkpoint, NodeKind::plain}) {
        if (word == to_string(kind)) return kind;
    }
    return std::nullopt;
}

class Parser {
public:
    explicit Parser(std::string_view text) : tokens_(text) {}

    std::variant<Document, std::vector<TextError>> parse() {
        for (size_t at = 0; at < tokens_.size(); ++at) read_line(tokens_[at]);
        if (errors_.empty()) look_up_names();
        if (errors_.empty()) {
            auto built = std::move(builder_).build();
            if (Graph* graph = std::get_if<Graph>(&built)) return Document{std::move(*graph), std::move(queries_)};
            for (BuildError& error : std::get<std::vector<BuildError>>(built))
                errors_.push_back({line_of(error), std::move(error.text)});
        }
        std::ranges::stable_sort(errors_, {}, &TextError::line);
        return std::move(errors_);
    }

private:
    using Line = Tokens::Line;

    void fail(const Line& line, std::string text) { errors_.push_back({line.number, std::move(text)}); }

    // ── The form of lines ───────────────────────────────────────────────────────────────

    void read_line(const Line& line) {
        const std::string_view keyword = line.words[0];
        if (keyword == "procedure")
            read_procedure(line);
        else if (keyword == "node")
            read_node(line);
        else if (keyword == "edge")
            read_edge(line);
        else if (keyword == "query")
            read_query(line);
        else
            fail(line, "expected procedure, node, edge or query, not " + quote(keyword));
    }

    void read_procedure(const Line& line) {
        if (line.words.size() != 3 || !all_names(line.words)) return fail(line, "expected: procedure NAME ROOT");
        const auto id = ProcedureId{static_cast<uint32_t>(procedure_lines_.size())};
        const auto [found, is_new] = procedures_.try_emplace(line.words[1], id);
        if (!is_new)
            return fail(line, "procedure " + quote(line.words[1]) + " has been defined before, on line " +
                                  std::to_string(procedure_lines_[raw(found->second)].number));
        procedure_lines_.push_back(line);
    }

    void read_node(const Line& line) {
        if (line.words.size() < 4 || !all_names(line.words)) return fail(line, "expected: node NAME PROCEDURE TYPE");
        const auto id = NodeId{static_cast<uint32_t>(node_lines_.size())};
        const auto [found, is_new] = nodes_.try_emplace(line.words[1], id);
        if (!is_new)
            return fail(line, "node " + quote(line.words[1]) + " has been defined before, on line " +
                                  std::to_string(node_lines_[raw(found->second)].number));
        const std::optional<NodeKind> kind = kind_named(line.words[3]);
        node_lines_.push_back(line);
        kinds_.push_back(kind.value_or(NodeKind::plain));
        if (!kind)
            return fail(line, "there is no node type " + quote(line.words[3]) +
                                  ": expected call, spawn, return, stable, checkpoint or plain");
        const size_t operands = line.words.size() - 4;
        if (*kind == NodeKind::call || *kind == NodeKind::spawn) {
            if (operands == 0) fail(line, "expected a procedure after " + std::string(line.words[3]));
        } else if (*kind == NodeKind::checkpoint) {
            if (operands != 1) fail(line, "expected one ID after checkpoint");
        } else if (operands != 0) {
            fail(line, "expected nothing after " + std::string(line.words[3]) + ", not " + quote(line.words[4]));
        }
    }

    void read_edge(const Line& line) {
        if (line.words.size() != 3 || !all_names(line.words)) return fail(line, "expected: edge FROM TO");
        edge_lines_.push_back(line);
    }

    void read_query(const Line& line) {
        const Words words = line.words;
        const auto close = std::ranges::find(words, "]");
        const auto stack_length = close - words.begin() - 3;
        if (close == words.end() || stack_length < 0 || !is_name(words[1]) || words[2] != "[" ||
            !all_names(words.subspan(3, static_cast<size_t>(stack_length))))
            return fail(line, "expected: query NODE [CALL-NODE...] LIMIT TARGET...");
        const Words rest = words.subspan(static_cast<size_t>(stack_length) + 4);
        if (!all_names(rest))
            return fail(line, "expected the limit and the targets after the stack, and no more brackets");
        if (rest.empty()) return fail(line, "expected a limit after the stack");
        uint64_t limit = 0;
        const char* const end = rest[0].data() + rest[0].size();
        const auto [stop, error] = std::from_chars(rest[0].data(), end, limit);
        if (stop != end || error == std::errc::invalid_argument)
            return fail(line, "the limit must be a whole number, not " + quote(rest[0]));
        if (error != std::errc{} || limit > max_limit)
            return fail(line, "the limit must be at most " + std::to_string(max_limit));
        query_lines_.push_back(line);
        queries_.push_back({no_node, {}, static_cast<Distance>(limit), {}});
    }

    // ── The names ───────────────────────────────────────────────────────────────────────

    void look_up_names() {
        for (const Line& line : procedure_lines_) builder_.add_procedure(line.words[1]);
        for (uint32_t at = 0; at < node_lines_.size(); ++at) connect_node(node_lines_[at], kinds_[at]);
        for (uint32_t at = 0; at < procedure_lines_.size(); ++at) {
            if (const auto root = node_named(procedure_lines_[at], procedure_lines_[at].words[2]))
                builder_.set_root(ProcedureId{at}, *root);
        }
        for (const Line& line : edge_lines_) {
            const auto from = node_named(line, line.words[1]);
            const auto to = node_named(line, line.words[2]);
            if (from && to)
                builder_.add_edge(*from, *to, kinds_[raw(*from)] == NodeKind::stable ? Cost::charged : Cost::free);
        }
        for (size_t at = 0; at < queries_.size(); ++at) connect_query(query_lines_[at], queries_[at]);
    }

    std::optional<NodeId> node_named(const Line& line, std::string_view name) {
        const auto found = nodes_.find(name);
        if (found != nodes_.end()) return found->second;
        fail(line, "there is no node " + quote(name));
        return std::nullopt;
    }

    // Where there is none, the error has been noted, and a new procedure stands in for it.
    ProcedureId procedure_named(const Line& line, std::string_view name) {
        const auto found = procedures_.find(name);
        if (found != procedures_.end()) return found->second;
        fail(line, "there is no procedure " + quote(name));
        return builder_.add_procedure(name);
    }

    void connect_node(const Line& line, NodeKind kind) {
        const ProcedureId procedure = procedure_named(line, line.words[2]);
        const NodeId node = builder_.add_node(procedure, kind, line.words[1]);
        const Words operands = line.words.subspan(4);
        if (kind == NodeKind::checkpoint) {
            const TargetId target = builder_.target(operands[0]);
            targets_.try_emplace(operands[0], target);
            builder_.set_target(node, target);
        } else {
            for (const std::string_view callee : operands) builder_.add_callee(node, procedure_named(line, callee));
        }
    }

    void connect_query(const Line& line, Query& query) {
        query.node = node_named(line, line.words[1]).value_or(no_node);
        size_t at = 3;
        for (; line.words[at] != "]"; ++at) {
            const auto call = node_named(line, line.words[at]);
            if (call && kinds_[raw(*call)] != NodeKind::call)
                fail(line, "node " + quote(line.words[at]) + " is no call node: it cannot be on the stack");
            query.stack.push_back(call.value_or(no_node));
        }
        for (const std::string_view name : line.words.subspan(at + 2)) {
            const auto found = targets_.find(name);
            if (found != targets_.end())
                query.targets.push_back(found->second);
            else
                fail(line, "there is no checkpoint " + quote(name));
        }
    }

    size_t line_of(const BuildError& error) const {
        switch (error.subject) {
        case BuildError::Subject::procedure: return procedure_lines_[error.number].number;
        case BuildError::Subject::node: return node_lines_[error.number].number;
        case BuildError::Subject::edge: return edge_lines_[error.number].number;
        }
        return 0;
    }

    const Tokens tokens_;
    std::vector<TextError> errors_;
    std::vector<Line> procedure_lines_;
    std::vector<Line> node_lines_;
    std::vector<Line> edge_lines_;
    std::vector<Line> query_lines_;
    std::vector<NodeKind> kinds_;
    std::unordered_map<std::string_view, ProcedureId> procedures_;
    std::unordered_map<std::string_view, NodeId> nodes_;
    std::unordered_map<std::string_view, TargetId> targets_;
    GraphBuilder builder_;
    std::vector<Query> queries_;
};

} // namespace

std::variant<Document, std::vector<TextError>> parse(std::string_view text) {
    if (text.size() >= UINT32_MAX) // so that every id fits
        return std::vector<TextError>{{1, "the text is longer than 4 GiB"}};
    return Parser(text).parse();
}

} // namespace espalier::pda
