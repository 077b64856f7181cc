// A suite that a person can follow by hand: what to do, what must come back, what to write down on the way.
#include <set>

#include "testgen/export/exporter.hpp"
#include "testgen/text/escapes.hpp"

namespace espalier {

namespace {

std::string counted(size_t n, const std::string& what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

class Writer {
public:
    Writer(const SuiteView& suite, const Sink& sink) : suite_(suite), sink_(sink) {}

    void write() {
        head();
        for (size_t t = 0; t < suite_.test_count(); ++t) {
            std::string out;
            test(out, t, suite_.test(t));
            sink_(out);
        }
        targets();
    }

private:
    void head() {
        const auto listed = suite_.targets();
        size_t covered = 0;
        for (const TargetId id : listed)
            if (suite_.suite().targets[index(id)].status == TargetStatus::covered) ++covered;
        std::string out =
            "# Tests for " + markdown_text(suite_.suite().model) + "\n\n" + counted(suite_.test_count(), "test");
        if (!listed.empty())
            out += "; " + std::to_string(covered) + " of " + counted(listed.size(), "target") + " covered";
        if (!suite_.suite().complete) out += "; the search was ended before it was done";
        sink_(out + ".\n\n"
                    "Begin each test with the system as it is after a start. Go through the steps in order. What is "
                    "expected between two things that you do comes in order on each port, and in any order between "
                    "ports; the test has failed when something else comes, or nothing.\n");
    }

    void test(std::string& out, size_t number, const TestView& t) {
        out += "\n## " + std::to_string(number + 1) + ". " + markdown_text(t.id) + "\n\n";
        covered(out, t);
        size_t step = 0;
        for (const StepView& s : t.steps) {
            const std::string label = std::to_string(++step) + ". ";
            out += label;
            describe(out, s, std::string(label.size(), ' '));
        }
        if (!t.error.empty()) {
            out += "\nThe model itself is in error here: " + markdown_code(t.error);
            if (!t.error_at.empty()) out += ", at " + markdown_code(t.error_at);
            out += ".\n";
        }
        if (t.steps.empty())
            out += t.open_end ? "Nothing is to be done.\n" : "Nothing is to be done, and nothing comes.\n";
        if (t.open_end) out += "\nWhat the system does after this is left open: whatever comes then is no failure.\n";
    }

    void covered(std::string& out, const TestView& t) {
        std::string others;
        bool any = false;
        for (const TargetId id : t.covers) {
            const Target& target = suite_.program().targets[index(id)];
            if (target.kind != TargetKind::requirement) {
                others += (others.empty() ? "" : ", ") + markdown_code(target_id(target));
                continue;
            }
            if (!any) out += "Requirements:\n\n";
            any = true;
            out += "- **" + markdown_text(target.name) + "** " + markdown_text(target.text) + "\n";
        }
        if (any) out += "\n";
        if (!others.empty()) out += "Covers " + others + ".\n\n";
    }

    static void describe(std::string& out, const StepView& s, const std::string& indent) {
        switch (s.kind) {
        case SuiteEvent::Kind::input:
        case SuiteEvent::Kind::output: {
            const bool input = s.kind == SuiteEvent::Kind::input;
            out += std::string(input ? "**Send**" : "**Expect**") + " on " + markdown_code(s.port);
            if (s.bare) {
                out += " the value ";
                value(out, s.fields.front().value);
                out += "\n";
                return;
            }
            out += " the message " + markdown_code(s.message) + (s.fields.empty() ? "" : ":") + "\n";
            for (const FieldView& f : s.fields) {
                out += indent + "- " + markdown_code(f.name) + " = ";
                value(out, f.value);
                out += "\n";
            }
            return;
        }
        case SuiteEvent::Kind::wait:
            out += "**Wait** for " + s.units.text() + (s.units == 1 ? " unit" : " units") + " of time\n";
            return;
        case SuiteEvent::Kind::choice:
            out += "The system takes its alternative number " + std::to_string(s.taken + 1);
            if (s.of) out += " of " + std::to_string(*s.of);
            out += "; if it takes another one, the test says nothing\n";
            return;
        case SuiteEvent::Kind::schedule:
            out += "Of " + counted(s.threads.size(), "thread") + " that can go on, the system takes number " +
                   std::to_string(s.taken + 1) + "; if it takes another one, the test says nothing\n";
            return;
        }
    }

    static void value(std::string& out, const ValueView& v) {
        switch (v.is) {
        case ValueView::Is::bind:
            out += v.within.empty() ? "any value" : "any value of " + markdown_code(v.within);
            for (const std::string& name : v.differs_from)
                out += (&name == v.differs_from.data() ? " other than **" : " and **") + markdown_text(name) + "**";
            out += "; write it down as **" + markdown_text(v.text) + "**";
            return;
        case ValueView::Is::ref: out += "what you wrote down as **" + markdown_text(v.text) + "**"; break;
        case ValueView::Is::any: out += "any value"; break;
        case ValueView::Is::text:
        case ValueView::Is::truth:
        case ValueView::Is::printed: out += markdown_code(v.datum); break;
        case ValueView::Is::list:
        case ValueView::Is::message: {
            out += markdown_code(v.datum);
            std::string inside;
            std::set<std::string> said;
            names(inside, v.parts, said);
            if (!inside.empty()) out += ", where " + inside;
            break;
        }
        }
        for (const std::string& name : v.differs_from)
            out += ", or another value if that is **" + markdown_text(name) + "**";
    }

    // Inside a list or message: what its names mean.
    static void names(std::string& out, const std::vector<FieldView>& parts, std::set<std::string>& said) {
        for (const FieldView& f : parts) {
            const bool bind = f.value.is == ValueView::Is::bind, ref = f.value.is == ValueView::Is::ref;
            if ((bind || ref) && said.insert(f.value.text).second)
                out += (out.empty() ? "" : " and ") + markdown_code(f.value.text) +
                       (!bind ? " is what you wrote down"
                        : f.value.within.empty()
                            ? " is any value, to be written down"
                            : " is any value of " + markdown_code(f.value.within) + ", to be written down");
            for (const std::string& name : f.value.differs_from)
                out += (out.empty() ? "" : " and ") + markdown_code(f.value.datum) + " must not be **" +
                       markdown_text(name) + "**";
            names(out, f.value.parts, said);
        }
    }

    void targets() {
        const auto listed = suite_.targets();
        if (listed.empty()) return;
        sink_("\n## Targets\n\n| target | status | test | place |\n| --- | --- | --- | --- |\n");
        for (const TargetId id : listed) {
            const TargetView t = suite_.target(id);
            const std::string status = t.status + (t.proof.empty() ? "" : " (" + t.proof + ")");
            sink_("| " + markdown_text(t.id) + " | " + status + " | " + markdown_text(t.test) + " | " +
                  markdown_text(t.at) + " |\n");
        }
    }

    const SuiteView& suite_;
    const Sink& sink_;
};

} // namespace

void export_markdown(const SuiteView& suite, const Sink& sink) { Writer(suite, sink).write(); }

} // namespace espalier
