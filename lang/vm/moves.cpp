#include "lang/vm/moves.hpp"

#include <unordered_map>

namespace espalier::vm {

std::vector<Move> in_sequence(const std::vector<Move>& together) {
    std::vector<Move> result;
    std::unordered_map<int32_t, int32_t> readers; // by slot: moves not yet done that read it
    std::unordered_map<int32_t, size_t> writer;   // by slot: the move that overwrites it
    std::vector<Move> moves;
    for (const Move& m : together) {
        if (m.to == m.from) continue;
        ++readers[m.from];
        writer[m.to] = moves.size();
        moves.push_back(m);
    }
    std::vector<size_t> free;
    std::vector<bool> done(moves.size());
    for (size_t i = moves.size(); i-- > 0;)
        if (!readers.contains(moves[i].to)) free.push_back(i);
    const auto finish = [&](size_t i) {
        result.push_back(moves[i]);
        done[i] = true;
        const int32_t from = moves[i].from;
        if (--readers[from] == 0)
            if (const auto w = writer.find(from); w != writer.end() && !done[w->second]) free.push_back(w->second);
    };
    for (size_t next = 0;;) {
        while (!free.empty()) {
            const size_t i = free.back();
            free.pop_back();
            finish(i);
        }
        while (next < moves.size() && done[next]) ++next;
        if (next == moves.size()) return result;
        // Only cycles are left, in which each slot has one reader: its content waits in the spare slot.
        const int32_t from = moves[next].from;
        result.push_back({spare, from});
        moves[next].from = spare;
        ++readers[spare];
        readers[from] = 0;
        if (const auto w = writer.find(from); w != writer.end()) free.push_back(w->second);
    }
}

} // namespace espalier::vm
