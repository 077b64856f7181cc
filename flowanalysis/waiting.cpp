// Waiting: which clauses of a select can be tried, and with what.
//
// A port gives what the tester may send, a channel what any thread may send to it. A clause sees no message
// that an earlier clause on the same source always accepts: so an `else` behind clauses for all that is ever
// sent is not reached.
#include <algorithm>

#include "flowanalysis/machine.hpp"

namespace espalier::flow {

namespace {
// Refusals of one select that are believed one by one: each may let a later clause be tried for the first time. After
// so many, each test that could refuse by its text does.
constexpr uint32_t most_refusals = 64;
} // namespace

void Machine::select(const terminator::Select& t) {
    facts_.forget_mutable(); // others run
    const auto clauses = program_.select_clauses(t);
    for (const SelectClause& c : clauses) {
        if (c.source != no_var && !demand(c.source, waited_for(c)))
            return; // waiting for what cannot be waited for is a model error
    }
    // Earlier clauses that always accept, by their type of message, and those for more: a clause for one type asks only
    // who takes it.
    std::unordered_map<uint32_t, std::vector<uint32_t>> for_type;
    std::vector<uint32_t> for_more, all;
    std::vector<ValueId> messages; // by clause
    for (uint32_t i = 0; i < clauses.size(); ++i) {
        const SelectClause& c = clauses[i];
        ClauseOutcome outcome;
        ValueId message = bottom;
        switch (c.kind) {
        case SelectClause::Kind::message:
            message = received(c, known(c.source), outcome);
            if (c.filter == SelectClause::Filter::message) {
                message = left_by(for_type[index(c.message)], c.source, message);
                message = left_by(for_more, c.source, message);
            } else {
                message = left_by(all, c.source, message);
            }
            if (always_accepts(t.first + i)) {
                const bool one_type = c.filter == SelectClause::Filter::message;
                (one_type ? for_type[index(c.message)] : for_more).push_back(t.first + i);
                all.push_back(t.first + i);
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
            message = other_message(t, all);
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

ValueId Machine::waited_for(const SelectClause& c) {
    const ValueId source = known(c.source);
    switch (c.kind) {
    case SelectClause::Kind::message: return domain_.keep(source, family::port | family::channel);
    case SelectClause::Kind::timer: return domain_.keep(source, family::timer);
    case SelectClause::Kind::after: return positive(source);
    case SelectClause::Kind::other: break;
    }
    return source;
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
        demand_of_inputs(sent);
        messages = domain_.join(messages, sent);
    });
    return messages;
}

// Of these messages from the source: those that none of the clauses takes, which always accept.
ValueId Machine::left_by(std::span<const uint32_t> clauses, VarId source, ValueId messages) {
    for (size_t i = 0; i < clauses.size() && messages != bottom; ++i) {
        const SelectClause& c = program_.clauses[clauses[i]];
        if (!same_source(c.source, source)) continue;
        switch (c.filter) {
        case SelectClause::Filter::any: return bottom;
        case SelectClause::Filter::message: messages = domain_.messages(messages, c.message, false); break;
        case SelectClause::Filter::bare: break;
        }
    }
    return messages;
}

// What is in a channel of some clause, but taken by none.
ValueId Machine::other_message(const terminator::Select& t, std::span<const uint32_t> takers) {
    ValueId messages = bottom;
    std::unordered_set<uint32_t> sources;
    for (const SelectClause& c : program_.select_clauses(t)) {
        if (c.kind != SelectClause::Kind::message || !sources.insert(index(canonical(facts_, c.source))).second)
            continue;
        ValueId queued = bottom;
        each_object(known(c.source), family::channel,
                    [&](ObjectId channel) { queued = domain_.join(queued, read(cell(channel, 0))); });
        messages = domain_.join(messages, left_by(takers, c.source, queued));
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
    const auto at = refused_.find(index(slot_of(shape_.select_of(clause))));
    if (at != refused_.end() && at->second > most_refusals) return refusals.empty();
    return std::none_of(refusals.begin(), refusals.end(),
                        [&](uint32_t b) { return blocks_[index(slot_of(BlockId{b}))].left; });
}

// The first time that a clause's test refuses, later clauses may get what it was believed to take.
void Machine::refuse() {
    BlockState& block = blocks_[index(slot_)];
    if (block.left) return;
    block.left = true;
    const Slot waits = slot_of(shape_.select_of(shape_.clause_of(BlockId{block_})));
    if (refused_[index(waits)]++ <= most_refusals) mark_dirty(waits);
}

// The tester sends only messages that satisfy the predicates in their definitions, those inside them too.
void Machine::demand_of_inputs(ValueId messages) {
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
        Union answer(domain_); // of no interest
        call_closures(read(CellId{index(globals_) + index(where)}), {{domain_.object(o)}, bottom, {false, true}},
                      {no_label, no_label}, outcome_.demands, answer);
    }
}

} // namespace espalier::flow
