// Core forms to λ-IR: one basic-block graph for each lambda.
//
// An expression is lowered either for its value, or towards a target (the lambda's return, or a join block), so that
// tail calls come out as tail calls and an `if` in test position becomes branches, not values. Blocks are made in
// whatever order the trees suggest and put into topological order at the end; what is unreachable is dropped.
#include "lang/lower.hpp"

#include <cassert>
#include <deque>
#include <unordered_map>

#include "lang/free_variables.hpp"

namespace espalier {

namespace {

class Lowering {
public:
    explicit Lowering(CoreProgram core) : c_(std::move(core)), free_(c_) {}
    Program run();

private:
    struct BasicBlock {
        std::vector<VarId> params;
        std::vector<Operation> ops;
        std::optional<Terminator> end;
    };
    struct Target {
        BlockId join = no_block;      // no_block: return
        bool want = true;             // the join takes the value
    };
    struct Pending { CoreId lambda; uint32_t which; LambdaId id; };

    // ── one lambda at a time
    LambdaId lambda_id(CoreId lambda);
    LambdaId fitting_case(CoreId lambda, size_t args);
    void lower_lambda(const Pending& todo);
    void lower_top();
    void begin_lambda(uint32_t params, uint32_t captures);
    void flush(LambdaId id);
    std::vector<BlockId> topological_order() const;
    std::vector<BlockId> successors(const Terminator& t) const;

    // ── expressions
    VarId value(CoreId id);
    void effect(CoreId id);
    void towards(CoreId id, Target target);
    void branch_on(CoreId condition, BlockId yes, BlockId no, BranchOrigin origin, uint32_t decision);
    VarId leaf_value(CoreId id);
    void bind_let(const core::Let& n);
    void bind_fix(const core::Fix& n, Span span);
    void bind_letrec(const core::Letrec& n);
    VarId make_closures(std::span<const LocalId> locals, std::span<const CoreId> lambdas, Span span);
    void lower_select(const core::Select& n, Target target, Span span);
    VarId call_value(const core::Call& n, Span span);
    void tail_call(const core::Call& n, Span span);
    VarList values(CoreList l);
    void finish(VarId v, Target target, Span span);
    LambdaId known_callee(const core::Call& n);
    bool is_hoisted(GlobalId g) const;

    // ── building
    VarId fresh(Symbol name = Symbol{UINT32_MAX});
    BlockId new_block(std::initializer_list<VarId> params = {});
    void go_to(BlockId b) { current_ = b; }
    BasicBlock& block() { return blocks_[index(current_)]; }
    void emit(OpKind op, Span span) { block().ops.push_back({std::move(op), no_label, span}); }
    void end(TerminatorKind t, Span span) {
        assert(!block().end);
        block().end = Terminator{std::move(t), no_label, span};
    }
    VarList list(std::span<const VarId> vars);
    VarId var_of(LocalId local) const { return env_.at(index(local)); }
    void bind(LocalId local, VarId var, Span span);   // boxes it where it is assigned
    uint32_t decision(BranchOrigin origin, uint32_t number, BlockId yes, BlockId no, Span span);

    CoreProgram c_;
    FreeVariables free_;
    Program out_;
    std::deque<Pending> pending_;
    std::unordered_map<uint32_t, LambdaId> ids_;      // first case of each core lambda

