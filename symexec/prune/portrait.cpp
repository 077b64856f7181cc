#include "symexec/prune/portrait.hpp"

#include <algorithm>

#include "symexec/prune/configurations.hpp"

namespace espalier::sym {

namespace {

// What the next words are. Words of values that stand for themselves have one of lang's tags in their lowest bits,
// these have another.
enum class Word : uint64_t {
    seen,
    thing,
    address,
    box,
    input,
    term,
    lazy,
    fresh,
    text,
    spent,
    end,
    datum,
    trial,
    offer
};
constexpr uint64_t word_tag = 7;
uint64_t word(Word w, uint64_t n = 0) { return n << 8 | static_cast<uint64_t>(w) << 3 | word_tag; }

uint64_t mix(uint64_t h, uint64_t with) {
    h = (h ^ with) * 0x9E3779B97F4A7C15U;
    return h ^ (h >> 32);
}

// It is the same in every state, and holds nothing that a path could rename.
bool stands_for_itself(Value v) {
    if (v.is_object()) return (v.as_object()->flags & literal_flag) != 0;
    return !v.is_term() && !v.is_address();
}

// Does it mention nothing that an outline leaves open?
bool is_one_word_or_text(Value v) {
    return stands_for_itself(v) || v.is_address() || is_type(v, ObjectType::string) || number::is_number(v);
}

} // namespace

std::optional<Sort> sort_of_datum(const Terms& terms, Value v) {
    if (v.is_fixnum()) return Sort::integer;
    if (v.is_boolean()) return Sort::boolean;
    if (v.is_symbol()) return Sort::symbol;
    if (!v.is_term()) return std::nullopt;
    const Sort sort = terms[v].sort;
    return sort == Sort::lazy || sort == Sort::rational ? std::nullopt : std::optional(sort);
}

uint64_t Portraitist::fingerprint(const State& s) {
    uint64_t h = s.threads.size();
    for (const Thread& t : s.threads) {
        h = mix(h, index(t.select));
        for (const Wait& w : t.waits)
            h = mix(h, w.spent                                       ? 1
                       : w.clause->kind != SelectClause::Kind::after ? 2
                                                                     : number::hash(time_left(s, w.deadline)));
        for (const Frame* f = t.frame.get(); f->caller != nullptr; f = f->caller) h = mix(h, f->back);
    }
    for (uint32_t g = 0; g < program_.globals.size(); ++g)
        if (const Value v = s.store.get(g); stands_for_itself(v)) h = mix(h, v.bits() + g);
    return h;
}

Portrait Portraitist::portray(const State& s) {
    leaves_data_open_ = false;
    begin(s);
    roots(s);
    return std::move(portrait_);
}

Outline Portraitist::outline(const State& s) {
    leaves_data_open_ = true;
    begin(s);
    put(configuration_of(s)); // what the oracle says depends on it, too
    roots(s);
    leaves_data_open_ = false;
    outline_.words = std::move(portrait_.words);
    outline_.has_others = outline_.has_others || !fresh_.empty();
    return std::move(outline_);
}

// In an outline what hangs from the globals comes first: so data keep their numbers from one moment of a path to the
// next.
void Portraitist::roots(const State& s) {
    const auto globals = [&] {
        for (uint32_t g = 0; g < program_.globals.size(); ++g)
            named([&] { return std::string(name_of(program_.globals[g].name)); }, s.store.get(g));
    };
    size_t written = 0; // of those that wait
    const auto write_waiting = [&] {
        for (; written < waiting_.size(); ++written) {
            if (names_ != nullptr) called_ = names_of_waiting_[written];
            contents(Value(waiting_[written]));
        }
    };
    if (leaves_data_open_) {
        globals();
        write_waiting();
    }
    for (const Thread& t : s.threads) thread(t);
    if (!leaves_data_open_) globals();
    // After a half wait there is no second one.
    const auto* last = s.events.last();
    put(last != nullptr && last->item.kind == Event::Kind::wait && last->item.value.is_true() ? 1 : 0);
    if (s.running != UINT32_MAX || s.delivering) middle(s);
    write_waiting();
    if (s.fresh_count > 0) fresh_facts();
}

// What a state has to itself between two stable ones.
void Portraitist::middle(const State& s) {
    put(s.running);
    if (s.delivering) {
        put(word(Word::offer, index(s.port)));
        put(s.offered_to);
        value(s.delivered);
    }
    for (const HeldMark& m : s.held) {
        put(index(m.target));
        value(m.condition);
    }
}

void Portraitist::begin(const State& s) {
    state_ = &s;
    portrait_ = {};
    outline_ = {};
    things_.begin();
    inputs_.clear();
    waiting_.clear();
    fresh_.clear();
}

void Portraitist::thread(const Thread& t) {
    const bool is_running = state_->running != UINT32_MAX && &t == &state_->threads[state_->running];
    put(t.service ? 1 : 0);
    put(t.waiting ? index(t.select) : UINT32_MAX);
    for (const Wait& w : t.waits) {
        as_it_is(w.source);
        if (w.clause->kind != SelectClause::Kind::after) continue;
        if (w.spent)
            put(word(Word::spent));
        else
            time(w.deadline);
    }
    if (state_->running != UINT32_MAX || state_->delivering) trial(t, is_running);
    // Where a frame was called from tells the analysis' variants apart, and so what the oracle says. No run can tell.
    live_.each_frame(t, is_running, [&](const Frame& f, uint32_t stands, std::span<const uint32_t> live) {
        put(stands);
        if (leaves_data_open_) put(index(f.site));
        for (const uint32_t slot : live) named([&] { return name_of_slot(f.lambda, slot); }, f.variables[slot]);
    });
    put(word(Word::end));
}

// Of a thread that is in the middle of something, or will be.
void Portraitist::trial(const Thread& t, bool is_running) {
    put(word(Word::trial, static_cast<uint64_t>(t.trial)));
    put(t.may_take_timer ? 1 : 0);
    put(t.only_timer);
    if (!is_running || !t.waiting) return;
    put(t.tried);
    value(t.source);
    value(t.message);
}

uint32_t Portraitist::number_of_input(uint32_t ordinal) {
    const auto [at, is_new] = inputs_.emplace(ordinal, static_cast<uint32_t>(inputs_.size()));
    if (is_new) portrait_.inputs.push_back(ordinal);
    return at->second;
}

void Portraitist::as_it_is(Value v) {
    const bool leaves_open = std::exchange(leaves_data_open_, false);
    value(v);
    leaves_data_open_ = leaves_open;
    outline_.has_others = outline_.has_others || (leaves_open && !is_one_word_or_text(v));
}

void Portraitist::datum(Value v, Sort sort) {
    put(word(Word::datum, static_cast<uint64_t>(sort)));
    if (names_ != nullptr) names_->push_back(called_);
    outline_.data.push_back(v);
    // An input that was found to be a fresh value, or not to be one, is more than a datum.
    const auto ordinals = terms_.variables(v);
    const auto& facts = state_->fresh.facts;
    outline_.has_others = outline_.has_others || std::any_of(facts.begin(), facts.end(), [&](const auto& f) {
                              return std::find(ordinals.begin(), ordinals.end(), f.ordinal) != ordinals.end();
                          });
}

void Portraitist::value(Value v) {
    if (leaves_data_open_)
        if (const auto sort = sort_of_datum(terms_, v)) return datum(v, *sort);
    if (stands_for_itself(v)) return put(v.bits());
    if (v.is_term()) return symbolic(v);
    if (v.is_object() && is_type(v, ObjectType::fresh)) {
        const auto [n, is_new] = things_.number_of(uint64_t{v.as_object()->count} << 3 | word_tag); // by its number
        put(word(Word::fresh, n));
        if (is_new) {
            fresh_.push_back(v);
            later(v);
        }
        return;
    }
    const auto [n, is_new] = things_.number_of(v.bits());
    if (!is_new) return put(word(Word::seen, n));
    put(word(is_box(v) ? Word::box : v.is_address() ? Word::address : Word::thing, n));
    later(v);
}

void Portraitist::later(Value v) {
    waiting_.push_back(v);
    if (names_ != nullptr) names_of_waiting_.push_back(called_);
}

std::vector<std::string> Portraitist::names_of_data(const State& s) {
    std::vector<std::string> names;
    names_ = &names;
    names_of_waiting_.clear();
    called_.clear();
    outline(s);
    names_ = nullptr;
    for (std::string& name : names) name.insert(0, 1, '`').push_back('`');
    return names;
}

// Of the variables that share the slot the first that the author named.
std::string Portraitist::name_of_slot(LambdaId lambda, uint32_t slot) const {
    const uint32_t* const slots = code_.slots(lambda);
    for (uint32_t v = 0; v < program_[lambda].variables; ++v) {
        const std::string_view name = name_of(program_.variable_name(lambda, VarId{v}));
        if (slots[v] == slot && !name.empty()) return std::string(name);
    }
    return "a value in " + std::string(program_.procedure_name(lambda));
}

void Portraitist::symbolic(Value v) {
    const State& s = *state_;
    while (terms_.is_sort(v, Sort::lazy)) { // what the path has looked into is what it found
        const auto parts = terms_.operands(v);
        const Value content = s.store.get(static_cast<uint32_t>(parts[1].as_fixnum()));
        if (!content.is_unbound() && !content.is_term()) return value(content);
        if (!content.is_unbound()) {
            v = content;
            continue;
        }
        put(word(Word::lazy, number_of_input(static_cast<uint32_t>(parts[0].as_fixnum()))));
        put(parts[2].bits());
        return put(parts[3].bits());
    }
    if (leaves_data_open_) {
        if (const auto sort = sort_of_datum(terms_, v)) return datum(v, *sort);
        outline_.has_others = true;
    }
    if (terms_[v].op == Op::variable) {
        put(word(Word::input, number_of_input(terms_.ordinal(v))));
        return put(terms_.operands(v)[1].bits());
    }
    for (uint32_t ordinal : terms_.variables(v)) number_of_input(ordinal);
    put(word(Word::term, renamed(v, inputs_).payload()));
}

Value Portraitist::renamed(Value condition, std::unordered_map<uint32_t, uint32_t>& numbers) {
    const auto rename = [&] {
        return terms_.substitute(condition, [&](Value variable) {
            const auto [at, is_new] = numbers.emplace(terms_.ordinal(variable), static_cast<uint32_t>(numbers.size()));
            const auto domain = static_cast<uint32_t>(terms_.operands(variable)[1].as_fixnum());
            return terms_.variable(at->second, DomainId{domain});
        });
    };
    const auto ordinals = terms_.variables(condition);
    if (ordinals.size() != 1) return rename();
    const uint32_t number = numbers.emplace(ordinals[0], static_cast<uint32_t>(numbers.size())).first->second;
    if (number == ordinals[0]) return condition;
    constexpr size_t most_renamed = 1 << 20;
    if (renamed_.size() >= most_renamed) renamed_.clear();
    const auto [at, is_new] = renamed_.try_emplace(uint64_t{condition.payload()} << 32 | number, Value::unbound());
    if (is_new) at->second = rename();
    return at->second;
}

// ── What hangs from a thing ──

void Portraitist::contents(Value v) {
    if (is_box(v)) return value(state_->store.get(v.payload()));
    if (v.is_address()) return cells(v);
    object(v);
}

void Portraitist::object(Value v) {
    const Object& o = *v.as_object();
    put(static_cast<uint64_t>(o.type));
    const auto all = [&](const Value* values, uint32_t count) {
        put(count);
        for (uint32_t i = 0; i < count; ++i) value(values[i]);
    };
    switch (o.type) {
    case ObjectType::pair: value(as_pair(v).car); return value(as_pair(v).cdr);
    case ObjectType::bignum:
    case ObjectType::rational:
    case ObjectType::string: return text(v);
    case ObjectType::closure: {
        const Closure& c = as_closure(v);
        put(index(c.lambda));
        const uint32_t first = program_[c.lambda].params();
        put(program_[c.lambda].captures);
        for (uint32_t i = 0; i < program_[c.lambda].captures; ++i)
            named([&] { return std::string(name_of(program_.variable_name(c.lambda, VarId{first + i}))); },
                  c.captures[i]);
        return;
    }
    case ObjectType::message: {
        const Message& m = as_message(v);
        put(index(m.message));
        put(o.count);
        const auto& fields = program_.messages[index(m.message)].fields;
        for (uint32_t i = 0; i < o.count; ++i) named([&] { return part(name_of(fields[i].name)); }, m.fields[i]);
        return;
    }
    case ObjectType::values: return all(static_cast<const Value*>(static_cast<const Values&>(o).elements), o.count);
    case ObjectType::vector: return all(static_cast<const Value*>(static_cast<const Vector&>(o).elements), o.count);
    case ObjectType::fresh: {
        const auto& f = static_cast<const Fresh&>(o);
        put(index(f.of));
        put(f.distinct_from_all);
        return value(f.differs_from);
    }
    case ObjectType::free:
    case ObjectType::bytevector:
    case ObjectType::box:
    case ObjectType::record:
    case ObjectType::hash_table:
    case ObjectType::channel:
    case ObjectType::timer: put(v.bits()); // on a path these are in the store; if one is not, it is only like itself
    }
}

Value Portraitist::time_left(const State& s, Value deadline) const {
    return number::sub(terms_.heap(), deadline, s.now);
}

void Portraitist::time(Value deadline) {
    const Value left = time_left(*state_, deadline);
    if (left.is_fixnum()) return put(left.bits());
    put(word(Word::text));
    text(left);
}

void Portraitist::text(Value v) {
    const std::string written = to_text(&program_, v, Style::write, SIZE_MAX);
    put(written.size());
    for (size_t i = 0; i < written.size(); i += 8) {
        uint64_t bytes = 0;
        for (size_t j = i; j < std::min(i + 8, written.size()); ++j)
            bytes = bytes << 8 | static_cast<uint8_t>(written[j]);
        put(bytes);
    }
}

void Portraitist::cells(Value address) {
    const State& s = *state_;
    const uint32_t a = address.payload();
    const Value head = s.store.get(a);
    const auto all = [&](uint32_t count, const auto& name) {
        for (uint32_t i = 0; i < count; ++i) named([&] { return part(name(i)); }, s.store.get(a + 1 + i));
    };
    put(head.bits());
    switch (kind_of(head)) {
    case Kind::vector:
    case Kind::bytevector: return all(number_of(head), [](uint32_t i) { return std::to_string(i); });
    case Kind::record: {
        const auto& fields = program_.records[number_of(head)].fields;
        return all(static_cast<uint32_t>(fields.size()), [&](uint32_t i) { return name_of(fields[i]); });
    }
    case Kind::channel: { // what stands in it, however its two lists share that
        for (Value list = s.store.get(a + 1); is_pair(list); list = as_pair(list).cdr) value(as_pair(list).car);
        std::vector<Value> back;
        for (Value list = s.store.get(a + 2); is_pair(list); list = as_pair(list).cdr)
            back.push_back(as_pair(list).car);
        for (auto v = back.rbegin(); v != back.rend(); ++v) value(*v);
        return put(word(Word::end));
    }
    case Kind::timer:
        as_it_is(s.store.get(a + 1));
        if (s.store.get(a + 1).is_true()) time(s.store.get(a + 2));
        return as_it_is(s.store.get(a + 3));
    case Kind::table: return table(a);
    }
}

// Its entries in order: the rest of it is only how they are found.
void Portraitist::table(uint32_t a) {
    const State& s = *state_;
    const auto cell = [&](uint32_t at) { return static_cast<uint32_t>(s.store.get(at).as_fixnum()); };
    const uint32_t used = cell(a + 1), block = cell(a + 3);
    for (uint32_t i = 0; i < used; ++i) {
        const Value key = s.store.get(block + 2 * i);
        if (key.is_unbound()) continue; // deleted
        named([&] { return part("a key"); }, key);
        named([&] { return part(to_text(&program_, key, Style::write, 60)); }, s.store.get(block + 2 * i + 1));
    }
    put(word(Word::end));
    if (!leaves_data_open_) value(s.store.get(a + 5)); // how keys are found makes no difference to a run
}

// Whether an input met before may turn out to be a fresh value depends on what the tester knew when it sent it, and on
// whether the path has computed with it.
void Portraitist::fresh_facts() {
    const State& s = *state_;
    for (size_t i = 0; i < s.fresh.facts.size(); ++i) {
        const FreshFacts::Fact& f = s.fresh.facts[i];
        if (inputs_.count(f.ordinal) == 0) continue;
        put(word(Word::input, number_of_input(f.ordinal)));
        put(f.equal ? 1 : 0);
        const size_t before = waiting_.size();
        value(f.fresh);
        for (size_t w = before; w < waiting_.size(); ++w) contents(Value(waiting_[w]));
    }
    put(word(Word::end));
    std::vector<bool> computed_with(s.variables, false);
    if (!fresh_.empty())
        for (const auto* c = s.path.last(); c != nullptr; c = c->before) {
            const auto ordinals = terms_.variables(c->item);
            const bool own =
                ordinals.size() == 1 && c->item == terms_.domain_condition(terms_.variable_in(c->item, ordinals[0]));
            for (uint32_t n : ordinals) computed_with[n] = computed_with[n] || !own;
        }
    for (Value f : fresh_) {
        const auto written = std::find_if(s.fresh.written.begin(), s.fresh.written.end(),
                                          [&](const auto& w) { return w.number == f.as_object()->count; });
        put(written == s.fresh.written.end() ? 0 : 1);
        for (uint32_t ordinal : portrait_.inputs)
            put((written != s.fresh.written.end() && ordinal >= written->before ? 1 : 0) |
                (computed_with[ordinal] ? 2 : 0));
    }
}

} // namespace espalier::sym
