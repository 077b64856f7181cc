// Suites that are wrong: each mistake is named, at its place, and nothing that a file may hold does any harm.
#include <chrono>

#include "tests/testgen/suite_reading.hpp"

using namespace espalier;

namespace {

const Model& model() {
    static const Model m =
        compiled("(define-message In (n (int 0 9))) (define-message M (i (int 0 9)) (b bool) (e (enum red "
                 "3)) (s string) (d (bytes 2)) (l (list-of int 2)) (o (one-of In)))"
                 "(define-port p (in M In) (out M In)) (define-port q out In) (checkpoint a) (checkpoint b)"
                 "(define x (fresh (int 0 9))) (write p (In x)) (read p)");
    return m;
}

std::string errors(const std::string& xml) { return Reading(model(), xml).errors(); }
std::string in_suite(const std::string& inside) { return errors(suite_of(inside)); }
std::string in_test(const std::string& inside) { return errors(test_of(inside)); }
// Of a message In in, with one field as given.
std::string in_field(const std::string& attributes, const std::string& content) {
    return in_test("<input port=\"p\" message=\"In\"><field " + attributes + ">" + content + "</field></input>");
}
// Of one field of M; the others are right.
std::string in_m(const std::string& name, const std::string& field) {
    std::string all = "<input port=\"p\" message=\"M\">\n" + field + "\n";
    const std::pair<const char*, const char*> others[] = {
        {"i", "<field name=\"i\" type=\"int\">1</field>"},
        {"b", "<field name=\"b\" type=\"bool\">#t</field>"},
        {"e", "<field name=\"e\" type=\"enum\">red</field>"},
        {"s", "<field name=\"s\" type=\"string\"/>"},
        {"d", "<field name=\"d\" type=\"bytes\"/>"},
        {"l", "<field name=\"l\" type=\"list\"/>"},
        {"o", "<field name=\"o\" type=\"message\"><message name=\"In\"><field name=\"n\" "
              "type=\"int\">1</field></message></field>"},
    };
    for (const auto& [other, text] : others)
        if (other != name) all += text;
    return in_test(all + "</input>");
}

} // namespace

TEST_CASE("a suite by hand") {
    const Reading r(model(),
                    "\xEF\xBB\xBF<?xml version='1.0' encoding='utf-8'?>\r\n<!-- mine -->"
                    "<suite xmlns='urn:espalier:suite:1' model='model.scm' xmlns:xsi='http://www.w3.org/2001/"
                    "XMLSchema-instance' xsi:schemaLocation='urn:espalier:suite:1 suite.xsd'>"
                    "<test id='one'><!-- covers nothing -->"
                    "<output port='p' message='In'><field name='n' type=' int ' bind='tag'/></output>"
                    "<input message='M' port='p'>"
                    "<field name='o' type='message'> <message name='In'> <field name='n' type='int'> 7 </field> "
                    "</message> </field>"
                    "<field type='string' name='s'>a&lt;<![CDATA[<b>]]><!-- c -->c&#x41;</field>"
                    "<field name='b' type='bool'>false</field><field name='e' type='enum'>3</field>"
                    "<field name='i' type='int' not='tag'>0</field><field name='d' type='bytes'>aBcD</field>"
                    "<field name='l' type='list'><item type='int'>1</item></field></input></test></suite>");
    const SuiteTest& t = r.good().tests.at(0);
    REQUIRE(t.events.size() == 2);
    CHECK(to_text(*model().program, t.events[1].value) == "(M 0 #f 3 \"a<<b>cA\" #u8(171 205) (1) (In 7))");
    CHECK(t.events[1].fresh.size() == 1);
    CHECK(r.differences().empty());
}

