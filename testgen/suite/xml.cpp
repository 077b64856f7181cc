// A suite as XML, valid against suite.xsd.
#include <tinyxml2.h>

#include <set>

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
    void differs_from();
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
    const SuiteTest* test_ = nullptr;     // the one being written
    std::set<uint32_t> bound_;            // fresh values that one of its outputs has bound
    const std::vector<FreshUse>* uses_{}; // of what is being written
    bool input_ = false;                  // what is being written is one
    std::vector<uint32_t> place_;         // in the message being written
};

// Characters that XML cannot carry are written as in the language: \x7;
void Writer::text(const std::string& raw) {
    if (needs_escapes(raw)) attribute("escaped", "true");
    out_.PushText((needs_escapes(raw) ? escape(raw) : raw).c_str());
}

void Writer::fresh(uint32_t number) {
    const auto named = test_->fresh_names.find(number);
    const bool first = !input_ && bound_.insert(number).second;
    attribute(first ? "bind" : "ref", named == test_->fresh_names.end() ? "x" + std::to_string(number) : named->second);
    const auto range = test_->fresh_ranges.find(number);
    if (first && range != test_->fresh_ranges.end()) attribute("within", range->second);
    if (first && uses_ != nullptr) differs_from();
}

// A value that the tester does not know yet cannot be avoided, nor need it be: the system has not chosen it. The
// system's own must differ, whichever comes first.
void Writer::differs_from() {
    std::string names;
    for (const FreshUse& use : *uses_) {
        if (use.equal || use.place != place_ || (input_ && bound_.count(use.fresh) == 0)) continue;
        const auto named = test_->fresh_names.find(use.fresh);
        names += (names.empty() ? "" : " ") +
                 (named == test_->fresh_names.end() ? "x" + std::to_string(use.fresh) : named->second);
    }
    if (!names.empty()) attribute("not", names);
}

void Writer::fields(const Message& m) {
    const MessageDef& def = program_.messages[index(m.message)];
    for (uint32_t i = 0; i < m.count; ++i)
        field(std::string(name_of(def.fields[i].name)), def.fields[i].type, m.fields[i], i);
}

// `type` is the declared one; a bare value has none, and is spelt by what it is.
void Writer::content(std::optional<TypeId> type, Value v) {
    if (uses_ != nullptr && !is_type(v, ObjectType::fresh)) differs_from(); // one that is sent back says it all
    if (is_type(v, ObjectType::fresh)) {
        fresh(v.as_object()->count);
    } else if (v == Value::any()) {
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
            attribute("type", list != nullptr ? type_word(program_.types[index(list->element)])
                                              : value_type_word(program_, item));
            place_.push_back(i++);
            content(list != nullptr ? std::optional(list->element) : std::nullopt, item);
            place_.pop_back();
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
    attribute("type", type ? type_word(program_.types[index(*type)]) : value_type_word(program_, value));
    place_.push_back(place);
    content(type, value);
    place_.pop_back();
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
    const bool input = input_ = e.kind == SuiteEvent::Kind::input;
    const PortDef& on = program_.ports[index(e.port)];
    out_.OpenElement(input ? "input" : "output");
    attribute("port", name_of(on.name));
    uses_ = e.fresh.empty() ? nullptr : &e.fresh;
    // A message called `value`, on a port for bare values, would read as one of those.
    const bool message = is_type(e.value, ObjectType::message);
    const std::string_view name =
        message ? name_of(program_.messages[index(as_message(e.value).message)].name) : "value";
    attribute("message", name);
    if (!e.printed.empty()) {
        out_.OpenElement("field", false);
        attribute("name", "value");
        attribute("type", "other");
        text(e.printed);
        out_.CloseElement();
    } else if (message && (name != "value" || !(input ? on.bare_in : on.bare_out))) {
        fields(as_message(e.value));
    } else {
        out_.OpenElement("field", false);
        attribute("name", "value");
        attribute("type", value_type_word(program_, e.value));
        content(std::nullopt, e.value);
        out_.CloseElement();
    }
    uses_ = nullptr;
    out_.CloseElement();
}

void Writer::test(const SuiteTest& t) {
    test_ = &t;
    bound_.clear();
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
    out_.PushAttribute("depth", suite_.depth);
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
