#include "flowanalysis/state/memory.hpp"

#include "flowanalysis/domain/union.hpp"

namespace espalier::flow {

Memory::Memory(Context& context)
    : program_(context.program), shape_(context.shape), objects_(context.objects), domain_(context.domain),
      store_(context.store), variants_(context.variants), worklist_(context.worklist), here_(context.here),
      globals_(store_.allocate(static_cast<uint32_t>(program_.globals.size()))) {}

void Memory::grow(CellId cell, ValueId value) {
    const ValueId before = store_.peek(cell);
    worklist_.mark(store_.write(cell, value));
    if (store_.peek(cell) == before) return;
    for (CellId to : store_.links(cell)) worklist_.mark(store_.write(to, store_.peek(cell))); // which links no further
}

ObjectId Memory::make(Families kind, Label label, VariantId variant, uint32_t which, uint32_t cells) {
    const auto [o, is_new] = objects_.find_or_make({kind, label, variant, which, {}, cells});
    // The top level runs once, so what it makes is one thing.
    if (is_new)
        objects_.complete(o, store_.allocate(cells),
                          kind == family::port || (variant != no_variant && variants_[variant].lambda == program_.top));
    return o;
}

ObjectId Memory::closure(LambdaId lambda, VariantId maker) {
    return make(family::procedure, no_label, maker, index(lambda), program_[lambda].captures);
}

ValueId Memory::content(ValueId objects, Families kinds, uint32_t field, ValueId least) {
    Union result(domain_, least);
    for (ObjectId o : domain_.objects(objects, kinds)) result.add(read(cell(o, field)));
    return result.value();
}

void Memory::grow_content(ValueId objects, Families kinds, uint32_t field, ValueId value) {
    for (ObjectId o : domain_.objects(objects, kinds)) grow(cell(o, field), value);
}

void Memory::grow_capture(LambdaId lambda, CellId cell, ValueId value) {
    const auto& readers = store_.write(cell, value);
    if (!readers.empty()) ++captures_grown_[index(lambda)];
    worklist_.mark(readers);
}

bool Memory::define(VarId dst, ValueId value) {
    ValueId& kept = variants_.value_at(here_.first_value + index(dst));
    const ValueId grown = domain_.join(kept, value);
    if (grown == kept) return value != bottom;
    kept = grown;
    mark_users(dst);
    return value != bottom;
}

void Memory::mark_users(VarId var) {
    const uint32_t unreached = program_[here_.lambda].first_block + variants_[here_.variant].reached;
    const auto mark = [&](uint32_t b) {
        if (b > here_.block) worklist_.mark(here_.slot_of(b));
    };
    const auto mark_all = [&](std::span<const uint32_t> blocks) { // in ascending order
        for (uint32_t b : blocks) {
            if (b >= unreached) return;
            mark(b);
        }
    };
    mark_all(shape_.uses.users(here_.lambda, var));
    const auto more = dependents_.find(here_.first_value + index(var));
    if (more == dependents_.end()) return;
    for (const Dependent& d : more->second) {
        switch (d.kind) {
        case Dependent::Kind::block: mark(d.id); break;
        case Dependent::Kind::users: mark_all(shape_.uses.users(here_.lambda, VarId{d.id})); break;
        case Dependent::Kind::predecessors: mark_all(shape_.predecessors[d.id]); break;
        case Dependent::Kind::writers: mark_all(shape_.writers[index(here_.lambda)]); break;
        }
    }
}

void Memory::add_dependent(VarId v, Dependent dependent) {
    const uint32_t at = here_.first_value + index(v);
    const uint64_t key = static_cast<uint64_t>(at) << 32 | static_cast<uint64_t>(dependent.kind) << 30 | dependent.id;
    if (depending_.insert(key)) dependents_[at].push_back(dependent);
}

} // namespace espalier::flow
