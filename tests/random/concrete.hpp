// The concrete side of the laws: a model run step by step with the interpreter, every input of a small model tried,
// and random inputs for a large one.
#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "lang/lang.hpp"
#include "symexec/symexec.hpp"

namespace espalier::test {

// One run along given steps. `marks` and `errors` tell how many stable states had been left.
class ConcreteRun : public Listener {
public:
    ConcreteRun(const Program& program, const std::vector<TestStep>& steps, Schedules schedules = Schedules::first)
        : program_(program), steps_(steps), run_(program, *this, options(schedules)) {
        status = run_.start();
        while (next_ < steps_.size() && status == Status::stable && !wants) {
            const TestStep& step = steps_[next_++];
            if (step.kind == TestStep::Kind::choice || step.kind == TestStep::Kind::schedule) {
                status = Status::refused;
                return;
            }
            ++left;
            const Status went = step.kind == TestStep::Kind::input ? run_.deliver(step.port, own(step.value))
                                                                   : run_.pass_time(step.units);
            status = went;
        }
        if (next_ < steps_.size() && !wants && status != Status::out_of_steps) status = Status::refused;
    }
    static InterpreterOptions options(Schedules schedules) {
        InterpreterOptions all;
        all.step_limit = 20'000;
        all.schedules = schedules == Schedules::all;
        return all;
    }

    void output(PortId, Value v) override { learn(v); }
    void mark(TargetId t, uint32_t) override {
        if (!wants) marks.emplace(t, left);
    }
    uint32_t choose(Label label, uint32_t count) override {
        return taken({.kind = TestStep::Kind::choice, .choice = {label, 0, count}});
    }
    uint32_t schedule(std::span<const uint32_t> turns) override {
        return taken({.kind = TestStep::Kind::schedule, .choice = {{}, 0, static_cast<uint32_t>(turns.size())}});
    }
    void sent(uint32_t, Value channel, Value v) override {
        if (!wants && run_.name(channel) == "trace") trace.push_back(v);
    }

    // The next steps: the alternatives of the environment or of the scheduler, or what the tester may do. With
    // `random`, one value of each type instead of all.
    std::vector<TestStep> next(Heap& heap, std::mt19937* random = nullptr) {
        random_ = random;
        std::vector<TestStep> all;
        if (wants) {
            for (uint32_t i = 0; i < wants->choice.of; ++i) {
                all.push_back(*wants);
                all.back().choice.taken = i;
            }
            return all;
        }
        if (status != Status::stable) return all;
        std::set<std::pair<PortId, uint32_t>> offered;
        std::optional<Units> least;
        bool half = false;
        for (const Offer& o : run_.offers()) {
            if (o.kind == Offer::Kind::timer) {
                least = least ? std::min(*least, o.due_in) : o.due_in;
                if (is_type(o.timer, ObjectType::timer) && as_timer(o.timer).early && o.due_in > 1) half = true;
            } else if (o.kind == Offer::Kind::bare) {
                if (!offered.insert({o.port, UINT32_MAX - index(o.type)}).second) continue;
                for (Value v : values(heap, o.type)) all.push_back({.port = o.port, .value = v});
            } else {
                for (MessageId m : program_.ports[index(o.port)].in) {
                    if (o.filter == SelectClause::Filter::message && o.message != m) continue;
                    if (!offered.insert({o.port, index(m)}).second) continue;
                    for (Value v : messages(heap, m)) all.push_back({.port = o.port, .value = v});
                }
            }
        }
        if (!least) return all;
        all.push_back({.kind = TestStep::Kind::wait, .units = *least});
        const bool halved =
            !steps_.empty() && steps_.back().kind == TestStep::Kind::wait && steps_.back().choice.of == 2;
        const Units rounded(number::quotient(heap, least->in(heap), Value::fixnum(2)));
        if (half && !halved && *least > 0)
            all.push_back({.kind = TestStep::Kind::wait, .units = std::max(Units(1), rounded), .choice = {{}, 0, 2}});
        return all;
    }

