// One pass over the program for each table; all of them are linear but for sorting the uses.
#include "flowanalysis/shape.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace espalier::flow {

bool has_node(const OpKind& op) {
    return marked(op) || std::holds_alternative<op::Spawn>(op) || std::holds_alternative<op::Send>(op);
}

bool is_test(const OpKind& kind) {
    const auto* o = std::get_if<op::Primitive>(&kind);
    if (o == nullptr) return std::holds_alternative<op::RecordIs>(kind) || std::holds_alternative<op::MessageIs>(kind);
    return (o->prim >= Prim::eq && o->prim <= Prim::is_integer) || (o->prim >= Prim::num_eq && o->prim <= Prim::ge) ||
           o->prim == Prim::string_eq;
}

namespace {

// Calls visit(var) for each operand of the operation.
template <typename Visit>
void operands(const Program& p, const OpKind& kind, const Visit& visit) {
    const auto list = [&](VarList l) {
        for (VarId v : p.list(l)) visit(v);
    };
    const auto maybe = [&](VarId v) {
        if (v != no_var) visit(v);
    };
    std::visit(Overloaded{
                   [](const op::Constant&) {},
                   [](const op::GlobalRef&) {},
                   [&](const op::GlobalSet& o) { visit(o.value); },
                   [&](const op::Primitive& o) { list(o.args); },
                   [&](const op::MakeClosures& o) {
                       for (uint32_t i = 0; i < o.count; ++i) list(p.closures[o.first + i].captures);
                   },
                   [&](const op::MakeBox& o) { maybe(o.init); },
                   [&](const op::BoxRef& o) { visit(o.box); },
                   [&](const op::BoxSet& o) { visit(o.box), visit(o.value); },
                   [&](const op::MakeRecord& o) { list(o.fields); },
                   [&](const op::RecordRef& o) { visit(o.object); },
                   [&](const op::RecordSet& o) { visit(o.object), visit(o.value); },
                   [&](const op::RecordIs& o) { visit(o.object); },
                   [&](const op::MakeMessage& o) { list(o.fields); },
                   [&](const op::MessageRef& o) { visit(o.object); },
                   [&](const op::MessageIs& o) { visit(o.object); },
                   [](const op::Mark&) {},
                   [&](const op::Write& o) { visit(o.port), visit(o.value); },
                   [&](const op::Assume& o) { visit(o.condition); },
                   [&](const op::Assert& o) { visit(o.condition); },
                   [&](const op::Spawn& o) { visit(o.procedure); },
                   [&](const op::Send& o) { visit(o.channel), visit(o.value); },
                   [&](const op::StartTimer& o) { visit(o.timer), visit(o.delay); },
                   [&](const op::StopTimer& o) { visit(o.timer); },
                   [&](const op::MakeFresh& o) { maybe(o.others); },
                   [&](const op::MarkBoundary& o) { visit(o.left), visit(o.right); },
                   [&](const op::MarkDetermined& o) { visit(o.trace); },
               },
               kind);
}

template <typename Visit>
void results(const Program& p, const OpKind& kind, const Visit& visit) {
    std::visit(Overloaded{
                   [&](const op::MakeClosures& o) {
                       for (uint32_t i = 0; i < o.count; ++i) visit(p.closures[o.first + i].dst);
                   },
                   [&](const auto& o) {
                       if constexpr (requires { o.dst; }) visit(o.dst);
                   },
               },
               kind);
}

template <typename Visit>
void operands(const Program& p, const TerminatorKind& kind, const Visit& visit) {
    const auto list = [&](VarList l) {
        for (VarId v : p.list(l)) visit(v);
    };
    std::visit(Overloaded{
                   [&](const terminator::Jump& t) { list(t.args); },
                   [&](const terminator::Branch& t) { visit(t.condition); },
                   [&](const terminator::Call& t) { visit(t.callee), list(t.args); },
                   [&](const terminator::TailCall& t) { visit(t.callee), list(t.args); },
                   [&](const terminator::Return& t) { visit(t.value); },
                   [&](const terminator::Select& t) {
                       for (const SelectClause& c : p.select_clauses(t))
                           if (c.source != no_var) visit(c.source);
                   },
                   [&](const terminator::Accept& t) { list(t.args); },
                   [](const terminator::Refuse&) {},
                   [](const terminator::Choose&) {},
               },
               kind);
}

// Calls visit(block) for each block of the same λ that control may go on to.
template <typename Visit>
void successors(const Program& p, const TerminatorKind& kind, const Visit& visit) {
    std::visit(Overloaded{
                   [&](const terminator::Jump& t) { visit(t.target); },
                   [&](const terminator::Branch& t) { visit(t.then_block), visit(t.else_block); },
                   [&](const terminator::Call& t) { visit(t.back); },
                   [](const terminator::TailCall&) {},
                   [](const terminator::Return&) {},
                   [&](const terminator::Select& t) {
                       for (const SelectClause& c : p.select_clauses(t)) visit(c.test);
                   },
                   [&](const terminator::Accept& t) { visit(t.body); },
                   [](const terminator::Refuse&) {},
                   [&](const terminator::Choose& t) {
                       for (uint32_t i = t.first; i < t.first + t.count; ++i) visit(p.choices[i]);
                   },
               },
               kind);
}

// Does it read a part of its operand that may be read again?
bool reads_part(const OpKind& kind) {
    if (const auto* o = std::get_if<op::Primitive>(&kind)) return o->prim == Prim::car || o->prim == Prim::cdr;
    return std::holds_alternative<op::BoxRef>(kind) || std::holds_alternative<op::MessageRef>(kind) ||
           std::holds_alternative<op::RecordRef>(kind);
}

} // namespace

