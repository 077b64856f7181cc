// Which formats there are: one line each.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "testgen/export/exporter.hpp"
#include "testgen/export/template.hpp"

namespace espalier {

namespace {

void export_xml(const SuiteView& suite, const Sink& sink) { suite_to_xml(suite.model(), suite.suite(), sink); }

} // namespace

std::span<const Exporter> exporters() {
    static const std::array<Exporter, 5> all{{
        {"xml", "-suite.xml", export_xml},
        {"json", "-suite.json", export_json},
        {"ttcn3", "-suite.ttcn", export_ttcn3},
        {"testcomp", "-suite.zip", export_testcomp, true},
        {"markdown", "-suite.md", export_markdown},
    }};
    return all;
}

const Exporter* find_exporter(std::string_view name) {
    for (const Exporter& e : exporters())
        if (e.name == name) return &e;
    return nullptr;
}

std::vector<std::string> exporter_names() {
    std::vector<std::string> names;
    for (const Exporter& e : exporters()) names.push_back(e.name);
    return names;
}

Result<Exporter> choose_exporter(const std::string& format, const std::string& template_file) {
    if (template_file.empty()) {
        const Exporter* found = find_exporter(format.empty() ? "xml" : format);
        if (found != nullptr) return *found;
        return Problem{"there is no format `" + format + "`"};
    }
    const auto text = read_file(template_file);
    if (!text) return Problem{"cannot read `" + template_file + "`: " + std::strerror(errno)};
    return template_exporter(template_file, *text);
}

} // namespace espalier
