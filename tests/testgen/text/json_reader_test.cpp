// JSON that another program wrote: all that is JSON is read as what it is, and nothing else is read.
#include "testgen/text/json_reader.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace espalier;

namespace {

// As it is written again, or what is wrong with it.
std::string read(const std::string& text, const JsonLimits& limits = {}) {
    const auto value = parse_json(text, limits);
    if (!value) return "! " + value.problem().text;
    std::string out;
    append_json(out, *value);
    return out;
}

JsonValue value_of(const std::string& text) {
    const auto value = parse_json(text);
    REQUIRE_MESSAGE(value, text);
    return *value;
}

} // namespace

TEST_CASE("JSON is read as it stands") {
    CHECK(read("null") == "null");
    CHECK(read(" true ") == "true");
    CHECK(read("[ ]") == "[]");
    CHECK(read("{ }") == "{}");
    CHECK(read(R"({"a": [1, {"b": false}], "c": "x"})") == R"({"a":[1,{"b":false}],"c":"x"})");
    CHECK(read("\t[1,\r\n2]") == "[1,2]");
}

TEST_CASE("integers of any size are exact") {
    const std::string large = "-" + std::string(1000, '9');
    CHECK(read(large) == large);
    CHECK(read("-0") == "0");
    CHECK(read("18446744073709551616") == "18446744073709551616");
    CHECK_FALSE(value_of("9007199254740993") == value_of("9007199254740992"));
    CHECK(std::get<JsonNumber>(value_of("12").kind).is_integer());
    CHECK_FALSE(std::get<JsonNumber>(value_of("12.0").kind).is_integer());
    CHECK_FALSE(value_of("1") == value_of("1.0"));
    CHECK(read("-1.5e+10") == "-1.5e+10");
    for (const char* bad : {"01", "-", "+1", "1.", ".5", "1e", "1e+", "0x10", "1_000", "NaN", "Infinity", "--1"})
        CHECK_MESSAGE(read(bad)[0] == '!', bad);
}

TEST_CASE("strings are UTF-8, and their escapes are resolved") {
    CHECK(read(R"("\"\\\/\b\f\n\r\t")") == R"("\"\\/\b\f\n\r\t")");
    CHECK(*value_of(R"("\u00e9\u20ac\ud83d\ude00")").string() == "é€😀");
    CHECK(*value_of("\"é€😀\"").string() == "é€😀");
    CHECK(value_of(R"("\u0000x")").string()->size() == 2);
    CHECK(read(R"("\ud83d")") == "! half a character (byte 8)");
    CHECK(read(R"("\ud83dx")")[0] == '!');
    CHECK(read(R"("\ude00")")[0] == '!');
    CHECK(read(R"("\ud83d\u0041")")[0] == '!');
    CHECK(read(R"("\x")") == "! there is no such escape (byte 4)");
    CHECK(read(R"("\u12g4")")[0] == '!');
    CHECK(read("\"a\nb\"") == "! a control character in a string (byte 3)");
    CHECK(read("\"abc") == "! a string has no end (byte 5)");
    CHECK(read("\"abc\\") == "! there is no such escape (byte 6)");
    for (const char* bad : {"\"\x80\"", "\"\xc0\xaf\"", "\"\xc3\"", "\"\xed\xa0\x80\"", "\"\xf5\x80\x80\x80\"",
                            "\"\xf0\x80\x80\x80\"", "\"\xe0\x80\x80\"", "\"\xf4\x90\x80\x80\""})
        CHECK(read(bad) == "! this is not UTF-8 (byte 2)");
}

TEST_CASE("what is no JSON is refused, with the place") {
    CHECK(read("") == "! there is no value here (byte 1)");
    CHECK(read("{} {}") == "! something follows the value (byte 4)");
    CHECK(read("[1,]") == "! there is no value here (byte 4)");
    CHECK(read("[1 2]") == "! `,` or `]` is missing (byte 4)");
    CHECK(read("{\"a\" 1}") == "! `:` is missing (byte 6)");
    CHECK(read("{\"a\":1,}") == "! the name of a member is missing (byte 8)");
    CHECK(read("{a:1}") == "! the name of a member is missing (byte 2)");
    CHECK(read("{\"a\":1 \"b\":2}") == "! `,` or `}` is missing (byte 8)");
    CHECK(read("{\"a\":1,\"\\u0061\":2}") == "! a member stands there twice (byte 16)");
    CHECK(read("tru") == "! there is no value here (byte 1)");
    CHECK(read("nullx")[0] == '!');
    CHECK(read(std::string("1\0", 2))[0] == '!');
}

TEST_CASE("depth and number of values are limited") {
    const auto nested = [](size_t n) { return std::string(n, '[') + std::string(n, ']'); };
    CHECK(read(nested(100)) == nested(100));
    CHECK(read(nested(101)) == "! values are nested too deeply (byte 101)");
    CHECK(read(std::string(1'000'000, '[')) == "! values are nested too deeply (byte 101)");
    CHECK(read("[1,2,3]", {.depth = 2, .values = 4}) == "[1,2,3]");
    CHECK(read("[1,2,3,4]", {.depth = 2, .values = 4}) == "! there are too many values (byte 8)");
}

TEST_CASE("objects are equal whatever the order of their members") {
    CHECK(value_of(R"({"a":1,"b":[{"c":2,"d":3}]})") == value_of(R"({"b":[{"d":3,"c":2}],"a":1})"));
    CHECK_FALSE(value_of(R"({"a":1})") == value_of(R"({"a":1,"b":2})"));
    CHECK_FALSE(value_of(R"({"a":1})") == value_of(R"({"b":1})"));
    CHECK_FALSE(value_of("\"1\"") == value_of("1"));
    CHECK_FALSE(value_of("[]") == value_of("{}"));
}

TEST_CASE("whatever is done to a text, it is read and written alike, or refused") {
    const std::string whole =
        R"({"type":"output","port":"p","fields":{"a":[1,-2.5e3,"\u00e9\ud83d\ude00",null,true],"é":{}}})";
    std::mt19937 random(7); // the same every time
    size_t good = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string text = whole;
        for (size_t changes = 1 + random() % 3; changes > 0; --changes) {
            const size_t at = random() % text.size();
            switch (random() % 3) {
            case 0: text.erase(at, 1 + random() % 4); break;
            case 1: text.insert(at, 1, "{}[]\",:\\u0e-.n\x80\xc3 "[random() % 18]); break;
            default: text[at] = static_cast<char>(random()); break;
            }
            if (text.empty()) text = "0";
        }
        std::string again;
        const auto value = parse_json(text);
        if (!value) continue;
        ++good;
        append_json(again, *value);
        const auto reread = parse_json(again);
        REQUIRE_MESSAGE(reread.has_value(), text);
        REQUIRE(*reread == *value);
    }
    CHECK(good > 100);
}
