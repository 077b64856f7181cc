#include "testgen/execute/alternatives.hpp"

#include <new>

#include "testgen/execute/match.hpp"
#include "testgen/replay/replay.hpp"
#include "testgen/suite/copy_value.hpp"
#include "testgen/suite/fresh_names.hpp"
#include "testgen/suite/spelling.hpp"
#include "testgen/suite/told_apart.hpp"
#include "testgen/suite/value_range.hpp"

namespace espalier {

namespace {

std::string spelling(const Program& program, ValueWord word, Value v) {
    if (word == ValueWord::string) return to_utf8(as_string(v));
    if (word == ValueWord::bytes) return to_hex(as_bytevector(v));
    return to_text(program, v);
}

// Values that ports carry are nested no deeper than a suite can spell them, and so is this recursion.
TestValue expected_value(const Program& program, Value v, std::optional<TypeId> type) {
    const TypeDef* def = type ? &program.types[index(*type)] : nullptr;
    const ValueWord word = def != nullptr ? type_word(*def) : type_word(program, v);
    if (v == Value::any()) return {Anything{}};
    if (is_type(v, ObjectType::fresh)) {
        const std::string range = range_text(program, static_cast<const Fresh*>(v.as_object())->of);
        return {Named{fresh_name(v.as_object()->count), word,
                      range.empty() ? nullptr : ValueRange::parse(range).value_or(nullptr)}};
    }
    if (word == ValueWord::message) {
        const Message& m = as_message(v);
        const MessageDef& of = program.messages[index(m.message)];
        MessageOf made{std::string(name_of(of.name)), {}};
        for (uint32_t i = 0; i < m.count; ++i)
            made.fields.push_back(
                {std::string(name_of(of.fields[i].name)), expected_value(program, m.fields[i], of.fields[i].type)});
        return {std::move(made)};
    }
    if (word == ValueWord::list) {
        const auto* list = def != nullptr ? std::get_if<type::ListOf>(&def->kind) : nullptr;
        ListOf made;
        for (; is_pair(v); v = as_pair(v).cdr)
            made.items.push_back(
                expected_value(program, as_pair(v).car, list != nullptr ? std::optional(list->element) : std::nullopt));
        return {std::move(made)};
    }
    return {read_literal(word, spelling(program, word, v)).value()};
}

// The decisions of one run: first those that it is given, then the first alternative of each.
class Decisions {
public:
    uint32_t next(uint32_t count) {
        if (at_ == taken_.size()) taken_.push_back({0, count});
        taken_[at_].count = count;
        return taken_[at_++].which;
    }
    // The next sequence; false where there is none.
    bool advance() {
        taken_.resize(at_); // of a run that ended early
        at_ = 0;
        while (!taken_.empty() && taken_.back().which + 1 >= taken_.back().count) taken_.pop_back();
        if (taken_.empty()) return false;
        ++taken_.back().which;
        return true;
    }

private:
    struct Taken {
        uint32_t which, count;
    };
    std::vector<Taken> taken_;
    size_t at_ = 0;
};

class Watcher : public Listener {
public:
    Watcher(const Program& program, Decisions& decisions) : program_(program), decisions_(decisions) {}
    void output(PortId port, Value value) override {
        SuiteEvent e;
        e.kind = SuiteEvent::Kind::output;
        e.port = port;
        keep_value(program_, values_, value, e);
        outputs.push_back(expected_exchange(program_, e));
    }
    uint32_t choose(Label, uint32_t count) override { return decisions_.next(count); }
    uint32_t schedule(std::span<const uint32_t> turns) override {
        return decisions_.next(static_cast<uint32_t>(turns.size()));
    }
    std::vector<Exchange> outputs; // of the current stage

private:
    const Program& program_;
    Decisions& decisions_;
    Heap values_{Heap::Lifetime::immortal};
};

class ModelRun {
public:
    ModelRun(const Program& program, CompiledProgram& compiled, const SuiteTest& test, const TestRun& seen,
             Decisions& decisions, uint64_t steps, const std::atomic<bool>* stop)
        : program_(program), test_(test), seen_(seen), decisions_(decisions), watcher_(program, decisions),
          run_(compiled, watcher_, {.step_limit = steps, .schedules = true, .told_apart = &told_apart_, .stop = stop}) {
    }

    // Yes, no, or left open.
    Allowed does_the_same() {
        Status status = run_.start();
        size_t stage = 0;
        if (!as_seen(status, stage)) return Allowed::no;
        for (const SuiteEvent& e : test_.events) {
            if (e.kind != SuiteEvent::Kind::input && e.kind != SuiteEvent::Kind::wait) continue;
            if (status == Status::assume_failed) return Allowed::left_open;
            if (++stage == seen_.seen.size()) break;
            if (status != Status::stable) return Allowed::no;
            watcher_.outputs.clear();
            if (e.kind == SuiteEvent::Kind::wait) {
                status = run_.pass_time(e.units);
                while (status == Status::stable && run_.time_left_to_pass() > 0)
                    status = run_.pass_time(run_.time_left_to_pass());
            } else {
                const auto message = input(e);
                if (!message) return Allowed::no;
                status = run_.deliver(e.port, *message);
            }
            if (!as_seen(status, stage)) return Allowed::no;
        }
        return status == Status::assume_failed ? Allowed::left_open : Allowed::yes;
    }
    uint64_t steps() const { return run_.steps(); }

private:
    // An input sends a value back that the system chose. In this run the model has chosen it, too; where it chose
    // several that are equal in the system, any of them can be meant.
    std::optional<Value> input(const SuiteEvent& e) {
        bool known = true;
        const FreshValue fresh = [&](uint32_t number) -> std::optional<Value> {
            const auto sent = seen_.names.find(fresh_name(number, test_.fresh_names));
            std::vector<Value> candidates;
            for (const auto& [name, value] : names_) {
                if (sent == seen_.names.end() || !(value == sent->second)) continue;
                const auto there = run_.fresh_value(static_cast<uint32_t>(std::stoul(name.substr(1))));
                if (there) candidates.push_back(*there);
            }
            known = known && !candidates.empty();
            if (candidates.empty()) return std::nullopt;
            if (candidates.size() == 1) return candidates[0];
            return candidates[decisions_.next(static_cast<uint32_t>(candidates.size()))];
        };
        const Value message = copy_value(run_.heap(), e.value, fresh);
        return known ? std::optional(message) : std::nullopt;
    }