Shape::Shape(const Program& program) : program_(program) {
    definitions_.resize(program.variable_names.size());
    define(program);
    find_jumps(program);
    find_predecessors(program);
    find_writers(program);
    find_jump_sites(program);
    collect_uses(program);
    sort_uses();
    find_last_uses();
    find_clauses(program);
    idle_ = idle_blocks(program, clause_of_);
}

void Shape::define(const Program& program) {
    for (uint32_t b = 0; b < program.blocks.size(); ++b) {
        const Block& block = program.blocks[b];
        uint32_t position = 0;
        for (VarId v : program.list(block.params))
            definitions_[at(block.lambda, v)] = {Definition::Kind::parameter, b, position++};
        for (uint32_t i = block.first_op; i < block.first_op + block.op_count; ++i) {
            results(program, program.ops[i].kind, [&](VarId v) {
                definitions_[at(block.lambda, v)] = {Definition::Kind::operation, i, 0};
            });
            if (const auto* c = std::get_if<op::Constant>(&program.ops[i].kind); c != nullptr && c->value.is_fixnum())
                for (int64_t n = c->value.as_fixnum() - 1; n <= c->value.as_fixnum() + 1; ++n) integers_.push_back(n);
        }
    }
    std::sort(integers_.begin(), integers_.end());
    integers_.erase(std::unique(integers_.begin(), integers_.end()), integers_.end());
}

void Shape::find_jumps(const Program& program) {
    first_jump_.assign(program.blocks.size() + 1, 0);
    const auto each = [&](const auto& visit) {
        for (uint32_t b = 0; b < program.blocks.size(); ++b)
            if (const auto* jump = std::get_if<terminator::Jump>(&program.blocks[b].terminator.kind);
                jump != nullptr && jump->args.count > 0)
                visit(b, index(jump->target));
    };
    each([&](uint32_t, uint32_t target) { ++first_jump_[target + 1]; });
    for (size_t b = 0; b < program.blocks.size(); ++b) first_jump_[b + 1] += first_jump_[b];
    jumps_.resize(first_jump_.back());
    std::vector<uint32_t> next(first_jump_.begin(), first_jump_.end() - 1);
    each([&](uint32_t from, uint32_t target) { jumps_[next[target]++] = from; });
}

