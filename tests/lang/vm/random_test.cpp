// Random λ-IR, run by the interpreter and by an evaluator that knows nothing of registers: same results.
//
// What is at stake is the allocation of slots, the order of moves, loops in place and fused tests, so
// programs are small tangles of blocks with many values alive, calls in every position, and arguments that
// trade places.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "lang/vm/interpreter.hpp"
#include "tests/lang/ir_builder.hpp"
#include "tests/lang/values.hpp"

using namespace espalier;

namespace {

constexpr int64_t modulus = 10007; // results are kept small

class Generator {
public:
    explicit Generator(unsigned seed) : random_(seed) {}

    Program run() {
        const size_t count = 2 + random_.below(4);
        for (size_t i = 0; i < count; ++i) {
            const auto params = static_cast<uint32_t>(1 + random_.below(4));
            const auto captures = static_cast<uint32_t>(random_.below(3));
            lambdas_.push_back(&builder_.lambda("f" + std::to_string(i), params, false, captures));
            fill(*lambdas_.back());
        }
        ir::Lambda& top = builder_.lambda("top", 0);
        std::vector<VarId> variables;
        for (int i = 0; i < 4; ++i) variables.push_back(top.number(i * 3 + 1));
        const auto [callee, args] = call_of(top, lambdas_.back(), variables);
        top.ret(top.call(callee, args));
        return builder_.finish(top.id);
    }

private:
    struct Pending {
        BlockId id;
        uint32_t params = 0;
        bool reached = false;
        std::vector<VarId> available; // in every block that goes there
    };

    VarId pick(const std::vector<VarId>& variables) { return variables[random_.below(variables.size())]; }

    std::pair<VarId, std::vector<VarId>> call_of(ir::Lambda& from, const ir::Lambda* to,
                                                 const std::vector<VarId>& variables) {
        std::vector<VarId> captured, args;
        for (uint32_t i = 0; i < to->info.captures; ++i) captured.push_back(pick(variables));
        const VarId callee = from.closure(to->id, captured);
        for (uint32_t i = 0; i < to->info.required; ++i) args.push_back(pick(variables));
        return {callee, args};
    }

    void reach(Pending& target, const std::vector<VarId>& from) {
        if (!target.reached) {
            target.available = from;
        } else {
            std::erase_if(target.available,
                          [&](VarId v) { return std::find(from.begin(), from.end(), v) == from.end(); });
        }
        target.reached = true;
    }

    // Blocks are filled in order, and control only goes to later ones. Parameter 0 counts the turns of a
    // loop.
    void fill(ir::Lambda& l) {
        std::vector<Pending> blocks{{BlockId{0}, 0, true, {}}};
        for (uint32_t i = 0; i < l.info.required; ++i) blocks[0].available.push_back(l.param(i));
        for (uint32_t i = 0; i < l.info.captures; ++i) blocks[0].available.push_back(l.capture(i));
        for (size_t b = 0; b < blocks.size(); ++b) {
            l.at(blocks[b].id);
            if (!blocks[b].reached) {
                l.ret(l.number(0));
                continue;
            }
            std::vector<VarId> variables = blocks[b].available;
            for (uint32_t i = 0; i < blocks[b].params; ++i) variables.push_back(l.block_param(blocks[b].id, i));
            for (size_t i = random_.below(5); i > 0; --i) variables.push_back(operation(l, variables));
            end(l, blocks, b, variables);
        }
    }

    VarId operation(ir::Lambda& l, const std::vector<VarId>& variables) {
        const auto operand = [&] {
            return random_.below(3) == 0 ? l.number(static_cast<int64_t>(random_.below(20)) - 10) : pick(variables);
        };
        const VarId x = operand(), y = operand();
        switch (random_.below(4)) {
        case 0: return l.prim(Prim::modulo, {l.prim(Prim::add, {x, y}), l.number(modulus)});
        case 1: return l.prim(Prim::modulo, {l.prim(Prim::mul, {x, y}), l.number(modulus)});
        case 2: return l.box_ref(l.box(x));
        default: return l.prim(Prim::sub, {x, y});
        }
    }