TEST_CASE("text that is not XML") {
    CHECK(errors("") == "1:1: there is no element: a suite has the root element `suite`");
    CHECK(errors("hello") == "1:1: text stands inside of elements only");
    CHECK(errors("<suite>") == "1:2: the element `suite` is never closed");
    CHECK(errors("<suite>\n<a></b></suite>") == "2:6: `b` is closed while `a` is open");
    CHECK(errors("<suite/><suite/>") == "1:10: a second root element");
    CHECK(errors("<suite/>\nx") == "2:1: text stands inside of elements only");
    CHECK(errors("<suite a=1/>") == "1:10: the value of `a` is not in quotes");
    CHECK(errors("<suite a/>") == "1:9: the attribute `a` has no value");
    CHECK(errors("<suite a='1'b='2'/>") == "1:13: a blank, `>` or `/>` is missing");
    CHECK(errors("<suite a='1' b='2' a='3'/>") == "1:20: the attribute `a` is given twice");
    CHECK(errors("<suite a='<'/>") == "1:11: `<` in a value is written `&lt;`");
    CHECK(errors("<suite a='1/>") == "1:10: the value of `a` is never closed");
    CHECK(errors("<suite>é&nbsp;</suite>") ==
          "1:9: `&` begins no reference that XML knows; by itself it is written `&amp;`");
    CHECK(errors("<suite>&</suite>") == "1:8: `&` begins no reference that XML knows; by itself it is written `&amp;`");
    for (const char* bad : {"&#0;", "&#xD800;", "&#x110000;", "&#99999999999999999;", "&#xFFFE;", "&#x1b;"})
        CHECK(errors("<suite>" + std::string(bad) + "</suite>") == "1:8: XML cannot carry this character");
    CHECK(errors("<suite>&#xg;</suite>") == "1:8: this is not the number of a character");
    CHECK(errors("<suite>]]></suite>") == "1:8: `]]>` in text is written `]]&gt;`");
    CHECK(errors("<suite><!-- a -- b --></suite>") == "1:15: a comment does not hold `--`");
    CHECK(errors("<suite><!-- a </suite>") == "1:8: the comment is never closed");
    CHECK(errors("<suite><![CDATA[ a </suite>") == "1:8: the CDATA section is never closed");
    CHECK(errors("<suite><? a </suite>") == "1:8: the processing instruction is never closed");
    CHECK(errors(" <?xml version='1.0'?><suite/>") ==
          "1:2: the XML declaration stands at the very beginning, or not at all");
    CHECK(errors("<?xml version='1.0' encoding='latin1'?><suite/>") ==
          "1:21: suites are UTF-8, no other encoding is read");
    CHECK(errors("<suite>\xff</suite>") == "1:8: this is not UTF-8");
    CHECK(errors(std::string("<suite>\0</suite>", 16)) == "1:8: XML cannot carry this character");
    CHECK(errors("<suite>< a></suite>") == "1:8: `<` begins no element here; in text it is written `&lt;`");
    CHECK(errors("</suite>") == "1:3: `suite` is closed, but not open");
}