    std::vector<BasicBlock> blocks_;
    BlockId current_{};
    std::vector<Symbol> names_;
    std::unordered_map<uint32_t, VarId> env_;
    std::vector<uint32_t> own_decisions_;             // of the λ being lowered, their blocks still local
};

// ── Building ────────────────────────────────────────────────────────────────────────────────────────────────────

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

// ── Lambdas ─────────────────────────────────────────────────────────────────────────────────────────────────────

LambdaId Lowering::lambda_id(CoreId lambda) {
    auto [it, made] = ids_.try_emplace(index(lambda), LambdaId{static_cast<uint32_t>(out_.lambdas.size())});
    if (made) {
        const auto& n = std::get<core::Lambda>(c_[lambda].kind);
        for (uint32_t i = 0; i < n.case_count; ++i) {
            const LambdaId id{static_cast<uint32_t>(out_.lambdas.size())};
            Lambda l;
            l.name = n.name;
            l.prelude = n.prelude;
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

// The top level runs in order, but for the procedures: making a closure of globals alone has no effect and needs
// nothing, so they are all there before anything runs.
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
    end(term::Return{last}, {});
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

// ── Putting a λ into the program ────────────────────────────────────────────────────────────────────────────────

std::vector<BlockId> Lowering::successors(const Terminator& t) const {
    std::vector<BlockId> out;
    std::visit(Overloaded{
                   [&](const term::Jump& j) { out.push_back(j.target); },
                   [&](const term::Branch& b) { out = {b.then_block, b.else_block}; },
                   [&](const term::Call& c) { out.push_back(c.back); },
                   [](const term::TailCall&) {},
                   [](const term::Return&) {},
                   [&](const term::Select& s) {
                       for (uint32_t i = 0; i < s.count; ++i) out.push_back(out_.clauses[s.first + i].test);
                   },
                   [&](const term::Accept& a) { out.push_back(a.body); },
                   [](const term::Refuse&) {},
                   [&](const term::Choose& c) {
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
    struct Turn { BlockId block; std::vector<BlockId> next; };
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
                       [&](term::Jump& j) { move(j.target); },
                       [&](term::Branch& br) { move(br.then_block), move(br.else_block); },
                       [&](term::Call& c) { move(c.back); },
                       [](term::TailCall&) {},
                       [](term::Return&) {},
                       [&](term::Select& s) {
                           for (uint32_t i = 0; i < s.count; ++i) {
                               out_.clauses[s.first + i].label = label();
                               move(out_.clauses[s.first + i].test);
                           }
                       },
                       [&](term::Accept& a) { move(a.body); },
                       [](term::Refuse&) {},
                       [&](term::Choose& c) {
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

// ── Expressions ─────────────────────────────────────────────────────────────────────────────────────────────────

void Lowering::finish(VarId v, Target target, Span span) {
    if (target.join == no_block) {
        end(term::Return{v}, span);
    } else {
        end(term::Jump{target.join, target.want ? list(std::span(&v, 1)) : VarList{}}, span);
    }
}

void Lowering::effect(CoreId id) {
    const CoreKind kind = c_[id].kind;
    if (std::holds_alternative<core::If>(kind) || std::holds_alternative<core::Select>(kind) || std::holds_alternative<core::Choose>(kind)) {
        const BlockId join = new_block();
        towards(id, {join, false});
        go_to(join);
    } else if (!std::holds_alternative<core::Const>(kind) && !std::holds_alternative<core::Lambda>(kind)) {
        value(id);
    }
}

VarId Lowering::value(CoreId id) {
    while (true) {   // down the last part of sequences and bodies, so that long ones need no stack
        const CoreKind kind = c_[id].kind;
        if (const auto* n = std::get_if<core::Seq>(&kind)) {
            for (uint32_t i = 0; i + 1 < n->parts.count; ++i) effect(c_.children[n->parts.first + i]);
            id = c_.children[n->parts.first + n->parts.count - 1];
        } else if (const auto* let = std::get_if<core::Let>(&kind)) {
            bind_let(*let);
            id = let->body;
        } else if (const auto* fix = std::get_if<core::Fix>(&kind)) {
            bind_fix(*fix, c_[id].span);
            id = fix->body;
        } else if (const auto* rec = std::get_if<core::Letrec>(&kind)) {
            bind_letrec(*rec);
            id = rec->body;
        } else if (std::holds_alternative<core::If>(kind) || std::holds_alternative<core::Select>(kind) ||
                   std::holds_alternative<core::Choose>(kind)) {
            const VarId result = fresh();
            const BlockId join = new_block({result});
            towards(id, {join, true});
            go_to(join);
            return result;
        } else if (const auto* call = std::get_if<core::Call>(&kind)) {
            return call_value(*call, c_[id].span);
        } else {
            return leaf_value(id);
        }
    }
}

void Lowering::towards(CoreId id, Target target) {
    while (true) {
        const CoreKind kind = c_[id].kind;
        const Span span = c_[id].span;
        if (const auto* n = std::get_if<core::Seq>(&kind)) {
            for (uint32_t i = 0; i + 1 < n->parts.count; ++i) effect(c_.children[n->parts.first + i]);
            id = c_.children[n->parts.first + n->parts.count - 1];
        } else if (const auto* let = std::get_if<core::Let>(&kind)) {
            bind_let(*let);
            id = let->body;
        } else if (const auto* fix = std::get_if<core::Fix>(&kind)) {
            bind_fix(*fix, span);
            id = fix->body;
        } else if (const auto* rec = std::get_if<core::Letrec>(&kind)) {
            bind_letrec(*rec);
            id = rec->body;
        } else if (const auto* branch = std::get_if<core::If>(&kind)) {
            const BlockId yes = new_block(), no = new_block();
            branch_on(branch->test, yes, no, branch->origin, decision(branch->origin, branch->number, yes, no, span));
            go_to(yes);
            towards(branch->then_part, target);
            go_to(no);
            id = branch->else_part;
        } else if (const auto* choose = std::get_if<core::Choose>(&kind)) {
            const auto first = static_cast<uint32_t>(out_.choices.size());
            const uint32_t count = choose->alternatives.count;
            std::vector<BlockId> alternatives;
            for (uint32_t i = 0; i < count; ++i) {
                alternatives.push_back(new_block());
                out_.choices.push_back(alternatives.back());
            }
            end(term::Choose{first, count}, span);
            for (uint32_t i = 0; i < count; ++i) {
                go_to(alternatives[i]);
                towards(c_.children[choose->alternatives.first + i], target);
            }
            return;
        } else if (const auto* select = std::get_if<core::Select>(&kind)) {
            lower_select(*select, target, span);
            return;
        } else if (const auto* call = std::get_if<core::Call>(&kind)) {
            if (target.join == no_block) {
                tail_call(*call, span);
            } else {
                finish(call_value(*call, span), target, span);
            }
            return;
        } else {
            const VarId v = leaf_value(id);
            finish(v, target, span);
            return;
        }
    }
}

// `and`, `or` and `not` in a test become branches of their own.
void Lowering::branch_on(CoreId condition, BlockId yes, BlockId no, BranchOrigin origin, uint32_t number) {
    const CoreKind kind = c_[condition].kind;
    const Span span = c_[condition].span;
    if (const auto* k = std::get_if<core::Const>(&kind)) {
        end(term::Jump{k->value.is_true() ? yes : no, {}}, span);
        return;
    }
    if (const auto* p = std::get_if<core::PrimCall>(&kind); p != nullptr && p->prim == Prim::not_) {
        branch_on(c_.children[p->args.first], no, yes, origin, number);
        return;
    }
    if (const auto* n = std::get_if<core::If>(&kind); n != nullptr && n->origin == BranchOrigin::generated) {
        // (and a b …)
        const auto* otherwise = std::get_if<core::Const>(&c_[n->else_part].kind);
        const auto* then = std::get_if<core::Const>(&c_[n->then_part].kind);
        if ((otherwise != nullptr && otherwise->value.is_false()) || (then != nullptr && then->value.is_true())) {
            const bool conjunction = otherwise != nullptr && otherwise->value.is_false();
            const BlockId next = new_block();
            branch_on(n->test, conjunction ? next : yes, conjunction ? no : next, origin, number);
            go_to(next);
            branch_on(conjunction ? n->then_part : n->else_part, yes, no, origin, number);
            return;
        }
    }
    if (const auto* let = std::get_if<core::Let>(&kind); let != nullptr && let->locals.count == 1) {
        // (or a b …): let t = a in if t then t else b
        const LocalId temp = c_.list(let->locals)[0];
        const auto* n = std::get_if<core::If>(&c_[let->body].kind);
        if (n != nullptr && n->origin == BranchOrigin::generated && c_[temp].generated) {
            const auto* test = std::get_if<core::LocalRef>(&c_[n->test].kind);
            const auto* then = std::get_if<core::LocalRef>(&c_[n->then_part].kind);
            if (test != nullptr && then != nullptr && test->local == temp && then->local == temp) {
                const CoreId rest = n->else_part;
                const BlockId next = new_block();
                branch_on(c_.list(let->inits)[0], yes, next, origin, number);
                go_to(next);
                branch_on(rest, yes, no, origin, number);
                return;
            }
        }
    }
    const VarId v = value(condition);
    end(term::Branch{v, yes, no, origin, number}, span);
}

void Lowering::bind_let(const core::Let& n) {
    const std::vector<LocalId> locals(c_.list(n.locals).begin(), c_.list(n.locals).end());
    const std::vector<CoreId> inits(c_.list(n.inits).begin(), c_.list(n.inits).end());
    std::vector<VarId> vars;
    for (CoreId init : inits) vars.push_back(value(init));
    for (size_t i = 0; i < locals.size(); ++i) bind(locals[i], vars[i], c_[locals[i]].span);
}

VarId Lowering::make_closures(std::span<const LocalId> locals, std::span<const CoreId> lambdas, Span span) {
    std::vector<ClosureDef> defs;
    for (size_t i = 0; i < lambdas.size(); ++i) {
        const auto& n = std::get<core::Lambda>(c_[lambdas[i]].kind);
        const VarId dst = fresh(locals.empty() ? n.name : c_[locals[i]].name);
        if (!locals.empty()) env_[index(locals[i])] = dst;
        defs.push_back({dst, lambda_id(lambdas[i]), {}});
    }
    for (size_t i = 0; i < lambdas.size(); ++i) {
        std::vector<VarId> captures;
        for (LocalId l : free_.of(lambdas[i])) captures.push_back(var_of(l));
        defs[i].captures = list(captures);
    }
    emit(op::MakeClosures{static_cast<uint32_t>(out_.closures.size()), static_cast<uint32_t>(defs.size())}, span);
    out_.closures.insert(out_.closures.end(), defs.begin(), defs.end());
    return defs[0].dst;
}

void Lowering::bind_fix(const core::Fix& n, Span span) {
    make_closures(std::vector<LocalId>(c_.list(n.locals).begin(), c_.list(n.locals).end()),
                  std::vector<CoreId>(c_.list(n.lambdas).begin(), c_.list(n.lambdas).end()), span);
}

void Lowering::bind_letrec(const core::Letrec& n) {
    const std::vector<LocalId> locals(c_.list(n.locals).begin(), c_.list(n.locals).end());
    const std::vector<CoreId> inits(c_.list(n.inits).begin(), c_.list(n.inits).end());
    for (LocalId l : locals) {
        if (l == no_local) continue;
        const VarId box = fresh(c_[l].name);
        emit(op::MakeBox{box, no_var}, c_[l].span);
        env_[index(l)] = box;
    }
    for (size_t i = 0; i < locals.size(); ++i) {
        if (locals[i] == no_local) {
            effect(inits[i]);
            continue;
        }
        const VarId v = value(inits[i]);
        emit(op::BoxSet{var_of(locals[i]), v, c_[locals[i]].name, true}, c_[locals[i]].span);
    }
}

LambdaId Lowering::known_callee(const core::Call& n) {
    if (n.spread) return no_lambda;
    CoreId lambda = no_core;
    if (const auto* g = std::get_if<core::GlobalRef>(&c_[n.callee].kind)) {
        if (is_hoisted(g->global)) lambda = c_.global_lambda[index(g->global)];
    } else if (const auto* l = std::get_if<core::LocalRef>(&c_[n.callee].kind)) {
        if (!c_[l->local].assigned) lambda = c_[l->local].lambda;
    }
    return lambda == no_core ? no_lambda : fitting_case(lambda, n.args.count);
}

VarId Lowering::call_value(const core::Call& n, Span span) {
    const LambdaId known = known_callee(n);
    const VarId callee = value(n.callee);
    const VarList args = values(n.args);
    const VarId result = fresh();
    const BlockId back = new_block({result});
    end(term::Call{callee, args, back, known, n.spread}, span);
    go_to(back);
    return result;
}

void Lowering::tail_call(const core::Call& n, Span span) {
    const LambdaId known = known_callee(n);
    const VarId callee = value(n.callee);
    const VarList args = values(n.args);
    end(term::TailCall{callee, args, known, n.spread}, span);
}

VarList Lowering::values(CoreList l) {
    std::vector<VarId> vars;
    for (uint32_t i = 0; i < l.count; ++i) vars.push_back(value(c_.children[l.first + i]));
    return list(vars);
}

void Lowering::lower_select(const core::Select& n, Target target, Span span) {
    std::vector<SelectClause> clauses;
    for (uint32_t i = 0; i < n.count; ++i) {
        const CoreClause& c = c_.clauses[n.first + i];
        SelectClause s;
        s.kind = c.kind;
        s.filter = c.filter;
        s.message = c.message;
        s.type = c.type;
        s.span = c.span;
        const CoreId source = c.source;
        if (source != no_core) s.source = value(source);
        clauses.push_back(s);
    }
    const BlockId wait = current_;
    for (uint32_t i = 0; i < n.count; ++i) {
        const CoreClause c = c_.clauses[n.first + i];
        if (c.whole == no_local) {
            clauses[i].test = new_block();
            go_to(clauses[i].test);
        } else {
            const VarId message = fresh(c_[c.whole].name), from_port = fresh();
            clauses[i].test = new_block({message, from_port});
            go_to(clauses[i].test);
            bind(c.whole, message, c.span);
            env_[index(c.from_port)] = from_port;
            for (const auto& [local, field] : c.fields) {
                const VarId v = fresh();
                emit(op::MessageRef{v, c.message, field, message}, c.span);
                bind(local, v, c_[local].span);
            }
        }
        for (const CoreTest& t : c.tests) {
            const BlockId yes = new_block(), no = new_block();
            const Span at = c_[t.condition].span;
            branch_on(t.condition, yes, no, t.origin, decision(t.origin, t.number, yes, no, at));
            go_to(no);
            end(term::Refuse{}, at);
            go_to(yes);
        }
        const BlockId body = new_block();
        end(term::Accept{body, {}}, c.span);
        go_to(body);
        towards(c.body, target);
    }
    out_.clauses.insert(out_.clauses.end(), clauses.begin(), clauses.end());
    // Clauses nested in bodies were added before ours: the run starts where it was put.
    go_to(wait);
    end(term::Select{static_cast<uint32_t>(out_.clauses.size() - clauses.size()), n.count}, span);
}

// Everything that is one operation.
VarId Lowering::leaf_value(CoreId id) {
    const CoreKind kind = c_[id].kind;
    const Span span = c_[id].span;
    auto nothing = [&] {
        const VarId v = fresh();
        emit(op::Constant{v, Value::unspecified()}, span);
        return v;
    };
    return std::visit(
        Overloaded{
            [&](const core::Const& n) {
                const VarId v = fresh();
                emit(op::Constant{v, n.value}, span);
                return v;
            },
            [&](const core::LocalRef& n) {
                const Local& local = c_[n.local];
                if (!local.assigned) return var_of(n.local);
                const VarId v = fresh();
                emit(op::BoxRef{v, var_of(n.local), !local.unchecked}, span);
                return v;
            },
            [&](const core::LocalSet& n) {
                const VarId value_var = value(n.value);
                emit(op::BoxSet{var_of(n.local), value_var, c_[n.local].name, false}, span);
                return nothing();
            },
            [&](const core::GlobalRef& n) {
                const VarId v = fresh(c_.globals[index(n.global)].name);
                emit(op::GlobalRef{v, n.global, !is_hoisted(n.global)}, span);
                return v;
            },
            [&](const core::GlobalSet& n) {
                const VarId v = value(n.value);
                emit(op::GlobalSet{n.global, v, n.definition}, span);
                return nothing();
            },
            [&](const core::Lambda&) { return make_closures({}, std::span(&id, 1), span); },
            [&](const core::PrimCall& n) {
                const VarList args = values(n.args);
                const VarId v = fresh();
                emit(op::Primitive{v, n.prim, args}, span);
                return v;
            },
            [&](const core::MakeRecord& n) {
                const VarList fields = values(n.fields);
                const VarId v = fresh();
                emit(op::MakeRecord{v, n.record, fields}, span);
                return v;
            },
            [&](const core::RecordRef& n) {
                const VarId object = value(n.object);
                const VarId v = fresh();
                emit(op::RecordRef{v, n.record, n.field, object}, span);
                return v;
            },
            [&](const core::RecordSet& n) {
                const VarId object = value(n.object);
                const VarId field = value(n.value);
                emit(op::RecordSet{n.record, n.field, object, field}, span);
                return nothing();
            },
            [&](const core::RecordIs& n) {
                const VarId object = value(n.object);
                const VarId v = fresh();
                emit(op::RecordIs{v, n.record, object}, span);
                return v;
            },
            [&](const core::MakeMessage& n) {
                const VarList fields = values(n.fields);
                const VarId v = fresh();
                emit(op::MakeMessage{v, n.message, fields}, span);
                return v;
            },
            [&](const core::MessageRef& n) {
                const VarId object = value(n.object);
                const VarId v = fresh();
                emit(op::MessageRef{v, n.message, n.field, object}, span);
                return v;
            },
            [&](const core::MessageIs& n) {
                const VarId object = value(n.object);
                const VarId v = fresh();
                emit(op::MessageIs{v, n.message, object}, span);
                return v;
            },
            [&](const core::Mark& n) {
                emit(op::Mark{n.target}, span);
                return nothing();
            },
            [&](const core::Write& n) {
                const VarId port = value(n.port);
                const VarId v = value(n.value);
                emit(op::Write{port, v}, span);
                return nothing();
            },
            [&](const core::Assume& n) {
                const VarId v = value(n.condition);
                emit(op::Assume{v}, span);
                return nothing();
            },
            [&](const core::Assert& n) {
                const VarId v = value(n.condition);
                emit(op::Assert{v}, span);
                return nothing();
            },
            [&](const core::Spawn& n) {
                const VarId v = value(n.procedure);
                emit(op::Spawn{v, n.service}, span);
                return nothing();
            },
            [&](const core::Send& n) {
                const VarId channel = value(n.channel);
                const VarId v = value(n.value);
                emit(op::Send{channel, v}, span);
                return nothing();
            },
            [&](const core::StartTimer& n) {
                const VarId timer = value(n.timer);
                const VarId delay = value(n.delay);
                emit(op::StartTimer{timer, delay}, span);
                return nothing();
            },
            [&](const core::StopTimer& n) {
                const VarId timer = value(n.timer);
                emit(op::StopTimer{timer}, span);
                return nothing();
            },
            [&](const core::Fresh& n) {
                const VarId others = n.others == no_core ? no_var : value(n.others);
                const VarId v = fresh();
                emit(op::MakeFresh{v, n.type, others}, span);
                return v;
            },
            // Control is lowered by value() and towards().
            [&](const core::If&) { return value(id); },
            [&](const core::Seq&) { return value(id); },
            [&](const core::Let&) { return value(id); },
            [&](const core::Fix&) { return value(id); },
            [&](const core::Letrec&) { return value(id); },
            [&](const core::Call&) { return value(id); },
            [&](const core::Select&) { return value(id); },
            [&](const core::Choose&) { return value(id); },
        },
        kind);
}

}  // namespace

Program lower(CoreProgram core) { return Lowering(std::move(core)).run(); }

}  // namespace espalier