    // After a failed assumption more may have come than the run says.
    bool as_seen(Status status, size_t stage) {
        const bool ended = status == Status::assume_failed;
        if (!ended && status != Status::stable && status != Status::finished) return false;
        const std::vector<SeenOutput>& seen = seen_.seen[stage];
        if (!ended && seen.size() != watcher_.outputs.size()) return false;
        std::map<std::string, std::vector<const SeenOutput*>> by_port;
        for (const SeenOutput& s : seen) by_port[s.port].push_back(&s);
        std::map<std::string, size_t> next;
        const NamesApart none;
        SeenMatcher matcher(names_, none);
        for (const Exchange& e : watcher_.outputs) {
            const auto& there = by_port[e.port];
            const size_t i = next[e.port]++;
            if (i >= there.size() || !matcher.matches(e, *there[i])) return false;
        }
        return apart();
    }

    // What must differ by this run of the model, does.
    bool apart() const {
        for (auto one = names_.begin(); one != names_.end(); ++one)
            for (auto other = names_.begin(); other != one; ++other)
                if (one->second == other->second &&
                    must_differ(program_, made(one->first), made(other->first), told_apart_))
                    return false;
        return true;
    }
    Value made(const std::string& name) const {
        return run_.fresh_value(static_cast<uint32_t>(std::stoul(name.substr(1)))).value();
    }

    const Program& program_;
    const SuiteTest& test_;
    const TestRun& seen_;
    Decisions& decisions_;
    Watcher watcher_;
    FreshPairs told_apart_;
    Interpreter run_;
    NamedValues names_; // of the values that the model chose
};

} // namespace

Exchange expected_exchange(const Program& program, const SuiteEvent& output) {
    const PortDef& on = program.ports[index(output.port)];
    Exchange made{std::string(name_of(on.name)), "value", {}};
    if (!output.printed.empty()) {
        made.fields.push_back({"value", {read_literal(ValueWord::other, output.printed).value()}});
        return made;
    }
    TestValue value = expected_value(program, output.value, std::nullopt);
    if (auto* message = std::get_if<MessageOf>(&value.kind);
        message != nullptr && !(on.bare_out && message->name == "value")) {
        made.message = message->name;
        made.fields = std::move(message->fields);
    } else {
        made.fields.push_back({"value", std::move(value)});
    }
    return made;
}

Allowed Alternatives::allows(const SuiteTest& test, const TestRun& run, const AlternativeLimits& limits) {
    Decisions decisions;
    uint64_t steps = 0;
    bool left_open = false;
    const auto or_left_open = [&](Allowed answer) { return left_open ? Allowed::left_open : answer; };
    const auto is_stopped = [&] { return limits.stop != nullptr && *limits.stop; };
    for (uint64_t runs = 0; runs < limits.runs && steps < limits.steps; ++runs) {
        ModelRun again(program_, compiled_, test, run, decisions, limits.steps - steps, limits.stop);
        Allowed answer = Allowed::stopped;
        try {
            answer = again.does_the_same();
        } catch (const std::bad_alloc&) {
            return Allowed::stopped;
        }
        if (answer == Allowed::yes) return answer;
        if (is_stopped()) return Allowed::stopped;
        left_open = left_open || answer == Allowed::left_open;
        steps += again.steps();
        if (!decisions.advance()) return or_left_open(steps < limits.steps ? Allowed::no : Allowed::unknown);
    }
    return or_left_open(Allowed::unknown);
}

void reconsider(TestRun& run, const ExecutableTest& test, const SuiteTest* same, Alternatives* alternatives,
                const std::atomic<bool>* stop) {
    if (alternatives == nullptr) {
        if (!test.has_decisions) return;
        run.verdict = TestVerdict::inconclusive;
        run.open_difference = true;
        run.reason += "; the test is for one schedule or choice of the model, and --model MODEL would tell whether "
                      "another allows what was seen";
        return;
    }
    AlternativeLimits limits;
    limits.stop = stop;
    switch (alternatives->allows(*same, run, limits)) {
    case Allowed::yes:
        run.verdict = TestVerdict::inconclusive;
        run.reason += "; another schedule or choice of the model allows what was seen";
        break;
    case Allowed::left_open:
        run.verdict = TestVerdict::inconclusive;
        run.reason += "; with this or another schedule or choice the model does not say what comes there";
        break;
    case Allowed::unknown:
        run.verdict = TestVerdict::inconclusive;
        run.open_difference = true;
        run.reason += "; the model has too many schedules and choices to try whether another allows what was seen";
        break;
    case Allowed::stopped:
        run.verdict = TestVerdict::inconclusive;
        run.open_difference = true;
        run.interrupted = true;
        run.reason +=
            "; it was ended before the model could tell whether another schedule or choice allows what was seen";
        break;
    case Allowed::no: break;
    }
}

} // namespace espalier
