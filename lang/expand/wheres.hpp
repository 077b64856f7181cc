// What the tester may send: the `where` of each message as a procedure, which asks those of the messages inside it too.
#pragma once

#include "lang/expand/part.hpp"

namespace espalier {

class Wheres : Part {
public:
    explicit Wheres(Expansion& all) : Part(all) {}

    void add(MessageId message, DatumId condition); // as the author wrote it
    void define_all();                              // when all messages are known
    void add_test(CoreClause& clause); // from a port, the tester sends only what the message's `where` allows

private:
    bool needed(TypeId type) const;                       // some message inside a value of the type has a `where`
    CoreId nested(TypeId type, LocalId value, Span span); // asks them all; no_core: nothing to ask
    GlobalId of_any_message();                            // the `where` of whichever message it is
    void check_nesting(MessageId message, std::vector<uint8_t>& seen); // no message contains itself
    void find_needed(std::span<const DatumId> own);
    void define(MessageId message, DatumId own);
    CoreId of_one_message(const type::OneOf& type, LocalId value, Span span);
    CoreId of_each_element(TypeId element, LocalId list, Span span);
    CoreId ask(GlobalId where, LocalId message, Span span);

    std::vector<std::pair<MessageId, DatumId>> written_;
    std::optional<GlobalId> of_any_;
};

} // namespace espalier
