// Reading suites in tests: the text of a model, the XML of a suite, and what became of it.
#pragma once

#include <doctest/doctest.h>

#include "testgen/replay/replay_report.hpp"
#include "testgen/suite/reader.hpp"

namespace espalier {

inline Model compiled(const std::string& text) {
    Model model = compile_text(text);
    for (const Diagnostic& d : model.diagnostics.all())
        if (d.severity == Severity::error) FAIL(render(model.sources, d));
    return model;
}

struct Reading {
    Reading(const Model& of, std::string xml) : model(of) {
        const auto tree = parse_xml(sources, sources.add("suite.xml", std::move(xml)), diagnostics);
        if (tree) {
            criteria = criteria_of(*tree);
            suite = read_suite(*tree, *model.program, diagnostics);
        }
        CHECK(suite.has_value() != diagnostics.has_errors());
    }
    // "3:7: text; …", without the source lines
    std::string errors() const {
        std::string all;
        for (const Diagnostic& d : diagnostics.all()) {
            const Position at = sources.position(d.span);
            all +=
                (all.empty() ? "" : "; ") + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + d.text;
        }
        return all;
    }
    const Suite& good() const {
        REQUIRE_MESSAGE(suite.has_value(), errors());
        return *suite;
    }
    SuiteReplay replay() const { return replay_suite(model, good(), criteria); }
    std::string differences() const { return differences_text(replay(), good(), sources); }

    const Model& model;
    Sources sources;
    Diagnostics diagnostics;
    Criteria criteria;
    std::optional<Suite> suite;
};

// A suite around the children of `suite`, which begin on line 2.
inline std::string suite_of(const std::string& inside) {
    return "<suite xmlns=\"urn:espalier:suite:1\" model=\"model.scm\">\n" + inside + "</suite>";
}
// Around the children of its only test, which begin on line 3.
inline std::string test_of(const std::string& inside) { return suite_of("<test id=\"t\">\n" + inside + "</test>\n"); }

} // namespace espalier
