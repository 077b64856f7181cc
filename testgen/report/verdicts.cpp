// What came of the tests on a real system, in a page that was written before that was known.
#include "testgen/report/report.hpp"
#include "testgen/text/json_reader.hpp"

namespace espalier {

std::string report_verdicts(const std::vector<ReportVerdict>& verdicts) {
    JsonWriter json;
    json.begin_list();
    for (const ReportVerdict& v : verdicts) {
        json.begin_object();
        json.member("test", std::string_view(v.test));
        json.member("verdict", word_of(v.verdict));
        json.member("text", std::string_view(v.text));
        json.end_object();
    }
    json.end_list();
    return inline_json(json.take());
}

std::string report_digests(const Report& report) {
    JsonWriter json;
    json.begin_list();
    for (const TestDigest& t : test_digests(report.model, report.result.suite)) {
        json.begin_object();
        json.member("test", std::string_view(t.test));
        json.member("digest", std::string_view(t.digest));
        json.end_object();
    }
    json.end_list();
    return inline_json(json.take());
}

std::optional<std::vector<TestDigest>> tests_of_page(std::string_view page) {
    const size_t begin = page.find(digests_begin);
    if (begin == std::string_view::npos) return std::nullopt;
    const size_t inside = begin + digests_begin.size(), end = page.find("</script>", inside);
    if (end == std::string_view::npos) return std::nullopt;
    const auto json = parse_json(page.substr(inside, end - inside), {100, SIZE_MAX});
    const auto* list = json ? std::get_if<JsonList>(&json->kind) : nullptr;
    if (list == nullptr) return std::nullopt;
    std::vector<TestDigest> tests;
    for (const JsonValue& item : *list) {
        const JsonValue *test = item.member("test"), *digest = item.member("digest");
        if (test == nullptr || digest == nullptr || !test->string() || !digest->string()) return std::nullopt;
        tests.push_back({*test->string(), *digest->string()});
    }
    return tests;
}

// Text of a model or a system never looks like the element: in HTML and in data its `<` is written otherwise.
std::optional<std::string> with_verdicts(std::string_view page, const std::vector<ReportVerdict>& verdicts) {
    const size_t begin = page.find(verdicts_begin);
    if (begin == std::string_view::npos || page.find(verdicts_begin, begin + 1) != std::string_view::npos)
        return std::nullopt;
    const size_t inside = begin + verdicts_begin.size(), end = page.find("</script>", inside);
    if (end == std::string_view::npos) return std::nullopt;
    return std::string(page.substr(0, inside)) + report_verdicts(verdicts) + std::string(page.substr(end));
}

} // namespace espalier
