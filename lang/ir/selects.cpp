#include "lang/ir/selects.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace espalier {

namespace {

using Kind = SelectClause::Kind;
using Filter = SelectClause::Filter;

// Globals that hold one value as soon as they hold any.
std::vector<bool> find_constant_globals(const Program& program) {
    std::vector<uint32_t> definitions(program.globals.size(), 0);
    for (const Operation& o : program.ops)
        if (const auto* set = std::get_if<op::GlobalSet>(&o.kind)) ++definitions[index(set->global)];
    std::vector<bool> constant(program.globals.size());
    for (size_t g = 0; g < constant.size(); ++g) constant[g] = definitions[g] <= 1 && !program.globals[g].assigned;
    return constant;
}

// What two variables have in common whose values are the same by the text alone: one constant, or one global that is
// constant. Other variables have only themselves. By variable of the λ.
std::vector<uint64_t> origins_of(const Program& program, const Lambda& lambda, const std::vector<bool>& constant) {
    enum : uint64_t { itself, global }; // what a word is: a constant, or the number of a global
    std::vector<uint64_t> origins;
    std::map<std::pair<uint64_t, uint64_t>, uint64_t> numbers;
    const auto number = [&](uint64_t kind, uint64_t which) {
        return numbers.emplace(std::pair(kind, which), lambda.variables + numbers.size()).first->second;
    };
    for (uint32_t v = 0; v < lambda.variables; ++v) origins.push_back(v);
    for (uint32_t b = lambda.first_block; b < lambda.first_block + lambda.block_count; ++b)
        for (const Operation& o : program.operations(program.blocks[b])) {
            if (const auto* c = std::get_if<op::Constant>(&o.kind))
                origins[index(c->dst)] = number(itself, c->value.bits());
            if (const auto* g = std::get_if<op::GlobalRef>(&o.kind); g != nullptr)
                if (constant[index(g->global)]) origins[index(g->dst)] = number(global, index(g->global));
        }
    return origins;
}

struct Literal {
    uint32_t field;
    Value value;
};

// What a clause's test compares before it does anything else that could be noticed. Only words: they are equal where
// their bits are.
std::optional<Literal> first_literal(const Program& program, const SelectClause& clause) {
    const Block& test = program[clause.test];
    const auto* branch = std::get_if<terminator::Branch>(&test.terminator.kind);
    if (branch == nullptr || test.params.count == 0 || program[branch->else_block].op_count != 0) return std::nullopt;
    if (!std::holds_alternative<terminator::Refuse>(program[branch->else_block].terminator.kind)) return std::nullopt;
    const VarId message = program.list(test.params)[0];
    std::map<VarId, uint32_t> fields;
    std::map<VarId, Value> constants;
    for (const Operation& o : program.operations(test)) {
        if (const auto* field = std::get_if<op::MessageRef>(&o.kind)) {
            if (field->object != message || field->message != clause.message) return std::nullopt;
            fields.emplace(field->dst, field->field);
        } else if (const auto* constant = std::get_if<op::Constant>(&o.kind)) {
            constants.emplace(constant->dst, constant->value);
        } else {
            const auto* same = std::get_if<op::Primitive>(&o.kind);
            if (same == nullptr || (same->prim != Prim::eqv && same->prim != Prim::equal)) return std::nullopt;
            if (same->dst != branch->condition) return std::nullopt;
            const auto args = program.list(same->args);
            const auto compared = fields.find(args[0]);
            const auto literal = constants.find(args[1]);
            if (compared == fields.end() || literal == constants.end() || literal->second.is_object())
                return std::nullopt;
            return Literal{compared->second, literal->second};
        }
    }
    return std::nullopt;
}

} // namespace

// ── One select ──

ClauseIndex::ClauseIndex(const Program& program, const terminator::Select& select, std::span<const uint64_t> origins) {
    const auto clauses = program.select_clauses(select);
    find_sources(clauses, origins);
    list_takers(clauses);
    list_literals(program, clauses);
    find_distinct(clauses);
}

void ClauseIndex::find_sources(std::span<const SelectClause> clauses, std::span<const uint64_t> origins) {
    std::map<uint64_t, uint32_t> known; // by origin, of clauses for messages
    for (uint32_t c = 0; c < clauses.size(); ++c) {
        uint32_t source = source_count();
        if (clauses[c].kind == Kind::message)
            source = known.emplace(origins[index(clauses[c].source)], source).first->second;
        if (source == sources_.size()) sources_.emplace_back();
        ++sources_[source].count;
        source_of_.push_back(source);
        if (clauses[c].kind == Kind::other) other_ = c;
    }
    uint32_t first = 0;
    for (Source& s : sources_) {
        s.first = first;
        first += std::exchange(s.count, 0);
    }
    by_source_.resize(clauses.size());
    for (uint32_t c = 0; c < clauses.size(); ++c) {
        Source& s = sources_[source_of_[c]];
        by_source_[s.first + s.count++] = c;
    }
}

