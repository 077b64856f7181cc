// The abstract machine: it runs every variant of every procedure that can be reached, on abstract values, to
// the least fixpoint.
//
// The unit of work is a block of a variant, evaluated from the facts known where control enters it. Values of
// variables are kept for each variant (a variable is assigned once); what crosses variants goes through cells
// of the store. A block is evaluated again when facts on its entry, a variable or a cell that it looked at
// have grown. Nothing is evaluated before control is known to get there, and what is reached stays reached:
// all of this only grows, so it ends.
//
//   Machine machine(program, options);
//   machine.run();                       // the whole analysis
//   machine.evaluate(slot).successors    // at the fixpoint: what one block does, for whoever builds
//   something from it
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "flowanalysis/domain.hpp"
#include "flowanalysis/facts.hpp"
#include "flowanalysis/flowanalysis.hpp"
#include "flowanalysis/mistakes.hpp"
#include "flowanalysis/shape.hpp"
#include "flowanalysis/store.hpp"

namespace espalier::flow {

// Objects of literals, and those that stand for what the tester sends, have no label; their numbers do not meet.
inline constexpr uint32_t first_type = (1U << 30) - 1;

// What a clause of a select may wait for, in one variant.
struct ClauseOutcome {
    bool live = false;         // its test can be reached
    bool from_outside = false; // the source may be a port, or is a timer
    bool from_channel = false; // the source may be a channel
};

// Variants in the order in which they were found, each once.
class Variants {
public:
    void add(VariantId v);
    void clear();
    bool empty() const { return all_.empty(); }
    auto begin() const { return all_.begin(); }
    auto end() const { return all_.end(); }

private:
    std::vector<VariantId> all_;
    std::unordered_set<uint32_t> members_; // once they are many
};

// What a block does, as far as the analysis can tell.
struct Outcome {
    uint32_t completed = 0;          // operations; all of them where the terminator is reached
    bool terminates = false;         // the terminator is reached
    std::vector<BlockId> successors; // of jumps, branches, choices, accepts; a call's return block where it returns
    Variants callees;                // of the terminator
    std::vector<std::pair<uint32_t, VariantId>> spawns; // by position of the operation
    std::vector<std::pair<uint32_t, ObjectId>> sends;   // channels, by position of the operation
    std::vector<uint32_t> excluded;                     // positions of marks whose condition cannot hold
    std::vector<ClauseOutcome> clauses;                 // of a select
    Variants demands;                                   // predicates on messages that the tester may send here
    std::vector<uint32_t> fallible; // positions of operations that may end in a model error; that after the last: the
                                    // terminator
    void clear();
};

struct VariantState {
    LambdaId lambda;
    Label site;
    Slot first_slot;
    uint32_t first_value; // of its variables
    CellId parameters;    // its parameters, then the closures that run, then its result
    CellId self;
    CellId result;
    std::vector<uint32_t> pending = {}; // blocks to evaluate when it next runs, counted from its first one
    PartsId begun = no_parts;           // closures whose free variables were looked at
    uint64_t captured = 0;              // when; see captures_grown_
    uint32_t reached = 0;               // no block from that one on is reached
    bool queued = false;
};

class Machine {
public:
    // `stop` is asked now and then whether to end.
    Machine(const Program& program, const FlowOptions& options, std::function<bool()> stop);
    void run();
    bool stopped() const { return stopped_; }
    bool should_stop(); // one more step was taken
    const Outcome& evaluate(Slot slot);

    size_t variant_count() const { return variants_.size(); }
    const VariantState& variant(VariantId v) const { return variants_[index(v)]; }
    bool reached(Slot slot) const { return blocks_[index(slot)].reached; }
    size_t slot_count() const { return blocks_.size(); }
    ValueId value(VariantId v, VarId var) const { return values_[variants_[index(v)].first_value + index(var)]; }
    ValueId result(VariantId v) const { return store_.peek(variants_[index(v)].result); }
    const std::unordered_map<uint64_t, VariantId>& variant_ids() const { return variant_ids_; } // by λ and site
    const Domain& domain() const { return domain_; }
    const Shape& shape() const { return shape_; }
    bool is_setting(GlobalId g); // see Flow::settings
    // Of the block that was evaluated last, at the fixpoint: why control ends in it, where that is a mistake; and what
    // the variable may be where it ends.
    std::optional<Mistake> mistake();
    Families kinds_of(VarId v) const { return domain_.families(known(v)); }
    uint64_t evaluated() const { return evaluated_; }
    uint64_t work() const { return evaluated_ + marked_ + domain_.set_steps() + FactMap::steps() - fact_steps_before_; }

private:
    friend class Primitives;
    struct BlockState {
        Facts entry;
        Facts exit; // of a jump with arguments
        VariantId variant{};
        bool reached = false;
        bool dirty = false;
        bool left = false; // the jump was reached, and `exit` holds there
    };
    // A list as arguments: what stands at each of the first positions, at all later ones, and where it may
    // end.
    struct Spread {
        std::vector<ValueId> elements;
        ValueId more = bottom;
        std::vector<bool> may_end; // after that many elements; beyond: where `more` is not bottom
        friend bool operator==(const Spread&, const Spread&) = default;
        bool may_end_after(size_t count) const { return count < may_end.size() ? may_end[count] : more != bottom; }
    };

