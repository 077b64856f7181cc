#include "pda/graph.hpp"

namespace espalier::pda {

std::string_view to_string(NodeKind kind) {
    switch (kind) {
    case NodeKind::entry: return "entry";
    case NodeKind::call: return "call";
    case NodeKind::ret: return "return";
    case NodeKind::stable: return "stable";
    case NodeKind::checkpoint: return "checkpoint";
    case NodeKind::spawn: return "spawn";
    case NodeKind::branch: return "branch";
    case NodeKind::plain: return "plain";
    }
    return "?";
}

Graph Graph::uncharged() const {
    Graph copy = *this;
    copy.costs_.assign(costs_.size(), Cost::free);
    return copy;
}

void TextPool::add(std::string_view text) {
    bytes_ += text;
    ends_.push_back(bytes_.size());
}

std::string_view TextPool::operator[](uint32_t at) const {
    const size_t begin = at == 0 ? 0 : ends_[at - 1];
    return std::string_view(bytes_).substr(begin, ends_[at] - begin);
}

} // namespace espalier::pda
