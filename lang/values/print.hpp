// Values as text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "lang/values/heap.hpp"

namespace espalier {

// Names that a value does not carry: the program gives them.
class ValueNames {
public:
    virtual ~ValueNames() = default;
    virtual std::string_view port_name(PortId id) const = 0;
    virtual std::string_view record_name(RecordId id) const = 0;
    virtual std::string_view message_name(MessageId id) const = 0;
    virtual std::string_view procedure_name(LambdaId id) const = 0;
};

enum class Style { display, write };
// Never recurses; a vector or record inside itself prints as #<cycle>, and what would take more than 16 MB
// ends in "…".
std::string to_text(const ValueNames& names, Value v, Style style = Style::write);
// Without names (null), what only a program can name prints as #<record>, #<message> and so on.
std::string to_text(const ValueNames* names, Value v, Style style, size_t most_bytes);
// "car: 5 is not a pair"; for a fresh value, what one may do with those.
std::string wrong_operand(const ValueNames* names, std::string_view operation, Value v, std::string_view wanted);
std::string to_utf8(const String& s);

} // namespace espalier
