// One run of a model with random inputs, choices, waits and turns of threads, straight ahead: for a model of which not
// everything can be tried. Values are often constants of the model's text, or next to one.
#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "lang/lang.hpp"

namespace espalier::test {

// What the text of a model says about values worth trying.
struct Constants {
    std::vector<int64_t> numbers{0, 1};
    std::vector<std::u32string> strings{U"", U"a", U"zz"};

    explicit Constants(const Program& program) {
        for (const Operation& o : program.ops)
            if (const auto* c = std::get_if<op::Constant>(&o.kind)) note(c->value);
        for (const TypeDef& t : program.types)
            if (const auto* e = std::get_if<type::Enum>(&t.kind))
                for (Value v : e->values) note(v);
    }

private:
    void note(Value v) {
        if (v.is_fixnum() && std::abs(v.as_fixnum()) < 1'000'000)
            for (int64_t n : {-1, 0, 1}) numbers.push_back(v.as_fixnum() + n);
        if (!is_type(v, ObjectType::string) || v.as_object()->count > 100) return;
        std::u32string text;
        for (uint32_t i = 0; i < v.as_object()->count; ++i) text += as_string(v).at(i);
        strings.push_back(text);
        strings.push_back(text + U"b");
    }
};

struct WalkOptions {
    uint32_t most_steps = 4; // stable states that are left
    bool schedules = false;  // threads take turns in any order
    bool any_moment = false; // time may also stop before a deadline
};

class RandomWalk : public Listener {
public:
    RandomWalk(const Program& program, CompiledProgram& code, const Constants& constants, uint32_t seed,
               WalkOptions options)
        : program_(program), constants_(constants), options_(options), random_(seed),
          run_(code, *this, interpreter_options(options)) {
        for (status = run_.start(); status == Status::stable && left < options.most_steps;) {
            const Status went = step();
            if (went == Status::refused) {
                if (++refused_ > 20) break;
                continue;
            }
            status = went;
        }
        // The system chooses a number: that only this run cannot compute with it is no error.
        if (status == Status::model_error && run_.error()->text.find("is a fresh value") == std::string::npos)
            error = run_.error();
    }

    Status status = Status::finished;
    uint32_t left = 0;                  // stable states
    std::map<TargetId, uint32_t> marks; // and how many had been left
    std::optional<ModelError> error;
    std::string story; // as `run` reads it

    void mark(TargetId t, uint32_t) override { marks.emplace(t, left); }
    void output(PortId, Value v) override { learn(v); }
    uint32_t choose(Label, uint32_t count) override {
        const uint32_t taken = below(count);
        story += "(choose " + std::to_string(taken) + ")\n";
        return taken;
    }
    uint32_t schedule(std::span<const uint32_t> turns) override { return below(turns.size()); }

private:
    static InterpreterOptions interpreter_options(const WalkOptions& options) {
        InterpreterOptions all;
        all.step_limit = 20'000;
        all.schedules = options.schedules;
        return all;
    }
    uint32_t below(size_t n) { return static_cast<uint32_t>(random_() % n); }

    Status step() {
        const std::vector<Offer> offers = run_.offers();
        const Offer& offer = offers[below(offers.size())];
        ++left; // what the run does from here on counts as after this one
        const std::string before = story;
        const Status went = take(offer);
        if (went == Status::refused) {
            --left;
            story = before;
        }
        return went;
    }
    Status take(const Offer& offer) {
        if (offer.kind == Offer::Kind::timer) {
            int64_t due = offer.due_in;
            for (const Offer& o : run_.offers())
                if (o.kind == Offer::Kind::timer) due = std::min(due, o.due_in);
            if (options_.any_moment && due > 1 && below(2) == 0) due = 1 + below(static_cast<size_t>(due - 1));
            story += "(wait " + std::to_string(due) + ")\n";
            return run_.pass_time(due);
        }
        Value v;
        if (offer.kind == Offer::Kind::bare) {
            v = any_value(offer.type);
            story += espalier::to_text(program_, v) + "\n";
        } else {
            const auto& carried = program_.ports[index(offer.port)].in;
            const bool one = offer.filter == SelectClause::Filter::message;
            v = any_message(one ? offer.message : carried[below(carried.size())]);
            story += "(" + std::string(name_of(program_.ports[index(offer.port)].name)) + " " +
                     espalier::to_text(program_, v) + ")\n";
        }
        return run_.deliver(offer.port, v);
    }
    Value any_message(MessageId id) {
        std::vector<Value> fields;
        for (const FieldDef& f : program_.messages[index(id)].fields) fields.push_back(any_value(f.type));
        Message* m = run_.heap().message(id, fields.size());
        std::copy(fields.begin(), fields.end(), static_cast<Value*>(m->fields));
        return Value::object(m);
    }
    Value any_value(TypeId type) {
        const auto& kind = program_.types[index(type)].kind;
        if (const auto* i = std::get_if<type::Int>(&kind)) return any_int(*i);
        if (std::holds_alternative<type::Bool>(kind)) return Value::boolean(below(2) == 0);
        if (const auto* e = std::get_if<type::Enum>(&kind)) return e->values[below(e->values.size())];
        if (std::holds_alternative<type::String>(kind)) {
            const std::u32string& text = constants_.strings[below(constants_.strings.size())];
            return run_.heap().string(std::u32string_view(text).substr(below(4) == 0 ? below(text.size() + 1) : 0));
        }
        if (const auto* b = std::get_if<type::Bytes>(&kind)) {
            std::vector<uint8_t> bytes(below(b->max + size_t{1}));
            for (uint8_t& each : bytes) each = static_cast<uint8_t>(below(3));
            return run_.heap().bytevector(bytes);
        }
        if (const auto* l = std::get_if<type::ListOf>(&kind)) {
            std::vector<Value> elements(below(std::min<size_t>(l->max, 5) + 1));
            for (Value& each : elements) each = any_value(l->element);
            return run_.heap().list(elements);
        }
        const auto& ids = std::get<type::OneOf>(kind).messages;
        return any_message(ids[below(ids.size())]);
    }
    Value any_int(const type::Int& type) {
        if (!fresh_.empty() && !type.low && below(2) == 0) return *run_.fresh_value(fresh_[below(fresh_.size())]);
        const bool bounded = type.low && type.high && type.low->is_fixnum() && type.high->is_fixnum();
        if (!bounded) {
            const int64_t n = constants_.numbers[below(constants_.numbers.size())];
            return Value::fixnum(below(4) == 0 ? n * (below(2) == 0 ? -1 : 2) : n);
        }
        const int64_t low = type.low->as_fixnum(), high = type.high->as_fixnum();
        for (int tries = 0; tries < 3; ++tries) {
            const int64_t n = constants_.numbers[below(constants_.numbers.size())];
            if (n >= low && n <= high) return Value::fixnum(n);
        }
        return Value::fixnum(low + below(static_cast<size_t>(high - low + 1)));
    }
    // Fresh values may be sent back.
    void learn(Value v) {
        if (is_type(v, ObjectType::fresh) && run_.fresh_value(v.as_object()->count))
            fresh_.push_back(v.as_object()->count);
        if (is_type(v, ObjectType::message))
            for (uint32_t i = 0; i < v.as_object()->count; ++i) learn(as_message(v).fields[i]);
    }

    const Program& program_;
    const Constants& constants_;
    WalkOptions options_;
    std::mt19937 random_;
    std::vector<uint32_t> fresh_; // by number
    uint32_t refused_ = 0;
    Interpreter run_;
};

} // namespace espalier::test
