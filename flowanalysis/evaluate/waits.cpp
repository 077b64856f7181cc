#include "flowanalysis/evaluate/waits.hpp"

#include <algorithm>
#include <unordered_set>

namespace espalier::flow {

namespace {
// Refusals of one select that are believed one by one: each may let a later clause be tried for the first time. After
// so many, each test that could refuse by its text does.
constexpr uint32_t most_refusals = 64;
} // namespace

Waits::Waits(Context& context, Memory& memory, Knowledge& knowledge, Inputs& inputs, Calls& calls)
    : program_(context.program), clauses_(context.shape.clauses), domain_(context.domain), variants_(context.variants),
      worklist_(context.worklist), memory_(memory), knowledge_(knowledge), inputs_(inputs), calls_(calls),
      here_(context.here) {}

void Waits::select(const terminator::Select& t) {
    here_.facts.forget_mutable(); // others run
    const auto clauses = program_.select_clauses(t);
    for (const SelectClause& c : clauses) {
        if (c.source != no_var && !knowledge_.demand(c.source, waited_for(c)))
            return; // waiting for what cannot be waited for is a model error
    }
    Takers takers;
    std::vector<ValueId> messages; // by clause
    for (uint32_t i = 0; i < clauses.size(); ++i) {
        const SelectClause& c = clauses[i];
        ClauseOutcome outcome;
        ValueId message = bottom;
        switch (c.kind) {
        case SelectClause::Kind::message:
            message = left_for(c, t.first + i, outcome, takers);
            outcome.live = message != bottom;
            break;
        case SelectClause::Kind::timer:
            outcome.from_outside = true;
            for (ObjectId timer : domain_.objects(knowledge_.known(c.source), family::timer))
                outcome.live = outcome.live || memory_.read(memory_.cell(timer, 0)) != bottom;
            break;
        case SelectClause::Kind::after: outcome.from_outside = outcome.live = true; break;
        case SelectClause::Kind::other:
            outcome.from_channel = true;
            message = other_message(t, takers.all);
            outcome.live = message != bottom;
            break;
        }
        here_.outcome.clauses.push_back(outcome);
        messages.push_back(message);
    }
    here_.facts.expire(here_.block + 1); // once, and not for each clause
    for (uint32_t i = 0; i < clauses.size(); ++i)
        if (here_.outcome.clauses[i].live) try_clause(clauses[i], messages[i], here_.outcome.clauses[i]);
}

// What the clause may receive, and the clauses before it do not take.
ValueId Waits::left_for(const SelectClause& c, uint32_t number, ClauseOutcome& outcome, Takers& takers) {
    const bool one_type = c.filter == SelectClause::Filter::message;
    ValueId message = received(c, knowledge_.known(c.source), outcome);
    if (one_type) {
        message = left_by(takers.for_type[index(c.message)], c.source, message);
        message = left_by(takers.for_more, c.source, message);
    } else {
        message = left_by(takers.all, c.source, message);
    }
    if (always_accepts(number)) {
        (one_type ? takers.for_type[index(c.message)] : takers.for_more).push_back(number);
        takers.all.push_back(number);
    }
    return message;
}

ValueId Waits::waited_for(const SelectClause& c) {
    const ValueId source = knowledge_.known(c.source);
    switch (c.kind) {
    case SelectClause::Kind::message: return domain_.keep(source, family::port | family::channel);
    case SelectClause::Kind::timer: return domain_.keep(source, family::timer);
    case SelectClause::Kind::after: return domain_.positive(source);
    case SelectClause::Kind::other: break;
    }
    return source;
}

void Waits::try_clause(const SelectClause& c, ValueId message, const ClauseOutcome& outcome) {
    const auto params = program_.list(program_[c.test].params);
    if (!params.empty()) {
        memory_.define(params[0], message);
        memory_.define(params[1], domain_.boolean(outcome.from_outside, outcome.from_channel));
    }
    knowledge_.flow_to(c.test);
}

// What may be there for the clause's filter, whatever other clauses take.
ValueId Waits::received(const SelectClause& clause, ValueId source, ClauseOutcome& outcome) {
    ValueId messages = bottom;
    const auto filtered = [&](ValueId v) {
        switch (clause.filter) {
        case SelectClause::Filter::any: return v;
        case SelectClause::Filter::message: return domain_.messages(v, clause.message, true);
        case SelectClause::Filter::bare: return inputs_.limited_to(v, clause.type);
        }
        return v;
    };
    for (ObjectId channel : domain_.objects(source, family::channel)) {
        outcome.from_channel = true;
        messages = domain_.join(messages, filtered(memory_.read(memory_.cell(channel, 0))));
    }
    for (ObjectId port : domain_.objects(source, family::port)) {
        outcome.from_outside = true;
        const PortDef& def = program_.ports[domain_[port].which];
        ValueId sent = inputs_.messages_of(domain_[port].which);
        if (def.bare_in)
            sent = domain_.join(sent, clause.filter == SelectClause::Filter::bare ? inputs_.of_type(clause.type)
                                                                                  : inputs_.any_input());
        sent = filtered(sent);
        demand_of_inputs(sent);
        messages = domain_.join(messages, sent);
    }
    return messages;
}

// Of these messages from the source: those that none of the clauses takes, which always accept.
ValueId Waits::left_by(std::span<const uint32_t> clauses, VarId source, ValueId messages) {
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
ValueId Waits::other_message(const terminator::Select& t, std::span<const uint32_t> takers) {
    ValueId messages = bottom;
    std::unordered_set<uint32_t> sources;
    for (const SelectClause& c : program_.select_clauses(t)) {
        if (c.kind != SelectClause::Kind::message || !sources.insert(index(knowledge_.canonical(c.source))).second)
            continue;
        ValueId queued = bottom;
        for (ObjectId channel : domain_.objects(knowledge_.known(c.source), family::channel))
            queued = domain_.join(queued, memory_.read(memory_.cell(channel, 0)));
        messages = domain_.join(messages, left_by(takers, c.source, queued));
    }
    return messages;
}

bool Waits::same_source(VarId a, VarId b) const {
    if (knowledge_.canonical(a) == knowledge_.canonical(b)) return true;
    const ValueId x = knowledge_.known(a);
    const auto only = domain_.only_object(x);
    return x == knowledge_.known(b) && only && domain_[*only].unique;
}

// No way to refuse has been found in the clause's test, so far.
bool Waits::always_accepts(uint32_t clause) const {
    const auto& refusals = clauses_.refusals(clause);
    const auto at = refused_.find(index(slot_of(clauses_.select_of(clause))));
    if (at != refused_.end() && at->second > most_refusals) return refusals.empty();
    return std::none_of(refusals.begin(), refusals.end(),
                        [&](uint32_t b) { return variants_[slot_of(BlockId{b})].left; });
}

// The first time that a clause's test refuses, later clauses may get what it was believed to take.
void Waits::refuse() {
    BlockState& block = variants_[here_.slot];
    if (block.left) return;
    block.left = true;
    const Slot waits = slot_of(clauses_.select_of(clauses_.clause_of(BlockId{here_.block})));
    if (refused_[index(waits)]++ <= most_refusals) worklist_.mark(waits);
}

// The tester sends only messages that satisfy the predicates in their definitions, those inside them too.
void Waits::demand_of_inputs(ValueId messages) {
    std::vector<ObjectId> pending = domain_.objects(messages);
    std::unordered_set<ObjectId> seen(pending.begin(), pending.end());
    while (!pending.empty()) {
        const ObjectId o = pending.back();
        pending.pop_back();
        const AbstractObject object = domain_[o];
        if (object.label != no_label) continue; // not the tester's
        for (uint32_t i = 0; i < object.cell_count; ++i)
            for (ObjectId inner : domain_.objects(memory_.read(memory_.cell(o, i))))
                if (seen.insert(inner).second) pending.push_back(inner);
        const GlobalId where =
            object.kind == family::message ? program_.messages[object.which].where : GlobalId{UINT32_MAX};
        if (where == GlobalId{UINT32_MAX}) continue;
        calls_.demand(memory_.read(memory_.global(where)), domain_.object(o));
    }
}

} // namespace espalier::flow