    size_t target(ir::Lambda& l, std::vector<Pending>& blocks, size_t b, bool with_params) {
        std::vector<size_t> open;
        for (size_t i = b + 1; i < blocks.size(); ++i)
            if (with_params || blocks[i].params == 0) open.push_back(i);
        if (!open.empty() && (blocks.size() > 14 || random_.below(2) == 0)) return open[random_.below(open.size())];
        const auto params = static_cast<uint32_t>(with_params ? random_.below(4) : 0);
        blocks.push_back({l.block(params), params, false, {}});
        return blocks.size() - 1;
    }

    void end(ir::Lambda& l, std::vector<Pending>& blocks, size_t b, const std::vector<VarId>& variables) {
        switch (blocks.size() > 16 ? 5 : random_.below(6)) {
        case 0: { // jump
            const size_t to = target(l, blocks, b, true);
            std::vector<VarId> args;
            for (uint32_t i = 0; i < blocks[to].params; ++i)
                args.push_back(random_.below(4) == 0 ? l.number(7) : pick(variables));
            reach(blocks[to], variables);
            l.jump(blocks[to].id, args);
            return;
        }
        case 1:
        case 2: { // branch
            const Prim prims[] = {Prim::lt, Prim::le, Prim::gt, Prim::ge, Prim::num_eq, Prim::eq};
            const VarId x = pick(variables), y = random_.below(2) == 0 ? l.number(5) : pick(variables);
            VarId test = l.prim(prims[random_.below(6)], random_.below(2) == 0 ? std::vector{x, y} : std::vector{y, x});
            if (random_.below(3) == 0) test = l.prim(Prim::not_, {test});
            const size_t yes = target(l, blocks, b, false), no = target(l, blocks, b, false);
            reach(blocks[yes], variables);
            reach(blocks[no], variables);
            l.branch(test, blocks[yes].id, blocks[no].id);
            return;
        }
        case 3:
            if (const ir::Lambda* callee = earlier(l)) {
                const auto [closure, args] = call_of(l, callee, variables);
                const BlockId back = l.block(1);
                l.end(terminator::Call{closure, l.list(args), back, random_.below(2) == 0 ? callee->id : no_lambda,
                                       false});
                blocks.push_back({back, 1, true, variables});
                return;
            }
            [[fallthrough]];
        case 4: return loop(l, variables);
        default:
            if (const ir::Lambda* callee = earlier(l); callee != nullptr && random_.below(2) == 0) {
                const auto [closure, args] = call_of(l, callee, variables);
                return l.tail(closure, args, random_.below(2) == 0 ? callee->id : no_lambda);
            }
            l.ret(pick(variables));
        }
    }

    const ir::Lambda* earlier(const ir::Lambda& l) {
        return index(l.id) == 0 ? nullptr : lambdas_[random_.below(index(l.id))];
    }

    // (if (< 0 n 4) (self (- n 1) …) result), so that every loop ends.
    void loop(ir::Lambda& l, const std::vector<VarId>& variables) {
        const BlockId again = l.block(), check = l.block(), done = l.block();
        l.branch(l.prim(Prim::lt, {l.number(0), l.param(0)}), check, done);
        l.at(check).branch(l.prim(Prim::lt, {l.param(0), l.number(4)}), again, done);
        l.at(done).ret(pick(variables));
        l.at(again);
        std::vector<VarId> args{l.prim(Prim::sub, {l.param(0), l.number(1)})};
        for (uint32_t i = 1; i < l.info.required; ++i) args.push_back(pick(variables));
        l.tail(l.self(), args, random_.below(3) != 0 ? l.id : no_lambda);
    }

    testing::Random random_;
    ir::Builder builder_;
    std::vector<ir::Lambda*> lambdas_;
};

// ── The evaluator ──

struct Datum {
    int64_t number = 0;
    const espalier::Lambda* lambda = nullptr;
    std::vector<Datum> captures;
};

class Evaluator {
public:
    explicit Evaluator(const Program& program) : program_(program) {}

