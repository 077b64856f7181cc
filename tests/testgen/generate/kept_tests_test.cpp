// Tests of an earlier suite on a model that has changed; the command around it is in tests/e2e/keep.sh.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "testgen/generate/kept_tests.hpp"
#include "testgen/generate/suite_maker.hpp"
#include "testgen/terminal/file_watch.hpp"
#include "testgen/text/write_file.hpp"
#include "tests/testgen/suite_reading.hpp"

using namespace espalier;

namespace {

struct File {
    File() {
        std::string name = (std::filesystem::temp_directory_path() / "kept-XXXXXX").string();
        const int fd = mkstemp(name.data());
        REQUIRE(fd >= 0);
        close(fd);
        path = name;
    }
    ~File() { std::filesystem::remove(path); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    std::string path;
};

Result<KeptTests> kept_of(const Model& model, const std::string& xml) {
    const File file;
    REQUIRE(write_file(file.path, std::string_view(xml)).empty());
    return keep_tests(file.path, model);
}

KeptTests kept(const Model& model, const std::string& tests) {
    auto made = kept_of(model, suite_of(tests));
    REQUIRE_MESSAGE(made, tests);
    return std::move(*made);
}

Model echo() {
    Model model = compiled("(define-message A (n int))\n(define-message B (n int))\n(define-port p (in A) (out B))\n"
                           "(define (go) (write p (B (+ 1 (A-n (read p))))) (checkpoint once) (go)) (go)");
    model.program = instrument(*model.program, Criteria::standard());
    return model;
}

std::string exchange(const std::string& n, const std::string& answer) {
    return "<input port=\"p\" message=\"A\"><field name=\"n\" type=\"int\">" + n + "</field></input>" +
           "<output port=\"p\" message=\"B\"><field name=\"n\" type=\"int\">" + answer + "</field></output>";
}

} // namespace

TEST_CASE("kept, changed and dropped") {
    const Model model = echo();
    const KeptTests all = kept(model, "<test id=\"good\">" + exchange("1", "2") + "</test>\n" + //
                                          "<test id=\"other\">" + exchange("1", "3") + "</test>\n" +
                                          "<test id=\"bad\"><input port=\"q\" message=\"A\"/></test>\n" +
                                          "<test id=\"good\">" + exchange("1", "2") + "</test>\n" +
                                          "<test id=\"open\"><input port=\"p\" message=\"A\"><field name=\"n\" "
                                          "type=\"int\">7</field></input></test>\n" +
                                          "<targets><target id=\"cp:long-gone\" status=\"covered\"/></targets>");
    REQUIRE(all.tests.size() == 3);
    CHECK(all.tests[0].id == "good");
    CHECK(!all.tests[0].covers.empty());
    CHECK(all.tests[1].id == "other");
    REQUIRE(all.tests[1].events.size() == 2);
    CHECK(to_text(*model.program, all.tests[1].events[1].value) == "(B 2)");
    REQUIRE(all.tests[2].events.size() == 2); // what it did not expect is there now
    CHECK(to_text(*model.program, all.tests[2].events[1].value) == "(B 8)");
    REQUIRE(all.changed.size() == 2);
    CHECK(all.changed[0].id == "other");
    CHECK(all.changed[0].why == "output p (B 3): n: expected 3, found 2");
    CHECK(all.changed[1].id == "open");
    REQUIRE(all.dropped.size() == 2);
    CHECK(all.dropped[0].id == "bad");
    CHECK(all.dropped[0].why.find("the model has no port `q`") != std::string::npos);
    CHECK(all.dropped[1].why.find("there is a test `good` before") != std::string::npos);
}

TEST_CASE("outputs that the model cannot send any more do not matter") {
    const Model model = echo();
    const KeptTests all =
        kept(model, "<test id=\"a\"><output port=\"p\" message=\"Gone\"/>" + exchange("1", "2") + "</test>");
    REQUIRE(all.tests.size() == 1);
    CHECK(all.changed.size() == 1);
    CHECK(all.tests[0].events.size() == 2);
}

TEST_CASE("kept tests stand first, and their targets are theirs") {
    const Model model = echo();
    KeptTests all = kept(model, "<test id=\"a\">" + exchange("1", "2") + "</test>");
    SuiteRequest request;
    request.wanted.assign(model.program->targets.size(), true);
    leave_out_kept(all, request);
    CHECK(request.names == std::set<std::string>{"a"});
    CHECK(std::count(request.wanted.begin(), request.wanted.end(), false) ==
          static_cast<long>(all.tests[0].covers.size()));
    Suite suite;
    suite.values = std::make_unique<Heap>(Heap::Lifetime::immortal);
    suite.targets.resize(model.program->targets.size());
    suite.tests.emplace_back().id = "b";
    suite.targets[index(all.tests[0].covers[0])] = {TargetStatus::covered, 0};
    put_first(all, suite);
    CHECK(suite.tests[0].id == "a");
    CHECK(suite.tests[1].id == "b");
    CHECK(suite.targets[index(suite.tests[0].covers[0])].test == 0U);
    CHECK(kept_text(all, suite) == "  1 kept, 0 changed, 1 added, 0 dropped\n  added: b\n");
}

TEST_CASE("a new test with the name of one that was dropped is that one, changed") {
    const Model model = echo();
    KeptTests all = kept(model, "<test id=\"gone\"><input port=\"q\" message=\"A\"/></test>\n"
                                "<test id=\"again\"><input port=\"q\" message=\"A\"/></test>");
    REQUIRE(all.dropped.size() == 2);
    Suite suite;
    suite.values = std::make_unique<Heap>(Heap::Lifetime::immortal);
    suite.targets.resize(model.program->targets.size());
    suite.tests.emplace_back().id = "new";
    suite.tests.emplace_back().id = "again";
    put_first(all, suite);
    CHECK(all.added == std::vector<std::string>{"new"});
    REQUIRE(all.dropped.size() == 1);
    CHECK(all.dropped[0].id == "gone");
    const std::string text = kept_text(all, suite);
    CHECK(text.starts_with("  0 kept, 1 changed, 1 added, 1 dropped\n  changed: again: "));
    CHECK(text.find("the model has no port `q`; another test takes its place\n") != std::string::npos);
    CHECK(text.find("dropped: again") == std::string::npos);
}

TEST_CASE("what is no suite is refused as a whole") {
    const Model model = echo();
    const Problem broken = kept_of(model, "<suite").problem();
    CHECK(broken.form == Problem::Form::lines);
    CHECK(broken.text.find(": error: ") != std::string::npos);
    const Problem other = kept_of(model, "<sweet/>").problem();
    CHECK(other.text.find("the root element of a suite is `suite`") != std::string::npos);
    const Problem missing = keep_tests("/no/such/file", model).problem();
    CHECK(missing.form == Problem::Form::words);
    CHECK(missing.text.find("cannot read `/no/such/file`") != std::string::npos);
}

TEST_CASE("a file that changes is seen, also one that is replaced or comes back") {
    const File file;
    for (const bool replaced : {false, true}) {
        const FileWatch watch({file.path, "/no/such/file"});
        int asked = 0;
        const bool seen = watch.wait_for_change([&] {
            if (++asked == 2 && replaced) std::filesystem::remove(file.path);
            if (asked == 3) REQUIRE(write_file(file.path, std::string(static_cast<size_t>(asked), 'x')).empty());
            return asked > 600;
        });
        CHECK(seen);
        CHECK(asked >= 4);
    }
    CHECK(!FileWatch({file.path}).wait_for_change([] { return true; }));
}

TEST_CASE("kept tests keep the mark of an open end, gain it and lose it") {
    const char* const before = "(define-message A (n int)) (define-message B (n int)) (define-port p (in A) (out B)) "
                               "(define n (A-n (read p))) (write p (B (+ n 1))) ";
    const std::string tests = "<test id=\"marked\" end=\"open\">" + exchange("1", "2") +
                              "</test>\n<test id=\"plain\">" + exchange("5", "6") +
                              "</test>\n<test id=\"odd\" end=\"no\">" + exchange("5", "6") + "</test>";
    const auto look = [&](const std::string& rest, bool marked, bool plain) {
        const Model model = compiled(before + rest);
        const KeptTests all = kept(model, tests);
        REQUIRE(all.tests.size() == 2);
        CHECK(all.tests[0].open_end == marked);
        CHECK(all.tests[1].open_end == plain);
        REQUIRE(all.dropped.size() == 1);
        CHECK(all.dropped[0].why.find("`end` is open, or not there") != std::string::npos);
        std::string changed;
        for (const KeptTests::Note& n : all.changed) changed += n.id + ": " + n.why + "\n";
        return changed;
    };
    CHECK(look("(assume (> n 4)) (read p)", true, false).empty());
    CHECK(look("(assume (< n 4)) (read p)", false, true) ==
          "marked: end open: the model comes to rest here\n"
          "plain: end open: the run has ended: an assumption does not hold\n");
    CHECK(look("(error \"no\")", false, false).find("marked: error no") != std::string::npos);
}