    // Where closures are called: the label for what the call itself makes, the site by which variants of the callees
    // are told apart, and whether it calls so many procedures that they are not.
    struct CallSite {
        Label label;
        Label site;
        bool is_shared = false;
    };

    // A call of many closures: those that were called with these arguments, the cell for all results, and the first
    // few of the procedures, for telling how many they are.
    struct CallState {
        Spread args;
        PartsId done = no_parts;
        CellId results;
        std::vector<uint32_t> first_callees;
    };

    // ── The kernel (machine.cpp)
    VariantId enter(LambdaId lambda, Label site, bool is_shared = false);
    void reach(Slot slot);
    void mark_dirty(Slot slot);
    void mark_dirty(std::span<const Slot> slots);
    void mark_users(VarId v); // later blocks that look at the variable
    void run_variant(VariantId v);
    void begin(LambdaId lambda);
    void flow_to(BlockId target);
    bool define(VarId dst, ValueId value); // false: nothing arrives, so control ends here
    void grow(CellId cell, ValueId value);
    ValueId read(CellId cell) { return store_.read(cell, slot_); }
    Label site_of(Label label) const;

    // ── What is known of a variable here (knowledge.cpp)
    VarId canonical(const Facts& facts, VarId v) const;
    ValueId known(const Facts& facts, VarId v) const;
    ValueId known(VarId v) const { return known(facts_, v); }
    ValueId content(const Facts& facts, const Fact& fact) const;
    void set_value(Facts& facts, VarId v, ValueId value);
    bool narrow(Facts& facts, VarId v, ValueId value); // to the value; false: a contradiction
    // What an operation demands of its operand, so that the run goes on.
    bool demand(VarId v, Families families) { return demand(v, domain_.keep(known(v), families)); }
    bool demand(VarId v, ValueId value) {
        fails_ = fails_ || value != known(v);
        return narrow(facts_, v, value);
    }
    ValueId through(const Key& key, VarId dst, ValueId stored);
    void remember(const Key& key, VarId v);
    void forget_aliases(Key::Kind kind, VarId object, uint32_t field);
    uint32_t last_use_of(const Key& key, VarId link) const;
    void learn(Facts& facts, const Key& key, VarId link, ValueId value = bottom) {
        facts.set({key, link, value, last_use_of(key, link)});
    }
    std::optional<Fact> weakened(const Fact& fact, const Facts& own, const Facts& other, uint32_t where);
    bool merge(Facts& into, const Facts& facts, uint32_t where);
    // Who must look again when the variable's value grows, beyond the blocks that the text says.
    struct Dependent {
        enum class Kind : uint8_t { block, users, predecessors, writers } kind;
        uint32_t id; // a block; or the variable whose users they are; or the block whose predecessors; or unused
    };
    void depend_on(VarId v) { add_dependent(v, {Dependent::Kind::block, block_}); }
    void add_dependent(VarId v, Dependent dependent);

    // ── Refinement (refine.cpp)
    bool assume(Facts& facts, VarId condition, bool truth); // false: the condition cannot come out so
    bool assume(Facts& facts, VarId condition, bool truth, int depth);
    ValueId looked_at(const Facts& facts, VarId v);
    bool assume_test(Facts& facts, const OpKind& test, bool truth, int depth);
    bool assume_primitive(Facts& facts, const op::Primitive& test, bool truth, int depth);
    bool assume_equal(Facts& facts, VarId a, VarId b, bool truth, bool structural);
    bool assume_order(Facts& facts, VarId a, VarId b, Prim prim);
    bool assume_parameter(Facts& facts, const Definition& parameter, bool truth, int depth);

    // ── Operations (operations.cpp); false: control ends here
    bool apply(const Operation& o, uint32_t position);
    bool make_closures(const op::MakeClosures& o);
    bool make_message(const op::MakeMessage& o, Label label);
    bool ref_field(VarId dst, VarId object, Key::Kind kind, uint32_t field);
    bool set_record(const op::RecordSet& o);
    bool ref_global(const op::GlobalRef& o);
    Key key_of(GlobalId g) const;
    ValueId as_given(GlobalId g, ValueId defined);
    bool send(const op::Send& o, uint32_t position);
    bool may_differ_by(ValueId left, ValueId right, int64_t difference) const;
    bool apply_primitive(const op::Primitive& o, Label label);
    bool changes_constant(const op::Primitive& o);
    bool is_literal(ObjectId o) const;
    std::optional<Mistake> mistake_in(const Operation& o);
    std::optional<Mistake> mistake_in(const op::Primitive& o, Label label);
    ValueId positive(ValueId v); // of it, the integers from 1 on
    ValueId constant(Value v);
    ValueId literal(Value v);
    ValueId literal_object(Value v, uint32_t number);
    ObjectId make(Families kind, Label label, VariantId variant, uint32_t which, uint32_t cells);
    ObjectId make_here(Families kind, Label label, uint32_t which, uint32_t cells);
    ObjectId closure(LambdaId lambda, VariantId maker);
    CellId cell(ObjectId o, uint32_t field) const { return CellId{index(domain_[o].first_cell) + field}; }
    template <typename F>
    void each_object(ValueId v, Families kind, F f);

