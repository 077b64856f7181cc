#include "testgen/export/ttcn3_types.hpp"

#include <algorithm>

#include "testgen/text/escapes.hpp"

namespace espalier {

Ttcn3Types::Ttcn3Types(const SuiteView& suite) : program_(suite.program()) {
    const std::string& file = suite.suite().model;
    module = names.give("Suite_" + identifier(file.substr(0, file.rfind(".scm"))));
    for (const char* own : {"T_value", "T_values", "T_fraction", "T_message"}) names.give(own);
    UniqueNames alternatives;
    for (uint32_t m = 0; m < program_.messages.size(); ++m) {
        const MessageDef& def = program_.messages[m];
        const std::string name = identifier(name_of(def.name));
        by_name_.emplace(name_of(def.name), MessageId{m});
        messages_.push_back(names.give("M_" + name));
        alternatives_.push_back(alternatives.give("m_" + name));
        UniqueNames own;
        fields_.emplace_back();
        for (const FieldDef& f : def.fields) {
            fields_.back().push_back(own.give("f_" + identifier(name_of(f.name))));
            name_type(f.type);
        }
    }
    name_ports(suite);
}

// Plain integers, booleans and strings need no name of their own.
void Ttcn3Types::name_type(TypeId id) {
    if (types_.count(id) > 0) return;
    const TypeDef& def = program_.types[index(id)];
    const auto* number = std::get_if<type::Int>(&def.kind);
    const auto* one_of = std::get_if<type::OneOf>(&def.kind);
    if (std::holds_alternative<type::Bool>(def.kind) || std::holds_alternative<type::String>(def.kind) ||
        (number != nullptr && !number->low && !number->high) || (one_of != nullptr && one_of->messages.size() == 1))
        return;
    const bool own = def.name != Symbol{};
    types_[id] = names.give("T_" + (own ? identifier(name_of(def.name)) : std::string(word_of(type_word(def)))));
    if (const auto* list = std::get_if<type::ListOf>(&def.kind)) name_type(list->element);
}

bool Ttcn3Types::is_union(TypeId id) const {
    const auto* one_of = std::get_if<type::OneOf>(&program_.types[index(id)].kind);
    return one_of != nullptr && one_of->messages.size() != 1;
}

std::string Ttcn3Types::type(TypeId id) const {
    if (const auto named = types_.find(id); named != types_.end()) return named->second;
    return std::visit(Overloaded{
                          [](const type::Int&) -> std::string { return "integer"; },
                          [](const type::Bool&) -> std::string { return "boolean"; },
                          [](const type::Enum&) -> std::string { return "universal charstring"; },
                          [](const type::String&) -> std::string { return "universal charstring"; },
                          [](const type::Bytes&) -> std::string { return "octetstring"; },
                          [](const type::ListOf&) -> std::string { return "T_values"; },
                          [&](const type::OneOf& t) -> std::string { return messages_[index(t.messages.front())]; },
                      },
                      program_.types[index(id)].kind);
}

// The default ports are there in every model: only where they are used. The system's inputs are what the tester sends.
void Ttcn3Types::name_ports(const SuiteView& suite) {
    std::vector<bool> used(program_.ports.size(), false);
    for (const SuiteTest& t : suite.suite().tests)
        for (const SuiteEvent& e : t.events)
            if (e.kind == SuiteEvent::Kind::input || e.kind == SuiteEvent::Kind::output) used[index(e.port)] = true;
    UniqueNames instances;
    for (uint32_t p = 0; p < program_.ports.size(); ++p) {
        const PortDef& def = program_.ports[p];
        if (!used[p] && def.in.empty() && def.out.empty()) continue;
        const std::string name = identifier(name_of(def.name));
        Port port;
        port.id = PortId{p};
        port.type = names.give("P_" + name);
        port.instance = instances.give("p_" + name);
        port.altstep = names.give("a_" + name);
        port.sent.insert(def.in.begin(), def.in.end());
        port.received.insert(def.out.begin(), def.out.end());
        port.bare_sent = def.bare_in;
        port.bare_received = def.bare_out;
        bare_ = bare_ || def.bare_in || def.bare_out;
        for (uint32_t m = 0; m < program_.messages.size(); ++m) { // such a port takes messages too
            if (def.bare_in) port.sent.insert(MessageId{m});
            if (def.bare_out) port.received.insert(MessageId{m});
        }
        ports_.push_back(std::move(port));
    }
}

const Ttcn3Types::Port& Ttcn3Types::port(PortId id) const {
    return *std::find_if(ports_.begin(), ports_.end(), [=](const Port& p) { return p.id == id; });
}

std::string Ttcn3Types::named(TypeId id, const std::string& name) const {
    return std::visit(Overloaded{
                          [&](const type::Int& t) {
                              return "type integer " + name + " (" + (t.low ? number::to_text(*t.low) : "-infinity") +
                                     " .. " + (t.high ? number::to_text(*t.high) : "infinity") + ");\n";
                          },
                          [](const type::Bool&) { return std::string(); },
                          [&](const type::Enum& t) {
                              std::string values;
                              std::set<std::string> seen;
                              for (const Value v : t.values)
                                  if (std::string text = ttcn3_string(to_text(program_, v)); seen.insert(text).second)
                                      values += (values.empty() ? "" : ", ") + text;
                              return "type universal charstring " + name + " (" + values + ");\n";
                          },
                          [](const type::String&) { return std::string(); },
                          [&](const type::Bytes& t) {
                              return "type octetstring " + name + " length (0 .. " + std::to_string(t.max) + ");\n";
                          },
                          [&](const type::ListOf& t) {
                              return "type record length (0 .. " + std::to_string(t.max) + ") of " + type(t.element) +
                                     " " + name + ";\n";
                          },
                          [&](const type::OneOf& t) {
                              std::string all;
                              for (const MessageId m : t.messages)
                                  all += (all.empty() ? "" : ",") + std::string("\n  ") + message(m) + " " +
                                         alternative(m);
                              return "type union " + name + " {" + all + "\n}\n";
                          },
                      },
                      program_.types[index(id)].kind);
}

// A bare value says of what kind it is.
std::string Ttcn3Types::bare_types() const {
    std::string out = "type record T_fraction {\n  integer numerator,\n  integer denominator\n}\n"
                      "type record of T_value T_values;\n";
    std::string messages;
    for (size_t m = 0; m < messages_.size(); ++m)
        messages += (messages.empty() ? "" : ",") + std::string("\n  ") + messages_[m] + " " + alternatives_[m];
    if (!messages.empty()) out += "type union T_message {" + messages + "\n}\n";
    out += "type union T_value {\n  integer number,\n  T_fraction fraction,\n  boolean truth,\n"
           "  universal charstring symbol,\n  universal charstring characters,\n  octetstring bytes,\n"
           "  T_values items,\n";
    if (!messages.empty()) out += "  T_message sent,\n";
    return out + "  universal charstring printed\n}\n";
}

std::string Ttcn3Types::declarations() const {
    std::string out;
    for (const auto& [id, name] : types_) out += named(id, name);
    for (size_t m = 0; m < messages_.size(); ++m) {
        const MessageDef& def = program_.messages[m];
        out += "// " + printable(name_of(def.name)) + "\ntype record " + messages_[m] + " {";
        for (size_t i = 0; i < def.fields.size(); ++i)
            out += (i == 0 ? "\n  " : ",\n  ") + type(def.fields[i].type) + " " + fields_[m][i];
        out += def.fields.empty() ? "}\n" : "\n}\n";
    }
    if (bare_) out += bare_types();
    for (const Port& p : ports_) {
        std::string in, all_out;
        for (const MessageId m : p.received) in += (in.empty() ? "" : ", ") + message(m);
        for (const MessageId m : p.sent) all_out += (all_out.empty() ? "" : ", ") + message(m);
        if (p.bare_received) in += (in.empty() ? "" : ", ") + std::string("T_value");
        if (p.bare_sent) all_out += (all_out.empty() ? "" : ", ") + std::string("T_value");
        out += "// " + printable(name_of(program_.ports[index(p.id)].name)) + "\ntype port " + p.type + " message {\n";
        if (!in.empty()) out += "  in " + in + ";\n";
        if (!all_out.empty()) out += "  out " + all_out + ";\n";
        out += "}\n";
    }
    return out;
}

} // namespace espalier
