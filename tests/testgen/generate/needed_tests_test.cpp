#include "testgen/generate/needed_tests.hpp"

#include <doctest/doctest.h>

using namespace espalier;

TEST_CASE("a test is dropped, the last first, while others have all that it has") {
    using Worth = std::vector<std::vector<uint32_t>>;
    using Keep = std::vector<bool>;
    CHECK(needed(Worth{}, 0) == Keep{});
    CHECK(needed(Worth{{0}, {0, 1}, {0, 1, 2}}, 3) == Keep{false, false, true});
    CHECK(needed(Worth{{0, 1, 2}, {0, 1}, {0}}, 3) == Keep{true, false, false});
    CHECK(needed(Worth{{0, 1}, {1, 2}, {2, 0}}, 3) == Keep{true, true, false}); // none alone, but not all
    CHECK(needed(Worth{{}, {0}}, 1) == Keep{false, true});                      // good for nothing
    // Those that are dropped already count for nothing.
    CHECK(needed(Worth{{0}, {0, 1}, {1}}, 2, Keep{false, true, false}) == Keep{true, false, true});
    CHECK(needed(Worth{{0}, {0}}, 1, Keep{true}) == Keep{false, true});
}