TEST_CASE("elements and attributes that a suite does not have") {
    CHECK(errors("<sweet/>") == "1:2: the root element of a suite is `suite`, this is `sweet`");
    CHECK(errors("<suite model='m'/>") == "1:2: a suite is in the namespace xmlns=\"urn:espalier:suite:1\"");
    CHECK(errors("<suite xmlns='urn:espalier:suite:2' model='m'/>") ==
          "1:15: a suite is in the namespace xmlns=\"urn:espalier:suite:1\"");
    CHECK(errors("<suite xmlns='urn:espalier:suite:1'/>") == "1:2: `suite` needs the attribute `model`");
    CHECK(errors("<suite xmlns='urn:espalier:suite:1' model='m' depht='3'/>") ==
          "1:47: `suite` has no attribute `depht`");
    CHECK(errors("<suite xmlns='urn:espalier:suite:1' model='m' depth='-3'/>") ==
          "1:54: `depth` is a whole number from 0 to 4294967295");
    CHECK(errors("<suite xmlns='urn:espalier:suite:1' model='m' complete='yes'/>") ==
          "1:57: `complete` is true or false");
    CHECK(in_suite("<tests/>") == "2:2: there is no element `tests` in `suite`");
    CHECK(in_suite("<test/>") == "2:2: `test` needs the attribute `id`");
    CHECK(in_suite("<test id='a b'/>") == "2:11: `a b` is not a name");
    CHECK(in_suite("<test id='a'/><test id='a'/>") == "2:25: there is a test `a` before");
    CHECK(in_suite("<test id='a' end='open'/>").empty());
    for (const char* end : {"Open", " open", "open open", "closed", "&#xd7;", "true"})
        CHECK(in_suite("<test id='a' end='" + std::string(end) + "'/>") == "2:19: `end` is open, or not there");
    CHECK(in_suite("<test id='a' end=''/>") == "2:14: `end` is open, or not there");
    CHECK(in_suite("<test id='a' error='no' end='open'/>") ==
          "2:25: a test that ends in a model error says nothing else of its end");
    CHECK(in_suite("<test id='a' error=''/>") == "2:14: `error` is the text of the model error");
    CHECK(in_suite("<targets/><test id='a'/>") == "2:12: the tests stand before the table `targets`");
    CHECK(in_suite("<targets/><targets/>") == "2:12: there is only one table `targets`");
    CHECK(in_test("text") == "2:2: `test` holds no text");
    CHECK(in_test("<inputs/>") == "3:2: there is no element `inputs` in `test`");
    CHECK(in_test("<covers target='cp:c'/>") == "3:17: the model has no target `cp:c`");
    CHECK(in_test("<covers target='branch:f#1:then'/>") == "3:17: the model has no target `branch:f#1:then`");
    CHECK(in_test("<covers target='cp:a'/><covers target='cp:a'/>") == "3:25: the test names this target twice");
    CHECK(in_test("<wait units='1'/><covers target='cp:a'/>") ==
          "3:19: what a test covers stands before what happens in it");
    for (const char* wrong : {"1.5", "-1", " ", "1e3", "+1", "1 2"})
        CHECK(in_test("<wait units='" + std::string(wrong) + "'/>") == "3:14: `units` is a whole number, 0 or more");
    CHECK(in_test("<wait units=' 9223372036854775808 '/>").empty());
    CHECK(in_test("<wait units='1" + std::string(400, '0') + "'/>").empty());
    CHECK(in_test("<choice taken='2' of='2'/>") == "3:16: choices are counted from 0: of 2 the last is 1");
    CHECK(in_test("<choice/>") == "3:2: `choice` needs the attribute `taken`");
    CHECK(in_test("<schedule turn='2' of='0 2'/>") == "3:17: turns are counted from 0, and `of` lists 2");
    CHECK(in_test("<schedule turn='1' of='1x'/>") == "3:24: `of` lists the thread of each turn that was possible");
    CHECK(in_suite("<targets><target id='cp:a' status='done'/></targets>") ==
          "2:36: `status` is covered, unreached or infeasible");
    CHECK(in_suite("<targets><target id='cp:a' status='infeasible' proof='magic'/></targets>") ==
          "2:55: `proof` is flow or exhausted");
    CHECK(in_suite("<targets><target id='cp:a' status='unreached' proof='flow'/></targets>") ==
          "2:47: only an infeasible target has a proof");
    CHECK(in_suite("<targets><target id='cp:a' status='covered' test='t'/></targets>") == "2:51: there is no test `t`");
    CHECK(in_suite("<test id='t'/><targets><target id='cp:a' status='unreached' test='t'/></targets>") ==
          "2:61: only a covered target names a test");
    CHECK(in_suite("<targets><target id='cp:a' status='unreached'/><target id='cp:a' status='unreached'/></targets>") ==
          "2:49: the table lists this target twice");
    CHECK(in_suite("<targets><target id='cp:x' status='unreached'/></targets>") ==
          "2:22: the model has no target `cp:x`");
}

