#include "flowanalysis/evaluate/folding.hpp"

namespace espalier::flow {

namespace {

constexpr size_t most_combinations = 64;

// Primitives whose results on constants are numbers, characters, symbols or booleans, and cost little.
bool foldable(Prim prim) {
    return prim <= Prim::bitwise_not || prim == Prim::string_to_number || prim == Prim::string_to_symbol ||
           (prim >= Prim::char_to_integer && prim <= Prim::string_ref) || prim == Prim::string_eq ||
           prim == Prim::string_lt;
}

// Two literals of the same content may be one object or two.
bool compares_identity(Prim prim) { return prim == Prim::eq || prim == Prim::eqv; }

} // namespace

Folding::Folding(Context& context, Literals& literals)
    : program_(context.program), domain_(context.domain), literals_(literals) {}

std::optional<ValueId> Folding::fold(Prim prim, std::span<const ValueId> args) {
    if (!foldable(prim)) return std::nullopt;
    std::vector<std::vector<Value>> members;
    size_t combinations = 1;
    for (ValueId v : args) {
        auto all = constants(prim, v);
        if (!all || (combinations *= all->size()) > most_combinations) return std::nullopt;
        members.push_back(std::move(*all));
    }
    ValueId result = bottom;
    std::vector<Value> operands(members.size());
    for (size_t n = 0; n < combinations; ++n) {
        size_t rest = n;
        for (size_t i = 0; i < members.size(); ++i) {
            operands[i] = members[i][rest % members[i].size()];
            rest /= members[i].size();
        }
        const auto one = applied(prim, operands);
        if (!one) return std::nullopt;
        result = domain_.join(result, *one);
    }
    return result;
}

std::string Folding::complaint(Prim prim, std::span<const ValueId> args) {
    std::vector<Value> operands;
    for (ValueId v : args) {
        const auto all = foldable(prim) ? constants(prim, v) : std::nullopt;
        if (!all || all->size() != 1) return {};
        operands.push_back(all->front());
    }
    PrimContext context{scratch_, program_, nullptr};
    try {
        concrete(prim)(context, operands.data(), static_cast<uint32_t>(operands.size()));
    } catch (const PrimitiveError& error) {
        return error.what();
    }
    return {};
}

// The members of a value that is nothing but a few constants.
std::optional<std::vector<Value>> Folding::constants(Prim prim, ValueId v) {
    const AbstractValue& value = domain_[v];
    constexpr Atoms immediate = atom::truth | atom::falsity | atom::null | atom::unspecified;
    if ((domain_.families(v) & family::object) != 0 || domain_.part_count(v) > most_combinations ||
        (value.atoms & ~immediate) != 0 || (!value.integers.empty() && value.integers.constants().empty()))
        return std::nullopt;
    std::vector<Value> result;
    for (int64_t n : value.integers.constants()) result.push_back(Value::fixnum(n));
    for (const auto& [bit, word] : {std::pair{atom::truth, Value::boolean(true)},
                                    {atom::falsity, Value::boolean(false)},
                                    {atom::null, Value::null()},
                                    {atom::unspecified, Value::unspecified()}})
        if ((value.atoms & bit) != 0) result.push_back(word);
    for (const Datum& d : domain_.data(v)) {
        switch (d.kind) {
        case Datum::Kind::symbol: result.push_back(Value::symbol(Symbol{d.id})); break;
        case Datum::Kind::character: result.push_back(Value::character(static_cast<char32_t>(d.id))); break;
        case Datum::Kind::string:
            if (compares_identity(prim)) return std::nullopt;
            result.push_back(scratch_.string(name_of(Symbol{d.id})));
            break;
        }
    }
    return result;
}

// Bottom: it fails on these operands.
std::optional<ValueId> Folding::applied(Prim prim, std::span<const Value> operands) {
    PrimContext context{scratch_, program_, nullptr};
    try {
        const Value v = concrete(prim)(context, operands.data(), static_cast<uint32_t>(operands.size()));
        if (!v.is_object()) return literals_.constant(v);
        if (!number::is_number(v)) return std::nullopt;
        if (number::is_integer(v)) return domain_.integers(Integers::all());
        return domain_.atoms(atom::rational);
    } catch (const PrimitiveError&) {
        return bottom;
    }
}

} // namespace espalier::flow
