// The types of a model as TTCN-3 types, and the names that everything has there. Names begin with a prefix (T_, M_,
// P_, f_, …), so that none is a keyword or a name of the language, and each is given out once.
//
// A message is a record, a one-of a union, a list a record of. An enum is a string with listed values, since its values
// are data of any kind and since the same value may be in several enums; TTCN-3's enumerated types share nothing.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "testgen/suite/view.hpp"
#include "testgen/text/unique_names.hpp"

namespace espalier {

class Ttcn3Types {
public:
    explicit Ttcn3Types(const SuiteView& suite);

    std::string module;
    UniqueNames names; // of the module

    // "integer", "T_code"
    std::string type(TypeId id) const;
    const std::string& message(MessageId id) const { return messages_[index(id)]; }
    const std::string& field(MessageId id, size_t number) const { return fields_[index(id)][number]; }
    // The union's alternative for a message: in a one-of, and in a bare value.
    const std::string& alternative(MessageId id) const { return alternatives_[index(id)]; }
    MessageId message_called(std::string_view name) const { return by_name_.find(name)->second; }
    bool is_union(TypeId id) const; // a one-of of several messages

    struct Port {
        PortId id;
        std::string type, instance, altstep;
        std::set<MessageId> sent, received; // by the tester
        bool bare_sent = false, bare_received = false;
        bool receives() const { return bare_received || !received.empty(); }
    };
    const std::vector<Port>& ports() const { return ports_; }
    const Port& port(PortId id) const;

    std::string declarations() const;

private:
    std::string named(TypeId id, const std::string& name) const; // the declaration of a type that has a name
    void name_type(TypeId id);
    void name_ports(const SuiteView& suite);
    std::string bare_types() const;

    const Program& program_;
    std::vector<std::string> messages_, alternatives_;
    std::vector<std::vector<std::string>> fields_;
    std::map<TypeId, std::string> types_; // those with a name, that some message needs
    std::map<std::string_view, MessageId> by_name_;
    std::vector<Port> ports_;
    bool bare_ = false; // some port carries bare values
};

} // namespace espalier
