#include "testgen/execute/suite.hpp"

#include <set>

#include "testgen/suite/elements.hpp"
#include "testgen/suite/spelling.hpp"
#include "testgen/suite/steps.hpp"

namespace espalier {

namespace {

class Reader {
public:
    Reader(const XmlTree& tree, Diagnostics& diagnostics) : root_(tree.root()), elements_(tree, diagnostics) {}

    std::optional<ExecutableSuite> read() {
        Suite head;
        if (!read_head(elements_, root_, head)) return std::nullopt;
        suite_.model = head.model;
        for (const XmlElement* e = elements_.first_child(root_); e != nullptr && !elements_.full();
             e = elements_.next(*e)) {
            if (e->name == "test")
                test(*e);
            else if (e->name != "targets") // nothing that an execution speaks of
                elements_.unknown(*e, "suite");
        }
        if (elements_.errors() > 0) return std::nullopt;
        return std::move(suite_);
    }

private:
    void test(const XmlElement& e) {
        if (!elements_.attributes_are(e, {"id"}, {"signature", "end", "error", "at"}) || !elements_.no_text(e)) return;
        ExecutableTest t;
        t.in_suite = e.at;
        t.id = without_blanks(elements_.find(e, "id")->value);
        const Span id_at = elements_.find(e, "id")->value_at;
        if (!is_ncname(t.id)) elements_.error(id_at, shown(t.id) + " is not a name");
        if (!ids_.insert(t.id).second) elements_.error(id_at, "there is a test " + shown(t.id) + " before");
        t.error = elements_.value(e, "error");
        t.open_end = read_open_end(elements_, e);
        t.stages.emplace_back();
        bound_.clear();
        awaited_.clear();
        apart_.clear();
        for (const XmlElement* c = elements_.first_child(e); c != nullptr && !elements_.full(); c = elements_.next(*c))
            if (c->name != "covers") event(*c, t);
        end_of_stage(t);
        t.apart = std::move(apart_);
        suite_.tests.push_back(std::move(t));
    }

    void event(const XmlElement& e, ExecutableTest& t) {
        if (e.name == "input" || e.name == "output") {
            input_ = e.name == "input";
            if (input_) end_of_stage(t);
            Exchange made;
            if (!exchange(e, made)) return;
            if (input_) {
                end_of_stage(t); // what it refers to must be known before it is sent
                t.stages.push_back({TestInput{std::move(made)}, e.at, {}, {}});
            } else {
                t.stages.back().outputs.push_back({std::move(made), e.at});
            }
            return;
        }
        SuiteEvent made;
        if (!read_step(elements_, e, made)) return;
        if (made.kind == SuiteEvent::Kind::wait) {
            end_of_stage(t);
            t.stages.push_back({TestWait{made.units}, e.at, {}, {}});
            return;
        }
        std::string text;
        if (made.kind == SuiteEvent::Kind::choice) {
            text = "choice " + std::to_string(made.taken) +
                   (made.alternatives == 0 ? "" : " of " + std::to_string(made.alternatives));
        } else {
            text = "schedule turn " + std::to_string(made.taken) + " of the threads";
            for (const uint32_t thread : made.ready) text += " " + std::to_string(thread);
        }
        t.stages.back().decisions.push_back({std::move(text), e.at});
        t.has_decisions = true;
    }

    // Outputs of one stage may come in another order, so each may refer to what any of them binds.
    void end_of_stage(ExecutableTest& t) {
        for (const std::string& name : awaited_)
            if (bound_.count(name) == 0 && t.misnamed.empty()) t.misnamed = name;
        awaited_.clear();
    }

    bool exchange(const XmlElement& e, Exchange& out) {
        if (!elements_.attributes_are(e, {"port", "message"}, {}) || !elements_.no_text(e)) return false;
        out.port = elements_.value(e, "port");
        out.message = elements_.value(e, "message");
        return fields(e, out.fields);
    }

    bool fields(const XmlElement& e, std::vector<TestField>& out) {
        if (depth_ >= deepest_spelt) return fail(e.at, "the value is nested too deeply");
        ++depth_;
        const size_t before = elements_.errors();
        std::set<std::string> names;
        for (const XmlElement* f = elements_.first_child(e); f != nullptr && !elements_.full();
             f = elements_.next(*f)) {
            if (f->name != "field") {
                elements_.unknown(*f, e.name);
                continue;
            }
            if (!elements_.attributes_are(*f, {"name", "type"}, {"escaped", "bind", "within", "ref", "not", "any"}))
                continue;
            TestField made{elements_.value(*f, "name"), {}};
            if (!names.insert(made.name).second)
                fail(elements_.find(*f, "name")->value_at, "the field " + shown(made.name) + " is given twice");
            if (content(*f, made.value)) out.push_back(std::move(made));
        }
        --depth_;
        return elements_.errors() == before;
    }

