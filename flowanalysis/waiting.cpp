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
    // Earlier clauses by their type of message, and those for more: a clause for one type asks only who may take it.
    std::unordered_map<uint32_t, std::vector<uint32_t>> for_type;
    std::vector<uint32_t> for_more;
    std::vector<ValueId> messages; // by clause
    for (uint32_t i = 0; i < clauses.size(); ++i) {
        const SelectClause& c = clauses[i];
        ClauseOutcome outcome;
        ValueId message = bottom;
        switch (c.kind) {
        case SelectClause::Kind::message:
            message = received(c, known(c.source), outcome);
            if (c.filter == SelectClause::Filter::message) {
                auto& same_type = for_type[index(c.message)];
                for (uint32_t earlier : same_type) message = left_by(earlier, c.source, message);
                for (uint32_t earlier : for_more) message = left_by(earlier, c.source, message);
                same_type.push_back(t.first + i);
            } else {
                message = remaining(t, i, c.source, message);
                for_more.push_back(t.first + i);
            }
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
        messages.push_back(message);
    }
    facts_.expire(block_ + 1); // once, and not for each clause
    for (uint32_t i = 0; i < clauses.size(); ++i)
        if (outcome_.clauses[i].live) try_clause(clauses[i], messages[i], outcome_.clauses[i]);
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
        ValueId sent = messages_of(domain_[port].which);
        if (def.bare_in)
            sent = domain_.join(sent, clause.filter == SelectClause::Filter::bare ? of_type(clause.type) : any_input());
        sent = filtered(sent);
        demand(sent);
        messages = domain_.join(messages, sent);
    });
    return messages;
}

// Of these messages from the source: those that no clause before that one always takes.
ValueId Machine::remaining(const term::Select& t, uint32_t clause, VarId source, ValueId messages) {
    for (uint32_t i = 0; i < clause && messages != bottom; ++i) messages = left_by(t.first + i, source, messages);
    return messages;
}

ValueId Machine::left_by(uint32_t clause, VarId source, ValueId messages) {
    const SelectClause& c = program_.clauses[clause];
    if (c.kind != SelectClause::Kind::message || !same_source(c.source, source) || !always_accepts(clause))
        return messages;
    switch (c.filter) {
    case SelectClause::Filter::any: return bottom;
    case SelectClause::Filter::message: return domain_.messages(messages, c.message, false);
    case SelectClause::Filter::bare: break;
    }
    return messages;
}

// What is in a channel of some clause, but taken by none.
ValueId Machine::other_message(const term::Select& t) {
    ValueId messages = bottom;
    std::unordered_set<uint32_t> sources;
    for (const SelectClause& c : program_.select_clauses(t)) {
        if (c.kind != SelectClause::Kind::message || !sources.insert(index(canonical(facts_, c.source))).second)
            continue;
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
    const auto only = domain_.only_object(x);
    return x == known(b) && only && domain_[*only].unique;
}

// No way to refuse has been found in the clause's test, so far.
bool Machine::always_accepts(uint32_t clause) const {
    const auto& refusals = shape_.refusals(clause);
    return std::none_of(refusals.begin(), refusals.end(),
                        [&](uint32_t b) { return blocks_[index(slot_of(BlockId{b}))].left; });
}

// The tester sends only messages that satisfy the predicates in their definitions, those inside them too.
void Machine::demand(ValueId messages) {
    std::vector<ObjectId> pending = domain_.objects(messages);
    std::unordered_set<ObjectId> seen(pending.begin(), pending.end());
    while (!pending.empty()) {
        const ObjectId o = pending.back();
        pending.pop_back();
        const AbstractObject object = domain_[o];
        if (object.label != no_label) continue; // not the tester's
        for (uint32_t i = 0; i < object.cell_count; ++i)
            for (ObjectId inner : domain_.objects(read(cell(o, i))))
                if (seen.insert(inner).second) pending.push_back(inner);
        const GlobalId where =
            object.kind == family::message ? program_.messages[object.which].where : GlobalId{UINT32_MAX};
        if (where == GlobalId{UINT32_MAX}) continue;
        each_object(read(CellId{index(globals_) + index(where)}), family::procedure, [&](ObjectId closure) {
            call_closure(closure, {{domain_.object(o)}, bottom, {false, true}}, no_label, no_label, outcome_.demands);
        });
    }
}

} // namespace espalier::flow
