// Laws of instrumenting: the given program stays as it was, and the result depends on it and the criteria alone.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "lang/lang.hpp"
#include "tests/random/law.hpp"
#include "tests/random/protocol.hpp"
#include "tests/random/system.hpp"

using namespace espalier;
using namespace espalier::test;

namespace {

std::string text_of(Span span) {
    return " " + std::to_string(static_cast<uint32_t>(span.file)) + ":" + std::to_string(span.begin);
}

// Everything that instrumenting may change: print_ir has blocks, operations and their labels.
std::string written(const Program& program, const Sources& sources) {
    std::string out = print_ir(program, sources, true) + "labels " + std::to_string(program.label_count) + "\n";
    for (const Target& t : program.targets) out += target_id(t) + " " + t.text + text_of(t.span) + "\n";
    for (const SelectClause& c : program.clauses)
        out += "clause " + std::to_string(index(c.label)) + " " + std::to_string(index(c.test)) + "\n";
    for (const BlockId b : program.choices) out += "choice " + std::to_string(index(b)) + "\n";
    for (const Decision& d : program.decisions)
        out += "decision " + std::to_string(index(d.then_block)) + " " + std::to_string(index(d.else_block)) + "\n";
    for (const DecisionTable& table : program.decision_tables) {
        out += "table";
        for (const auto& [if_true, if_false] : table.atoms)
            out += " " + std::to_string(if_true) + "/" + std::to_string(if_false);
        out += "\n";
    }
    for (const MachineDef& m : program.machines)
        for (const StateDef& s : m.states) out += "state " + std::to_string(index(s.target)) + "\n";
    return out;
}

std::vector<Criteria> each_and_all() {
    std::vector<Criteria> lists;
    for (const TargetKind kind : all_target_kinds) lists.push_back(Criteria().add(kind));
    lists.push_back(Criteria::all());
    return lists;
}

struct Counted {
    uint32_t models = 0;
    size_t targets = 0;
};

// What is wrong, as law.hpp wants it.
std::string instrumented_alike(const Model& model, Counted& counted) {
    const Program& plain = *model.program;
    const auto text = [&](const Program& p) { return written(p, model.sources); };
    const std::string before = text(plain);
    const std::vector<Criteria> lists = each_and_all();
    for (size_t i = 0; i < lists.size(); ++i) {
        const std::string name = to_text(lists[i]);
        const Program once = instrument(plain, lists[i]);
        const std::string expected = text(once);
        if (text(plain) != before) return "argument: it is another program after " + name;
        if (text(instrument(once, lists[i])) != expected) return "twice: something else than once, with " + name;
        const Criteria others = lists[(i + 1) % lists.size()];
        if (text(instrument(once, others)) != text(instrument(plain, others)))
            return "others: " + to_text(others) + " after " + name + " is something else than alone";
        if (text(once) != expected) return "argument: with " + name + ", it is another program after the next criteria";
        if (lists[i] == Criteria::all()) counted.targets += once.targets.size();
    }
    ++counted.models;
    return "";
}

// Passes do not see each other: what one criterion asks for is the same among all.
std::string targets_add_up(const Model& model) {
    std::vector<std::string> one_by_one, together;
    for (const TargetKind kind : all_target_kinds)
        for (const Target& t : instrument(*model.program, Criteria().add(kind)).targets)
            one_by_one.push_back(target_id(t) + text_of(t.span));
    for (const Target& t : instrument(*model.program, Criteria::all()).targets)
        together.push_back(target_id(t) + text_of(t.span));
    return one_by_one == together ? "" : "targets: those of all criteria are not those of each";
}

std::string judged_model(const Model& model, Counted& counted) {
    if (!model.program) return "check: it does not compile";
    const std::string problem = instrumented_alike(model, counted);
    return problem.empty() ? targets_add_up(model) : problem;
}

} // namespace

TEST_CASE("law of instrumenting, on shipped models") {
    Counted counted;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(ESPALIER_SOURCE_DIR "/models")) {
        if (entry.path().extension() != ".scm") continue;
        const Model model = load_model(entry.path().string());
        if (!model.program) continue; // a part of another model
        const std::string problem = judged_model(model, counted);
        CHECK_MESSAGE(problem.empty(), entry.path().filename() << ": " << problem);
    }
    CHECK(counted.models > 10);
    CHECK(counted.targets > 1000);
}

TEST_CASE("law of instrumenting, on random models") {
    Counted counted;
    const auto law = [&](const std::string& text) { return judged_model(compile_text(text), counted); };
    check_law(
        100, [](uint32_t seed) { return counting_hooks(ProtocolOptions{}.inputs) + RandomProtocol(seed, {}).text(); },
        law);
    check_law(
        50, [](uint32_t seed) { return RandomSystem(seed).text(); }, law);
    CHECK((std::getenv("ESPALIER_SEED") != nullptr || counted.targets > scaled(1000)));
}

TEST_CASE("an instrumented program outlives the one that it was made from") {
    Model model = compile_text("(define-message A (l (list-of int 2))) (define-port p out A) (write p (A '(7 8)))");
    REQUIRE(model.program);
    const Program made = instrument(*model.program, Criteria::all());
    CHECK(made.literals == model.program->literals);
    model.program.reset();
    CHECK(print_ir(made, model.sources, false).find("const (7 8)") != std::string::npos);
    const Program again = instrument(made, Criteria::standard());
    CHECK(again.literals == made.literals);
    CHECK(again.plain == made.plain); // no chain of them
}
