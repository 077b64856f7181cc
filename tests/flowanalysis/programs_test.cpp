// Classic higher-order programs: numbers, environments, parsers and objects that are procedures. Each one runs, law 2
// holds on it, and its analysis does not blow up. That is said in counts, which are the same on every machine: the
// automaton has a few nodes for each block of the text, each is evaluated a few times, and twice the program is twice
// the work.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/flowanalysis/analysed.hpp"

using namespace espalier;

namespace {

std::vector<std::filesystem::path> programs() {
    std::vector<std::filesystem::path> paths;
    const auto folder = std::filesystem::path(ESPALIER_SOURCE_DIR) / "tests/flowanalysis/programs";
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".scm") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
}

std::string text_of(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

class Marks : public Listener {
public:
    void mark(TargetId, uint32_t) override { ++count; }
    int count = 0;
};

} // namespace

TEST_CASE("higher-order programs run, inside their automata, and are analysed in a few rounds") {
    const auto all = programs();
    CHECK(all.size() >= 10);
    for (const auto& path : all) {
        CAPTURE(path.stem().string());
        const Model model = compiled(text_of(path));
        CHECK(model.diagnostics.all().empty());
        Marks marks;
        Interpreter run(*model.program, marks);
        CHECK(run.start() == Status::finished);
        CHECK(marks.count == 1);

        const Flow flow = analyse(*model.program);
        CHECK(flow.unreachable_targets().empty());
        const auto failure = walk(*model.program, flow, 1);
        CHECK_MESSAGE(!failure, failure.value_or(""));
        const FlowStatistics& s = flow.statistics();
        CHECK(s.nodes <= 20 * model.program->blocks.size());
        CHECK(s.blocks <= 12 * s.nodes);
    }
}

TEST_CASE("twice as much higher-order code takes twice the work") {
    for (const auto& path : programs()) {
        CAPTURE(path.stem().string());
        const auto evaluated = [&](int copies) { // each a procedure with everything inside
            std::string text;
            for (int i = 0; i < copies; ++i)
                text += "(define (copy-" + std::to_string(i) + ")\n" + text_of(path) + ")\n";
            for (int i = 0; i < copies; ++i) text += "(copy-" + std::to_string(i) + ")\n";
            const Model model = compiled(text);
            return analyse(*model.program).statistics().blocks;
        };
        const uint64_t two = evaluated(2), four = evaluated(4), eight = evaluated(8);
        CHECK(four >= two * 3 / 2); // there is twice as much to do
        CHECK(four <= two * 11 / 5);
        CHECK(eight <= four * 11 / 5);
    }
}
