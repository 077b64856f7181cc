// Abstract values as a person reads them: {0 1 2}, [0, …], {idle busy #f}, Invite@12, foo@3 …
#include "flowanalysis/domain/text.hpp"

namespace espalier::flow {

namespace {

std::string text_of(const Datum& d) {
    switch (d.kind) {
    case Datum::Kind::symbol: return std::string(name_of(Symbol{d.id}));
    case Datum::Kind::character: return "#\\x" + std::to_string(d.id);
    case Datum::Kind::string: return '"' + std::string(name_of(Symbol{d.id})) + '"';
    }
    return {};
}

constexpr std::pair<Atoms, const char*> atom_names[] = {
    {atom::truth, "#t"},
    {atom::falsity, "#f"},
    {atom::null, "()"},
    {atom::unspecified, "nothing"},
    {atom::rational, "rational"},
    {atom::any_symbol, "symbol"},
    {atom::any_character, "char"},
    {atom::any_string, "string"},
    {atom::fresh, "fresh"},
    {atom::any_output, "any"},
};

constexpr std::pair<Families, const char*> object_names[] = {
    {family::pair, "pair"},   {family::vector, "vector"},    {family::bytevector, "bytevector"},
    {family::box, "box"},     {family::table, "hash-table"}, {family::channel, "channel"},
    {family::timer, "timer"}, {family::values, "values"},
};

std::string text_of(const Program& program, const AbstractObject& object) {
    const std::string at = object.label == no_label ? "" : "@" + std::to_string(index(object.label));
    switch (object.kind) {
    case family::procedure: return std::string(name_of(program.lambdas[object.which].name));
    case family::record: return std::string(name_of(program.records[object.which].name)) + at;
    case family::message: return std::string(name_of(program.messages[object.which].name)) + at;
    case family::port: return std::string(name_of(program.ports[object.which].name));
    default: break;
    }
    for (const auto& [kind, name] : object_names)
        if (kind == object.kind) return name + at;
    return {};
}

} // namespace

std::string to_text(const Program& program, const Values& values, ValueId v) {
    const AbstractValue& value = values[v];
    std::string out;
    const auto add = [&](const std::string& part) { out += (out.empty() ? "" : " ") + part; };
    if (!value.integers.empty()) add(to_text(value.integers));
    for (const Datum& d : values.data(v)) add(text_of(d));
    for (const auto& [bit, name] : atom_names)
        if ((value.atoms & bit) != 0) add(name);
    for (ObjectId o : values.objects(v)) add(text_of(program, values[o]));
    return "{" + out + "}";
}

} // namespace espalier::flow
