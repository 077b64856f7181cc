// Law 2, as a program: every path of the concrete model is a path of the automaton.
//
// A model is run on random inputs; each step of the run must be a step of the automaton, with a stack of call
// nodes beside the run's own. Charged edges are counted too: between two stable states no thread may pay more
// than one.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "flowanalysis/flowanalysis.hpp"

namespace espalier {

class Walker : public Listener {
public:
    Walker(const Program& program, const Flow& flow, uint32_t seed) : program_(program), flow_(flow), random_(seed) {}

    const std::optional<std::string>& failure() const { return failure_; }
    uint64_t steps() const { return steps_; }
    void at_stable_state() {
        for (auto& [number, thread] : threads_) thread.paid = 0;
    }

    void step(uint32_t number, LambdaId lambda, BlockId block, Label site) override {
        if (failure_) return;
        ++steps_;
        running_ = number;
        path_.push_back("thread " + std::to_string(number) + ": " + std::string(name_of(program_[lambda].name)) + "@" +
                        std::to_string(static_cast<int>(index(site))) + " b" +
                        std::to_string(index(block) - program_[lambda].first_block));
        if (path_.size() > 40) path_.pop_front();
        const VariantId v = flow_.variant(lambda, site);
        if (v == no_variant) return fail("no such variant");
        if (flow_.node(v, block) == pda::no_node) return fail("the block is not in the automaton");
        go(threads_[number], v, block);
        threads_[number].variant = v;
        threads_[number].block = block;
    }

    void spawned(uint32_t number) override {
        threads_[number].spawner = threads_[running_].variant;
        threads_[number].block = threads_[running_].block;
    }

    void mark(TargetId target, uint32_t number) override {
        if (failure_) return;
        const Thread& t = threads_[number];
        const Block& block = program_[t.block];
        for (uint32_t i = 0; i < block.op_count; ++i) {
            const std::optional<TargetId> m = marked(program_.ops[block.first_op + i].kind);
            const pda::NodeId node = flow_.node(t.variant, t.block, i);
            if (m == target && graph().target(node) == flow_.target(target)) return;
        }
        fail("no node for the mark " + program_.targets[index(target)].name);
    }

    uint32_t choose(Label, uint32_t count) override { return static_cast<uint32_t>(random_() % count); }

private:
    struct Thread {
        VariantId variant = no_variant; // not begun yet; then `block` is the one that spawned it
        BlockId block{};
        std::vector<std::pair<VariantId, BlockId>> stack;
        VariantId spawner = no_variant;
        uint32_t paid = 0;
    };

    const pda::Graph& graph() const { return flow_.graph(); }
    void fail(const std::string& why) {
        if (failure_) return;
        failure_ = why + ", on the path\n";
        for (const std::string& each : path_) *failure_ += "  " + each + "\n";
    }
    pda::EdgeId edge(pda::NodeId from, pda::NodeId to) const {
        for (pda::EdgeId e : graph().edges(from))
            if (graph().to(e) == to) return e;
        return pda::no_edge;
    }
    bool calls(pda::NodeId node, VariantId v) const {
        const auto callees = graph().callees(node);
        return std::find(callees.begin(), callees.end(), flow_[v].procedure) != callees.end();
    }
    void enter(VariantId v, BlockId block) {
        if (index(block) != program_[flow_[v].lambda].first_block) return fail("not the first block");
        if (edge(graph().root(flow_[v].procedure), flow_.node(v, block)) == pda::no_edge)
            fail("no edge from the entry");
    }
    void begin(const Thread& t, VariantId v, BlockId block) {
        enter(v, block);
        if (flow_[v].lambda == program_.top) return;
        const Block& spawner = program_[t.block];
        for (uint32_t i = 0; i < spawner.op_count; ++i)
            if (std::holds_alternative<op::Spawn>(program_.ops[spawner.first_op + i].kind) &&
                calls(flow_.node(t.spawner, t.block, i), v))
                return;
        fail("no node spawns it");
    }

    void go(Thread& t, VariantId v, BlockId block) {
        if (t.variant == no_variant) return begin(t, v, block);
        const pda::NodeId from = flow_.terminator(t.variant, t.block);
        const pda::NodeId to = flow_.node(v, block);
        const TerminatorKind& end = program_[t.block].terminator.kind;
        if (std::holds_alternative<terminator::Call>(end)) {
            t.stack.emplace_back(t.variant, t.block);
            if (!calls(from, v)) return fail("no such callee");
            return enter(v, block);
        }
        if (std::holds_alternative<terminator::TailCall>(end)) {
            if (edge(from, graph().root(flow_[v].procedure)) == pda::no_edge) return fail("no such jump");
            return enter(v, block);
        }
        if (std::holds_alternative<terminator::Return>(end)) {
            if (graph().kind(from) != pda::NodeKind::ret) return fail("not a return node");
            if (t.stack.empty()) return fail("nothing to return to");
            const auto [caller, call] = t.stack.back();
            t.stack.pop_back();
            if (caller != v) return fail("returns to another variant");
            if (edge(flow_.terminator(caller, call), to) == pda::no_edge) fail("the call does not return");
            return;
        }
        if (t.variant != v) return fail("changes the variant without a call");
        if (std::holds_alternative<terminator::Refuse>(end)) return go_on_after_refusal(t, from, to);
        const pda::EdgeId e = edge(from, to);
        if (e == pda::no_edge && (from != to || std::holds_alternative<terminator::Select>(end)))
            return fail("no edge");
        if (e != pda::no_edge) pay(t, e);
    }
    // To the next clause, or, after waiting on, from the wait again.
    void go_on_after_refusal(Thread& t, pda::NodeId refusal, pda::NodeId to) {
        // Where clauses are many, over nodes that stand for their turns.
        const std::function<bool(pda::NodeId)> leads_on = [&](pda::NodeId from) {
            if (edge(from, to) != pda::no_edge) return true;
            for (pda::EdgeId e : graph().edges(from)) {
                const pda::NodeId next = graph().to(e);
                const Place& place = flow_.place(next);
                const bool turn = graph().kind(next) == pda::NodeKind::plain &&
                                  std::holds_alternative<terminator::Select>(program_[place.block].terminator.kind) &&
                                  flow_.terminator(place.variant, place.block) != next;
                if (turn && leads_on(next)) return true;
            }
            return false;
        };
        if (leads_on(refusal)) return;
        for (pda::EdgeId back : graph().edges(refusal))
            if (const pda::EdgeId e = edge(graph().to(back), to);
                graph().kind(graph().to(back)) == pda::NodeKind::stable && e != pda::no_edge)
                return pay(t, e);
        fail("no edge after a refusal");
    }
    void pay(Thread& t, pda::EdgeId e) {
        t.paid += graph().cost(e);
        if (t.paid > 1) fail("two charged edges between stable states");
    }

