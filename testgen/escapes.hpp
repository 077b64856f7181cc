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

// The inside of a string in double quotes. In C, what is no plain ASCII is octal escapes of its UTF-8, so that it does
// not depend on the compiler's character set.
std::string json_string(std::string_view text);
std::string c_string(std::string_view text);
std::string python_string(std::string_view text);
std::string csv_string(std::string_view text);
// A universal charstring of TTCN-3, as an expression: "a" & char(0, 0, 0, 7)
std::string ttcn3_string(std::string_view text);

// Markdown: as text, and as a span of code.
std::string markdown_text(std::string_view text);
std::string markdown_code(std::string_view text);

// Fit for a line of a terminal or a comment: what cannot be seen, or ends the line, is shown as \x7;
std::string visible_line(std::string_view text);

// Letters, digits and underscores that remind of the text; begins with a letter, and is never empty. Not one-to-one.
std::string identifier(std::string_view text);

} // namespace espalier
