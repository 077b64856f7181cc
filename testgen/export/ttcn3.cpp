// A suite as a TTCN-3 module (ETSI ES 201 873-1): types, ports, a component that is the tester, and a test case for
// each test. Codecs and test ports, which know how messages travel, are the user's.
//
// Between two steps of the tester, outputs come in order on each port, and in any order between ports: each port has a
// queue of its own, so that they can be taken from the queues in the order in which the suite lists them. Before
// the tester's next step nothing more may come for a while, nor at the end, unless that is left open. Where the system
// had a choice, what is not as the test says may be another choice: then the verdict is inconc.
#include "testgen/export/exporter.hpp"
#include "testgen/export/ttcn3_types.hpp"
#include "testgen/suite/value_range.hpp"
#include "testgen/text/escapes.hpp"

namespace espalier {

namespace {

class TestCase {
public:
    explicit TestCase(Ttcn3Types& types) : types_(types) {}

    std::string write(const TestView& t, const std::string& name, const Program& program) {
        std::string out = "// " + printable(t.id) + "\n";
        for (const TargetId id : t.covers)
            out += "// covers " + printable(target_id(program.targets[index(id)])) + "\n";
        if (!t.error.empty()) out += "// the model itself is in error at the end: " + printable(t.error) + "\n";
        for (const StepView& s : t.steps) step(s);
        out += "testcase " + name + "() runs on Tester system Tester {\n";
        out += variables_ + "  f_begin();\n" + body_;
        if (ended_) return out + "}\n";
        out += t.open_end ? "  // what the system does after this is left open\n" : "  f_quiet();\n";
        return out + "  setverdict(pass);\n}\n";
    }

private:
    void line(const std::string& text) { body_ += "  " + text + "\n"; }

    void step(const StepView& s) {
        if (ended_) return;
        switch (s.kind) {
        case SuiteEvent::Kind::input: return input(s);
        case SuiteEvent::Kind::output: return output(s);
        case SuiteEvent::Kind::wait: line("f_quiet();"); return line("f_wait(" + s.units.text() + ".0);");
        case SuiteEvent::Kind::choice:
            return line("v_open := true; // the system takes its alternative " + std::to_string(s.taken));
        case SuiteEvent::Kind::schedule:
            return line("v_open := true; // the system lets turn " + std::to_string(s.taken) + " go on");
        }
    }

    // A suite by hand may send what no output has bound. There is nothing to send then, and the test ends here.
    bool sends_unknown(const std::vector<FieldView>& fields) {
        for (const FieldView& f : fields) {
            if (f.value.is == ValueView::Is::ref && fresh_.count(f.value.text) == 0) {
                line("setverdict(inconc, " + ttcn3_string("no output has given a value to " + f.value.text) + ");");
                return ended_ = true;
            }
            if (sends_unknown(f.value.parts)) return true;
        }
        return false;
    }

    void input(const StepView& s) {
        if (sends_unknown(s.fields)) return;
        line("f_quiet();");
        after_.clear();
        output_ = false;
        const std::string value = message(s, "");
        for (const std::string& check : after_) line(check); // before it is sent
        line(types_.port(s.port_id).instance + ".send(" + value + ");");
    }

    void output(const StepView& s) {
        after_.clear();
        here_.clear();
        output_ = true;
        const Ttcn3Types::Port& port = types_.port(s.port_id);
        const std::string received = "v_m" + std::to_string(++messages_);
        const std::string expected = message(s, received);
        const bool kept = !after_.empty();
        if (kept)
            variables_ += "  var " + (s.bare ? "T_value" : types_.message(*s.message_id)) + " " + received + ";\n";
        line("t_answer.start(par_timeout);");
        line("alt {");
        line("  [] " + port.instance + ".receive(" + expected + ")" + (kept ? " -> value " + received : "") +
             " { t_answer.stop; }");
        line("  [] " + port.altstep + "();");
        line("}");
        for (const std::string& check : after_) line(check);
        told_apart();
    }

    std::string message(const StepView& s, const std::string& path) {
        if (s.bare) return "T_value:" + value(s.fields.front().value, path);
        return types_.message(*s.message_id) + ":" + fields(*s.message_id, s.fields, path);
    }

    std::string fields(MessageId id, const std::vector<FieldView>& all, const std::string& path) {
        std::string out;
        for (size_t i = 0; i < all.size(); ++i)
            out += (i == 0 ? " " : ", ") + types_.field(id, i) +
                   " := " + value(all[i].value, path + "." + types_.field(id, i));
        return "{" + out + (out.empty() ? "}" : " }");
    }