    // Of a field or item: a value in words, or one of the ways to speak of values that the system chooses.
    bool content(const XmlElement& e, TestValue& out) {
        const XmlAttribute& word = *elements_.find(e, "type");
        const auto type = value_of<ValueWord>(without_blanks(word.value));
        if (!type) return fail(word.value_at, "there is no type " + shown(word.value));
        const auto spoken = elements_.spoken_of(e, input_);
        if (!spoken) return false;
        if (spoken->any) {
            out.kind = Anything{};
            return true;
        }
        if (spoken->other != nullptr && !differs(*spoken->other, spoken->bind, out)) return false;
        if (spoken->bind != nullptr) {
            if (!named(*spoken->bind, *type, true, out)) return false;
            std::get<Named>(out.kind).within = spoken->within;
            return true;
        }
        if (spoken->ref != nullptr) return named(*spoken->ref, *type, false, out);
        return spelt(e, *type, out);
    }

    bool named(const XmlAttribute& attribute, ValueWord type, bool binds, TestValue& out) {
        const std::string name(without_blanks(attribute.value));
        if (!is_ncname(name)) return fail(attribute.value_at, shown(name) + " is not a name");
        if (binds)
            bound_.insert(name);
        else
            awaited_.push_back(name);
        out.kind = Named{name, type};
        return true;
    }

    bool differs(const XmlAttribute& names, const XmlAttribute* bind, TestValue& out) {
        std::string_view rest = without_blanks(names.value);
        if (rest.empty()) return fail(names.value_at, "`not` names one or more values that outputs have bound");
        while (!rest.empty()) {
            const size_t end = std::min(rest.find_first_of(" \t\n\r"), rest.size());
            const std::string name(rest.substr(0, end));
            rest = without_blanks(rest.substr(end));
            if (!is_ncname(name)) return fail(names.value_at, shown(name) + " is not a name");
            awaited_.push_back(name);
            out.differs_from.push_back(name);
            if (bind == nullptr) continue;
            const std::string own(without_blanks(bind->value));
            if (own == name) return fail(names.value_at, shown(name) + " cannot differ from itself");
            apart_.insert({own, name});
            apart_.insert({name, own});
        }
        return true;
    }

    bool spelt(const XmlElement& e, ValueWord type, TestValue& out) {
        if (type == ValueWord::list) return list(e, out.kind.emplace<ListOf>());
        if (type == ValueWord::message) {
            const XmlElement* inside = elements_.first_child(e);
            if (!elements_.no_text(e)) return false;
            if (inside == nullptr || inside->name != "message" || elements_.next(*inside) != nullptr)
                return fail(e.at, "a value of type `message` is one element `message`");
            if (!elements_.attributes_are(*inside, {"name"}, {}) || !elements_.no_text(*inside)) return false;
            auto& made = out.kind.emplace<MessageOf>();
            made.name = elements_.value(*inside, "name");
            return fields(*inside, made.fields);
        }
        if (const XmlElement* child = elements_.first_child(e))
            return fail(child->at, "a value of type " + shown(elements_.find(e, "type")->value) + " is text");
        std::string raw(e.text);
        if (elements_.boolean(e, "escaped").value_or(false)) {
            auto plain = unescape(raw);
            if (!plain)
                return fail(e.at, "a backslash in escaped text begins `\\xHEX;`, with the number of a character");
            raw = std::move(*plain);
        }
        auto made = read_literal(type, raw);
        if (!made) return fail(e.at, shown(raw) + " is not of type " + shown(elements_.find(e, "type")->value));
        if (input_ && type == ValueWord::other) return fail(e.at, "only an output may be what prints so");
        out.kind = std::move(*made);
        return true;
    }

    bool list(const XmlElement& e, ListOf& out) {
        if (!elements_.no_text(e)) return false;
        if (depth_ >= deepest_spelt) return fail(e.at, "the value is nested too deeply");
        ++depth_;
        const size_t before = elements_.errors();
        for (const XmlElement* i = elements_.first_child(e); i != nullptr && !elements_.full();
             i = elements_.next(*i)) {
            if (i->name != "item")
                elements_.unknown(*i, "a value of type list");
            else if (elements_.attributes_are(*i, {"type"}, {"escaped", "bind", "within", "ref", "not", "any"}))
                content(*i, out.items.emplace_back());
        }
        --depth_;
        return elements_.errors() == before;
    }

    bool fail(Span at, std::string text) {
        elements_.error(at, std::move(text));
        return false;
    }

    const XmlElement& root_;
    SuiteElements elements_;
    ExecutableSuite suite_;
    std::set<std::string> ids_;
    std::set<std::string> bound_;      // names that the test's outputs have given
    std::vector<std::string> awaited_; // that the current stage uses
    NamesApart apart_;
    bool input_ = false;
    uint32_t depth_ = 0;
};

} // namespace

std::optional<ExecutableSuite> read_executable_suite(const XmlTree& tree, Diagnostics& diagnostics) {
    return Reader(tree, diagnostics).read();
}

} // namespace espalier
