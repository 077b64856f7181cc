// The messages and values of a suite: what stands in `input` and `output`.
#pragma once

#include <map>
#include <unordered_map>

#include "testgen/suite/elements.hpp"

namespace espalier {

class SuiteValues {
public:
    SuiteValues(const Program& program, Heap& heap, SuiteElements& elements);

    void begin_test(); // fresh values are bound for one test
    // Port and value of an `input` or `output`; false after an error.
    bool read(const XmlElement& e, SuiteEvent& event);
    // The fresh values that it binds and refers to.
    const std::vector<uint32_t>& binds() const { return binds_; }
    const std::vector<uint32_t>& refs() const { return refs_; }
    std::string name(uint32_t number) const;
    const std::map<uint32_t, std::string>& fresh_names() const { return names_; }
    const std::map<uint32_t, std::string>& fresh_ranges() const { return ranges_; }

private:
    using Field = std::unordered_map<std::string_view, uint32_t>;
    std::optional<Value> bare(const XmlElement& e, SuiteEvent& event);
    std::optional<Value> message(const XmlElement& e, MessageId id);
    std::optional<Value> nested_message(const XmlElement& field, std::optional<TypeId> type);
    std::optional<Value> list(const XmlElement& e, std::optional<TypeId> type);
    std::optional<Value> content(const XmlElement& e, std::optional<TypeId> type);
    std::optional<Value> spelt(const XmlElement& e, std::string_view given, std::optional<TypeId> type);
    std::optional<Value> text(const XmlElement& e, std::string_view given, std::optional<TypeId> type);
    std::optional<Value> datum(const XmlElement& e, std::string_view text, std::optional<TypeId> type);
    std::optional<Value> fresh(const XmlElement& e, const XmlAttribute& name, bool binds, std::optional<TypeId> type);
    bool differs(const XmlElement& e, const XmlAttribute& names);
    uint32_t number_of(std::string_view name);
    const Field& fields_of(MessageId id);
    std::nullopt_t fail(Span at, std::string text) {
        elements_.error(at, std::move(text));
        return std::nullopt;
    }

    const Program& program_;
    Heap& heap_;
    SuiteElements& elements_;
    std::unordered_map<std::string_view, PortId> ports_;
    std::unordered_map<std::string_view, MessageId> messages_;
    std::map<ValueWord, TypeId> types_; // the first of each kind
    std::map<MessageId, Field> fields_;
    std::map<TypeId, std::unordered_map<std::string, Value>> enums_;
    // Of one test
    std::map<std::string, uint32_t, std::less<>> numbers_;
    std::map<uint32_t, std::string> names_; // where they are not "x<number>"
    std::map<uint32_t, std::string> ranges_;
    // Of one exchange
    bool input_ = false;
    uint32_t depth_ = 0;
    std::vector<uint32_t> place_;
    std::vector<FreshUse> uses_;
    std::vector<uint32_t> binds_, refs_;
};

} // namespace espalier
