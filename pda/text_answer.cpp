// Answers the queries of a text.
#include <algorithm>

#include "pda/pda.hpp"

namespace espalier::pda {

std::variant<std::string, std::vector<TextError>> answer_queries(std::string_view text, OracleKind kind) {
    auto parsed = parse(text);
    if (auto* errors = std::get_if<std::vector<TextError>>(&parsed)) return std::move(*errors);
    const Document& document = std::get<Document>(parsed);

    Distance limit = 0;
    for (const Query& query : document.queries) limit = std::max(limit, query.limit);
    std::vector<TargetId> targets;
    const auto oracle = make_oracle(kind, document.graph, limit, targets);

    std::string answers;
    for (const Query& query : document.queries) {
        if (query.targets != targets) {
            targets = query.targets;
            oracle->retarget(targets);
        }
        const Stack stack(query.stack);
        const Distance distance = oracle->distance(query.node, stack.top(), query.limit);
        answers += distance == unreachable ? "unreachable" : "reachable " + std::to_string(distance);
        answers += '\n';
    }
    return answers;
}

} // namespace espalier::pda
