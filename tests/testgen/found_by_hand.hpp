// A model, and an exploration of it that is written by hand.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "testgen/generate/suite_maker.hpp"

namespace espalier::test {

struct Found {
    explicit Found(const std::string& text) : model(compile_text(text)) {
        for (const Diagnostic& d : model.diagnostics.all())
            if (d.severity == Severity::error) FAIL(render(model.sources, d));
        exploration.heap = std::make_unique<Heap>(Heap::Lifetime::immortal);
    }
    Value value(const std::string& text) {
        Diagnostics diagnostics;
        Data data;
        const auto parsed = read_data(model.sources, model.sources.add("value", text), data, diagnostics);
        REQUIRE(parsed.size() == 1);
        std::string error;
        const auto v = value_from_datum(*model.program, *exploration.heap, data, parsed[0], {}, error);
        REQUIRE_MESSAGE(v.has_value(), error);
        return *v;
    }
    std::vector<TestStep> inputs(const std::vector<std::string>& values, uint32_t port) {
        std::vector<TestStep> steps;
        for (const std::string& text : values) {
            TestStep step;
            step.port = PortId{port};
            step.value = value(text);
            steps.push_back(step);
        }
        return steps;
    }
    Found& test(const std::vector<std::string>& values, const std::vector<std::string>& targets = {},
                uint32_t port = 0) {
        FoundTest t;
        t.number = static_cast<uint32_t>(exploration.tests.size());
        t.steps = inputs(values, port);
        for (const std::string& name : targets) t.targets.push_back(target(name));
        exploration.tests.push_back(std::move(t));
        return *this;
    }
    Found& error(const std::vector<std::string>& values) {
        FoundError e;
        e.steps = inputs(values, 0);
        exploration.errors.push_back(std::move(e));
        return *this;
    }
    TargetId target(const std::string& name) const {
        for (uint32_t i = 0; i < model.program->targets.size(); ++i)
            if (model.program->targets[i].name == name) return TargetId{i};
        FAIL("no target " << name);
        return {};
    }
    const Suite& suite() {
        Replayer replayer(*model.program);
        FoundReplays replays(*model.program, replayer, request);
        made = make_suite(model, replays, exploration, request);
        translations = replayer.translations();
        return made;
    }
    std::string ids() {
        std::string all;
        for (const SuiteTest& t : suite().tests) all += (all.empty() ? "" : " ") + t.id;
        return all;
    }
    std::string xml() { return suite_to_xml(model, suite()); }
    Model model;
    Exploration exploration;
    SuiteRequest request{.depth = 3, .seed = 7};
    Suite made;
    uint64_t translations = 0;
};

} // namespace espalier::test
