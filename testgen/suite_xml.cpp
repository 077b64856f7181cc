// A suite as XML, valid against suite.xsd.
#include <tinyxml2.h>

#include "testgen/suite.hpp"
#include "testgen/suite_text.hpp"

namespace espalier {

namespace {

class Writer {
public:
    Writer(const Model& model, const Suite& suite) : model_(model), program_(*model.program), suite_(suite) {}
    std::string write();

private:
    void test(const SuiteTest& t);
    void event(const SuiteEvent& e);
    void field(const std::string& name, const char* type, Value value);
    void content(Value value);
    void text(const std::string& raw);
    // Relative to the model's folder, so that a suite does not depend on where the tool was started.
    std::string place(Span span) const {
        const std::string full = model_.sources.place(span);
        const std::string& main = model_.sources.path(FileId{0});
        const size_t folder = main.rfind('/') == std::string::npos ? 0 : main.rfind('/') + 1;
        return full.compare(0, folder, main, 0, folder) == 0 ? full.substr(folder) : full;
    }
    std::string_view port(PortId p) const { return name_of(program_.ports[index(p)].name); }
    void attribute(const char* name, std::string_view value) {
        out_.PushAttribute(name, attribute_text(value).c_str());
    }

    const Model& model_;
    const Program& program_;
    const Suite& suite_;
    tinyxml2::XMLPrinter out_;
    std::vector<bool> bound_; // fresh values that an output has bound
};

const char* type_word(const TypeDef& type) {
    static constexpr const char* words[] = {"int", "bool", "enum", "string", "bytes", "list", "message"};
    return words[type.kind.index()];
}

// Characters that XML cannot carry are written as in the language: \x7;
void Writer::text(const std::string& raw) {
    if (needs_escapes(raw)) attribute("escaped", "true");
    out_.PushText((needs_escapes(raw) ? escape(raw) : raw).c_str());
}

void Writer::content(Value v) {
    if (is_type(v, ObjectType::message)) {
        const Message& m = as_message(v);
        const MessageDef& def = program_.messages[index(m.message)];
        out_.OpenElement("message");
        attribute("name", name_of(def.name));
        for (uint32_t i = 0; i < m.count; ++i) {
            field(std::string(name_of(def.fields[i].name)), type_word(program_.types[index(def.fields[i].type)]),
                  m.fields[i]);
        }
        out_.CloseElement();
    } else if (is_pair(v)) {
        for (; is_pair(v); v = as_pair(v).cdr) {
            out_.OpenElement("item");
            attribute("type", value_type_word(as_pair(v).car));
            content(as_pair(v).car);
            out_.CloseElement();
        }
    } else if (is_type(v, ObjectType::fresh)) {
        const uint32_t number = v.as_object()->count;
        if (bound_.size() <= number) bound_.resize(number + 1, false);
        attribute(bound_[number] ? "ref" : "bind", "x" + std::to_string(number));
        bound_[number] = true;
    } else if (v == Value::any()) {
        attribute("any", "true");
    } else if (is_type(v, ObjectType::string)) {
        text(to_utf8(as_string(v)));
    } else if (is_type(v, ObjectType::bytevector)) {
        text(to_hex(as_bytevector(v)));
    } else if (!v.is_null()) {
        text(to_text(program_, v));
    }
}

void Writer::field(const std::string& name, const char* type, Value value) {
    out_.OpenElement("field", false);
    attribute("name", name);
    attribute("type", type);
    content(value);
    out_.CloseElement();
}

void Writer::event(const SuiteEvent& e) {
    switch (e.kind) {
    case SuiteEvent::Kind::wait:
        out_.OpenElement("wait");
        out_.PushAttribute("units", e.units);
        out_.CloseElement();
        return;
    case SuiteEvent::Kind::choice:
        out_.OpenElement("choice");
        out_.PushAttribute("taken", e.taken);
        out_.PushAttribute("of", e.alternatives);
        out_.CloseElement();
        return;
    case SuiteEvent::Kind::input:
    case SuiteEvent::Kind::output: break;
    }
    out_.OpenElement(e.kind == SuiteEvent::Kind::input ? "input" : "output");
    attribute("port", port(e.port));
    if (is_type(e.value, ObjectType::message)) {
        const Message& m = as_message(e.value);
        const MessageDef& def = program_.messages[index(m.message)];
        attribute("message", name_of(def.name));
        for (uint32_t i = 0; i < m.count; ++i) {
            field(std::string(name_of(def.fields[i].name)), type_word(program_.types[index(def.fields[i].type)]),
                  m.fields[i]);
        }
    } else {
        attribute("message", "value");
        field("value", value_type_word(e.value), e.value);
    }
    out_.CloseElement();
}

void Writer::test(const SuiteTest& t) {
    bound_.clear();
    out_.OpenElement("test");
    attribute("id", t.id);
    attribute("signature", t.signature);
    if (!t.error.empty()) attribute("error", t.error);
    for (TargetId id : t.covers) {
        out_.OpenElement("covers");
        attribute("target", target_id(program_.targets[index(id)]));
        out_.CloseElement();
    }
    for (const SuiteEvent& e : t.events) event(e);
    out_.CloseElement();
}

std::string Writer::write() {
    out_.PushHeader(false, true);
    out_.OpenElement("suite");
    attribute("xmlns", "urn:espalier:suite:1");
    attribute("model", suite_.model);
    out_.PushAttribute("depth", suite_.depth);
    attribute("seed", std::to_string(suite_.seed));
    attribute("complete", suite_.complete ? "true" : "false");
    for (const SuiteTest& t : suite_.tests) test(t);
    out_.OpenElement("targets");
    for (uint32_t i = 0; i < suite_.targets.size(); ++i) {
        const TargetResult& r = suite_.targets[i];
        out_.OpenElement("target");
        attribute("id", target_id(program_.targets[i]));
        attribute("status", r.status == TargetStatus::covered      ? "covered"
                            : r.status == TargetStatus::infeasible ? "infeasible"
                                                                   : "unreached");
        if (r.test) attribute("test", suite_.tests[*r.test].id);
        attribute("at", place(program_.targets[i].span));
        out_.CloseElement();
    }
    out_.CloseElement();
    out_.CloseElement();
    return std::string(out_.CStr()) + "\n";
}

} // namespace

std::string suite_to_xml(const Model& model, const Suite& suite) { return Writer(model, suite).write(); }

} // namespace espalier
