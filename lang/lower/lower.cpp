// Core forms to λ-IR: one basic-block graph for each lambda.
//
// Blocks are made in whatever order the trees suggest and put into topological order at the end; what is
// unreachable is dropped. How expressions become blocks is in expressions.cpp and operations.cpp.
#include "lang/lower/lowering.hpp"

namespace espalier {

// ── Building
// ────────────────────────────────────────────────────────────────────────────────────────────────────

VarId Lowering::fresh(Symbol name) {
    names_.push_back(name == Symbol{UINT32_MAX} ? intern("") : name);
    return VarId{static_cast<uint32_t>(names_.size() - 1)};
}

BlockId Lowering::new_block(std::initializer_list<VarId> params) {
    blocks_.push_back({params, {}, std::nullopt});
    return BlockId{static_cast<uint32_t>(blocks_.size() - 1)};
}

VarList Lowering::list(std::span<const VarId> vars) {
    const VarList l{static_cast<uint32_t>(out_.variables.size()), static_cast<uint32_t>(vars.size())};
    out_.variables.insert(out_.variables.end(), vars.begin(), vars.end());
    return l;
}

void Lowering::bind(LocalId local, VarId var, Span span) {
    if (c_[local].assigned) {
        const VarId box = fresh(c_[local].name);
        emit(op::MakeBox{box, var}, span);
        var = box;
    } else if (names_[index(var)] == intern("") && !c_[local].generated) {
        names_[index(var)] = c_[local].name;
    }
    env_[index(local)] = var;
}

uint32_t Lowering::decision(BranchOrigin origin, uint32_t number, BlockId yes, BlockId no, Span span) {
    if (number == 0) return 0;
    const DecisionName& name = c_.decisions[number - 1];
    out_.decisions.push_back({LambdaId{}, origin, name.scope, name.number, yes, no, span});
    own_decisions_.push_back(static_cast<uint32_t>(out_.decisions.size() - 1));
    return static_cast<uint32_t>(out_.decisions.size());
}

// ── Lambdas
// ─────────────────────────────────────────────────────────────────────────────────────────────────────

LambdaId Lowering::lambda_id(CoreId lambda) {
    auto [it, made] = ids_.try_emplace(index(lambda), LambdaId{static_cast<uint32_t>(out_.lambdas.size())});
    if (made) {
        const auto& n = std::get<core::Lambda>(c_[lambda].kind);
        for (uint32_t i = 0; i < n.case_count; ++i) {
            const LambdaId id{static_cast<uint32_t>(out_.lambdas.size())};
            Lambda l;
            l.name = n.name;
            l.prelude = n.prelude;
            l.procedure = n.procedure;
            l.span = c_.list(n)[i].span;
            l.rest = c_.list(n)[i].rest;
            l.required = c_.list(n)[i].params.count - (l.rest ? 1 : 0);
            l.captures = static_cast<uint32_t>(free_.of(lambda).size());
            if (i + 1 < n.case_count) l.next_case = LambdaId{index(id) + 1};
            out_.lambdas.push_back(l);
            pending_.push_back({lambda, i, id});
        }
    }
    return it->second;
}

LambdaId Lowering::fitting_case(CoreId lambda, size_t args) {
    const auto& n = std::get<core::Lambda>(c_[lambda].kind);
    const LambdaId first = lambda_id(lambda);
    for (uint32_t i = 0; i < n.case_count; ++i) {
        const Lambda& l = out_.lambdas[index(first) + i];
        if (args == l.required || (l.rest && args > l.required)) return LambdaId{index(first) + i};
    }
    return no_lambda;
}

void Lowering::begin_lambda(uint32_t params, uint32_t captures) {
    blocks_.clear();
    names_.clear();
    env_.clear();
    own_decisions_.clear();
    for (uint32_t i = 0; i < params + captures; ++i) fresh();
    fresh(intern("self"));
    go_to(new_block());
}

void Lowering::lower_lambda(const Pending& todo) {
    const LambdaCase lambda_case = c_.list(std::get<core::Lambda>(c_[todo.lambda].kind))[todo.which];
    const auto params = c_.list(lambda_case.params);
    const auto& captured = free_.of(todo.lambda);
    begin_lambda(static_cast<uint32_t>(params.size()), static_cast<uint32_t>(captured.size()));
    for (uint32_t i = 0; i < captured.size(); ++i) {
        const VarId var{static_cast<uint32_t>(params.size()) + i};
        env_[index(captured[i])] = var;
        names_[index(var)] = c_[captured[i]].name;
    }
    if (free_.self(todo.lambda) != no_local) {
        env_[index(free_.self(todo.lambda))] = VarId{static_cast<uint32_t>(params.size() + captured.size())};
    }
    for (uint32_t i = 0; i < params.size(); ++i) {
        names_[i] = c_[params[i]].name;
        bind(params[i], VarId{i}, c_[params[i]].span);
    }
    towards(lambda_case.body, {});
    flush(todo.id);
}

// The top level runs in order, but for the procedures: making a closure of globals alone has no effect and
// needs nothing, so they are all there before anything runs.
bool Lowering::is_hoisted(GlobalId g) const {
    return c_.global_lambda[index(g)] != no_core && !c_.globals[index(g)].assigned;
}

void Lowering::lower_top() {
    begin_lambda(0, 0);
    VarId last = no_var;
    std::vector<CoreId> first, rest;
    for (CoreId id : c_.prelude) first.push_back(id);
    for (CoreId id : c_.top) {
        const auto* set = std::get_if<core::GlobalSet>(&c_[id].kind);
        (set != nullptr && set->definition && is_hoisted(set->global) ? first : rest).push_back(id);
    }
    for (CoreId id : first) effect(id);
    for (size_t i = 0; i < rest.size(); ++i) {
        if (i + 1 == rest.size()) {
            last = value(rest[i]);
        } else {
            effect(rest[i]);
        }
    }
    if (last == no_var) {
        last = fresh();
        emit(op::Constant{last, Value::unspecified()}, {});
    }
    end(terminator::Return{last}, {});
    flush(out_.top);
}

Program Lowering::run() {
    out_.globals = c_.globals;
    out_.messages = std::move(c_.messages);
    out_.records = std::move(c_.records);
    out_.ports = std::move(c_.ports);
    out_.types = std::move(c_.types);
    out_.targets = std::move(c_.targets);
    out_.machines = std::move(c_.machines);
    out_.sites = std::move(c_.sites);
    out_.procedures = std::move(c_.procedures);
    out_.literals = std::move(c_.literals);
    out_.top = LambdaId{0};
    Lambda top;
    top.name = intern("top");
    out_.lambdas.push_back(top);
    lower_top();
    while (!pending_.empty()) {
        const Pending todo = pending_.front();
        pending_.pop_front();
        lower_lambda(todo);
    }
    for (uint32_t g = 0; g < out_.globals.size(); ++g) {
        auto it = c_.global_lambda[g] == no_core ? ids_.end() : ids_.find(index(c_.global_lambda[g]));
        if (it != ids_.end() && !out_.globals[g].assigned) out_.globals[g].known = it->second;
    }
    return std::move(out_);
}

// ── Putting a λ into the program
// ────────────────────────────────────────────────────────────────────────────────

std::vector<BlockId> Lowering::successors(const Terminator& t) const {
    std::vector<BlockId> out;
    std::visit(Overloaded{
                   [&](const terminator::Jump& j) { out.push_back(j.target); },
                   [&](const terminator::Branch& b) {
                       out = {b.then_block, b.else_block};
                   },
                   [&](const terminator::Call& c) { out.push_back(c.back); },
                   [](const terminator::TailCall&) {},
                   [](const terminator::Return&) {},
                   [&](const terminator::Select& s) {
                       for (uint32_t i = 0; i < s.count; ++i) out.push_back(out_.clauses[s.first + i].test);
                   },
                   [&](const terminator::Accept& a) { out.push_back(a.body); },
                   [](const terminator::Refuse&) {},
                   [&](const terminator::Choose& c) {
                       for (uint32_t i = 0; i < c.count; ++i) out.push_back(out_.choices[c.first + i]);
                   },
               },
               t.kind);
    return out;
}

// Reverse postorder; successors are walked last to first, so that the then-part follows its branch.
std::vector<BlockId> Lowering::topological_order() const {
    std::vector<BlockId> order;
    std::vector<bool> seen(blocks_.size(), false);
    struct Turn {
        BlockId block;
        std::vector<BlockId> next;
    };
    std::vector<Turn> turns;
    auto visit = [&](BlockId b) {
        if (seen[index(b)]) return;
        seen[index(b)] = true;
        turns.push_back({b, successors(*blocks_[index(b)].end)});
    };
    visit(BlockId{0});
    while (!turns.empty()) {
        if (turns.back().next.empty()) {
            order.push_back(turns.back().block);
            turns.pop_back();
            continue;
        }
        const BlockId next = turns.back().next.back();
        turns.back().next.pop_back();
        visit(next);
    }
    return {order.rbegin(), order.rend()};
}

void Lowering::flush(LambdaId id) {
    const std::vector<BlockId> order = topological_order();
    const auto first = static_cast<uint32_t>(out_.blocks.size());
    std::vector<BlockId> renumbered(blocks_.size(), no_block);
    for (uint32_t i = 0; i < order.size(); ++i) renumbered[index(order[i])] = BlockId{first + i};
    auto move = [&](BlockId& b) { b = renumbered[index(b)]; };
    auto label = [&] { return Label{out_.label_count++}; };
    for (BlockId b : order) {
        BasicBlock& from = blocks_[index(b)];
        Block to;
        to.lambda = id;
        to.params = list(from.params);
        to.first_op = static_cast<uint32_t>(out_.ops.size());
        to.op_count = static_cast<uint32_t>(from.ops.size());
        for (Operation& o : from.ops) {
            o.label = label();
            out_.ops.push_back(std::move(o));
        }
        to.terminator = *from.end;
        to.terminator.label = label();
        std::visit(Overloaded{
                       [&](terminator::Jump& j) { move(j.target); },
                       [&](terminator::Branch& br) { move(br.then_block), move(br.else_block); },
                       [&](terminator::Call& c) { move(c.back); },
                       [](terminator::TailCall&) {},
                       [](terminator::Return&) {},
                       [&](terminator::Select& s) {
                           for (uint32_t i = 0; i < s.count; ++i) {
                               out_.clauses[s.first + i].label = label();
                               move(out_.clauses[s.first + i].test);
                           }
                       },
                       [&](terminator::Accept& a) { move(a.body); },
                       [](terminator::Refuse&) {},
                       [&](terminator::Choose& c) {
                           for (uint32_t i = 0; i < c.count; ++i) move(out_.choices[c.first + i]);
                       },
                   },
                   to.terminator.kind);
        out_.blocks.push_back(std::move(to));
    }
    for (uint32_t d : own_decisions_) {
        out_.decisions[d].lambda = id;
        move(out_.decisions[d].then_block);
        move(out_.decisions[d].else_block);
    }
    Lambda& l = out_.lambdas[index(id)];
    l.first_block = first;
    l.block_count = static_cast<uint32_t>(order.size());
    l.variables = static_cast<uint32_t>(names_.size());
    l.first_name = static_cast<uint32_t>(out_.variable_names.size());
    out_.variable_names.insert(out_.variable_names.end(), names_.begin(), names_.end());
}

Program lower(CoreProgram core) { return Lowering(std::move(core)).run(); }

} // namespace espalier