    int64_t run(Datum closure, std::vector<Datum> args) {
        while (true) {
            const espalier::Lambda& l = *closure.lambda;
            std::map<VarId, Datum> env;
            for (uint32_t i = 0; i < args.size(); ++i) env[VarId{i}] = args[i];
            for (uint32_t i = 0; i < l.captures; ++i) env[VarId{l.params() + i}] = closure.captures[i];
            env[l.self()] = closure;
            const Block* block = &program_.blocks[l.first_block];
            while (true) {
                for (const Operation& op : program_.operations(*block)) operation(env, op);
                const TerminatorKind& t = block->terminator.kind;
                const auto all = [&](VarList list) {
                    std::vector<Datum> values;
                    for (VarId v : program_.list(list)) values.push_back(env.at(v));
                    return values;
                };
                const auto go = [&](BlockId to, const std::vector<Datum>& values) {
                    block = &program_[to];
                    const auto params = program_.list(block->params);
                    for (size_t i = 0; i < params.size(); ++i) env[params[i]] = values[i];
                };
                if (const auto* jump = std::get_if<terminator::Jump>(&t)) {
                    go(jump->target, all(jump->args));
                } else if (const auto* branch = std::get_if<terminator::Branch>(&t)) {
                    go(env.at(branch->condition).number != 0 ? branch->then_block : branch->else_block, {});
                } else if (const auto* call = std::get_if<terminator::Call>(&t)) {
                    go(call->back, {{run(env.at(call->callee), all(call->args)), nullptr, {}}});
                } else if (const auto* tail = std::get_if<terminator::TailCall>(&t)) {
                    args = all(tail->args);
                    closure = Datum(env.at(tail->callee));
                    break;
                } else {
                    return env.at(std::get<terminator::Return>(t).value).number;
                }
            }
        }
    }

private:
    void operation(std::map<VarId, Datum>& env, const Operation& op) {
        if (const auto* constant = std::get_if<op::Constant>(&op.kind)) {
            env[constant->dst].number = constant->value.as_fixnum();
        } else if (const auto* box = std::get_if<op::MakeBox>(&op.kind)) {
            env[box->dst] = env.at(box->init);
        } else if (const auto* ref = std::get_if<op::BoxRef>(&op.kind)) {
            env[ref->dst] = env.at(ref->box);
        } else if (const auto* closures = std::get_if<op::MakeClosures>(&op.kind)) {
            const ClosureDef& def = program_.closures[closures->first];
            Datum made{0, &program_[def.lambda], {}};
            for (VarId v : program_.list(def.captures)) made.captures.push_back(env.at(v));
            env[def.dst] = made;
        } else {
            const auto& primitive = std::get<op::Primitive>(op.kind);
            const auto args = program_.list(primitive.args);
            const int64_t x = env.at(args[0]).number, y = args.size() > 1 ? env.at(args[1]).number : 0;
            env[primitive.dst].number = apply(primitive.prim, x, y);
        }
    }

    static int64_t apply(Prim prim, int64_t x, int64_t y) {
        switch (prim) {
        case Prim::add: return x + y;
        case Prim::sub: return x - y;
        case Prim::mul: return x * y;
        case Prim::modulo: return (x % y + y) % y;
        case Prim::lt: return x < y;
        case Prim::le: return x <= y;
        case Prim::gt: return x > y;
        case Prim::ge: return x >= y;
        case Prim::num_eq:
        case Prim::eq: return x == y;
        case Prim::not_: return x == 0;
        default: FAIL("a primitive that the generator does not use"); return 0;
        }
    }

    const Program& program_;
};

} // namespace

TEST_CASE("random programs mean the same in registers") {
    for (const unsigned seed : testing::seeds(300)) {
        CAPTURE(seed);
        const Program program = Generator(seed).run();
        Listener quiet;
        Interpreter run(program, quiet, {.step_limit = 2'000'000});
        const Status status = run.start();
        if (status == Status::out_of_steps) continue;
        REQUIRE(status == Status::finished);
        CHECK(run.result()->as_fixnum() == Evaluator(program).run({0, &program[program.top], {}}, {}));
    }
}
