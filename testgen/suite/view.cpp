#include "testgen/suite/view.hpp"

#include "testgen/suite/fresh_names.hpp"
#include "testgen/suite/spelling.hpp"

namespace espalier {

namespace {

class TestViewer {
public:
    TestViewer(const Program& program, const SuiteTest& test) : program_(program), fresh_(test) {}

    StepView step(const SuiteEvent& e) {
        StepView s;
        s.kind = e.kind;
        switch (e.kind) {
        case SuiteEvent::Kind::wait: s.units = e.units; return s;
        case SuiteEvent::Kind::choice:
            s.taken = e.taken;
            if (e.alternatives > 0) s.of = e.alternatives;
            return s;
        case SuiteEvent::Kind::schedule:
            s.taken = e.taken;
            s.threads = e.ready;
            return s;
        case SuiteEvent::Kind::input:
        case SuiteEvent::Kind::output: break;
        }
        fresh_.begin(e);
        s.port_id = e.port;
        s.port = name_of(program_.ports[index(e.port)].name);
        exchange(e, s);
        return s;
    }

private:
    void exchange(const SuiteEvent& e, StepView& s) {
        s.bare = is_bare(program_, e);
        if (!s.bare) {
            s.message_id = as_message(e.value).message;
            s.message = name_of(program_.messages[index(*s.message_id)].name);
            s.fields = fields(as_message(e.value));
            s.datum = message_datum(s.message, s.fields);
            return;
        }
        s.message = "value";
        ValueView v;
        if (e.printed.empty()) {
            v = value(std::nullopt, e.value);
        } else {
            v.is = ValueView::Is::printed;
            v.type = ValueWord::other;
            v.text = v.datum = e.printed;
        }
        s.datum = v.datum;
        s.fields.push_back({"value", std::move(v)});
    }

    std::vector<FieldView> fields(const Message& m) {
        const MessageDef& def = program_.messages[index(m.message)];
        std::vector<FieldView> all;
        for (uint32_t i = 0; i < m.count; ++i) {
            const FreshNames::Part part(fresh_, i);
            all.push_back({std::string(name_of(def.fields[i].name)), value(def.fields[i].type, m.fields[i])});
        }
        return all;
    }

    ValueView value(std::optional<TypeId> type, Value v) {
        ValueView made;
        made.declared = type;
        made.type = type_word(program_, type, v);
        if (is_type(v, ObjectType::fresh)) {
            FreshNames::Said said = fresh_.say(v.as_object()->count);
            made.is = said.binds ? ValueView::Is::bind : ValueView::Is::ref;
            made.text = made.datum = said.name;
            made.within = std::move(said.within);
            made.differs_from = std::move(said.differs_from);
            return made;
        }
        made.differs_from = fresh_.differs_from();
        spell(type, v, made);
        return made;
    }

    void spell(std::optional<TypeId> type, Value v, ValueView& made) {
        if (v == Value::any()) {
            made.is = ValueView::Is::any;
            made.datum = "(any)";
        } else if (type && std::holds_alternative<type::Enum>(program_.types[index(*type)].kind)) {
            made.text = made.datum = to_text(program_, v);
        } else if (is_type(v, ObjectType::message)) {
            made.is = ValueView::Is::message;
            made.text = name_of(program_.messages[index(as_message(v).message)].name);
            made.parts = fields(as_message(v));
            made.datum = message_datum(made.text, made.parts);
        } else if (is_pair(v) || v.is_null()) {
            list(type, v, made);
        } else if (v.is_boolean()) {
            made.is = ValueView::Is::truth;
            made.datum = to_text(program_, v);
            made.text = v == Value::boolean(true) ? "true" : "false";
        } else {
            made.datum = to_text(program_, v);
            made.text = is_type(v, ObjectType::string)       ? to_utf8(as_string(v))
                        : is_type(v, ObjectType::bytevector) ? to_hex(as_bytevector(v))
                                                             : made.datum;
        }
    }

    void list(std::optional<TypeId> type, Value v, ValueView& made) {
        const auto* of = type ? std::get_if<type::ListOf>(&program_.types[index(*type)].kind) : nullptr;
        made.is = ValueView::Is::list;
        made.datum = "(";
        for (uint32_t i = 0; is_pair(v); v = as_pair(v).cdr, ++i) {
            const FreshNames::Part part(fresh_, i);
            made.parts.push_back(
                {"", value(of != nullptr ? std::optional(of->element) : std::nullopt, as_pair(v).car)});
            made.datum += (i == 0 ? "" : " ") + made.parts.back().value.datum;
        }
        made.datum += ")";
    }

    static std::string message_datum(const std::string& name, const std::vector<FieldView>& fields) {
        std::string text = "(" + name;
        for (const FieldView& f : fields) text += " " + f.value.datum;
        return text + ")";
    }

    const Program& program_;
    FreshNames fresh_;
};

} // namespace

const char* kind_word(SuiteEvent::Kind kind) {
    switch (kind) {
    case SuiteEvent::Kind::input: return "input";
    case SuiteEvent::Kind::output: return "output";
    case SuiteEvent::Kind::wait: return "wait";
    case SuiteEvent::Kind::choice: return "choice";
    case SuiteEvent::Kind::schedule: return "schedule";
    }
    return "";
}

std::string place_in_model(const Model& model, Span span) {
    std::string full = model.sources.place(span);
    const std::string& main = model.sources.path(FileId{0});
    const size_t folder = main.rfind('/') == std::string::npos ? 0 : main.rfind('/') + 1;
    return full.compare(0, folder, main, 0, folder) == 0 ? full.substr(folder) : full;
}

TestView SuiteView::test(size_t number) const {
    const SuiteTest& test = suite_.tests[number];
    TestView view{test.id, test.signature, test.error, {}, test.open_end, test.covers, {}};
    if (!test.error.empty() && test.error_at.known()) view.error_at = place_in_model(model_, test.error_at);
    TestViewer viewer(program(), test);
    for (const SuiteEvent& e : test.events) view.steps.push_back(viewer.step(e));
    return view;
}

std::vector<TargetId> SuiteView::targets() const {
    std::vector<TargetId> listed;
    for (uint32_t i = 0; i < suite_.targets.size(); ++i)
        if (suite_.targets[i].listed) listed.push_back(TargetId{i});
    return listed;
}

TargetView SuiteView::target(TargetId id) const {
    const Target& target = program().targets[index(id)];
    const TargetResult& result = suite_.targets[index(id)];
    return {target_id(target),
            std::string(criterion_name(target.kind)),
            std::string(word_of(result.status)),
            place_in_model(model_, target.span),
            result.proof ? std::string(proof_word(*result.proof)) : std::string(),
            target.kind == TargetKind::requirement ? target.text : std::string(),
            result.test ? suite_.tests[*result.test].id : std::string()};
}

} // namespace espalier
