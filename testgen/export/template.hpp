// Formats of one's own: a text with holes, for --template. The language is small on purpose (docs/formats.md):
//
//   {{#each tests}}            a loop over a list of the thing at hand; {{/each}}
//   {{#if input}} {{else}}     by whether a field is there, or by {{#if type = "int"}}, {{#if not last}}; {{/if}}
//   {{value|json}}             a field, made fit for where it stands
//   {{! a remark}} {{"{{"}}    nothing, and a text as it is
//
// Each list belongs to one kind of thing and no thing contains itself: a loop over tests inside a loop over tests is an
// error. So a loop goes through the suite once, wherever it stands, and what comes out cannot explode. Names are looked
// up when the template is read, so that a mistake shows before any search, with its place.
#pragma once

#include <string>

#include "testgen/export/exporter.hpp"

namespace espalier {

// A problem has its places in the template.
Result<Exporter> template_exporter(const std::string& file, std::string text);

} // namespace espalier