    Status status = Status::finished;
    uint32_t left = 0; // stable states
    std::map<TargetId, uint32_t> marks;
    std::optional<TestStep> wants; // a choice that the steps do not make: what came after it does not count
    std::vector<Value> trace;      // what was sent to the channel `trace`
    const std::optional<ModelError>& error() const { return run_.error(); }

private:
    uint32_t taken(const TestStep& asked) {
        if (wants) return 0;
        if (next_ < steps_.size() && steps_[next_].kind == asked.kind) return steps_[next_++].choice.taken;
        wants = asked;
        return 0;
    }
    void learn(Value v) {
        if (is_type(v, ObjectType::fresh)) fresh_[v.as_object()->count] = v;
        if (is_type(v, ObjectType::message))
            for (uint32_t i = 0; i < v.as_object()->count; ++i) learn(as_message(v).fields[i]);
    }
    Value own(Value v) {
        if (is_type(v, ObjectType::fresh)) return fresh_.at(v.as_object()->count);
        if (!is_type(v, ObjectType::message)) return v;
        std::vector<Value> fields;
        for (uint32_t i = 0; i < v.as_object()->count; ++i) fields.push_back(own(as_message(v).fields[i]));
        Message* copy = run_.heap().message(as_message(v).message, fields.size());
        std::copy(fields.begin(), fields.end(), static_cast<Value*>(copy->fields));
        return Value::object(copy);
    }
    // A fresh value for a step, which outlives the run.
    static Value kept(Heap& heap, Value v) {
        auto* copy = static_cast<Fresh*>(heap.allocate(ObjectType::fresh, sizeof(Fresh), v.as_object()->count));
        *copy = *static_cast<const Fresh*>(v.as_object());
        copy->differs_from = Value::null();
        return Value::object(copy);
    }
    // Every value of a small type; of the whole numbers 0 and the fresh values that were written.
    std::vector<Value> values(Heap& heap, TypeId type) const {
        if (random_ != nullptr) return {any_value(heap, type)};
        const auto& kind = program_.types[index(type)].kind;
        std::vector<Value> all;
        if (const auto* i = std::get_if<type::Int>(&kind)) {
            if (i->low && i->high) {
                for (int64_t n = i->low->as_fixnum(); n <= i->high->as_fixnum(); ++n) all.push_back(Value::fixnum(n));
            } else {
                all.push_back(Value::fixnum(0));
                for (const auto& [number, v] : fresh_) all.push_back(kept(heap, v));
            }
        } else if (std::holds_alternative<type::Bool>(kind)) {
            all = {Value::boolean(false), Value::boolean(true)};
        } else if (const auto* e = std::get_if<type::Enum>(&kind)) {
            all = e->values;
        } else if (const auto* l = std::get_if<type::ListOf>(&kind)) {
            std::vector<std::vector<Value>> lists{{}};
            for (size_t at = 0; at < lists.size(); ++at) {
                all.push_back(heap.list(lists[at]));
                if (lists[at].size() == l->max) continue;
                for (Value v : values(heap, l->element)) {
                    lists.push_back(lists[at]);
                    lists.back().push_back(v);
                }
            }
        } else if (const auto* m = std::get_if<type::OneOf>(&kind)) {
            for (MessageId id : m->messages)
                for (Value v : messages(heap, id)) all.push_back(v);
        }
        return all;
    }
    Value any_value(Heap& heap, TypeId type) const {
        const auto below = [&](size_t n) { return static_cast<uint32_t>((*random_)() % n); };
        const auto& kind = program_.types[index(type)].kind;
        if (const auto* i = std::get_if<type::Int>(&kind)) {
            if (!fresh_.empty() && !i->low && below(2) == 0) {
                auto at = fresh_.begin();
                std::advance(at, below(fresh_.size()));
                return kept(heap, at->second);
            }
            const int64_t low = i->low ? i->low->as_fixnum() : -6, high = i->high ? i->high->as_fixnum() : 9;
            return Value::fixnum(low + below(static_cast<size_t>(high - low + 1)));
        }
        if (std::holds_alternative<type::Bool>(kind)) return Value::boolean(below(2) == 0);
        if (const auto* e = std::get_if<type::Enum>(&kind)) return e->values[below(e->values.size())];
        if (std::holds_alternative<type::String>(kind)) {
            static constexpr const char* words[] = {"ok", "", "no", "other"};
            return heap.string(std::string_view(words[below(4)]));
        }
        if (const auto* b = std::get_if<type::Bytes>(&kind)) {
            std::vector<uint8_t> bytes(below(b->max + size_t{1}));
            for (uint8_t& each : bytes) each = static_cast<uint8_t>(below(3));
            return heap.bytevector(bytes);
        }
        if (const auto* l = std::get_if<type::ListOf>(&kind)) {
            std::vector<Value> elements(below(l->max + size_t{1}));
            for (Value& each : elements) each = any_value(heap, l->element);
            return heap.list(elements);
        }
        const auto& ids = std::get<type::OneOf>(kind).messages;
        return messages(heap, ids[below(ids.size())])[0];
    }
    std::vector<Value> messages(Heap& heap, MessageId id) const {
        const MessageDef& def = program_.messages[index(id)];
        std::vector<std::vector<Value>> rows{{}};
        for (const FieldDef& f : def.fields) {
            std::vector<std::vector<Value>> longer;
            const std::vector<Value> ways = values(heap, f.type);
            for (const auto& row : rows)
                for (Value v : ways) {
                    longer.push_back(row);
                    longer.back().push_back(v);
                }
            rows = std::move(longer);
        }
        std::vector<Value> all;
        for (const auto& row : rows) {
            Message* m = heap.message(id, row.size());
            std::copy(row.begin(), row.end(), static_cast<Value*>(m->fields));
            all.push_back(Value::object(m));
        }
        return all;
    }

