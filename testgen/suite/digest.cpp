#include "testgen/suite/digest.hpp"

#include <algorithm>

#include "testgen/suite/spelling.hpp"
#include "testgen/text/sha256.hpp"

namespace espalier {

namespace {

void append(std::string& out, std::string_view part) { // so that parts cannot run together
    out += std::to_string(part.size());
    out += ':';
    out += part;
}

// What says nothing of the test itself.
bool is_remark(const XmlElement& e) { return e.name == "covers"; }
bool is_remark(const XmlAttribute& a) { return a.name == "signature" || a.name == "at"; }

void append_element(std::string& out, const XmlTree& tree, const XmlElement& e) {
    append(out, e.name);
    std::vector<XmlAttribute> attributes;
    for (const XmlAttribute& a : tree.attributes(e))
        if (!is_remark(a)) attributes.push_back(a);
    std::sort(attributes.begin(), attributes.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    for (const XmlAttribute& a : attributes) {
        append(out, a.name);
        append(out, a.value);
    }
    // Elsewhere text is layout.
    if (e.name == "field" || e.name == "item") append(out, tree.first_child(e) == nullptr ? e.text : "");
}

std::string digest_of(const XmlTree& tree, const XmlElement& test) {
    std::string text;
    append_element(text, tree, test);
    std::vector<const XmlElement*> open; // elements that are left, the next one last; they may be nested deeply
    if (const XmlElement* child = tree.first_child(test)) open.push_back(child);
    while (!open.empty()) {
        const XmlElement& e = *open.back();
        open.pop_back();
        if (const XmlElement* next = tree.next(e)) open.push_back(next);
        if (is_remark(e)) continue;
        text += std::to_string(open.size()) + ">"; // how deep it is
        append_element(text, tree, e);
        if (const XmlElement* child = tree.first_child(e)) open.push_back(child);
    }
    return sha256_hex(text).substr(0, 32);
}

} // namespace

std::vector<TestDigest> test_digests(const XmlTree& suite) {
    std::vector<TestDigest> all;
    for (const XmlElement* e = suite.first_child(suite.root()); e != nullptr; e = suite.next(*e)) {
        const XmlAttribute* id = e->name == "test" ? suite.attribute(*e, "id") : nullptr;
        if (id != nullptr) all.push_back({from_attribute_text(id->value), digest_of(suite, *e)});
    }
    return all;
}

std::vector<TestDigest> test_digests(const Model& model, const Suite& suite) {
    Sources sources;
    Diagnostics diagnostics;
    const auto tree = parse_xml(sources, sources.add("suite", suite_to_xml(model, suite)), diagnostics);
    return tree ? test_digests(*tree) : std::vector<TestDigest>{};
}

} // namespace espalier
