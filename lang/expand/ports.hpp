// Ports: what each carries, in which direction, and whether a use of it agrees.
#pragma once

#include <unordered_set>

#include "lang/expand/part.hpp"

namespace espalier {

class Ports : Part {
public:
    explicit Ports(Expansion& all); // defines the default ports, which carry bare values

    void define(DatumId d, Scope* scope);
    std::optional<PortId> static_port(CoreId source) const; // the port that it certainly is
    // The operand, or an error where it is certainly a port and something else is wanted.
    CoreId not_a_port(CoreId operand, const char* wanted, std::string hint);
    void check_direction(const CoreClause& clause, Span place); // of a wait
    // An error where the port does not carry the value out; no_core: nothing is wrong.
    CoreId check_write(PortId port, CoreId value, DatumId port_datum, DatumId value_datum);

private:
    // A definition, (define-port name …): the ports that it names, which carry the same.
    struct Definition {
        std::vector<PortId> ids;
        std::vector<DatumId> parts;
        Scope* scope;
    };
    void declare_contents(const Definition& def);
    void add_direction(const Definition& def, DatumId word, std::span<const DatumId> messages);
    void mark_broken(const Definition& def);
    bool is_broken(PortId port) const;

    std::unordered_set<uint32_t> broken_; // an error was said already: what they carry is not known
};

} // namespace espalier