    const Program& program_;
    const std::vector<TestStep>& steps_;
    size_t next_ = 0;
    std::map<uint32_t, Value> fresh_;
    std::mt19937* random_ = nullptr;
    Interpreter run_;
};

// At most so many steps that the model takes, chosen at random.
inline std::vector<TestStep> random_steps(const Program& program, Heap& heap, uint32_t seed, uint32_t inputs) {
    std::mt19937 random(seed);
    std::vector<TestStep> steps;
    for (uint32_t refused = 0; refused < 8;) {
        ConcreteRun run(program, steps);
        if (run.status == Status::refused) {
            steps.pop_back();
            ++refused;
            continue;
        }
        if (run.left >= inputs && !run.wants) break;
        const std::vector<TestStep> moves = run.next(heap, &random);
        if (moves.empty()) break;
        steps.push_back(moves[random() % moves.size()]);
    }
    if (ConcreteRun(program, steps).status == Status::refused) steps.pop_back();
    return steps;
}

// A value as an expression that makes it.
inline std::string expression(const Program& program, Value v) {
    if (is_pair(v) || v.is_null()) {
        std::string out = "(list";
        for (; is_pair(v); v = as_pair(v).cdr) out += " " + expression(program, as_pair(v).car);
        return out + ")";
    }
    if (is_type(v, ObjectType::message)) {
        const Message& m = as_message(v);
        std::string out = "(" + std::string(name_of(program.messages[index(m.message)].name));
        for (uint32_t i = 0; i < m.count; ++i) out += " " + expression(program, m.fields[i]);
        return out + ")";
    }
    return (v.is_symbol() ? "'" : "") + espalier::to_text(program, v);
}

// Everything that some inputs reach, with the fewest stable states to be left on the way.
struct Reachable {
    std::map<TargetId, uint32_t> targets;
    std::map<uint32_t, uint32_t> errors; // by the offset of their place
    uint64_t runs = 0;
    bool whole = true; // nothing was left out for its length or its number of steps
};

class Enumeration {
public:
    Enumeration(const Program& program, uint32_t inputs, uint64_t most_runs, Schedules schedules = Schedules::first)
        : program_(program), inputs_(inputs), most_runs_(most_runs), schedules_(schedules),
          heap_(Heap::Lifetime::immortal) {
        visit();
    }
    const Reachable& found() const { return found_; }

private:
    void visit() {
        if (++found_.runs > most_runs_) found_.whole = false;
        if (found_.runs > most_runs_) return;
        std::vector<TestStep> moves;
        {
            ConcreteRun run(program_, steps_, schedules_);
            if (run.status == Status::refused) return;
            if (run.status == Status::out_of_steps) found_.whole = false;
            for (const auto& [t, left] : run.marks) least(found_.targets, t, left);
            if (run.status == Status::model_error && !run.wants)
                least(found_.errors, run.error()->span.begin, run.left);
            if (run.wants || run.left < inputs_)
                moves = run.next(heap_);
            else if (run.status == Status::stable)
                found_.whole = false;
        }
        for (const TestStep& move : moves) {
            steps_.push_back(move);
            visit();
            steps_.pop_back();
        }
    }
    template <typename Key>
    static void least(std::map<Key, uint32_t>& map, Key key, uint32_t n) {
        const auto [at, added] = map.emplace(key, n);
        if (!added) at->second = std::min(at->second, n);
    }

    const Program& program_;
    uint32_t inputs_;
    uint64_t most_runs_;
    Schedules schedules_;
    Heap heap_;
    std::vector<TestStep> steps_;
    Reachable found_;
};

} // namespace espalier::test