    // `path` is where the value stands in a message that was received.
    std::string value(const ValueView& v, const std::string& path) {
        const bool bare = !v.declared;
        std::string made;
        switch (v.is) {
        case ValueView::Is::any: return "?";
        case ValueView::Is::bind: return bind(v, path);
        case ValueView::Is::ref: return reference(v, path);
        case ValueView::Is::printed: return "{ printed := " + ttcn3_string(v.text) + " }";
        case ValueView::Is::truth: made = bare ? "{ truth := " + v.text + " }" : v.text; break;
        case ValueView::Is::text: made = text(v, bare); break;
        case ValueView::Is::list: {
            const std::string inside = bare ? path + ".items" : path;
            for (size_t i = 0; i < v.parts.size(); ++i)
                made += (i == 0 ? " " : ", ") + value(v.parts[i].value, inside + "[" + std::to_string(i) + "]");
            made = "{" + made + (made.empty() ? "}" : " }");
            if (bare) made = "{ items := " + made + " }";
            break;
        }
        case ValueView::Is::message: {
            const MessageId id = types_.message_called(v.text);
            const std::string& name = types_.alternative(id);
            if (bare)
                made = "{ sent := { " + name + " := " + fields(id, v.parts, path + ".sent." + name) + " } }";
            else if (types_.is_union(*v.declared))
                made = "{ " + name + " := " + fields(id, v.parts, path + "." + name) + " }";
            else
                made = fields(id, v.parts, path);
            break;
        }
        }
        for (const std::string& other : v.differs_from) avoids(v, made, other);
        return made;
    }

    static std::string text(const ValueView& v, bool bare) {
        if (v.type == ValueWord::integer) {
            const size_t slash = v.text.find('/');
            if (slash != std::string::npos)
                return "{ fraction := { " + v.text.substr(0, slash) + ", " + v.text.substr(slash + 1) + " } }";
            return bare ? "{ number := " + v.text + " }" : v.text;
        }
        if (v.type == ValueWord::bytes) return bare ? "{ bytes := '" + v.text + "'O }" : "'" + v.text + "'O";
        const std::string string = ttcn3_string(v.text);
        return !bare ? string
                     : std::string("{ ") + (v.type == ValueWord::string ? "characters" : "symbol") + " := " + string +
                           " }";
    }

    std::string type_of(const ValueView& v) const { return v.declared ? types_.type(*v.declared) : "T_value"; }

    // The system's choice: kept, and told apart from those that it must differ from.
    std::string bind(const ValueView& v, const std::string& path) {
        Fresh& fresh = fresh_[v.text];
        if (fresh.variable.empty()) {
            fresh.variable = names_.give("x_" + identifier(v.text));
            fresh.type = type_of(v);
            fresh.word = v.type;
            variables_ += "  var " + fresh.type + " " + fresh.variable + "; // " + printable(v.text) + "\n";
        }
        after_.push_back(fresh.variable + " := " + path + ";");
        for (const std::string& other : v.differs_from) apart_.emplace_back(v.text, other);
        here_.insert(v.text);
        return chosen(v);
    }

    // What the system may choose, where TTCN-3 has a template for it: integers.
    static std::string chosen(const ValueView& v) {
        const auto range = v.within.empty() ? nullptr : ValueRange::parse(v.within).value_or(nullptr);
        const auto bounds = range == nullptr ? std::nullopt : range->bounds();
        if (!bounds) return "?";
        const std::string between = "(" + bounds->first + " .. " + bounds->second + ")";
        return v.declared ? between : "{ number := " + between + " }";
    }

    std::string reference(const ValueView& v, const std::string& path) {
        std::string known = as(fresh_.at(v.text), v);
        if (!output_ || here_.count(v.text) == 0) return known;
        after_.push_back("if (" + path + " != " + known + ") { f_wrong(" +
                         ttcn3_string("not twice the same value, " + v.text) + "); }");
        return "?";
    }

    struct Fresh {
        std::string variable, type;
        ValueWord word = ValueWord::any;
        bool bare() const { return type == "T_value"; }
    };

    // The alternative of T_value.
    static std::string kind_of(ValueWord word) {
        switch (word) {
        case ValueWord::integer: return "number";
        case ValueWord::boolean: return "truth";
        case ValueWord::string: return "characters";
        case ValueWord::bytes: return "bytes";
        case ValueWord::list: return "items";
        case ValueWord::enumeration:
        case ValueWord::message:
        case ValueWord::any:
        case ValueWord::other: break;
        }
        return "symbol";
    }

    // A bare value may be bound and then used in a message, or the other way round.
    static std::string as(const Fresh& fresh, const ValueView& v) {
        const bool bare = !v.declared;
        if (bare == fresh.bare()) return fresh.variable;
        return bare ? "{ " + kind_of(v.type) + " := " + fresh.variable + " }" : fresh.variable + "." + kind_of(v.type);
    }

    // Of values that the system must not have chosen equal, those that are both known by now.
    void told_apart() {
        std::vector<std::pair<std::string, std::string>> left;
        for (auto& [name, other] : apart_) {
            if (fresh_.count(other) == 0) {
                left.emplace_back(name, other);
                continue;
            }
            const std::string equal = are_equal(fresh_.at(name), fresh_.at(other));
            if (equal.empty()) continue;
            std::string why = "the system chose for ";
            why.append(name).append(" the value of ").append(other);
            line("if (" + equal + ") { f_wrong(" + ttcn3_string(why) + "); }");
        }
        apart_ = std::move(left);
    }

