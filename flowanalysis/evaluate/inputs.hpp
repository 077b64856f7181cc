// Types as abstract values: what the tester may send, and what a field may hold.
//
// A message that the tester sends is one abstract object for each type of message; its fields are all that
// their types allow.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "flowanalysis/evaluate/literals.hpp"
#include "flowanalysis/state/memory.hpp"

namespace espalier::flow {

class Inputs {
public:
    Inputs(Context& context, Memory& memory, Literals& literals);
    ValueId of_type(TypeId type);
    ValueId messages_of(uint32_t port);         // all that may come in by the port, but for bare values
    ValueId any_input();                        // a bare value of no particular type: any data
    ValueId limited_to(ValueId v, TypeId type); // what is left of the value where it belongs to the type

private:
    ValueId input_message(MessageId m);

    const Program& program_;
    const Objects& objects_;
    Domain& domain_;
    Memory& memory_;
    Literals& literals_;
    std::unordered_map<uint32_t, ValueId> typed_; // by TypeId
    std::unordered_map<uint32_t, ValueId> port_messages_;
    ValueId any_input_ = bottom; // once it is known
};

} // namespace espalier::flow
