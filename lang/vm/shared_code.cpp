#include "lang/vm/shared_code.hpp"

#include <iterator>

namespace espalier::vm {

namespace {

// Globals that the program's text defines in one place at top level, and assigns nowhere.
std::vector<bool> find_constant_globals(const Program& program) {
    std::vector<uint32_t> definitions(program.globals.size());
    for (const Block& block : program.blocks)
        for (const Operation& op : program.operations(block))
            if (const auto* set = std::get_if<op::GlobalSet>(&op.kind))
                definitions[index(set->global)] += set->definition && block.lambda == program.top ? 1 : 2;
    std::vector<bool> result(program.globals.size());
    for (size_t g = 0; g < result.size(); ++g) result[g] = definitions[g] == 1 && !program.globals[g].assigned;
    return result;
}

// Is it the same thing in every run? Other objects end with the run that made them.
bool outlives_run(Value value) { return !value.is_object() || (value.as_object()->flags & literal_flag) != 0; }

} // namespace

SharedCode::SharedCode(const Program& program, Runs runs, Tracing tracing)
    : program_(program), selects_(program), carriers_(program.clauses.size(), PortId{UINT32_MAX}), runs_(runs),
      tracing_(tracing), closures_(program.lambdas.size(), Value::unbound()), constant_(find_constant_globals(program)),
      unreliable_(program.globals.size(), false), codes_(program.lambdas.size()) {}

void SharedCode::begin(const void* const* handlers) {
    assert(!in_use_ && "runs that share code come one after the other");
    in_use_ = true;
    for (Code* code : awake_) code->entry = &code->stub;
    awake_.clear();
    if (handlers_ != nullptr) return;
    handlers_ = handlers;
    for (uint32_t l = 0; l < codes_.size(); ++l) {
        Code& code = codes_[l];
        const Lambda& lambda = program_.lambdas[l];
        code.lambda = LambdaId{l};
        code.exact_arguments = lambda.rest ? UINT32_MAX : lambda.required;
        code.need = lambda.params();
        code.stub.handler = handlers_[static_cast<size_t>(Op::compile)];
        code.stub.a = static_cast<int32_t>(l);
        code.entry = &code.stub;
    }
}

const Code& SharedCode::code_of(const Instr* cell) const {
    const auto* start = reinterpret_cast<const char*>(codes_.data());
    const auto* at = reinterpret_cast<const char*>(cell);
    if (at >= start && at < start + codes_.size() * sizeof(Code)) // asleep
        return codes_[static_cast<size_t>(at - start) / sizeof(Code)];
    return *std::prev(code_by_start_.upper_bound(cell))->second;
}

Value SharedCode::closure(LambdaId lambda) {
    Value& known = closures_[index(lambda)];
    if (known.is_unbound()) known = Value::object(heap_.closure(lambda, 0));
    return known;
}

const Code& SharedCode::awake(Code& code, const std::vector<Value>& globals) {
    if (code.entry != &code.stub) return code;
    awake_.push_back(&code);
    if (!code.cells.empty()) {
        if (holds(code, globals)) {
            code.entry = code.cells.data();
            return code;
        }
        code_by_start_.erase(code.cells.data());
        code.cells.clear();
        code.places.clear();
        code.relied_on.clear();
    }
    ++translations_;
    const auto rely = [&](GlobalId id, CompileContext::Fact fact) {
        const Value now = globals[index(id)];
        if (now.is_unbound() || unreliable_[index(id)]) return false;
        if (fact == CompileContext::Fact::defined) {
            if (runs_ == Runs::many) code.relied_on.push_back({id, std::nullopt});
            return true;
        }
        if (!constant_[index(id)] || (runs_ == Runs::many && !outlives_run(now))) return false;
        if (runs_ == Runs::many) code.relied_on.push_back({id, now});
        return true;
    };
    const CompileContext context{program_,
                                 selects_,
                                 globals,
                                 rely,
                                 [this](LambdaId lambda) { return closure(lambda); },
                                 tracing_.follow,
                                 tracing_.assignments};
    const VirtualCode virtual_code = translate(context, code.lambda);
    emit(virtual_code, allocate(virtual_code, program_[code.lambda].params()), handlers_, codes_, code);
    code_by_start_.emplace(code.cells.data(), &code);
    return code;
}

// All that fail are noted, so that one further translation makes up for them.
bool SharedCode::holds(const Code& code, const std::vector<Value>& globals) {
    bool all = true;
    for (const Code::Reliance& r : code.relied_on) {
        const Value now = globals[index(r.global)];
        if (r.value ? now == *r.value : !now.is_unbound()) continue;
        unreliable_[index(r.global)] = true;
        all = false;
    }
    return all;
}

} // namespace espalier::vm
