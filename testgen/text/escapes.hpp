// Text of models, suites and systems is data. These functions make it fit for each kind of file, so that it stays data
// there. All of them take any bytes; what is no UTF-8 becomes U+FFFD. A character that the format cannot carry is
// written as the modelling language writes it, \x7; so that nothing is lost and nothing is obeyed.
#pragma once

#include <string>
#include <string_view>

#include "lang/lang.hpp" // json_string

namespace espalier {

// For the content of an XML element or for an attribute in double quotes; there, line ends and tabs would be read as
// blanks, so they are references. Characters that XML cannot carry become \x7;
std::string xml_text(std::string_view text);
std::string xml_attribute(std::string_view text);
// What is no UTF-8 as U+FFFD, and all else as it is.
std::string valid_utf8(std::string_view bytes);
// XML has no control characters but three, and neither U+FFFE nor U+FFFF.
bool xml_can_carry(char32_t code);

// For HTML, in an element or in a quoted attribute. What could not be seen, or would turn the direction of text, is
// shown as \x7;
std::string html_text(std::string_view text);
// What JsonWriter wrote, made fit to stand in a <script> element: nothing in it can end the element or open a comment.
// Line breaks, which JsonWriter writes only between values, are taken out with the blanks after them.
std::string inline_json(std::string_view json);

// The inside of a string in double quotes; json_string is lang's. In C, what is no plain ASCII is octal escapes of its
// UTF-8, so that it does not depend on the compiler's character set. Of Graphviz, a line of text: a newline is for the
// caller to write.
std::string dot_string(std::string_view text);
std::string c_string(std::string_view text);
std::string python_string(std::string_view text);
std::string csv_string(std::string_view text);
// A universal charstring of TTCN-3, as an expression: "a" & char(0, 0, 0, 7)
std::string ttcn3_string(std::string_view text);

// Markdown: as text, and as a span of code.
std::string markdown_text(std::string_view text);
std::string markdown_code(std::string_view text);

// Fit for a line of a terminal or a comment: what cannot be seen, or ends the line, is shown as \x7;
std::string printable(std::string_view text);

// Letters, digits and underscores that remind of the text; begins with a letter, and is never empty. Not one-to-one.
std::string identifier(std::string_view text);

} // namespace espalier
