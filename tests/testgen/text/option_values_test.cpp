// Values of options: what is taken, and that nothing is read as something else.
#include "testgen/text/option_values.hpp"

#include <doctest/doctest.h>

using namespace espalier;

TEST_CASE("whole numbers") {
    for (const char* good : {"1", "7", "1000000"}) CHECK(check_whole_number(good, 1, 1'000'000).empty());
    CHECK(check_whole_number("18446744073709551615", 0).empty());
    for (const char* bad : {"0", "-1", "1000001", "x", "", "1e3", " 1", "1 ", "+1", "0x10", "99999999999999999999"})
        CHECK_MESSAGE(!check_whole_number(bad, 1, 1'000'000).empty(), bad);
    CHECK(check_whole_number("18446744073709551616", 0) ==
          "`18446744073709551616` is not a whole number from 0 to 18446744073709551615");
}

TEST_CASE("seconds and percentages") {
    for (const char* good : {"1", "0.5", "1e3"}) CHECK(check_seconds(good).empty());
    for (const char* bad : {"0", "-1", "nan", "inf", "x", "", "1s"}) CHECK_MESSAGE(!check_seconds(bad).empty(), bad);
    for (const char* good : {"0", "99.5", "100"}) CHECK(check_percent(good).empty());
    for (const char* bad : {"-1", "100.1", "nan", "90%"}) CHECK_MESSAGE(!check_percent(bad).empty(), bad);
}

TEST_CASE("words") {
    CHECK(check_one_of("bfs", {"dfs", "bfs", "random"}).empty());
    CHECK(check_one_of("best", {"dfs", "bfs", "random"}) == "`best` is not dfs, bfs or random");
}

TEST_CASE("sizes") {
    const auto size = [](std::string text) {
        const std::string problem = check_size(text);
        return problem.empty() ? text : "";
    };
    CHECK(size("1") == "1");
    CHECK(size("10b") == "10");
    CHECK(size("2K") == "2048");
    CHECK(size("500MB") == "524288000");
    CHECK(size("2g") == "2147483648");
    CHECK(size("1t") == "1099511627776");
    for (const char* bad : {"", "G", "0", "-1", "1.5G", "1Q", "1kk", "99999999999G", "99999999999999999999999"})
        CHECK_MESSAGE(size(bad).empty(), bad);
}
