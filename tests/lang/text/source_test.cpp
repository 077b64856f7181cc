// Places, lines and symbols.
#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

#include "lang/text/source.hpp"
#include "lang/text/utf8.hpp"
#include "lang/values/symbol.hpp"

using namespace espalier;

namespace {

std::string place(const Sources& sources, FileId file, uint32_t offset) {
    return sources.place({file, offset, offset});
}

} // namespace

TEST_CASE("lines end with \\n, \\r\\n or \\r") {
    Sources sources;
    const FileId file = sources.add("f", "ab\ncd\r\nef\rgh\n");
    CHECK(sources.line(file, 1) == "ab");
    CHECK(sources.line(file, 2) == "cd");
    CHECK(sources.line(file, 3) == "ef");
    CHECK(sources.line(file, 4) == "gh");
    CHECK(sources.line(file, 5) == "");
    CHECK(place(sources, file, 0) == "f:1:1");
    CHECK(place(sources, file, 2) == "f:1:3");
    CHECK(place(sources, file, 3) == "f:2:1");
    CHECK(place(sources, file, 7) == "f:3:1");
    CHECK(place(sources, file, 10) == "f:4:1");
    CHECK(place(sources, file, 13) == "f:5:1");
    CHECK(place(sources, file, 99) == "f:5:1");
}

TEST_CASE("columns count code points, and no byte order mark") {
    Sources sources;
    const FileId file = sources.add("f", "\xEF\xBB\xBFλ日😀x\nλx");
    CHECK(place(sources, file, 0) == "f:1:1");
    CHECK(place(sources, file, 3) == "f:1:1");
    CHECK(place(sources, file, 5) == "f:1:2");
    CHECK(place(sources, file, 8) == "f:1:3");
    CHECK(place(sources, file, 12) == "f:1:4");
    CHECK(place(sources, file, 16) == "f:2:2");
    CHECK(sources.line(file, 1) == "λ日😀x");
}

TEST_CASE("an empty file has one empty line") {
    Sources sources;
    const FileId file = sources.add("f", "");
    CHECK(sources.line(file, 1) == "");
    CHECK(place(sources, file, 0) == "f:1:1");
}

TEST_CASE("views into a file stay good when others are added") {
    Sources sources;
    const FileId file = sources.add("f", "tiny");
    const std::string_view view = sources.text(Span{file, 1, 3});
    for (int i = 0; i < 1000; ++i) sources.add("other", "text");
    CHECK(view == "in");
    CHECK(view.data() == sources.text(file).data() + 1);
    CHECK(sources.size() == 1001);
}

TEST_CASE("spans") {
    const Span a{FileId{0}, 3, 5};
    const Span b{FileId{0}, 8, 9};
    CHECK(join(a, b) == Span{FileId{0}, 3, 9});
    CHECK(join(a, Span{FileId{1}, 8, 9}) == a);
    CHECK(join(a, Span{}) == a);
    CHECK_FALSE(Span{}.known());
    CHECK(Sources{}.place(Span{}) == "<built-in>");
    CHECK(Sources{}.text(Span{}) == "");
}

TEST_CASE("UTF-8 survives decoding and encoding, for every code point") {
    for (char32_t code = 0; code <= 0x10FFFF; ++code) {
        if (!is_scalar_value(code)) continue;
        std::string text;
        append_utf8(text, code);
        const CodePoint point = decode_utf8(text, 0);
        const bool same =
            point.code == code && point.size == text.size() && first_invalid_utf8(text) == std::string::npos;
        if (!same) FAIL_CHECK("code point " << static_cast<uint32_t>(code));
    }
}

TEST_CASE("symbols are interned once, in all threads") {
    CHECK(intern("some-name") == intern(std::string("some-") + "name"));
    CHECK(intern("some-name") != intern("some-Name"));
    CHECK(name_of(intern("")) == "");
    const std::string odd("a\0b", 3);
    CHECK(name_of(intern(odd)) == odd);
    CHECK(name_of(intern(std::string(1'000'000, 'x'))).size() == 1'000'000);

    constexpr int names = 20'000;
    std::vector<std::vector<Symbol>> seen(4);
    std::vector<std::thread> threads;
    for (auto& mine : seen) {
        threads.emplace_back([&mine] {
            for (int i = 0; i < names; ++i) mine.push_back(intern("thread-test-" + std::to_string(i)));
            for (int i = 0; i < names; ++i) {
                if (name_of(mine[static_cast<size_t>(i)]) != "thread-test-" + std::to_string(i)) mine.clear();
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(seen[0].size() == names);
    for (const auto& other : seen) CHECK(other == seen[0]);
}
