// Expressions to blocks.
//
// An expression is lowered either for its value, or towards a target (the lambda's return, or a join block),
// so that tail calls come out as tail calls and an `if` in test position becomes branches, not values.
#include "lang/lower/lowering.hpp"

namespace espalier {

void Lowering::finish(VarId v, Target target, Span span) {
    if (target.join == no_block) {
        end(terminator::Return{v}, span);
    } else {
        end(terminator::Jump{target.join, target.want ? list(std::span(&v, 1)) : VarList{}}, span);
    }
}

void Lowering::effect(CoreId id) {
    const CoreKind kind = c_[id].kind;
    if (std::holds_alternative<core::If>(kind) || std::holds_alternative<core::Select>(kind) ||
        std::holds_alternative<core::Choose>(kind)) {
        const BlockId join = new_block();
        towards(id, {join, false});
        go_to(join);
    } else if (!std::holds_alternative<core::Const>(kind) && !std::holds_alternative<core::Lambda>(kind)) {
        value(id);
    }
}

VarId Lowering::value(CoreId id) {
    while (true) { // down the last part of sequences and bodies, so that long ones need no stack
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
            end(terminator::Choose{first, count}, span);
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
        end(terminator::Jump{k->value.is_true() ? yes : no, {}}, span);
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
    end(terminator::Branch{v, yes, no, origin, number}, span);
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
    end(terminator::Call{callee, args, back, known, n.spread}, span);
    go_to(back);
    return result;
}

void Lowering::tail_call(const core::Call& n, Span span) {
    const LambdaId known = known_callee(n);
    const VarId callee = value(n.callee);
    const VarList args = values(n.args);
    end(terminator::TailCall{callee, args, known, n.spread}, span);
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
            end(terminator::Refuse{}, at);
            go_to(yes);
        }
        const BlockId body = new_block();
        end(terminator::Accept{body, {}}, c.span);
        go_to(body);
        towards(c.body, target);
    }
    out_.clauses.insert(out_.clauses.end(), clauses.begin(), clauses.end());
    // Clauses nested in bodies were added before ours: the run starts where it was put.
    go_to(wait);
    end(terminator::Select{static_cast<uint32_t>(out_.clauses.size() - clauses.size()), n.count}, span);
}

} // namespace espalier
