// A suite as XML, valid against suite.xsd.
#include <tinyxml2.h>

#include "testgen/suite/fresh_names.hpp"
#include "testgen/suite/spelling.hpp"
#include "testgen/suite/suite.hpp"
#include "testgen/suite/view.hpp"

namespace espalier {

namespace {

class Writer {
public:
    Writer(const Model& model, const Suite& suite, const Sink& sink)
        : model_(model), program_(*model.program), suite_(suite), sink_(sink) {}
    void write();

private:
    void test(const SuiteTest& t);
    void event(const SuiteEvent& e);
    void fields(const Message& m);
    void field(const std::string& name, std::optional<TypeId> type, Value value, uint32_t place);
    void content(std::optional<TypeId> type, Value value);
    void fresh(uint32_t number);
    void differs_from(const std::vector<std::string>& names);
    void text(const std::string& raw);
    void pass_on(); // what the printer holds: its buffer must stay below two gigabytes
    std::string place(Span span) const { return place_in_model(model_, span); }
    void attribute(const char* name, std::string_view value) {
        out_.PushAttribute(name, attribute_text(value).c_str());
    }

    const Model& model_;
    const Program& program_;
    const Suite& suite_;
    const Sink& sink_;
    tinyxml2::XMLPrinter out_;
    std::optional<FreshNames> fresh_; // of the test that is being written
};

// Characters that XML cannot carry are written as in the language: \x7;
void Writer::text(const std::string& raw) {
    if (needs_escapes(raw)) attribute("escaped", "true");
    out_.PushText((needs_escapes(raw) ? escape(raw) : raw).c_str());
}

void Writer::fresh(uint32_t number) {
    const FreshNames::Said said = fresh_->say(number);
    attribute(said.binds ? "bind" : "ref", said.name);
    if (!said.within.empty()) attribute("within", said.within);
    differs_from(said.differs_from);
}

void Writer::differs_from(const std::vector<std::string>& names) {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : " ") + name;
    if (!all.empty()) attribute("not", all);
}

void Writer::fields(const Message& m) {
    const MessageDef& def = program_.messages[index(m.message)];
    for (uint32_t i = 0; i < m.count; ++i)
        field(std::string(name_of(def.fields[i].name)), def.fields[i].type, m.fields[i], i);
}

// `type` is the declared one; a bare value has none, and is spelt by what it is.
void Writer::content(std::optional<TypeId> type, Value v) {
    if (is_type(v, ObjectType::fresh)) return fresh(v.as_object()->count);
    differs_from(fresh_->differs_from());
    if (v == Value::any()) {
        attribute("any", "true");
    } else if (type && std::holds_alternative<type::Enum>(program_.types[index(*type)].kind)) {
        text(to_text(program_, v)); // as a datum, since an enum may have both the symbol and the string
    } else if (is_type(v, ObjectType::message)) {
        out_.OpenElement("message");
        attribute("name", name_of(program_.messages[index(as_message(v).message)].name));
        fields(as_message(v));
        out_.CloseElement();
    } else if (is_pair(v)) {
        const auto* list = type ? std::get_if<type::ListOf>(&program_.types[index(*type)].kind) : nullptr;
        for (uint32_t i = 0; is_pair(v); v = as_pair(v).cdr) {
            const Value item = as_pair(v).car;
            out_.OpenElement("item");
            const auto element = list != nullptr ? std::optional(list->element) : std::nullopt;
            attribute("type", word_of(type_word(program_, element, item)));
            const FreshNames::Part part(*fresh_, i++);
            content(element, item);
            out_.CloseElement();
        }
    } else if (is_type(v, ObjectType::string)) {
        text(to_utf8(as_string(v)));
    } else if (is_type(v, ObjectType::bytevector)) {
        text(to_hex(as_bytevector(v)));
    } else if (!v.is_null()) {
        text(to_text(program_, v));
    }
}

void Writer::field(const std::string& name, std::optional<TypeId> type, Value value, uint32_t place) {
    out_.OpenElement("field", false);
    attribute("name", name);
    attribute("type", word_of(type_word(program_, type, value)));
    const FreshNames::Part part(*fresh_, place);
    content(type, value);
    out_.CloseElement();
}

void Writer::event(const SuiteEvent& e) {
    switch (e.kind) {
    case SuiteEvent::Kind::wait:
        out_.OpenElement("wait");
        out_.PushAttribute("units", e.units.text().c_str());
        out_.CloseElement();
        return;
    case SuiteEvent::Kind::choice:
        out_.OpenElement("choice");
        out_.PushAttribute("taken", e.taken);
        if (e.alternatives > 0) out_.PushAttribute("of", e.alternatives);
        out_.CloseElement();
        return;
    case SuiteEvent::Kind::schedule: {
        out_.OpenElement("schedule");
        out_.PushAttribute("turn", e.taken);
        std::string of;
        for (const uint32_t thread : e.ready) of += (of.empty() ? "" : " ") + std::to_string(thread);
        attribute("of", of);
        out_.CloseElement();
        return;
    }
    case SuiteEvent::Kind::input:
    case SuiteEvent::Kind::output: break;
    }
    fresh_->begin(e);
    out_.OpenElement(e.kind == SuiteEvent::Kind::input ? "input" : "output");
    attribute("port", name_of(program_.ports[index(e.port)].name));
    const bool bare = is_bare(program_, e);
    attribute("message", bare ? "value" : name_of(program_.messages[index(as_message(e.value).message)].name));
    if (!e.printed.empty()) {
        out_.OpenElement("field", false);
        attribute("name", "value");
        attribute("type", "other");
        text(e.printed);
        out_.CloseElement();
    } else if (!bare) {
        fields(as_message(e.value));
    } else {
        out_.OpenElement("field", false);
        attribute("name", "value");
        attribute("type", word_of(type_word(program_, e.value)));
        content(std::nullopt, e.value);
        out_.CloseElement();
    }
    out_.CloseElement();
}

void Writer::test(const SuiteTest& t) {
    fresh_.emplace(t);
    out_.OpenElement("test");
    attribute("id", t.id);
    attribute("signature", t.signature);
    if (t.open_end) attribute("end", "open");
    if (!t.error.empty()) {
        attribute("error", t.error);
        if (t.error_at.known()) attribute("at", place(t.error_at));
    }
    for (TargetId id : t.covers) {
        out_.OpenElement("covers");
        attribute("target", target_id(program_.targets[index(id)]));
        out_.CloseElement();
    }
    for (const SuiteEvent& e : t.events) event(e);
    out_.CloseElement();
}

void Writer::pass_on() {
    sink_({out_.CStr(), static_cast<size_t>(out_.CStrSize() - 1)});
    out_.ClearBuffer(false);
}

void Writer::write() {
    out_.PushHeader(false, true);
    out_.OpenElement("suite");
    attribute("xmlns", "urn:espalier:suite:1");
    attribute("model", suite_.model);
    out_.PushAttribute("depth", depth_text(suite_.depth).c_str());
    attribute("seed", std::to_string(suite_.seed));
    attribute("complete", suite_.complete ? "true" : "false");
    for (const SuiteTest& t : suite_.tests) {
        test(t);
        pass_on();
    }
    out_.OpenElement("targets");
    for (uint32_t i = 0; i < suite_.targets.size(); ++i) {
        const TargetResult& r = suite_.targets[i];
        if (!r.listed) continue; // a suite by hand says nothing of it
        out_.OpenElement("target");
        attribute("id", target_id(program_.targets[i]));
        attribute("status", word_of(r.status));
        if (r.proof) attribute("proof", proof_word(*r.proof));
        if (r.test) attribute("test", suite_.tests[*r.test].id);
        attribute("at", place(program_.targets[i].span));
        out_.CloseElement();
    }
    out_.CloseElement();
    out_.CloseElement();
    pass_on();
    sink_("\n");
}

} // namespace

void suite_to_xml(const Model& model, const Suite& suite, const Sink& sink) { Writer(model, suite, sink).write(); }

std::string suite_to_xml(const Model& model, const Suite& suite) {
    std::string xml;
    suite_to_xml(model, suite, [&](std::string_view part) { xml += part; });
    return xml;
}

} // namespace espalier
