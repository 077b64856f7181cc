// An XML file as a plain tree that knows where everything stands, so that what is wrong with a suite can be shown with
// its place.
//
//   const FileId file = sources.add("suite.xml", text);
//   if (const auto tree = parse_xml(sources, file, diagnostics))
//       for (const XmlElement* test = tree->first_child(tree->root()); test; test = tree->next(*test)) …
//
// Costs are linear in the file's size whatever stands in it, and nothing recurses. Document types are refused, and with
// them all entities but XML's own five: a small file cannot become a large tree.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lang/lang.hpp"

namespace espalier {

struct XmlAttribute {
    std::string_view name, value; // references resolved
    Span name_at, value_at;
};

struct XmlElement {
    std::string_view name;
    std::string_view text; // all of its own, without its children's; comments do not part it
    Span at;               // of the name
    uint32_t first_attribute = 0, attribute_count = 0;
    uint32_t first_child = 0, next = 0; // 0: none, since nothing leads to the root
};

class XmlTree {
public:
    const XmlElement& root() const { return elements_[0]; }
    const XmlElement* first_child(const XmlElement& e) const { return at(e.first_child); }
    const XmlElement* next(const XmlElement& e) const { return at(e.next); }
    std::span<const XmlAttribute> attributes(const XmlElement& e) const {
        return {attributes_.data() + e.first_attribute, e.attribute_count};
    }
    const XmlAttribute* attribute(const XmlElement& e, std::string_view name) const;

private:
    friend class XmlTreeBuilder;
    const XmlElement* at(uint32_t i) const { return i == 0 ? nullptr : &elements_[i]; }

    std::vector<char> buffer_; // that the views look into
    std::deque<std::string> joined_;
    std::vector<XmlElement> elements_;
    std::vector<XmlAttribute> attributes_;
};

// Nothing after an error, which is in `diagnostics`.
std::optional<XmlTree> parse_xml(const Sources& sources, FileId file, Diagnostics& diagnostics);

// What is not well-formed about it (XML 1.0, without a document type), as one error; true where nothing is.
bool check_well_formed(const Sources& sources, FileId file, Diagnostics& diagnostics);

} // namespace espalier