TEST_CASE("ports, messages and fields") {
    CHECK(in_test("<input port='r' message='In'/>") == "3:14: the model has no port `r`");
    CHECK(in_test("<input port='p' message='Out'/>") == "3:26: the model has no message `Out`");
    CHECK(in_test("<input port='q' message='In'/>") == "3:26: the port `q` does not carry `In` in");
    CHECK(in_test("<output port='q' message='M'/>") == "3:27: the port `q` does not carry `M` out");
    CHECK(in_test("<input port='p' message='value'/>") == "3:26: the model has no message `value`");
    CHECK(in_test("<input port='p' message='In'/>") == "3:2: the field `n` of `In` is missing");
    CHECK(in_field("name='m' type='int'", "1") == "3:43: `In` has no field `m`; 3:2: the field `n` of `In` is missing");
    CHECK(in_field("type='int'", "1") ==
          "3:31: `field` needs the attribute `name`; 3:2: the field `n` of `In` is missing");
    CHECK(in_field("name='n'", "1") == "3:31: `field` needs the attribute `type`");
    CHECK(in_field("name='n' type='string'", "1") == "3:52: the type is `int`, not `string`: the model says (int 0 9)");
    CHECK(in_test("<input port='p' message='In'><field name='n' type='int'>1</field><field name='n' "
                  "type='int'>1</field></input>") == "3:79: the field `n` is given twice");
    CHECK(in_test("<input port='in' message='value'/>") == "3:2: a bare value stands in one field, `value`");
    CHECK(in_test("<input port='in' message='value'><field name='v' type='int'>1</field></input>") ==
          "3:35: the field of a bare value is called `value`");
    CHECK(in_test("<input port='in' message='value'><field name='value' type='thing'>1</field></input>") ==
          "3:60: there is no type `thing` of a value that is spelt out");
    CHECK(in_test("<input port='in' message='value'><field name='value' type='other'>1</field></input>") ==
          "3:60: there is no type `other` of a value that is spelt out");
}

TEST_CASE("values outside their types") {
    CHECK(in_m("i", "<field name='i' type='int'>10</field>") == "4:2: 10 is not of type (int 0 9)");
    CHECK(in_m("i", "<field name='i' type='int'>1/2</field>") == "4:2: 1/2 is not of type (int 0 9)");
    CHECK(in_m("i", "<field name='i' type='int'>one</field>") == "4:2: `one` is not a number");
    CHECK(in_m("i", "<field name='i' type='int'/>") == "4:2: `` is not a number");
    CHECK(in_m("i", "<field name='i' type='int'><item/></field>") == "4:29: a value of type `int` is text");
    CHECK(in_m("b", "<field name='b' type='bool'>1</field>") == "4:2: `1` is not a boolean: #t or #f");
    CHECK(in_m("e", "<field name='e' type='enum'>blue</field>") == "4:2: `blue` is not of type (enum red 3)");
    CHECK(in_m("e", "<field name='e' type='enum'>\"red\"</field>") == "4:2: `\"red\"` is not of type (enum red 3)");
    CHECK(in_m("s", "<field name='s' type='string' escaped='true'>\\n</field>") ==
          "4:2: a backslash in escaped text begins `\\xHEX;`, with the number of a character");
    CHECK(in_m("s", "<field name='s' type='string' escaped='true'>\\xd800;</field>") ==
          "4:2: a backslash in escaped text begins `\\xHEX;`, with the number of a character");
    CHECK(in_m("d", "<field name='d' type='bytes'>abc</field>") ==
          "4:2: `abc` are not bytes: two hexadecimal digits for each");
    CHECK(in_m("d", "<field name='d' type='bytes'>aabbcc</field>") == "4:2: #u8(170 187 204) is not of type (bytes 2)");
    CHECK(in_m("l", "<field name='l' type='list'>1</field>") == "4:2: `field` holds no text");
    CHECK(in_m("l", "<field name='l' type='list'><item type='bool'>#t</item></field>") ==
          "4:41: the type is `int`, not `bool`: the model says int");
    CHECK(in_m("l", "<field name='l' type='list'><item type='int'>1</item><item type='int'>1</item><item "
                    "type='int'>1</item></field>") == "4:80: a list of type (list-of int 2) has no more items");
    CHECK(in_m("o", "<field name='o' type='message'><message name='M'/></field>") == "4:47: `M` is not of type In");
    CHECK(in_m("o", "<field name='o' type='message'/>") == "4:2: a value of type `message` is one element `message`");
}

