// The exchange format of Test-Comp (gitlab.com/sosy-lab/software/test-format, version 1.1): an archive with
// metadata.xml and a file for each test, which lists the inputs in the order in which the program takes them. The
// format is made for programs that read numbers; a message is written as its name, then its fields. What a system must
// answer has no place in it.
#include <array>
#include <cstdlib>
#include <ctime>

#include "testgen/export/exporter.hpp"
#include "testgen/text/escapes.hpp"
#include "testgen/text/sha256.hpp"
#include "testgen/text/zip.hpp"

namespace espalier {

namespace {

constexpr const char* declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";

std::string document_type(const std::string& name) {
    return std::string(declaration) + "<!DOCTYPE " + (name == "testcase" ? "testcase" : "test-metadata") +
           " PUBLIC \"+//IDN sosy-lab.org//DTD test-format " + name + " 1.1//EN\" \"https://sosy-lab.org/test-format/" +
           name + "-1.1.dtd\">\n";
}

// The format asks for a time, and the same suite must be the same bytes: it is that of SOURCE_DATE_EPOCH, as is usual
// for reproducible files, else the first that an archive can say.
std::string creation_time() {
    const char* given = std::getenv("SOURCE_DATE_EPOCH");
    constexpr std::time_t year_1980 = 315'532'800;
    char* end = nullptr;
    std::time_t seconds = given == nullptr ? year_1980 : static_cast<std::time_t>(std::strtoll(given, &end, 10));
    if (given != nullptr && (end == given || *end != '\0')) seconds = year_1980;
    std::tm parts{};
    std::array<char, 64> text{};
    if (gmtime_r(&seconds, &parts) == nullptr ||
        std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        return "1980-01-01T00:00:00Z";
    return text.data();
}

std::string metadata(const SuiteView& suite) {
    const auto element = [](const std::string& name, const std::string& content) {
        return "  <" + name + ">" + xml_text(content) + "</" + name + ">\n";
    };
    std::string criteria;
    Criteria spoken_of;
    for (const TargetId id : suite.targets()) spoken_of.add(suite.program().targets[index(id)].kind);
    for (const TargetKind kind : all_target_kinds)
        if (spoken_of.has(kind)) criteria += (criteria.empty() ? "" : ",") + std::string(criterion_name(kind));
    return document_type("test-metadata") + "<test-metadata>\n" + element("sourcecodelang", "Scheme") +
           element("producer", "Espalier") + element("specification", "COVER( " + criteria + " )") +
           element("programfile", suite.suite().model) +
           element("programhash", sha256_hex(suite.model().sources.text(FileId{0}))) +
           element("entryfunction", "main") + element("architecture", "64bit") +
           element("creationtime", creation_time()) + "</test-metadata>\n";
}

class Inputs {
public:
    std::string out;

    void input(const std::string& variable, const std::string& type, const std::string& text) {
        out += "  <input variable=\"" + xml_attribute(variable) + "\" type=\"" + xml_attribute(type) + "\">" +
               xml_text(text) + "</input>\n";
    }

    void value(const std::string& variable, const ValueView& v) {
        switch (v.is) {
        case ValueView::Is::text:
        case ValueView::Is::truth:
        case ValueView::Is::printed: return input(variable, std::string(word_of(v.type)), v.text);
        case ValueView::Is::bind:
        case ValueView::Is::any: return; // only in outputs
        case ValueView::Is::ref: return input(variable, "ref", v.text);
        case ValueView::Is::message:
            input(variable, "message", v.text);
            for (const FieldView& f : v.parts) value(variable + "." + f.name, f.value);
            return;
        case ValueView::Is::list:
            input(variable, "list", std::to_string(v.parts.size()));
            for (size_t i = 0; i < v.parts.size(); ++i)
                value(variable + "[" + std::to_string(i) + "]", v.parts[i].value);
            return;
        }
    }
};

std::string testcase(const TestView& t) {
    Inputs inputs;
    for (const StepView& s : t.steps) {
        switch (s.kind) {
        case SuiteEvent::Kind::input:
            if (s.bare) {
                inputs.value(s.port, s.fields.front().value);
                break;
            }
            inputs.input(s.port, "message", s.message);
            for (const FieldView& f : s.fields) inputs.value(s.port + "." + f.name, f.value);
            break;
        case SuiteEvent::Kind::wait: inputs.input("time", "wait", s.units.text()); break;
        case SuiteEvent::Kind::choice: inputs.input("environment", "choice", std::to_string(s.taken)); break;
        case SuiteEvent::Kind::schedule: inputs.input("scheduler", "turn", std::to_string(s.taken)); break;
        case SuiteEvent::Kind::output: break;
        }
    }
    return document_type("testcase") + "<testcase" + (t.error.empty() ? "" : " coversError=\"true\"") + ">\n" +
           inputs.out + "</testcase>\n";
}

} // namespace

void export_testcomp(const SuiteView& suite, const Sink& sink) {
    ZipWriter zip(sink);
    zip.add("metadata.xml", metadata(suite));
    for (size_t t = 0; t < suite.test_count(); ++t) {
        std::string number = std::to_string(t + 1);
        number.insert(0, number.size() < 5 ? 5 - number.size() : 0, '0');
        zip.add("testcase-" + number + ".xml", testcase(suite.test(t)));
    }
    zip.finish();
}

} // namespace espalier
