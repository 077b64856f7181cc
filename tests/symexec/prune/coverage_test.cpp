#include "symexec/prune/coverage.hpp"

#include <doctest/doctest.h>

using namespace espalier;
using namespace espalier::sym;

namespace {

// Writes down what it is told, and what was wanted at that moment.
struct Hearer : CoverageListener {
    explicit Hearer(const Coverage& of) : coverage(of) {}
    void target_covered(TargetId t) override {
        heard += 't' + std::to_string(index(t)) + (coverage.is_done() ? "!" : " ");
    }
    void error_found(Label at) override { heard += 'e' + std::to_string(index(at)) + ' '; }
    const Coverage& coverage;
    std::string heard;
};

} // namespace

TEST_CASE("what is asked for is wanted until it is covered") {
    const std::vector<TargetId> asked{TargetId{1}, TargetId{3}};
    Coverage some(4, false, asked, {});
    CHECK(some.asked_count() == 2);
    CHECK_FALSE(some.is_wanted(TargetId{0}));
    CHECK(some.is_wanted(TargetId{1}));
    const std::vector<TargetId> one{TargetId{1}};
    some.cover(one);
    CHECK_FALSE(some.is_wanted(TargetId{1}));
    CHECK(some.is_asked(TargetId{1}));
    CHECK(some.covered_count() == 1);
    CHECK_FALSE(some.is_done());

    const Coverage all(4, true, {}, {});
    CHECK(all.asked_count() == 4);
    CHECK(all.is_wanted(TargetId{0}));
}

TEST_CASE("listeners are told of each target, when all of a test's are covered") {
    Coverage coverage(3, true, {}, {});
    Hearer first(coverage), second(coverage);
    coverage.tell(first);
    coverage.tell(second);
    coverage.cover(std::vector<TargetId>{TargetId{2}});
    coverage.cover(std::vector<TargetId>{TargetId{0}, TargetId{1}});
    CHECK(first.heard == "t2 t0!t1!");
    CHECK(second.heard == first.heard);
}

TEST_CASE("what the caller has is looked for, but not for its own sake") {
    const std::vector<TargetId> had{TargetId{0}, TargetId{2}};
    Coverage coverage(3, true, {}, {}, had);
    CHECK(coverage.is_wanted(TargetId{0}));
    CHECK(coverage.asked_count() == 3);
    coverage.cover(std::vector<TargetId>{TargetId{0}});
    CHECK_FALSE(coverage.is_done());
    coverage.cover(std::vector<TargetId>{TargetId{1}});
    CHECK(coverage.is_done()); // though the last one is not covered
    CHECK(coverage.is_wanted(TargetId{2}));
    CHECK(coverage.covered_count() == 2);
    CHECK(Coverage(3, false, had, {}, had).is_done());
}

TEST_CASE("errors that are looked for are part of what is left; of others nothing is told") {
    Coverage coverage(1, true, {}, {Label{7}});
    Hearer hearer(coverage);
    coverage.tell(hearer);
    coverage.cover(std::vector<TargetId>{TargetId{0}});
    CHECK_FALSE(coverage.is_done());
    coverage.find_error(Label{8});
    CHECK_FALSE(coverage.is_done());
    coverage.find_error(Label{7});
    coverage.find_error(Label{7});
    CHECK(coverage.is_done());
    CHECK(hearer.heard == "t0 e7 ");
}