void Shape::find_predecessors(const Program& program) {
    first_predecessor_.assign(program.blocks.size() + 1, 0);
    const auto each = [&](const auto& visit) {
        for (uint32_t b = 0; b < program.blocks.size(); ++b)
            successors(program, program.blocks[b].terminator.kind, [&](BlockId next) { visit(b, index(next)); });
    };
    each([&](uint32_t, uint32_t target) { ++first_predecessor_[target + 1]; });
    for (size_t b = 0; b < program.blocks.size(); ++b) first_predecessor_[b + 1] += first_predecessor_[b];
    predecessors_.resize(first_predecessor_.back());
    std::vector<uint32_t> next(first_predecessor_.begin(), first_predecessor_.end() - 1);
    each([&](uint32_t from, uint32_t target) { predecessors_[next[target]++] = from; });
}

void Shape::find_writers(const Program& program) {
    const auto writes = [](const Operation& o) {
        return std::holds_alternative<op::BoxSet>(o.kind) || std::holds_alternative<op::RecordSet>(o.kind);
    };
    for (const Lambda& lambda : program.lambdas) {
        first_writer_.push_back(static_cast<uint32_t>(writers_.size()));
        for (uint32_t b = lambda.first_block; b < lambda.first_block + lambda.block_count; ++b) {
            const auto operations = program.operations(program.blocks[b]);
            if (std::any_of(operations.begin(), operations.end(), writes)) writers_.push_back(b);
        }
    }
    first_writer_.push_back(static_cast<uint32_t>(writers_.size()));
}

// Prelude code has the call site by which it was entered, so its own do not count.
void Shape::find_jump_sites(const Program& program) {
    jump_sites_.assign(program.label_count, no_lambda);
    for (const Block& block : program.blocks)
        if (const auto* call = std::get_if<terminator::TailCall>(&block.terminator.kind);
            call != nullptr && call->known != no_lambda && program[call->known].params() == 0 &&
            !program[call->known].prelude && !program[block.lambda].prelude)
            jump_sites_[index(block.terminator.label)] = call->known;
}

// A block that tests a condition looks, through it, at all that the condition was made of.
void Shape::collect_uses(const Program& program) {
    traced_.resize(program.variable_names.size());
    for (uint32_t b = 0; b < program.blocks.size(); ++b) {
        const Block& block = program.blocks[b];
        const auto plain = [&](VarId v) { use(block.lambda, v, b); };
        const auto traced = [&](VarId v) { trace(block.lambda, v, b, trace_depth); };
        for (const Operation& o : program.operations(block)) {
            operands(program, o.kind, plain);
            if (std::holds_alternative<op::Assume>(o.kind) || std::holds_alternative<op::Assert>(o.kind))
                operands(program, o.kind, traced);
        }
        operands(program, block.terminator.kind, plain);
        if (std::holds_alternative<terminator::Branch>(block.terminator.kind))
            operands(program, block.terminator.kind, traced);
    }
}

// Many ways may lead to one variable, so a way that comes no deeper than an earlier one ends.
void Shape::trace(LambdaId l, VarId v, uint32_t block, int depth) {
    Traced& traced = traced_[at(l, v)];
    if (traced.block == block && traced.depth >= depth) return;
    traced = {block, depth};
    use(l, v, block);
    if (depth == 0) return;
    const Definition& d = definition(l, v);
    if (d.kind == Definition::Kind::operation && is_test(program_.ops[d.where].kind)) {
        operands(program_, program_.ops[d.where].kind, [&](VarId each) { trace(l, each, block, depth - 1); });
    } else if (d.kind == Definition::Kind::parameter) {
        for (uint32_t from : jumps_to(BlockId{d.where}))
            trace(l, program_.list(std::get<terminator::Jump>(program_.blocks[from].terminator.kind).args)[d.position],
                  block, depth - 1);
    }
}

