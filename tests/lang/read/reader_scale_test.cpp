// The reader where it could break: depth, size, and random data written and read again.
#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <random>

#include "lang/text/utf8.hpp"
#include "tests/lang/reading.hpp"

using namespace espalier;

namespace {

std::string repeat(std::string_view what, size_t times) {
    std::string all;
    all.reserve(what.size() * times);
    for (size_t i = 0; i < times; ++i) all += what;
    return all;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

TEST_CASE("depth costs memory, not stack") {
    for (const size_t depth : {size_t{100'000}, size_t{10'000'000}}) {
        CAPTURE(depth);
        const std::string nested = repeat("(", depth) + repeat(")", depth);
        CHECK((printed(nested) == nested)); // in parentheses, so that a failure does not print it
        CHECK(errors(repeat("(", depth)) == "1:" + std::to_string(depth) + " unclosed `(`");
    }
    const size_t depth = 1'000'000;
    const std::string vectors = repeat("#(", depth) + repeat(")", depth);
    CHECK((printed(vectors) == vectors));
    CHECK((printed(repeat("'", depth) + "a") == repeat("(quote ", depth) + "a" + repeat(")", depth)));
    CHECK((printed(repeat("(a . ", depth) + "b" + repeat(")", depth)) == "(" + repeat("a ", depth) + ". b)"));
    CHECK(printed(repeat("#|", depth) + repeat("|#", depth) + "a") == "a");
    CHECK(printed(repeat("#;", depth) + repeat("x ", depth) + "a") == "a");
    CHECK(printed(repeat("#;(", depth) + repeat(")", depth) + "a") == "a");
    CHECK(errors(repeat("'", depth)) == "1:1000000 no datum follows `'`, only the end of the file");
}

TEST_CASE("a file of 50 MB") {
    std::string text;
    size_t forms = 0;
    for (; text.size() < 50'000'000; ++forms) {
        const std::string n = std::to_string(forms);
        text.append("(define (step-").append(n).append(" state x)   ; what a machine does\n  (let ((next (+ state ");
        text.append(n).append(")))\n    (if (< next 0) (write network \"lost\") (cons next '(a b c)))))\n\n");
    }
    const size_t bytes = text.size();
    const auto start = std::chrono::steady_clock::now();
    const Reading reading(std::move(text));
    const double seconds = seconds_since(start);
    const double megabytes = static_cast<double>(bytes) / 1e6;
    MESSAGE("read " << megabytes << " MB in " << seconds << " s, " << megabytes / seconds << " MB/s");
    CHECK_FALSE(reading.diagnostics.has_errors());
    CHECK(reading.top.size() == forms);
}

TEST_CASE("literals and tokens of megabytes") {
    const std::string word(5'000'000, 'w');
    CHECK((printed(word) == word));
    CHECK((printed('"' + word + '"') == '"' + word + '"'));
    CHECK(errors(std::string(5'000'000, '1')) == "1:1 a number of more than 100000 digits");
    CHECK(errors(std::string(5'000'000, '1') + "x").size() < 500);
}

namespace {

// Random data of every kind that the reader makes.
class RandomData {
public:
    explicit RandomData(unsigned seed) : random_(seed) {}

    DatumId make(Data& data, int depth) {
        switch (below(depth > 0 ? 10 : 6)) {
        case 0: return data.symbol({}, intern(text(symbol_bytes)));
        case 1: return data.boolean({}, below(2) == 0);
        case 2: return data.integer({}, static_cast<int64_t>(random_() & random_()) * (below(2) == 0 ? 1 : -1));
        case 3: return data.character({}, scalar());
        case 4: return data.string({}, text("\"\\|\n\r\t\a a;#"));
        case 5: return below(2) == 0 ? data.number({}, "-123456789012345678901/7") : data.null({});
        case 6: {
            std::vector<DatumId> elements;
            for (int n = below(4); n > 0; --n) elements.push_back(make(data, depth - 1));
            return data.vector({}, elements);
        }
        case 7: {
            std::string bytes;
            for (int n = below(4); n > 0; --n) bytes.push_back(static_cast<char>(below(256)));
            return data.bytevector({}, bytes);
        }
        default: {
            DatumId list = below(4) == 0 ? make(data, depth - 1) : data.null({});
            for (int n = below(5); n > 0; --n) list = data.pair({}, make(data, depth - 1), list);
            return list;
        }
        }
    }

private:
    static constexpr std::string_view symbol_bytes = "+-.ei0123/@aZ|\\ ;#'`,()nf\"";

    int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
    char32_t scalar() {
        for (;;) {
            const char32_t limits[] = {0x80, 0x80, 0x3000, 0x110000};
            const auto code = static_cast<char32_t>(random_() % limits[below(4)]);
            if (is_scalar_value(code)) return code;
        }
    }
    std::string text(std::string_view common) {
        std::string result;
        for (int n = below(6); n > 0; --n) {
            if (below(5) == 0)
                append_utf8(result, scalar());
            else
                result += common[random_() % common.size()];
        }
        return result;
    }

    std::mt19937 random_;
};

bool same(const Data& a, DatumId x, const Data& b, DatumId y) {
    const DatumKind kind = a[x].kind;
    if (kind != b[y].kind) return false;
    switch (kind) {
    case DatumKind::pair: return same(a, a.car(x), b, b.car(y)) && same(a, a.cdr(x), b, b.cdr(y));
    case DatumKind::vector: {
        const auto left = a.elements(x);
        const auto right = b.elements(y);
        if (left.size() != right.size()) return false;
        for (size_t i = 0; i < left.size(); ++i) {
            if (!same(a, left[i], b, right[i])) return false;
        }
        return true;
    }
    case DatumKind::number:
    case DatumKind::string:
    case DatumKind::bytevector: return a.text(x) == b.text(y);
    default: return a[x].a == b[y].a && a[x].b == b[y].b;
    }
}

} // namespace

TEST_CASE("what is printed reads as the same data") {
    const char* const one = std::getenv("ESPALIER_SEED");
    const unsigned count = one != nullptr ? 1 : std::getenv("ESPALIER_LONG") != nullptr ? 1'000'000 : 20'000;
    const unsigned first = one != nullptr ? static_cast<unsigned>(std::stoul(one)) : std::random_device{}();
    MESSAGE("seeds " << first << " to " << first + (count - 1));
    for (unsigned i = 0; i < count; ++i) {
        Data data;
        const DatumId id = RandomData(first + i).make(data, 4);
        const std::string text = print_datum(data, id);
        const Reading again(text);
        const bool good = !again.diagnostics.has_errors() && again.top.size() == 1 &&
                          same(data, id, again.data, again.top[0]) && again.printed() == text;
        if (good) continue;
        FAIL("ESPALIER_SEED=" << first + i << '\n' << text << '\n' << again.errors());
    }
}
