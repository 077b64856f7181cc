#include "testgen/explain/dead_ends.hpp"

#include <algorithm>
#include <tuple>

namespace espalier {

namespace {

constexpr size_t longest_text = 60;
constexpr size_t most_ends = 4;    // more are no reason
constexpr size_t most_callers = 8; // of a procedure, or around it, that are looked at

void add(std::vector<DeadEnd>& ends, const DeadEnd& end) {
    if (ends.size() <= most_ends && std::find(ends.begin(), ends.end(), end) == ends.end()) ends.push_back(end);
}

void add(std::vector<DeadEnd>& ends, const std::vector<DeadEnd>& others) {
    for (const DeadEnd& e : others) add(ends, e);
}

bool stands_before(const Span& a, const Span& b) { return std::tie(a.file, a.begin) < std::tie(b.file, b.begin); }

} // namespace

DeadEnds::DeadEnds(const Program& program, const Flow& flow)
    : program_(program), flow_(flow), passed_(program.blocks.size(), 0), entered_(program.lambdas.size(), false),
      makers_(program.lambdas.size(), no_block) {
    for (uint32_t i = 0; i < flow.variants().size(); ++i) {
        const LambdaId lambda = flow[VariantId{i}].lambda;
        entered_[index(lambda)] = true;
        for (uint32_t b = program[lambda].first_block; b < program[lambda].first_block + program[lambda].block_count;
             ++b)
            if (flow.node(VariantId{i}, BlockId{b}) != pda::no_node)
                passed_[b] = std::max(passed_[b], flow.completed(VariantId{i}, BlockId{b}) + 1);
    }
    for (uint32_t b = 0; b < program.blocks.size(); ++b) {
        const Block& block = program.blocks[b];
        for (uint32_t position = 0; position < block.op_count; ++position) {
            const OpKind& kind = program.ops[block.first_op + position].kind;
            if (const auto target = marked(kind)) marks_[index(*target)].emplace_back(BlockId{b}, position);
            if (const auto* made = std::get_if<op::MakeClosures>(&kind))
                for (uint32_t c = made->first; c < made->first + made->count; ++c)
                    makers_[index(program.closures[c].lambda)] = BlockId{b};
        }
        LambdaId callee = no_lambda;
        if (const auto* call = std::get_if<terminator::Call>(&block.terminator.kind)) callee = call->known;
        if (const auto* call = std::get_if<terminator::TailCall>(&block.terminator.kind)) callee = call->known;
        if (callee == no_lambda || entered_[index(callee)]) continue;
        auto& callers = callers_[index(callee)];
        if (callers.size() <= most_callers) callers.push_back(BlockId{b});
    }
    for (const MachineDef& m : program.machines)
        for (const StateDef& state : m.states) states_.push_back(state.span);
    std::sort(states_.begin(), states_.end(), stands_before);
    for (uint32_t l = 0; l < program.lambdas.size(); ++l)
        if (entered_[l] && !program.lambdas[l].prelude) follow(program.lambdas[l]);
}

std::vector<BlockId> DeadEnds::successors(const Program& program, BlockId block) {
    std::vector<BlockId> next;
    const TerminatorKind& kind = program[block].terminator.kind;
    if (const auto* t = std::get_if<terminator::Jump>(&kind)) next = {t->target};
    if (const auto* t = std::get_if<terminator::Branch>(&kind)) next = {t->then_block, t->else_block};
    if (const auto* t = std::get_if<terminator::Call>(&kind)) next = {t->back};
    if (const auto* t = std::get_if<terminator::Select>(&kind))
        for (const SelectClause& c : program.select_clauses(*t)) next.push_back(c.test);
    if (const auto* t = std::get_if<terminator::Accept>(&kind)) next = {t->body};
    if (const auto* t = std::get_if<terminator::Choose>(&kind))
        for (uint32_t i = 0; i < t->count; ++i) next.push_back(program.choices[t->first + i]);
    return next;
}

// Blocks are in topological order, so whatever leads to a dead block is complete when its turn comes.
void DeadEnds::follow(const Lambda& lambda) {
    for (uint32_t b = lambda.first_block; b < lambda.first_block + lambda.block_count; ++b) {
        for (const BlockId next : successors(program_, BlockId{b})) {
            if (alive(next)) continue;
            if (alive(BlockId{b}))
                add(ends_[index(next)], leaving(BlockId{b}, next));
            else if (const auto own = ends_.find(b); own != ends_.end())
                add(ends_[index(next)], Ends(own->second));
        }
    }
}

bool DeadEnds::stopped(BlockId block) const {
    return alive(block) && passed_[index(block)] <= program_[block].op_count;
}

// The operation that no run gets past.
DeadEnd DeadEnds::operation(BlockId block) const {
    const Operation& o = program_.ops[program_[block].first_op + passed_[index(block)] - 1];
    return {DeadEnd::Kind::operation, o.span};
}

// Why control does not go on from one block to the other.
DeadEnd DeadEnds::leaving(BlockId block, BlockId to) const {
    if (stopped(block)) return operation(block);
    const Terminator& t = program_[block].terminator;
    if (const auto* branch = std::get_if<terminator::Branch>(&t.kind))
        return {DeadEnd::Kind::condition, t.span, branch->then_block == to};
    if (const auto* select = std::get_if<terminator::Select>(&t.kind))
        for (const SelectClause& c : program_.select_clauses(*select))
            if (c.test == to) return {DeadEnd::Kind::clause, c.span};
    return {DeadEnd::Kind::call, t.span};
}

// Of the procedures around it that are never entered either.
LambdaId DeadEnds::outermost(LambdaId lambda) const {
    for (;;) {
        const BlockId maker = makers_[index(lambda)];
        if (maker == no_block || entered_[index(program_[maker].lambda)]) return lambda;
        lambda = program_[maker].lambda;
    }
}

// Its closure is never made; or it is never called, and where the text shows calls, why they are not made.
DeadEnds::Ends DeadEnds::never_entered(LambdaId lambda) const {
    Ends ends;
    std::vector<LambdaId> procedures{outermost(lambda)};
    for (size_t i = 0; i < procedures.size() && i < most_callers && ends.size() <= most_ends; ++i) {
        const LambdaId procedure = procedures[i];
        if (const BlockId maker = makers_[index(procedure)]; maker != no_block && !alive(maker)) {
            add(ends, before(maker, 0));
            continue;
        }
        const Span span = program_[procedure].span;
        const bool state = std::binary_search(states_.begin(), states_.end(), span, stands_before);
        if (state)
            add(ends, DeadEnd{DeadEnd::Kind::state, span});
        else
            add(ends, DeadEnd{DeadEnd::Kind::procedure, span, false, program_[procedure].name});
        const auto callers = callers_.find(index(procedure));
        if (callers == callers_.end() || callers->second.size() > most_callers) continue;
        for (const BlockId caller : callers->second) {
            const LambdaId inside = program_[caller].lambda;
            if (entered_[index(inside)])
                add(ends, before(caller, program_[caller].op_count));
            else if (std::find(procedures.begin(), procedures.end(), outermost(inside)) == procedures.end())
                procedures.push_back(outermost(inside));
        }
    }
    if (ends.size() > most_ends) ends.resize(1); // too many calls to say why each is not made
    return ends;
}

DeadEnds::Ends DeadEnds::before(BlockId block, uint32_t position) const {
    if (!entered_[index(program_[block].lambda)]) return never_entered(program_[block].lambda);
    if (alive(block)) {
        if (stopped(block) && passed_[index(block)] <= position + 1) return {operation(block)};
        return {};
    }
    const auto found = ends_.find(index(block));
    return found == ends_.end() ? Ends{} : found->second;
}

DeadEnd DeadEnds::uncounted(TargetId target, BlockId block) const {
    if (flow_.is_excluded_by_values(target)) return {DeadEnd::Kind::values, program_.targets[index(target)].span};
    return {DeadEnd::Kind::refusal, program_[block].terminator.span};
}

std::vector<DeadEnd> DeadEnds::before(TargetId target) const {
    Ends ends;
    const auto marks = marks_.find(index(target));
    if (marks == marks_.end()) return ends;
    const bool dead = flow_.graph().checkpoints(flow_.target(target)).empty();
    for (const auto& [block, position] : marks->second) {
        if (ends.size() > most_ends) break;
        Ends own = before(block, position);
        if (own.empty() && dead && alive(block)) own = {uncounted(target, block)};
        add(ends, own);
    }
    std::erase_if(ends, [](const DeadEnd& e) { return !e.at.known(); });
    if (ends.size() > most_ends) ends.clear();
    return ends;
}

std::string quoted(const Sources& sources, Span span) {
    std::string text;
    for (char c : sources.text(span)) {
        const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!blank) text += c;
        if (blank && !text.empty() && text.back() != ' ') text += ' ';
        if (text.size() > longest_text) {
            while ((static_cast<unsigned char>(text.back()) & 0xc0U) == 0x80) text.pop_back(); // a whole character
            text.pop_back();
            text += "…";
            break;
        }
    }
    return "`" + text + "`";
}

std::string to_text(const DeadEnd& end, const Sources& sources, bool with_place) {
    const std::string place = with_place ? " at " + sources.place(end.at) : "";
    switch (end.kind) {
    case DeadEnd::Kind::condition:
        return quoted(sources, end.at) + place + " is never " + (end.value ? "true" : "false");
    case DeadEnd::Kind::call: return quoted(sources, end.at) + place + " never returns";
    case DeadEnd::Kind::clause: return "nothing comes that the clause" + (with_place ? place : " here") + " takes";
    case DeadEnd::Kind::values: return quoted(sources, end.at) + place + " never compares two known integers";
    case DeadEnd::Kind::refusal:
        return "what " + quoted(sources, end.at) + place +
               " refuses is taken by no other clause, and so does not count";
    case DeadEnd::Kind::operation: return "no run gets past " + quoted(sources, end.at) + place;
    case DeadEnd::Kind::state: return "the state " + quoted(sources, end.at) + place + " is never entered";
    case DeadEnd::Kind::procedure: break;
    }
    const std::string_view name = name_of(end.name);
    return (name == "lambda" ? "the procedure" : "`" + std::string(name) + "`") + place + " is never called";
}

} // namespace espalier
