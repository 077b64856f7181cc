// The translation of one λ to virtual code: what its parts, the files vm_translate*.cpp, share.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>

#include "lang/ir/overloaded.hpp"
#include "lang/vm/virtual.hpp"

namespace espalier::vm {

class Translator {
public:
    Translator(const CompileContext& context, LambdaId id);
    VirtualCode run();

private:
    // What is known of a variable before the blocks are translated.
    struct Definition {
        const Operation* op = nullptr; // where fusing it may be of use
        uint32_t block = UINT32_MAX;
        uint32_t uses = 0;
        bool constant = false;
        Value value; // of a constant
    };

    // What a branch on a test, whose one way to a block it is, says there of the test's result.
    struct Decided {
        VarId test = no_var;
        bool result = false;
    };

    // Knowledge of variables: translate.cpp
    void survey();
    void find_decided();
    bool is_decided(uint32_t b, VarId v) const { return decided_[b].test == v; }
    void survey_operation(uint32_t b, const Operation& op);
    void survey_terminator(uint32_t b);
    void use(uint32_t b, VarId v);
    void use(uint32_t b, VarList l);
    void define(uint32_t b, VarId v, const Operation& op);
    void define_constant(VarId v, Value value);
    bool needs_check(const op::GlobalRef& ref) const;
    LambdaId callee_lambda(VarId callee, LambdaId known, size_t arguments, bool spread);
    bool is_loop(const terminator::TailCall& t);
    void keep_captures();

    // Registers for variables: translate.cpp
    Reg load(VarId v, Reg into);
    bool needs_load(VarId v) { return constant(v).has_value() || (is_capture(v) && !loops_); }
    Reg reg(VarId v);
    Reg argument(VarId v);
    std::vector<Reg> arguments(VarList list);

    // Operations: translate.cpp
    void translate_block(uint32_t b);
    void translate_operation(const Operation& op);
    void translate_closures(const op::MakeClosures& o);
    VirtualInstr& emit(Op op, std::array<uint32_t, 4> operands);
    void emit_one(Op op, VarId a);
    void emit_two(Op op, VarId a, VarId b);
    void emit_extras(Op op, std::array<uint32_t, 4> operands, std::span<const Reg> extras);
    void emit_fields(Op op, VarId dst, uint32_t type, VarList fields);
    void assigned(Symbol name, VarId value);

    // Primitives: translate_primitives.cpp
    void translate_primitive(const op::Primitive& o);
    bool translate_arithmetic(const op::Primitive& o);
    bool translate_test(const op::Primitive& o);
    bool translate_access(const op::Primitive& o);
    void translate_call(const op::Primitive& o);
    static std::optional<VarId> test_result(const Operation& op);
    VirtualInstr primitive_test(const op::Primitive& o);

    // Ends of blocks: translate_control.cpp
    void find_fused(uint32_t b);
    void translate_terminator(uint32_t b);
    void translate_branch(const terminator::Branch& t);
    VirtualInstr test_of(VarId condition);
    void choose_callee(VarId callee, LambdaId known, VarList args, bool spread, bool tail);
    void translate_select(const terminator::Select& t);
    // The sources of a select, each with its first clause: those of other clauses are the same.
    template <typename F>
    void for_each_source(const terminator::Select& t, F f) const {
        const ClauseIndex& clauses = context_.selects.of(t);
        for (uint32_t s = 0; s < clauses.source_count(); ++s) {
            const uint32_t clause = clauses.first_of(s);
            if (const VarId source = program_.clauses[t.first + clause].source; source != no_var) f(clause, source);
        }
    }

    const Block& block(uint32_t b) const { return program_.blocks[lambda_.first_block + b]; }
    uint32_t local(BlockId b) const { return index(b) - lambda_.first_block; }
    Definition& definition(VarId v) { return definitions_[index(v)]; }
    bool is_capture(VarId v) const {
        return index(v) >= lambda_.params() && index(v) < lambda_.params() + lambda_.captures;
    }
    std::optional<Value> constant(VarId v);
    std::optional<int64_t> small(VarId v);
    // The call site that a call from here passes on.
    uint32_t site() const { return lambda_.prelude ? static_cast<uint32_t>(inherited_site) : index(label_); }

    const CompileContext& context_;
    const Program& program_;
    LambdaId id_;
    const Lambda& lambda_;
    std::vector<Definition> definitions_;
    std::vector<Decided> decided_; // by block
    bool loops_ = false;
    VirtualCode code_;

    // The block at hand
    VirtualBlock* current_ = nullptr;
    uint32_t at_ = 0;
    std::unordered_map<uint32_t, Reg> loaded_; // constants and captures, by variable
    std::vector<const Operation*> fused_;      // left to the terminator
    Label label_ = no_label;
    Span span_;
};

} // namespace espalier::vm
