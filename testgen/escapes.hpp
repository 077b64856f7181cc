// Text of models, suites and systems is data: what each kind of file needs so that it stays data there. All take any
// bytes; what is no UTF-8 becomes U+FFFD. A character that the format cannot carry is written as the modelling language
// writes it, \x7; so that nothing is lost and nothing is obeyed.
#pragma once

#include <string>
#include <string_view>

namespace espalier {

// For the content of an XML element or for an attribute in double quotes; there, line ends and tabs would be read as
// blanks, so they are references. Characters that XML cannot carry become \x7;
std::string xml_text(std::string_view text);
std::string xml_attribute(std::string_view text);

} // namespace espalier
