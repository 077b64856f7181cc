// The only place that knows pugixml. It parses in the buffer, so that a name's address is its place in the file; what
// it is lenient about, check_well_formed has refused before.
#include "testgen/text/xml_tree.hpp"

#include <cstring>
#include <pugixml.hpp>

namespace espalier {

const XmlAttribute* XmlTree::attribute(const XmlElement& e, std::string_view name) const {
    for (const XmlAttribute& a : attributes(e)) {
        if (a.name == name) return &a;
    }
    return nullptr;
}

class XmlTreeBuilder {
public:
    XmlTreeBuilder(const std::string& text, FileId file) : file_(file) {
        tree_.buffer_.assign(text.begin(), text.end());
        tree_.buffer_.push_back('\0');
    }

    std::optional<XmlTree> build(Diagnostics& diagnostics) {
        pugi::xml_document document;
        const unsigned options = (pugi::parse_default | pugi::parse_ws_pcdata) & ~pugi::parse_fragment;
        const auto result =
            document.load_buffer_inplace(tree_.buffer_.data(), tree_.buffer_.size() - 1, options, pugi::encoding_utf8);
        if (!result) {
            const auto at = static_cast<uint32_t>(result.offset);
            diagnostics.error({file_, at, at}, std::string("this is not XML: ") + result.description());
            return std::nullopt;
        }
        pugi::xml_node node = document.document_element();
        uint32_t parent = add(node);
        // In the order of the file: down, then on, then up.
        std::vector<uint32_t> open;         // the elements whose children are being added
        std::vector<uint32_t> last_child{}; // of each of them; 0: none yet
        pugi::xml_node child = node.first_child();
        open.push_back(parent);
        last_child.push_back(0);
        while (!open.empty()) {
            while (child && child.type() != pugi::node_element) {
                add_text(open.back(), child);
                child = child.next_sibling();
            }
            if (!child) {
                child = node.next_sibling();
                node = node.parent();
                open.pop_back();
                last_child.pop_back();
                continue;
            }
            const uint32_t self = add(child);
            uint32_t& before = last_child.back();
            (before == 0 ? tree_.elements_[open.back()].first_child : tree_.elements_[before].next) = self;
            before = self;
            open.push_back(self);
            last_child.push_back(0);
            node = child;
            child = node.first_child();
        }
        return std::move(tree_);
    }

private:
    Span span(const char* start, size_t size) const {
        const auto begin = static_cast<uint32_t>(start - tree_.buffer_.data());
        return {file_, begin, begin + static_cast<uint32_t>(size)};
    }

    uint32_t add(pugi::xml_node node) {
        XmlElement e;
        e.name = node.name();
        e.at = span(node.name(), e.name.size());
        e.first_attribute = static_cast<uint32_t>(tree_.attributes_.size());
        for (const pugi::xml_attribute a : node.attributes()) {
            XmlAttribute made{a.name(), a.value(), {}, {}};
            made.name_at = span(a.name(), made.name.size());
            // An empty value is a constant of pugixml's, outside the buffer.
            made.value_at = made.value.empty() ? made.name_at : span(a.value(), made.value.size());
            tree_.attributes_.push_back(made);
        }
        e.attribute_count = static_cast<uint32_t>(tree_.attributes_.size()) - e.first_attribute;
        tree_.elements_.push_back(e);
        return static_cast<uint32_t>(tree_.elements_.size() - 1);
    }

    void add_text(uint32_t element, pugi::xml_node node) {
        const std::string_view piece = node.value();
        std::string_view& text = tree_.elements_[element].text;
        if (piece.empty()) return;
        if (text.empty()) {
            text = piece;
            return;
        }
        // Pieces come one after the other, so the last joined text is this element's, if it has one; growing it in
        // place keeps the cost linear.
        if (tree_.joined_.empty() || joined_for_ != element) {
            tree_.joined_.emplace_back(text);
            joined_for_ = element;
        }
        tree_.joined_.back() += piece;
        text = tree_.joined_.back();
    }

    FileId file_;
    XmlTree tree_;
    uint32_t joined_for_ = UINT32_MAX;
};

std::optional<XmlTree> parse_xml(const Sources& sources, FileId file, Diagnostics& diagnostics) {
    if (sources.text(file).size() >= UINT32_MAX) {
        diagnostics.error({file, 0, 0}, "the file is too large: at most 4 GiB can be read");
        return std::nullopt;
    }
    if (!check_well_formed(sources, file, diagnostics)) return std::nullopt;
    return XmlTreeBuilder(sources.text(file), file).build(diagnostics);
}

} // namespace espalier