    // Empty where they cannot be, or where TTCN-3 cannot compare them: lists and messages of different types.
    static std::string are_equal(const Fresh& a, const Fresh& b) {
        if (a.type == b.type) return a.variable + " == " + b.variable;
        if (a.word != b.word || a.word == ValueWord::list || a.word == ValueWord::message) return "";
        if (a.bare() == b.bare()) return a.variable + " == " + b.variable;
        const Fresh &bare = a.bare() ? a : b, &declared = a.bare() ? b : a;
        return "match(" + bare.variable + ", T_value:{ " + kind_of(a.word) + " := " + declared.variable + " })";
    }

    // The tester may not send what the system has chosen; what it would send is fixed, so the test says nothing then.
    void avoids(const ValueView& v, const std::string& made, const std::string& other) {
        const Fresh& fresh = fresh_.at(other);
        const bool leaf = v.is == ValueView::Is::text || v.is == ValueView::Is::truth;
        std::string equal;
        if (leaf && !fresh.bare())
            equal = fresh.variable + " == " + (v.is == ValueView::Is::truth ? v.text : text(v, false));
        else if (fresh.bare() == !v.declared)
            equal = "match(" + fresh.variable + ", " + fresh.type + ":" + made + ")";
        else
            return; // a list or message that is bare on one side only: TTCN-3 cannot compare them
        after_.push_back("if (" + equal + ") { f_taken(" + ttcn3_string(other) + "); }");
    }

    Ttcn3Types& types_;
    std::string variables_, body_;
    UniqueNames names_;
    std::map<std::string, Fresh> fresh_;                     // by its name in the suite
    std::vector<std::pair<std::string, std::string>> apart_; // names that must differ, to be looked at
    std::vector<std::string> after_;                         // what is to be done with a message
    std::set<std::string> here_;                             // bound by the message at hand
    size_t messages_ = 0;
    bool output_ = false;
    bool ended_ = false;
};

// What every test case uses.
std::string common(const Ttcn3Types& types) {
    std::string ports, maps, others, quiet;
    for (const Ttcn3Types::Port& p : types.ports()) {
        ports += "  port " + p.type + " " + p.instance + ";\n";
        maps += "  map(mtc:" + p.instance + ", system:" + p.instance + ");\n";
        if (!p.receives()) continue;
        others += "altstep " + p.altstep + "() runs on Tester {\n  [] " + p.instance +
                  ".receive { f_wrong(\"another message on " + p.instance + "\"); }\n" +
                  "  [] t_answer.timeout { f_wrong(\"no message on " + p.instance + "\"); }\n}\n";
        quiet += "    [] " + p.instance + ".receive { f_wrong(\"a message too many on " + p.instance + "\"); }\n";
    }
    return "// Seconds in a unit of the model's time; how long an answer may take; for how long nothing may come.\n"
           "modulepar float par_unit := 1.0;\n"
           "modulepar float par_timeout := 2.0;\n"
           "modulepar float par_quiet := 0.1;\n"
           "type component Tester {\n" +
           ports +
           "  timer t_answer;\n  timer t_quiet;\n  timer t_wait;\n"
           "  var boolean v_open := false; // the system had a choice\n}\n"
           "function f_begin() runs on Tester {\n" +
           maps +
           "}\n"
           "function f_wrong(universal charstring p_why) runs on Tester {\n"
           "  if (v_open) { setverdict(inconc, p_why); }\n  else { setverdict(fail, p_why); }\n  stop;\n}\n"
           "function f_taken(universal charstring p_name) runs on Tester {\n"
           "  setverdict(inconc, \"the system chose the value that was to differ from it: \", p_name);\n  stop;\n}\n" +
           others + "function f_quiet() runs on Tester {\n  t_quiet.start(par_quiet);\n  alt {\n" + quiet +
           "    [] t_quiet.timeout { }\n  }\n}\n"
           "// What comes meanwhile waits in the ports' queues.\n"
           "function f_wait(float p_units) runs on Tester {\n  t_wait.start(p_units * par_unit);\n"
           "  t_wait.timeout;\n}\n";
}

} // namespace

void export_ttcn3(const SuiteView& suite, const Sink& sink) {
    Ttcn3Types types(suite);
    sink("// Tests for " + printable(suite.suite().model) + "\nmodule " + types.module + " {\n" + types.declarations() +
         common(types));
    std::string control;
    for (size_t t = 0; t < suite.test_count(); ++t) {
        const TestView test = suite.test(t);
        const std::string name = types.names.give("tc_" + identifier(test.id));
        sink(TestCase(types).write(test, name, suite.program()));
        control += "  execute(" + name + "());\n";
    }
    sink("control {\n" + control + "}\n}\n");
}

} // namespace espalier