void ClauseIndex::list_takers(std::span<const SelectClause> clauses) {
    for (Source& s : sources_) {
        s.first_named = static_cast<uint32_t>(named_.size());
        s.first_loose = static_cast<uint32_t>(loose_.size());
        for (uint32_t i = s.first; i < s.first + s.count; ++i) {
            const uint32_t c = by_source_[i];
            if (clauses[c].filter == Filter::message)
                named_.push_back({clauses[c].message, c});
            else
                loose_.push_back(c);
        }
        s.named_count = static_cast<uint32_t>(named_.size()) - s.first_named;
        s.loose_count = static_cast<uint32_t>(loose_.size()) - s.first_loose;
        std::stable_sort(named_.begin() + s.first_named, named_.end(),
                         [](const Named& a, const Named& b) { return a.message < b.message; });
    }
}

void ClauseIndex::list_literals(const Program& program, std::span<const SelectClause> clauses) {
    for (uint32_t c = 0; c < clauses.size(); ++c) {
        if (clauses[c].kind != Kind::message || clauses[c].filter != Filter::message) continue;
        Key key{source_of_[c], clauses[c].message, none, 0};
        if (const auto literal = first_literal(program, clauses[c])) {
            key.field = literal->field;
            fields_.push_back(key);
            key.literal = literal->value.bits();
        }
        listed_.push_back({key, c});
    }
    std::sort(listed_.begin(), listed_.end());
    std::sort(fields_.begin(), fields_.end());
    fields_.erase(std::unique(fields_.begin(), fields_.end()), fields_.end());
}

void ClauseIndex::find_distinct(std::span<const SelectClause> clauses) {
    std::set<std::tuple<uint32_t, Filter, uint32_t>> known;
    for (uint32_t c = 0; c < clauses.size(); ++c) {
        const Filter filter = clauses[c].filter;
        const uint32_t type = filter == Filter::message ? index(clauses[c].message)
                              : filter == Filter::bare  ? index(clauses[c].type)
                                                        : 0;
        if (known.emplace(source_of_[c], filter, type).second) distinct_.push_back(c);
    }
}

namespace {

uint32_t first_from(std::span<const uint32_t> ascending, uint32_t from) {
    const auto at = std::lower_bound(ascending.begin(), ascending.end(), from);
    return at == ascending.end() ? ClauseIndex::none : *at;
}

} // namespace

uint32_t ClauseIndex::next_of(uint32_t source, uint32_t from) const { return first_from(clauses_of(source), from); }

uint32_t ClauseIndex::next_for(uint32_t source, std::optional<MessageId> message, uint32_t from) const {
    const Source& s = sources_[source];
    const uint32_t loose = first_from({loose_.data() + s.first_loose, s.loose_count}, from);
    if (!message) return loose;
    const auto begin = named_.begin() + s.first_named, end = begin + s.named_count;
    const auto at = std::lower_bound(begin, end, std::pair(*message, from),
                                     [](const Named& a, const auto& b) { return std::pair(a.message, a.clause) < b; });
    return at == end || at->message != *message ? loose : std::min(loose, at->clause);
}

uint32_t ClauseIndex::next_for(uint32_t source, const Message& message, uint32_t from) const {
    const Source& s = sources_[source];
    const MessageId type = message.message;
    uint32_t next = std::min(first_from({loose_.data() + s.first_loose, s.loose_count}, from),
                             next_in({source, type, none, 0}, from));
    for (auto f = std::lower_bound(fields_.begin(), fields_.end(), Key{source, type, 0, 0});
         f != fields_.end() && f->source == source && f->message == type; ++f) {
        const Value value = message.fields[f->field];
        if (value.is_object()) return next_for(source, std::optional(type), from); // a fresh one may equal any literal
        next = std::min(next, next_in({source, type, f->field, value.bits()}, from));
    }
    return next;
}

uint32_t ClauseIndex::next_in(const Key& key, uint32_t from) const {
    const auto at = std::lower_bound(listed_.begin(), listed_.end(), Listed{key, from});
    return at == listed_.end() || at->key != key ? none : at->clause;
}

// ── All of a program ──

Selects::Selects(const Program& program) : number_(program.clauses.size(), ClauseIndex::none) {
    const std::vector<bool> constant = find_constant_globals(program);
    for (const Lambda& lambda : program.lambdas) {
        std::vector<uint64_t> origins; // found where a select needs them
        for (uint32_t b = lambda.first_block; b < lambda.first_block + lambda.block_count; ++b) {
            const auto* select = std::get_if<terminator::Select>(&program.blocks[b].terminator.kind);
            if (select == nullptr || select->count == 0) continue;
            if (origins.empty()) origins = origins_of(program, lambda, constant);
            number_[select->first] = static_cast<uint32_t>(indexes_.size());
            indexes_.emplace_back(program, *select, origins);
        }
    }
    for (const PortDef& port : program.ports) {
        in_.push_back(port.in);
        std::sort(in_.back().begin(), in_.back().end());
    }
}

bool Selects::carries_in(PortId port, MessageId message) const {
    const std::vector<MessageId>& in = in_[index(port)];
    return std::binary_search(in.begin(), in.end(), message);
}

} // namespace espalier
