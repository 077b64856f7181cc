// What the text of a program says before anything is analysed: where each variable is defined and which
// blocks look at it, which clause a block's test belongs to, which operations have a node of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lang/lang.hpp"

namespace espalier::flow {

// Where a variable gets its value.
struct Definition {
    enum class Kind : uint8_t { entry, operation, parameter } kind = Kind::entry;
    uint32_t where = 0;    // operation: in Program::ops; parameter: its block
    uint32_t position = 0; // parameter: which one
};

inline constexpr uint32_t no_clause = UINT32_MAX;
// How far a test is traced back to what it says of other variables.
inline constexpr int trace_depth = 8;
// And by how many steps in all: each of eight joins may have hundreds of ways into it. Beyond them less is learnt.
inline constexpr int most_trace_steps = 512;

// Does the operation have a node of its own in the graph?
bool has_node(const OpKind& op);
// Does it ask something of its operands, which is then known where a branch depends on the answer?
bool is_test(const OpKind& op);

// By block: does it lie in a test on the way to a refusal after which nobody takes the message? What is marked there
// never counts. `clause_of` says in which clause's test a block lies.
std::vector<bool> idle_blocks(const Program& program, const std::vector<uint32_t>& clause_of);

class Shape {
public:
    explicit Shape(const Program& program);
    const Definition& definition(LambdaId l, VarId v) const { return definitions_[at(l, v)]; }
    // The blocks, in ascending order, that must be looked at again when the variable's value grows.
    std::span<const uint32_t> users(LambdaId l, VarId v) const {
        const uint32_t i = at(l, v);
        return {users_.data() + first_user_[i], users_.data() + first_user_[i + 1]};
    }
    // The last of them; 0: none.
    uint32_t last_user(LambdaId l, VarId v) const {
        const auto all = users(l, v);
        return all.empty() ? 0 : all.back();
    }
    // The last block in which something can be learnt from a fact on the variable.
    uint32_t last_use(LambdaId l, VarId v) const { return last_use_[at(l, v)]; }
    // The blocks that jump to a block with arguments.
    std::span<const uint32_t> jumps_to(BlockId b) const {
        return {jumps_.data() + first_jump_[index(b)], jumps_.data() + first_jump_[index(b) + 1]};
    }
    // The blocks that go on to a block, in ascending order.
    std::span<const uint32_t> predecessors(BlockId b) const {
        return {predecessors_.data() + first_predecessor_[index(b)],
                predecessors_.data() + first_predecessor_[index(b) + 1]};
    }
    // The blocks of a λ that write mutable content, in ascending order.
    std::span<const uint32_t> writers(LambdaId l) const {
        return {writers_.data() + first_writer_[index(l)], writers_.data() + first_writer_[index(l) + 1]};
    }
    // Of a block in a clause's test: the clause, and the block that waits.
    uint32_t clause_of(BlockId b) const { return clause_of_[index(b)]; }
    BlockId select_of(uint32_t clause) const { return select_of_[clause]; }
    // See idle_blocks.
    bool is_idle(BlockId b) const { return idle_[index(b)]; }
    // By label: the procedure without parameters that a tail call there is known to go to. See Flow::variant.
    const std::vector<LambdaId>& jump_sites() const { return jump_sites_; }
    const std::vector<uint32_t>& refusals(uint32_t clause) const { return refusals_[clause]; } // blocks in its test
    const std::vector<int64_t>& integers() const { return integers_; } // in the text, sorted, with their neighbours

private:
    uint32_t at(LambdaId l, VarId v) const { return program_[l].first_name + index(v); }
    void define(const Program& program);
    void collect_uses(const Program& program);
    void trace(LambdaId l, VarId v, uint32_t block, int depth);
    void use(LambdaId l, VarId v, uint32_t block) { uses_.push_back({at(l, v), block}); }
    void find_clauses(const Program& program);
    void find_jumps(const Program& program);
    void find_predecessors(const Program& program);
    void find_writers(const Program& program);
    void find_jump_sites(const Program& program);
    void sort_uses();
    void find_last_uses();
    void keep_globals();

    struct Traced { // last, for that block, with so much depth left
        uint32_t block = UINT32_MAX;
        int depth = 0;
    };

    const Program& program_;
    std::vector<Definition> definitions_;
    std::vector<Traced> traced_;                      // by variable
    std::vector<std::pair<uint32_t, uint32_t>> uses_; // while they are collected
    std::vector<uint32_t> first_user_, users_, last_use_;
    std::vector<uint32_t> first_jump_, jumps_;
    std::vector<uint32_t> first_predecessor_, predecessors_;
    std::vector<uint32_t> first_writer_, writers_;
    std::vector<uint32_t> clause_of_;
    std::vector<BlockId> select_of_;
    std::vector<bool> idle_; // by block
    std::vector<LambdaId> jump_sites_;
    std::vector<std::vector<uint32_t>> refusals_;
    std::vector<int64_t> integers_;
};

} // namespace espalier::flow