void Shape::sort_uses() {
    std::sort(uses_.begin(), uses_.end());
    uses_.erase(std::unique(uses_.begin(), uses_.end()), uses_.end());
    first_user_.assign(definitions_.size() + 1, 0);
    users_.reserve(uses_.size());
    for (const auto& [variable, block] : uses_) {
        ++first_user_[variable + 1];
        users_.push_back(block);
    }
    for (size_t i = 0; i < definitions_.size(); ++i) first_user_[i + 1] += first_user_[i];
    uses_ = {};
}

// A fact on what was read from an object helps as long as the object may be read again; variables are
// numbered in order of definition, so walking backwards sees the object after what was read from it only
// where that does not matter.
void Shape::find_last_uses() {
    last_use_.assign(definitions_.size(), 0);
    for (size_t i = 0; i < definitions_.size(); ++i)
        if (first_user_[i + 1] > first_user_[i]) last_use_[i] = users_[first_user_[i + 1] - 1];
    for (const Block& block : program_.blocks)
        for (const Operation& o : program_.operations(block)) {
            if (!reads_part(o.kind)) continue;
            results(program_, o.kind, [&](VarId dst) {
                uint32_t& last = last_use_[at(block.lambda, dst)];
                operands(program_, o.kind,
                         [&](VarId from) { last = std::max(last, last_use_[at(block.lambda, from)]); });
            });
        }
    keep_globals();
}

// So does one on what was read from a global, or defines it, while the λ still reads the global.
void Shape::keep_globals() {
    std::vector<std::pair<LambdaId, uint32_t>> last_read(program_.globals.size(), {no_lambda, 0});
    for (uint32_t b = static_cast<uint32_t>(program_.blocks.size()); b-- > 0;) {
        const Block& block = program_.blocks[b];
        for (const Operation& o : program_.operations(block)) {
            const auto* ref = std::get_if<op::GlobalRef>(&o.kind);
            const auto* set = std::get_if<op::GlobalSet>(&o.kind);
            if (ref == nullptr && set == nullptr) continue;
            auto& [lambda, last] = last_read[index(ref != nullptr ? ref->global : set->global)];
            if (lambda != block.lambda) lambda = block.lambda, last = b;
            uint32_t& use = last_use_[at(block.lambda, ref != nullptr ? ref->dst : set->value)];
            use = std::max(use, last);
        }
    }
}

// A test runs from the clause's first block to Accept or Refuse; blocks belong to one clause only.
void Shape::find_clauses(const Program& program) {
    clause_of_.assign(program.blocks.size(), no_clause);
    select_of_.assign(program.clauses.size(), no_block);
    refusals_.resize(program.clauses.size());
    for (uint32_t b = 0; b < program.blocks.size(); ++b) {
        const auto pass_on = [&](BlockId next) { clause_of_[index(next)] = clause_of_[b]; };
        const Block& block = program.blocks[b];
        const bool in_test = clause_of_[b] != no_clause;
        std::visit(Overloaded{
                       [&](const terminator::Jump& t) {
                           if (in_test) pass_on(t.target);
                       },
                       [&](const terminator::Branch& t) {
                           if (in_test) pass_on(t.then_block), pass_on(t.else_block);
                       },
                       [&](const terminator::Call& t) {
                           if (in_test) pass_on(t.back);
                       },
                       [](const terminator::TailCall&) {},
                       [](const terminator::Return&) {},
                       [&](const terminator::Select& t) {
                           for (uint32_t i = t.first; i < t.first + t.count; ++i) {
                               clause_of_[index(program.clauses[i].test)] = i;
                               select_of_[i] = BlockId{b};
                           }
                       },
                       [](const terminator::Accept&) {},
                       [&](const terminator::Refuse&) { refusals_[clause_of_[b]].push_back(b); },
                       [&](const terminator::Choose& t) {
                           for (uint32_t i = t.first; in_test && i < t.first + t.count; ++i)
                               pass_on(program.choices[i]);
                       },
                   },
                   block.terminator.kind);
    }
}

} // namespace espalier::flow
