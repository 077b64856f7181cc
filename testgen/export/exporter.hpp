// The formats that a suite can be written in. An exporter is a name, the end of its files' names, and a function from a
// suite to bytes. To add one: a file NAME.cpp with such a function, and its line in exporters.cpp.
//
//   if (const Exporter* json = find_exporter("json"))
//       write_file("suite.json", [&](const Sink& sink) { json->write(SuiteView(model, suite), sink); });
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "testgen/suite/view.hpp"
#include "testgen/text/result.hpp"
#include "testgen/text/write_file.hpp"

namespace espalier {

struct Exporter {
    std::string name;
    std::string suffix; // of the file's name: "-suite.xml"
    std::function<void(const SuiteView&, const Sink&)> write;
    bool binary = false; // nothing for a terminal
    // Of a template: could it have made a file that begins like this? Other formats have marks of ours.
    std::function<bool(std::string_view beginning)> recognised = {};
};

std::span<const Exporter> exporters();
const Exporter* find_exporter(std::string_view name); // null where there is none
std::vector<std::string> exporter_names();

// The one that --format names, or that is made of the file of --template; xml where there is neither.
Result<Exporter> choose_exporter(const std::string& format, const std::string& template_file);

void export_json(const SuiteView& suite, const Sink& sink);
void export_ttcn3(const SuiteView& suite, const Sink& sink);
void export_testcomp(const SuiteView& suite, const Sink& sink);
void export_markdown(const SuiteView& suite, const Sink& sink);

} // namespace espalier
