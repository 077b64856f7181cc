// The λ-IR: the one meaning of a model, for the interpreter, the flow analysis and the symbolic executor.
//
// Each λ is an acyclic graph of basic blocks with block parameters; loops exist only as calls. A block is a run of
// straight-line operations and one terminator. Variables are assigned once: assigned variables of the source are
// boxes, free variables are explicit (flat closures). Every operation and terminator has a label, unique in the
// program, and a span. A program is immutable once compiled; facts about it are side tables indexed by these ids.
//
//   (define (foo x) (if (> x 0) (bar x) 1))
//
//   lambda foo (x)                          ; x is variable 0
//     b0:  v1 = const 0
//          v2 = %> x v1
//          branch v2 b1 b2
//     b1:  v3 = global bar
//          tailcall v3 x
//     b2:  v4 = const 1
//          return v4
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lang/ir/decision.hpp"
#include "lang/ir/declarations.hpp"
#include "lang/ir/operation.hpp"
#include "lang/ir/terminator.hpp"
#include "lang/values/heap.hpp"
#include "lang/values/print.hpp"

namespace espalier {

struct Block {
    LambdaId lambda;
    VarList params;
    uint32_t first_op = 0; // in Program::ops
    uint32_t op_count = 0;
    Terminator terminator;
};

// Variables are numbered parameters first (a rest parameter last of them), then captures, then `self` (the closure
// that is running), then the rest in order of definition.
struct Lambda {
    Symbol name{}; // of the definition that binds it; "lambda" where there is none
    Span span;
    uint32_t required = 0; // parameters
    bool rest = false;
    uint32_t captures = 0;
    uint32_t variables = 0;   // in all
    uint32_t first_name = 0;  // its variables' names, in Program::variable_names
    uint32_t first_block = 0; // blocks are contiguous and in topological order; the first is the entry
    uint32_t block_count = 0;
    LambdaId next_case = no_lambda; // case-lambda: what to try when the arguments do not fit; same captures
    uint32_t procedure = 0;         // of the author's: its index in Program::procedures plus one
    bool prelude = false;           // calls made by prelude code pass on the call site by which the prelude was entered

    uint32_t params() const { return required + (rest ? 1 : 0); }
    VarId self() const { return VarId{params() + captures}; }
};

struct Global {
    Symbol name;
    Span span;
    bool prelude = false;
    bool assigned = false;      // by set!, somewhere
    LambdaId known = no_lambda; // what its one definition binds it to, when it is never assigned
};

struct Program : ValueNames {
    std::vector<Lambda> lambdas;
    std::vector<Block> blocks;
    std::vector<Operation> ops;
    std::vector<VarId> variables;       // what VarLists run over
    std::vector<Symbol> variable_names; // by Lambda::first_name; an unnamed temporary has the empty name
    std::vector<ClosureDef> closures;
    std::vector<SelectClause> clauses;
    std::vector<BlockId> choices;
    std::vector<Decision> decisions;
    std::vector<Site> sites;
    std::vector<ProcedureName> procedures;
    std::vector<DecisionTable> decision_tables; // of op::MarkDetermined
    std::vector<Global> globals;
    std::vector<MessageDef> messages;
    std::vector<RecordDef> records;
    std::vector<PortDef> ports;
    std::vector<TypeDef> types;
    std::vector<Target> targets;
    std::vector<MachineDef> machines;
    LambdaId top{}; // the top level: no parameters
    uint32_t label_count = 0;
    std::shared_ptr<Heap> literals;       // immortal objects that constants refer to; all copies share them
    std::shared_ptr<const Program> plain; // what criteria were put into; null where none were (lower/criteria.hpp)

    std::span<const VarId> list(VarList l) const { return {variables.data() + l.first, l.count}; }
    const Lambda& operator[](LambdaId id) const { return lambdas[index(id)]; }
    const Block& operator[](BlockId id) const { return blocks[index(id)]; }
    std::span<const Operation> operations(const Block& b) const { return {ops.data() + b.first_op, b.op_count}; }
    std::span<const SelectClause> select_clauses(const terminator::Select& s) const {
        return {clauses.data() + s.first, s.count};
    }
    std::string_view port_name(PortId id) const override { return name_of(ports[index(id)].name); }
    std::string_view record_name(RecordId id) const override { return name_of(records[index(id)].name); }
    std::string_view message_name(MessageId id) const override { return name_of(messages[index(id)].name); }
    std::string_view procedure_name(LambdaId id) const override { return name_of((*this)[id].name); }
    Symbol variable_name(LambdaId l, VarId v) const { return variable_names[(*this)[l].first_name + index(v)]; }
};

// The program as text, a λ at a time, in the form shown above; `with_prelude` also what the prelude defines.
std::string print_ir(const Program& program, const Sources& sources, bool with_prelude);

} // namespace espalier