    // ── Control (control.cpp)
    void finish(const Terminator& t);
    void branch(const terminator::Branch& t);
    void jump(const terminator::Jump& t);
    Slot slot_of(BlockId b) const;
    ValueId call(VarId callee, VarList args, bool last_is_list, Label label);
    ValueId call_many(ValueId closures, Spread args, Label label);
    void call_closures(ValueId closures, const Spread& args, CallSite at, Variants& callees, Union& result);
    ValueId call_closure(ValueId closures, LambdaId first, const Spread& args, const CallSite& at, Variants& callees);
    ValueId enter_with(LambdaId lambda, ValueId closures, const Spread& args, const CallSite& at, Variants& callees);
    Spread spread(std::span<const VarId> args, bool last_is_list);
    void spread_list(ValueId list, Spread& into);
    ValueId list_of(const Spread& args, size_t from, Label label);

    // ── Waiting (waiting.cpp)
    void select(const terminator::Select& t);
    ValueId waited_for(const SelectClause& clause); // of its source: what can be waited for
    ValueId received(const SelectClause& clause, ValueId source, ClauseOutcome& outcome);
    void try_clause(const SelectClause& c, ValueId message, const ClauseOutcome& outcome);
    ValueId left_by(std::span<const uint32_t> clauses, VarId source, ValueId messages);
    bool same_source(VarId a, VarId b) const;
    bool always_accepts(uint32_t clause) const;
    void demand_of_inputs(ValueId messages);
    ValueId other_message(const terminator::Select& t, std::span<const uint32_t> takers);
    void refuse();

    // ── What the tester may send (inputs.cpp)
    ValueId of_type(TypeId type);
    ValueId input_message(MessageId m);
    ValueId messages_of(uint32_t port);
    ValueId any_input();
    ValueId limited_to(ValueId v, TypeId type);

    const Program& program_;
    FlowOptions options_;
    Shape shape_;
    Domain domain_;
    Store store_;
    CellId globals_;
    std::deque<VariantState> variants_;
    std::unordered_map<uint64_t, VariantId> variant_ids_;
    std::deque<BlockState> blocks_;
    std::vector<ValueId> values_;                                     // of variables
    std::unordered_map<uint32_t, std::vector<Dependent>> dependents_; // by place in values_
    NumberSet depending_;                                             // those in it
    std::deque<VariantId> queue_;
    std::unordered_map<uint32_t, CallState> calls_;  // by slot
    std::optional<CellId> results_;                  // where those of the call go, if they are not looked at one by one
    std::unordered_map<uint32_t, uint32_t> refused_; // by the slot of a select: how many ways to refuse were found
    std::vector<uint32_t> round_; // blocks of the variant that runs, still to come: a heap, the first one on top
    uint64_t evaluated_ = 0;
    uint64_t marked_ = 0; // asked to look again
    uint64_t fact_steps_before_ = FactMap::steps();
    std::function<bool()> stop_;
    uint32_t steps_ = 0;
    bool stopped_ = false;
    Heap scratch_{Heap::Lifetime::immortal};         // for computing with constants
    std::unordered_map<uint32_t, ValueId> typed_;    // by TypeId
    std::unordered_map<uint64_t, ValueId> literals_; // by address
    std::unordered_map<uint32_t, ValueId> port_messages_;
    std::unordered_map<uint32_t, uint64_t> captures_grown_; // by λ: free variables of its closures, seen before
    std::unordered_map<uint32_t, uint32_t> variants_of_;    // by λ: how many
    ValueId any_input_ = bottom;                            // once it is known

    // The block being evaluated
    VariantId variant_{};
    VariantId running_ = no_variant; // the same, until the fixpoint is reached
    LambdaId lambda_{};
    Slot slot_{};
    uint32_t block_ = 0;
    Facts facts_;
    Outcome outcome_;
    bool fails_ = false;      // the operation, for some of what its operands may be
    int trace_steps_ = 0;     // that are left
    bool other_name_ = false; // a condition is being traced that the text calls otherwise
};

template <typename F>
void Machine::each_object(ValueId v, Families kind, F f) {
    for (ObjectId o : domain_.objects(v, kind)) f(o);
}

} // namespace espalier::flow
