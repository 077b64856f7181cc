// What the readers of a suite's parts share: looking at the attributes and children of an element, and reporting those
// that should not be there.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "testgen/suite/reader.hpp"
#include "testgen/suite/value_range.hpp"

namespace espalier {

// How a field or item speaks of values that the system chooses: by one of these attributes, or by `not` beside a value
// of its own.
struct SpokenOf {
    const XmlAttribute *bind = nullptr, *ref = nullptr, *other = nullptr;
    bool any = false;
    std::shared_ptr<const ValueRange> within; // beside `bind`; null: any of its type
};

class SuiteElements {
public:
    SuiteElements(const XmlTree& tree, Diagnostics& diagnostics) : tree_(tree), diagnostics_(diagnostics) {}

    void error(Span at, std::string text) {
        if (!full()) diagnostics_.error(at, std::move(text));
    }
    void warning(Span at, std::string text) { diagnostics_.warning(at, std::move(text)); }
    bool full() const { return diagnostics_.error_count() >= most_suite_errors; }
    size_t errors() const { return diagnostics_.error_count(); }

    // Every attribute is one of these, and the required ones are there.
    bool attributes_are(const XmlElement& e, std::initializer_list<std::string_view> required,
                        std::initializer_list<std::string_view> optional);
    // No text but blanks.
    bool no_text(const XmlElement& e);
    bool no_children(const XmlElement& e);
    bool unknown(const XmlElement& e, std::string_view inside);

    const XmlElement* first_child(const XmlElement& e) const { return tree_.first_child(e); }
    const XmlElement* next(const XmlElement& e) const { return tree_.next(e); }
    const XmlAttribute* find(const XmlElement& e, std::string_view name) const { return tree_.attribute(e, name); }
    std::span<const XmlAttribute> attributes(const XmlElement& e) const { return tree_.attributes(e); }
    // Of an attribute that is there, with escapes resolved.
    std::string value(const XmlElement& e, std::string_view name) const;

    // Where there is such an attribute. Blanks around the value are no part of it, as in XML Schema.
    std::optional<uint64_t> number(const XmlElement& e, std::string_view name, uint64_t most);
    std::optional<bool> boolean(const XmlElement& e, std::string_view name);
    // Nothing where the attributes contradict each other, or where an input or output cannot say that.
    std::optional<SpokenOf> spoken_of(const XmlElement& e, bool input);

private:
    const XmlTree& tree_;
    Diagnostics& diagnostics_;
};

std::string_view without_blanks(std::string_view text); // at its ends
bool is_ncname(std::string_view text);
std::string shown(std::string_view name); // in quotes, and cut where it is very long

} // namespace espalier
