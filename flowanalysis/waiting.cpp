// Waiting: which clauses of a select can be tried, and with what.
//
// A port gives what the tester may send, a channel what any thread may send to it. A clause sees no message
// that an earlier clause on the same source always accepts: so an `else` behind clauses for all that is ever
// sent is not reached.
#include <algorithm>

#include "flowanalysis/machine.hpp"

namespace espalier::flow {

void Machine::select(const term::Select& t) {
    facts_.forget_mutable(); // others run
    const auto clauses = program_.select_clauses(t);
    for (const SelectClause& c : clauses) {
        const Families wanted = c.kind == SelectClause::Kind::message ? family::port | family::channel
                                : c.kind == SelectClause::Kind::timer ? family::timer
                                                                      : family::integer;
        if (c.source != no_var && !narrow(c.source, wanted))
            return; // waiting for what cannot be waited for is a model error
    }
    for (uint32_t i = 0; i < clauses.size(); ++i) {
        const SelectClause& c = clauses[i];
        ClauseOutcome outcome;
        ValueId message = bottom;
        switch (c.kind) {
        case SelectClause::Kind::message:
            message = remaining(t, i, c.source, received(c, known(c.source), outcome));
            outcome.live = message != bottom;
            break;
        case SelectClause::Kind::timer:
            outcome.from_outside = true;
            each_object(known(c.source), family::timer,
                        [&](ObjectId timer) { outcome.live = outcome.live || read(cell(timer, 0)) != bottom; });
            break;
        case SelectClause::Kind::after: outcome.from_outside = outcome.live = true; break;
        case SelectClause::Kind::other:
            outcome.from_channel = true;
            message = other_message(t);
            outcome.live = message != bottom;
            break;
        }
        outcome_.clauses.push_back(outcome);
        if (outcome.live) try_clause(c, message, outcome);
    }
}

void Machine::try_clause(const SelectClause& c, ValueId message, const ClauseOutcome& outcome) {
    const auto params = program_.list(program_[c.test].params);
    if (!params.empty()) {
        define(params[0], message);
        define(params[1], domain_.boolean(outcome.from_outside, outcome.from_channel));
    }
    flow_to(c.test);
}

// What may be there for the clause's filter, whatever other clauses take.
ValueId Machine::received(const SelectClause& clause, ValueId source, ClauseOutcome& outcome) {
    ValueId messages = bottom;
    const auto filtered = [&](ValueId v) {
        switch (clause.filter) {
        case SelectClause::Filter::any: return v;
        case SelectClause::Filter::message: return domain_.messages(v, clause.message, true);
        case SelectClause::Filter::bare: return limited_to(v, clause.type);
        }
        return v;
    };
    each_object(source, family::channel, [&](ObjectId channel) {
        outcome.from_channel = true;
        messages = domain_.join(messages, filtered(read(cell(channel, 0))));
    });
    each_object(source, family::port, [&](ObjectId port) {
        outcome.from_outside = true;
        const PortDef& def = program_.ports[domain_[port].which];
        ValueId sent = bottom;
        for (MessageId m : def.in) sent = domain_.join(sent, input_message(m));
        if (def.bare_in)
            sent = domain_.join(sent, clause.filter == SelectClause::Filter::bare ? of_type(clause.type) : any_input());
        sent = filtered(sent);
        demand(sent);
        messages = domain_.join(messages, sent);
    });
    return messages;
}

// Of these messages from the source: those that no earlier clause always takes. Where all of them are of one type, so
// are the clauses that matter.
ValueId Machine::remaining(const term::Select& t, uint32_t clause, VarId source, ValueId messages) {
    const SelectClause* own = clause < t.count ? &program_.clauses[t.first + clause] : nullptr;
    const bool one_type = own != nullptr && own->filter == SelectClause::Filter::message;
    for (uint32_t i = 0; i < clause && messages != bottom; ++i) {
        const SelectClause& earlier = program_.clauses[t.first + i];
        if (one_type && earlier.filter == SelectClause::Filter::message && earlier.message != own->message) continue;
        if (earlier.kind != SelectClause::Kind::message || !same_source(earlier.source, source) ||
            !always_accepts(t.first + i))
            continue;
        if (earlier.filter == SelectClause::Filter::any)
            messages = bottom;
        else if (earlier.filter == SelectClause::Filter::message)
            messages = domain_.messages(messages, earlier.message, false);
    }
    return messages;
}

// What is in a channel of some clause, but taken by none.
ValueId Machine::other_message(const term::Select& t) {
    ValueId messages = bottom;
    for (const SelectClause& c : program_.select_clauses(t)) {
        if (c.kind != SelectClause::Kind::message) continue;
        ValueId queued = bottom;
        each_object(known(c.source), family::channel,
                    [&](ObjectId channel) { queued = domain_.join(queued, read(cell(channel, 0))); });
        messages = domain_.join(messages, remaining(t, t.count, c.source, queued));
    }
    return messages;
}

bool Machine::same_source(VarId a, VarId b) const {
    if (canonical(facts_, a) == canonical(facts_, b)) return true;
    const ValueId x = known(a);
    return x == known(b) && domain_[x].objects.size() == 1 && domain_[domain_[x].objects[0]].unique;
}

// No way to refuse has been found in the clause's test, so far.
bool Machine::always_accepts(uint32_t clause) const {
    const auto& refusals = shape_.refusals(clause);
    return std::none_of(refusals.begin(), refusals.end(),
                        [&](uint32_t b) { return blocks_[index(slot_of(BlockId{b}))].left; });
}

// The tester sends only messages that satisfy the predicates in their definitions, those inside them too.
void Machine::demand(ValueId messages) {
    std::vector<ObjectId> pending = domain_[messages].objects;
    std::vector<ObjectId> seen = pending;
    while (!pending.empty()) {
        const ObjectId o = pending.back();
        pending.pop_back();
        const AbstractObject object = domain_[o];
        if (object.label != no_label) continue; // not the tester's
        for (uint32_t i = 0; i < object.cell_count; ++i)
            for (ObjectId inner : domain_[read(cell(o, i))].objects)
                if (std::find(seen.begin(), seen.end(), inner) == seen.end()) {
                    seen.push_back(inner);
                    pending.push_back(inner);
                }
        const GlobalId where =
            object.kind == family::message ? program_.messages[object.which].where : GlobalId{UINT32_MAX};
        if (where == GlobalId{UINT32_MAX}) continue;
        each_object(read(CellId{index(globals_) + index(where)}), family::procedure, [&](ObjectId closure) {
            call_closure(closure, {{domain_.object(o)}, bottom, {false, true}}, no_label, no_label, outcome_.demands);
        });
    }
}

} // namespace espalier::flow
