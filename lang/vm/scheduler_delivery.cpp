// Messages from the tester: which are taken, why others are refused, and what may be sent in a stable state.
#include <algorithm>
#include <set>

#include "lang/ir/type.hpp"
#include "lang/values/channel.hpp"
#include "lang/values/number.hpp"
#include "lang/vm/scheduler.hpp"

namespace espalier::vm {

// Why a port does not carry it in; empty where it does.
std::string Scheduler::not_carried(PortId port, Value message) const {
    if (index(port) >= program_.ports.size()) return "there is no such port";
    const PortDef& def = program_.ports[index(port)];
    const std::string name = "the port " + std::string(name_of(def.name));
    if (def.bare_in) return {};
    if (def.in.empty()) return name + " carries nothing in";
    if (!is_type(message, ObjectType::message)) return name + " carries messages, and this is none";
    const Message& m = as_message(message);
    const MessageDef& sent = program_.messages[index(m.message)];
    if (!selects_.carries_in(port, m.message))
        return name + " does not carry " + std::string(name_of(sent.name)) + " in";
    for (size_t i = 0; i < sent.fields.size(); ++i)
        if (!belongs(program_, sent.fields[i].type, m.fields[i]))
            return "the field " + std::string(name_of(sent.fields[i].name)) + " is of type " +
                   to_text(program_, sent.fields[i].type);
    return {};
}

// The clauses' tests have refused it. Was that because of what its definition, or that of a message inside
// it, demands?
std::string Scheduler::why_refused(Value message) {
    std::vector<Value> pending{message};
    while (!pending.empty()) {
        const Value v = pending.back();
        pending.pop_back();
        if (is_pair(v)) {
            pending.push_back(as_pair(v).cdr);
            pending.push_back(as_pair(v).car);
        }
        if (!is_type(v, ObjectType::message)) continue;
        const Message& m = as_message(v);
        pending.insert(pending.end(), m.fields, m.fields + m.count);
        const MessageDef& def = program_.messages[index(m.message)];
        if (def.where == GlobalId{UINT32_MAX}) continue;
        const auto holds = satisfies(runner_.global(def.where), v);
        if (holds && !*holds) return "the `where` of " + std::string(name_of(def.name)) + " does not hold";
    }
    return {};
}

std::optional<bool> Scheduler::satisfies(Value predicate, Value message) {
    Thread thread(UINT32_MAX, false);
    asking_ = &thread;
    runner_.prepare(thread, predicate, {&message, 1}, no_label);
    const bool ended = run(thread);
    asking_ = nullptr;
    recorder_.forget();
    if (!ended) return std::nullopt;
    return runner_.result(thread).is_true();
}

Status Scheduler::deliver(PortId port, Value message) {
    const auto due = waits_.earliest_deadline();
    refusal_.clear();
    if (status_ == Status::stable)
        refusal_ = due && has_come(*due) ? "a timer is due first: let no time pass" : not_carried(port, message);
    if (status_ != Status::stable || !refusal_.empty()) return Status::refused;
    delivered_ = message;
    delivered_on_ = port;
    taken_ = false;
    time_left_ = Value::fixnum(0);
    const size_t fresh_before = runner_.fresh_values.size();
    runner_.listener = &recorder_;
    const auto finish = [&](Status status) {
        recorder_.forget();
        runner_.listener = &listener_;
        delivered_ = Value::unspecified();
        return status;
    };
    // Threads may end or start as soon as one has taken it, so they are not looked at again then.
    const ThreadSet& waiting = waits_.at(port);
    for (auto number = waiting.first(); number; number = waiting.after(*number)) {
        Thread& thread = *find(*number);
        ++looks_;
        thread.trial = Thread::Trial::delivery;
        thread.tried = ClauseIndex::none;
        const Instr* test = next_test(thread);
        if (test == nullptr) continue;
        thread.pc = test;
        if (!run(thread)) return finish(status_);
        if (taken_) return finish(status_ = run_threads());
    }
    runner_.fresh_values.resize(fresh_before);
    refusal_ = why_refused(message);
    return finish(Status::refused);
}

std::vector<Offer> Scheduler::offers() {
    std::vector<Offer> result;
    if (status_ != Status::stable) return result;
    const auto earliest = waits_.earliest_deadline();
    const bool due = earliest && has_come(*earliest); // then the only choice is to let no time pass
    for (uint32_t number : waits_.outside().all()) {
        const Thread& thread = *threads_.at(number);
        for (int32_t c = 0; c < thread.select->a; ++c) {
            const SelectClause& clause = clauses_of(thread)[c];
            const Wait& wait = thread.waits[thread.clauses->source_of(static_cast<uint32_t>(c))];
            Offer offer;
            offer.thread = number;
            offer.span = clause.span;
            if (const auto at = deadline(wait)) {
                if (due && !has_come(*at)) continue;
                offer.kind = Offer::Kind::timer;
                if (clause.kind == SelectClause::Kind::timer) offer.timer = wait.source;
                if (!has_come(*at)) offer.due_in = Units(number::sub(runner_.heap, *at, now_));
            } else if (wait.source.is_port() && !due) {
                offer.kind = clause.filter == SelectClause::Filter::bare ? Offer::Kind::bare : Offer::Kind::message;
                offer.port = wait.source.as_port();
                offer.filter = clause.filter;
                offer.message = clause.message;
                offer.type = clause.type;
            } else {
                continue;
            }
            result.push_back(offer);
        }
    }
    return result;
}

} // namespace espalier::vm
