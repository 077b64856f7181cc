// Explores a model given as text, every solver answer validated, every test replayed.
#pragma once

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "symexec/symexec.hpp"
#include "tests/symexec/replay.hpp"

namespace espalier::test {

using Names = std::set<std::string>;

struct Found {
    Model model;
    Exploration exploration;
    Names covered, missed; // checkpoints
};

inline Found find(const std::string& text, const ExploreOptions& options = {}) {
    Found f{compile_text(text), {}, {}, {}};
    if (!f.model.program) {
        for (const Diagnostic& d : f.model.diagnostics.all()) MESSAGE(render(f.model.sources, d));
        REQUIRE(f.model.program);
    }
    f.exploration = explore(*f.model.program, options);
    CHECK(replay_all(*f.model.program, f.exploration) == "");
    f.covered = covered_names(*f.model.program, f.exploration);
    for (const Target& t : f.model.program->targets)
        if (t.kind == TargetKind::checkpoint && f.covered.count(t.name) == 0) f.missed.insert(t.name);
    return f;
}

inline Found find_validated(const std::string& text, uint32_t depth = 3) {
    ExploreOptions options;
    options.depth = depth;
    options.chain.validate = true;
    Found f = find(text, options);
    for (const auto& [reason, count] : f.exploration.unsupported) CHECK(reason == "");
    for (const FoundError& e : f.exploration.errors) CHECK(e.text == "");
    return f;
}

// The inputs of a test, one a line.
inline std::string inputs_of(const Program& program, const FoundTest& test) {
    std::string text;
    for (const TestStep& s : test.steps)
        if (s.kind == TestStep::Kind::input) text += to_text(program, s.value) + "\n";
    return text;
}

} // namespace espalier::test