TEST_CASE("names of values that the system chooses") {
    const std::string bind = "<output port='p' message='In'><field name='n' type='int' bind='x1'/></output>\n";
    CHECK(in_field("name='n' type='int' bind='x1'", "") == "3:57: only an output binds a name; an input says `ref`");
    CHECK(in_field("name='n' type='int' any='true'", "") ==
          "3:31: an input has a value; only in an output it may be any");
    CHECK(in_test(bind + "<output port='p' message='In'><field name='n' type='int' not='x1'>1</field></output>") ==
          "4:58: only an input, or an output that binds a name, says which values it is not");
    CHECK(in_test(bind + "<output port='p' message='In'><field name='n' type='int' bind='x2' not='x1 x2'/></output>") ==
          "4:73: `x2` cannot differ from itself");
    CHECK(in_test(bind + "<input port='p' message='In'><field name='n' type='int' ref='x1' not='x1'/></input>") ==
          "4:31: only one of `bind`, `ref`, `not` and `any` can hold");
    CHECK(in_test(bind + "<input port='p' message='In'><field name='n' type='int' ref='x1'>1</field></input>") ==
          "4:31: `field` holds no text");
    CHECK(in_test("<output port='p' message='In'><field name='n' type='int' bind='1'/></output>") ==
          "3:64: `1` is not a name");
    CHECK(in_field("name='n' type='int' not=' '", "1") ==
          "3:31: `not` names one or more values that outputs have bound");
    CHECK(in_field("name='n' type='int' not='a 1'", "1") == "3:62: `1` is not a name");
}

TEST_CASE("several mistakes show at once, and not without end") {
    std::string many;
    for (int i = 0; i < 100; ++i) many += "<covers target='cp:none'/>\n";
    const Reading r(model(), test_of(many));
    CHECK(r.diagnostics.error_count() == most_suite_errors);
}

TEST_CASE("nothing that a file may hold does any harm, or takes long") {
    const auto start = std::chrono::steady_clock::now();
    const auto repeated = [](const std::string& text, size_t times) {
        std::string all;
        for (size_t i = 0; i < times; ++i) all += text;
        return all;
    };
    const std::string field = "<field name='value' type='list'>", item = "<item type='list'>";
    const std::string value = "<input port='in' message='value'>" + field;
    constexpr size_t many = 200'000;
    CHECK(in_test(value + repeated(item, many) + repeated("</item>", many) + "</field></input>")
              .ends_with("the value is nested too deeply"));
    CHECK(in_test(value + repeated("<item type='int'>1</item>", many) + "</field></input>").empty());
    CHECK(errors(repeated("<a>", many)).ends_with("the element `a` is never closed"));
    CHECK(errors(repeated("<a>", many) + repeated("</a>", many)).ends_with("this is `a`"));
    CHECK(errors("<!DOCTYPE lolz [<!ENTITY lol 'lol'><!ENTITY lol2 '&lol;&lol;'>]><suite>&lol2;</suite>") ==
          "1:1: a suite has no document type");
    std::string attributes;
    for (size_t i = 0; i < many; ++i) attributes += " a" + std::to_string(i) + "=''";
    CHECK(errors("<suite" + attributes + "/>").find("has no attribute `a0`") != std::string::npos);
    CHECK(in_suite(repeated("<test id='a'/>", many)).find("there is a test `a` before") != std::string::npos);
    CHECK(in_test(repeated("<wait units='1'/>", many)).empty());
    CHECK(in_m("s", "<field name='s' type='string'>" + repeated("<!-- -->x", many) + "</field>").empty());
    CHECK(in_m("s", "<field name='s' type='string'>" + repeated("&amp;", many) + "</field>").empty());
    CHECK(in_test(value + "<item type='int'>" + std::string(many, '7') + "</item></field></input>").empty());
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    CHECK_MESSAGE(seconds < 60, seconds); // a quadratic reader would take hours
}
