// Which calls of prelude procedures are operations already.
#include "lang/expand/calls.hpp"
#include "lang/names/core_builder.hpp"

namespace espalier {

namespace {

class Integration {
public:
    Integration(CoreProgram& program, CoreBuilder& core, std::string_view name, std::span<const CoreId> args, Span at)
        : program_(program), core_(core), name_(name), args_(args), at_(at) {}

    std::optional<CoreId> comparison();
    std::optional<CoreId> arithmetic();
    std::optional<CoreId> data();
    std::optional<CoreId> accessor();
    std::optional<CoreId> other();

private:
    bool is(std::string_view name, size_t count) const { return name_ == name && args_.size() == count; }
    CoreId number(int64_t v) { return core_.constant(Value::fixnum(v), at_); }
    CoreId chain(Prim p, bool chars);
    CoreId fold(Prim p, int64_t unit);
    CoreId list_from(size_t first);

    CoreProgram& program_;
    CoreBuilder& core_;
    const std::string_view name_;
    const std::span<const CoreId> args_;
    const Span at_;
};

// (< a b c): every operand is evaluated once, then compared in pairs.
CoreId Integration::chain(Prim p, bool chars) {
    auto operand = [&](CoreId a) { return chars ? core_.prim(Prim::char_to_integer, {a}, at_) : a; };
    if (args_.size() == 2) {
        const CoreId a = operand(args_[0]);
        return core_.prim(p, {a, operand(args_[1])}, at_);
    }
    std::vector<LocalId> temps;
    std::vector<CoreId> inits;
    for (CoreId a : args_) {
        temps.push_back(core_.temporary("operand", at_));
        inits.push_back(operand(a));
    }
    std::vector<CoreId> pairs; // in the order in which they stand, since each may be numbered
    for (size_t i = 0; i + 1 < temps.size(); ++i)
        pairs.push_back(core_.prim(p, {core_.local_ref(temps[i], at_), core_.local_ref(temps[i + 1], at_)}, at_));
    CoreId rest = pairs.back();
    for (size_t i = pairs.size() - 1; i-- > 0;) rest = core_.branch(pairs[i], rest, core_.boolean(false, at_), at_);
    return core_.let(temps, inits, rest, at_);
}

CoreId Integration::fold(Prim p, int64_t unit) {
    if (args_.empty()) return number(unit);
    if (args_.size() == 1) return core_.prim(p, {args_[0], number(unit)}, at_);
    CoreId sum = args_[0];
    for (const CoreId a : args_.subspan(1)) sum = core_.prim(p, {sum, a}, at_);
    return sum;
}

CoreId Integration::list_from(size_t first) {
    CoreId rest = core_.constant(Value::null(), at_);
    for (size_t i = args_.size(); i-- > first;) rest = core_.prim(Prim::cons, {args_[i], rest}, at_);
    return rest;
}

std::optional<CoreId> Integration::comparison() {
    struct Chain {
        std::string_view name;
        Prim prim;
        bool chars;
    };
    static constexpr Chain chains[] = {
        {"=", Prim::num_eq, false},
        {"<", Prim::lt, false},
        {">", Prim::gt, false},
        {"<=", Prim::le, false},
        {">=", Prim::ge, false},
        {"char=?", Prim::num_eq, true},
        {"char<?", Prim::lt, true},
        {"char>?", Prim::gt, true},
        {"char<=?", Prim::le, true},
        {"char>=?", Prim::ge, true},
        {"string=?", Prim::string_eq, false},
        {"string<?", Prim::string_lt, false},
    };
    for (const Chain& c : chains) {
        if (name_ == c.name && args_.size() >= 2) return chain(c.prim, c.chars);
    }
    if (is("zero?", 1)) return core_.prim(Prim::num_eq, {args_[0], number(0)}, at_);
    if (is("positive?", 1)) return core_.prim(Prim::gt, {args_[0], number(0)}, at_);
    if (is("negative?", 1)) return core_.prim(Prim::lt, {args_[0], number(0)}, at_);
    return std::nullopt;
}

std::optional<CoreId> Integration::arithmetic() {
    if (name_ == "+") return fold(Prim::add, 0);
    if (name_ == "*") return fold(Prim::mul, 1);
    if (name_ == "-" || name_ == "/") {
        const Prim p = name_ == "-" ? Prim::sub : Prim::div;
        if (args_.size() == 1) return core_.prim(p, {number(name_ == "-" ? 0 : 1), args_[0]}, at_);
        if (args_.size() >= 2) return fold(p, 0);
    }
    if (is("bitwise-and", 2)) return core_.prim(Prim::bitwise_and, {args_[0], args_[1]}, at_);
    if (is("bitwise-or", 2)) return core_.prim(Prim::bitwise_or, {args_[0], args_[1]}, at_);
    if (is("bitwise-xor", 2)) return core_.prim(Prim::bitwise_xor, {args_[0], args_[1]}, at_);
    if (is("number->string", 1)) return core_.prim(Prim::number_to_string, {args_[0], number(10)}, at_);
    if (is("string->number", 1)) return core_.prim(Prim::string_to_number, {args_[0], number(10)}, at_);
    return std::nullopt;
}

std::optional<CoreId> Integration::data() {
    if (name_ == "list") return list_from(0);
    if (name_ == "vector") return core_.node(core::PrimCall{Prim::vector, program_.add_list(args_)}, at_);
    if (is("values", 1)) return args_[0];
    if (name_ == "values") return core_.node(core::PrimCall{Prim::values, program_.add_list(args_)}, at_);
    if (name_ == "string-append" && args_.size() >= 2) return fold(Prim::string_append, 0);
    if (is("make-vector", 2)) return core_.prim(Prim::make_vector, {args_[0], args_[1]}, at_);
    if (is("substring", 3)) return core_.prim(Prim::substring, {args_[0], args_[1], args_[2]}, at_);
    return std::nullopt;
}

// cadr and its kind
std::optional<CoreId> Integration::accessor() {
    if (args_.size() != 1 || name_.size() < 4 || name_.size() > 6 || name_.front() != 'c' || name_.back() != 'r' ||
        name_.find_first_not_of("ad", 1) != name_.size() - 1)
        return std::nullopt;
    CoreId v = args_[0];
    for (size_t i = name_.size() - 1; i-- > 1;) v = core_.prim(name_[i] == 'a' ? Prim::car : Prim::cdr, {v}, at_);
    return v;
}

std::optional<CoreId> Integration::other() {
    if (is("newline", 0)) return core_.prim(Prim::display, {core_.constant(program_.literals->string("\n"), at_)}, at_);
    if (name_ == "error" && !args_.empty()) {
        const CoreId irritants = list_from(1);
        return core_.prim(Prim::error, {args_[0], irritants}, at_);
    }
    // apply with arguments before the list: still one call.
    if (name_ == "apply" && args_.size() >= 2)
        return core_.node(core::Call{args_[0], program_.add_list(args_.subspan(1)), true}, at_);
    return std::nullopt;
}

} // namespace

std::optional<CoreId> integrate(CoreProgram& program, CoreBuilder& core, std::string_view name,
                                std::span<const CoreId> args, Span at) {
    Integration call(program, core, name, args, at);
    if (auto done = call.comparison()) return done;
    if (auto done = call.arithmetic()) return done;
    if (auto done = call.data()) return done;
    if (auto done = call.accessor()) return done;
    return call.other();
}

} // namespace espalier
