// Messages: what the model and its tester exchange.
#pragma once

#include "lang/expand/part.hpp"

namespace espalier {

class Messages : Part {
public:
    explicit Messages(Expansion& all) : Part(all) {}

    void define(DatumId d, Scope* scope);
    std::optional<MessageId> named(DatumId d, const Scope* scope);                // says what is wrong
    void check_field(MessageId message, uint32_t field, Value value, Span place); // a literal outside the field's type

private:
    std::optional<DatumId> parse_field(DatumId d, MessageId message, bool last); // its type
    void parse_where(DatumId d, std::span<const DatumId> parts, MessageId message, bool last);
    void declare_operators(MessageId message, DatumId name, Scope* scope);
};

} // namespace espalier