    const Program& program_;
    const Flow& flow_;
    std::mt19937 random_;
    std::map<uint32_t, Thread> threads_;
    uint32_t running_ = 0;
    uint64_t steps_ = 0;
    std::deque<std::string> path_;
    std::optional<std::string> failure_;
};

// A value of the type, small and at its bounds more often than not.
class RandomInputs {
public:
    RandomInputs(const Program& program, uint32_t seed) : program_(program), random_(seed) {}
    uint32_t below(size_t n) { return static_cast<uint32_t>(random_() % n); }

    Value message(Heap& heap, MessageId id) {
        const MessageDef& def = program_.messages[index(id)];
        Message* m = heap.message(id, def.fields.size());
        for (size_t i = 0; i < def.fields.size(); ++i) m->fields[i] = value(heap, def.fields[i].type);
        return Value::object(m);
    }
    Value value(Heap& heap, TypeId id) {
        const auto& kind = program_.types[index(id)].kind;
        if (const auto* t = std::get_if<type::Int>(&kind)) {
            const int64_t low = t->low ? t->low->as_fixnum() : -9;
            const int64_t high = t->high ? t->high->as_fixnum() : std::max<int64_t>(9, low);
            switch (below(4)) {
            case 0: return Value::fixnum(low);
            case 1: return Value::fixnum(high);
            default:
                return Value::fixnum(
                    low + static_cast<int64_t>(below(static_cast<size_t>(std::min<int64_t>(high - low + 1, 12)))));
            }
        }
        if (std::holds_alternative<type::Bool>(kind)) return Value::boolean(below(2) == 0);
        if (const auto* t = std::get_if<type::Enum>(&kind)) return t->values[below(t->values.size())];
        if (std::holds_alternative<type::String>(kind))
            return heap.string(std::string_view(below(2) == 0 ? "admin" : ""));
        if (const auto* t = std::get_if<type::Bytes>(&kind))
            return heap.bytevector(std::vector<uint8_t>(below(t->max + size_t{1})));
        if (const auto* t = std::get_if<type::ListOf>(&kind)) {
            std::vector<Value> elements;
            for (uint32_t n = below(std::min<uint32_t>(t->max, 3) + 1); n > 0; --n)
                elements.push_back(value(heap, t->element));
            return heap.list(elements);
        }
        const auto& t = std::get<type::OneOf>(kind);
        return message(heap, t.messages[below(t.messages.size())]);
    }

private:
    const Program& program_;
    std::mt19937 random_;
};

// Runs the model on random inputs beside the automaton; what went wrong, if anything did.
inline std::optional<std::string> walk(const Program& program, const Flow& flow, uint32_t seed, int inputs = 60,
                                       uint64_t* steps = nullptr, uint64_t step_limit = 100000) {
    Walker walker(program, flow, seed);
    RandomInputs random(program, seed);
    InterpreterOptions options;
    options.follow = true;
    options.step_limit = step_limit;
    Interpreter run(program, walker, options);
    Status status = run.start();
    for (int i = 0; i < inputs && (status == Status::stable || status == Status::refused); ++i) {
        walker.at_stable_state();
        const std::vector<Offer> offers = run.offers();
        if (offers.empty()) break;
        const Offer& offer = offers[random.below(offers.size())];
        if (offer.kind == Offer::Kind::timer) {
            status = run.pass_time();
        } else if (offer.kind == Offer::Kind::bare) {
            status = run.deliver(offer.port, random.value(run.heap(), offer.type));
        } else {
            const auto& carried = program.ports[index(offer.port)].in;
            if (carried.empty()) {
                status = run.deliver(offer.port, Value::fixnum(random.below(5)));
                continue;
            }
            const MessageId m =
                offer.filter == SelectClause::Filter::message ? offer.message : carried[random.below(carried.size())];
            status = run.deliver(offer.port, random.message(run.heap(), m));
        }
    }
    if (steps != nullptr) *steps += walker.steps();
    return walker.failure();
}

} // namespace espalier
