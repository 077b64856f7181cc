#include "testgen/commands/run_inputs.hpp"

#include <charconv>

namespace espalier {

namespace {

std::optional<PortId> port_named(const Program& program, Symbol name) {
    for (uint32_t p = 0; p < program.ports.size(); ++p) {
        if (program.ports[p].name == name) return PortId{p};
    }
    return std::nullopt;
}

std::optional<Units> units_of(const Data& data, DatumId d) {
    if (data.is(d, DatumKind::number)) return Units::parse(data.text(d)); // nothing where it is negative or a fraction
    if (!data.is(d, DatumKind::integer) || data.integer(d) < 0) return std::nullopt;
    return Units(data.integer(d));
}

} // namespace

RunInput parse_input(const Program& program, Interpreter& run, const Data& data, DatumId d) {
    const NamedValue fresh = [&](Symbol s) -> std::optional<Value> {
        const std::string_view name = name_of(s);
        uint32_t number = 0;
        if (name.size() < 2 || name[0] != 'x') return std::nullopt;
        const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
        if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
        return run.fresh_value(number);
    };
    std::string error;
    if (data.is_pair(d) && data.is(data.car(d), DatumKind::symbol)) {
        const Symbol head = data.symbol(data.car(d));
        const DatumId rest = data.cdr(d);
        const bool alone = data.is_null(rest);
        const bool one = data.is_pair(rest) && data.is_null(data.cdr(rest));
        const std::string_view word = name_of(head);
        if (const auto port = port_named(program, head); port && one) {
            const auto value = value_from_datum(program, run.heap(), data, data.car(rest), fresh, error);
            if (!value) return BadInput{error};
            return SendInput{*port, *value};
        }
        const bool number = one && data.is(data.car(rest), DatumKind::integer) && data.integer(data.car(rest)) >= 0;
        if (word == "wait" && alone) return WaitInput{};
        if (const auto units = one ? units_of(data, data.car(rest)) : std::nullopt; word == "wait" && units)
            return WaitInput{*units};
        if (word == "choose" && number && data.integer(data.car(rest)) <= UINT32_MAX)
            return ChooseInput{static_cast<uint32_t>(data.integer(data.car(rest)))};
        if (word == "quit" && alone) return QuitInput{};
        if (word == "wait") return BadInput{"its shape is (wait N), N not negative, or (wait)"};
        if (word == "choose") return BadInput{"its shape is (choose N), counted from 0"};
        bool message = word == "quote";
        for (const MessageDef& m : program.messages) message = message || m.name == head;
        if (!message && one && data.is_pair(data.car(rest)))
            return BadInput{"there is no port `" + std::string(word) + "`"};
    }
    const auto value = value_from_datum(program, run.heap(), data, d, fresh, error);
    if (!value) return BadInput{error};
    return SendInput{PortId{0}, *value};
}

} // namespace espalier
