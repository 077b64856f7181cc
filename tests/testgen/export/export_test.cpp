// The formats of suites, where no other tool is needed to see what is right. What Titan, xmllint and Python's readers
// say is in tests/e2e/exports.sh and titan.sh.
#include <random>

#include "testgen/export/exporter.hpp"
#include "testgen/export/template.hpp"
#include "testgen/text/escapes.hpp"
#include "testgen/text/sha256.hpp"
#include "testgen/text/unique_names.hpp"
#include "testgen/text/zip.hpp"
#include "tests/testgen/suite_reading.hpp"

using namespace espalier;
using namespace std::string_literals;

namespace {

const char* const desk = R"((define-message Use (ticket int) (flags (list-of bool 3)))
(define-message Ticket (id int))
(define-port client (in Use) (out Ticket))
(checkpoint begun)
(write client (Ticket (fresh int)))
(read client))";

const char* const suite_text = R"(<test id="a">
<covers target="cp:begun"/>
<output port="client" message="Ticket"><field name="id" type="int" bind="x"/></output>
<input port="client" message="Use"><field name="ticket" type="int" not="x">5</field>
  <field name="flags" type="list"><item type="bool">#t</item><item type="bool">#f</item></field></input>
<wait units="3"/>
</test>
<test id="a.b"/><test id="a-b"/>
)";

std::string exported(const Exporter& exporter, const std::string& xml = suite_text) {
    Model model = compiled(desk);
    model.program = instrument(*model.program, Criteria::standard());
    const Reading reading(model, suite_of(xml));
    std::string out;
    exporter.write(SuiteView(model, reading.good()), [&](std::string_view part) { out += part; });
    return out;
}

std::string by_template(const std::string& text, const std::string& xml = suite_text) {
    const auto exporter = template_exporter("t", text);
    REQUIRE_MESSAGE(exporter, text);
    return exported(*exporter, xml);
}

std::string mistake(const std::string& text) {
    const auto exporter = template_exporter("t", text);
    REQUIRE(!exporter);
    const std::string& lines = exporter.problem().text;
    return lines.substr(0, lines.find('\n'));
}

} // namespace

TEST_CASE("a test as plain data") {
    Model model = compiled(desk);
    model.program = instrument(*model.program, Criteria::standard());
    const Reading reading(model, suite_of(suite_text));
    const SuiteView view(model, reading.good());
    const TestView test = view.test(0);
    REQUIRE(test.steps.size() == 3);
    CHECK(test.steps[0].fields[0].value.is == ValueView::Is::bind);
    CHECK(test.steps[0].datum == "(Ticket x)");
    CHECK(test.steps[1].datum == "(Use 5 (#t #f))");
    CHECK(test.steps[1].fields[0].value.differs_from == std::vector<std::string>{"x"});
    CHECK(test.steps[1].fields[1].value.parts[0].value.text == "true");
    CHECK(test.steps[2].units == 3);
    CHECK(view.targets().empty()); // it lists none
}

TEST_CASE("values that must differ are told in every format") {
    const char* const two = R"(<test id="a">
<output port="client" message="Ticket"><field name="id" type="int" bind="x"/></output>
<output port="client" message="Ticket"><field name="id" type="int" bind="y" not="x"/></output>
</test>)";
    const auto has = [&](const char* format, const std::string& part) {
        const std::string text = exported(*find_exporter(format), two);
        CAPTURE(text);
        CHECK(text.find(part) != std::string::npos);
    };
    has("xml", R"(bind="y" not="x")");
    has("markdown", "any value other than **x**; write it down as **y**");
    has("ttcn3", R"(if (x_y == x_x) { f_wrong("the system chose for y the value of x"); })");
    has("json", "\"not\": [\n                \"x\"\n              ],\n              \"bind\": \"y\"");
    CHECK(by_template("{{#each tests}}{{#each steps}}{{#each fields}}{{text}}/{{not}} {{/each}}{{/each}}{{/each}}",
                      two) == "x/ y/x ");
}

TEST_CASE("every format is found by its name") {
    for (const std::string& name : exporter_names()) {
        REQUIRE(find_exporter(name) != nullptr);
        CHECK(!exported(*find_exporter(name)).empty());
        CHECK(exported(*find_exporter(name)) == exported(*find_exporter(name)));
    }
    CHECK(find_exporter("jsonl") == nullptr);
}

TEST_CASE("templates: fields, lists, conditions") {
    CHECK(by_template("{{model}} {{test_count}}") == "model.scm 3");
    CHECK(by_template("{{#each tests}}{{id}}={{identifier}}{{#if not last}}, {{/if}}{{/each}}") ==
          "a=a, a.b=a_b, a-b=a_b_2");
    CHECK(by_template("{{#each tests}}\n  {{#if first}}\n{{#each steps}}\n{{test.number}}.{{number}} {{kind}}\n"
                      "{{/each}}\n{{else}}\n-\n{{/if}}\n{{/each}}\n") == "1.1 output\n1.2 input\n1.3 wait\n-\n-\n");
    CHECK(by_template("{{#each tests}}{{#each steps}}{{#each fields}}{{name}}:{{is}}:{{text}}:{{not}}"
                      "{{#each parts}}[{{field.name}} {{text}}]{{/each}} {{/each}}{{units}}{{/each}}{{/each}}") ==
          "id:bind:x: ticket:text:5:x flags:list::[flags true][flags false] 3");
    CHECK(by_template("{{#each tests}}{{#each covers}}{{id}} {{criterion}}{{/each}}{{/each}}") ==
          "cp:begun checkpoints");
    CHECK(by_template("{{#if seed = \"0\"}}yes{{else}}no{{/if}}{{#if seed != \"0\"}}yes{{else}}no{{/if}}") == "yesno");
    CHECK(by_template("a{{! {{ \" }}b{{\"{{}}\"}}c") == "ab{{}}c");
}

TEST_CASE("templates: a mistake has a place") {
    CHECK(mistake("x\n {{nam}}").starts_with("t:2:4: error: there is no field `nam` here, but these: suite: model, "));
    CHECK(mistake("{{#each tests}}{{#each tests}}") ==
          "t:1:24: error: a test has no list `tests`, but these: steps, covers");
    CHECK(mistake("{{#each targets}}{{#each steps}}") == "t:1:26: error: a target has no list `steps`, nor any other");
    CHECK(mistake("{{model|jsn}}").starts_with("t:1:9: error: there is no filter `jsn`"));
    CHECK(mistake("{{#if model}}") == "t:1:1: error: this is not closed");
    CHECK(mistake("{{\"a\"|json}}") == "t:1:1: error: a text in quotes has no filter");
    CHECK(mistake("{{model json}}") == "t:1:9: error: after a field comes `|` and a filter, or the end");
    CHECK(mistake("{{model; }}").starts_with("t:1:8: error: a tag has names"));
    CHECK(mistake("a{{/each") == "t:1:2: error: this has no `}}`");
    CHECK(mistake("{{test.id}}").starts_with("t:1:3: error: there is no field `test.id`"));
}

TEST_CASE("templates: any text is read, and ends") {
    std::mt19937 random(1);
    const std::vector<std::string> pieces{
        "{{", "}}",   "#each ", "#if ", "tests", "steps", "fields", "parts", "/each", "/if",  "else", "\"",
        "|",  "json", "=",      "!=",   "not ",  "id",    ".",      "\n",    "!",     "\xff", " "};
    size_t good = 0;
    for (int i = 0; i < 20000; ++i) {
        std::string text;
        for (size_t n = random() % 12; n > 0; --n) text += pieces[random() % pieces.size()];
        const auto made = template_exporter("t", text);
        CHECK((made || !made.problem().text.empty()));
        good += made ? 1 : 0;
    }
    CHECK(good > 100); // some of it is text or a remark
}

TEST_CASE("strings of other languages") {
    const std::string hard = "a\"'\\\n\x1b?\xc3\xa9\xf0\x9f\x98\x80\x7f";
    CHECK(json_string(hard) == "a\\\"'\\\\\\n\\u001b?\xc3\xa9\xf0\x9f\x98\x80\\u007f");
    CHECK(c_string(hard) == "a\\\"'\\\\\\012\\033\\?\\303\\251\\360\\237\\230\\200\\177");
    CHECK(python_string(hard) == "a\\\"\\'\\\\\\u000a\\u001b?\\u00e9\\U0001f600\\u007f");
    CHECK(csv_string("a\"b") == "a\"\"b");
    CHECK(ttcn3_string("") == "\"\"");
    CHECK(ttcn3_string("a\"b") == "\"a\"\"b\"");
    CHECK(ttcn3_string("a\\\nb\xf0\x9f\x98\x80") ==
          "\"a\" & char(0, 0, 0, 92) & char(0, 0, 0, 10) & \"b\" & char(0, 1, 246, 0)");
    CHECK(markdown_code("a`b") == "``a`b``");
    CHECK(markdown_code("`") == "`` ` ``");
    CHECK(markdown_code("a\nb\xe2\x80\xae") == "`a\\xa;b\\x202e;`");
    CHECK(markdown_text("<b>_*[x](y)|`") == "\\<b\\>\\_\\*\\[x\\](y)\\|\\`");
    CHECK(markdown_text("http://www.a.b") == "http\\://www\\.a.b");
    CHECK(identifier("3-a/b__c!") == "n3_a_b_c");
    CHECK(identifier("\xc3\xa9") == "x");
    CHECK(printable("a\r\n\x1b[m") == "a\\xd;\\xa;\\x1b;[m");
}

TEST_CASE("no name is given twice") {
    UniqueNames names;
    CHECK(names.give("a") == "a");
    CHECK(names.give("a_2") == "a_2");
    CHECK(names.give("a") == "a_3");
    CHECK(names.give("a") == "a_4");
    CHECK(names.give("a_3") == "a_3_2");
}

TEST_CASE("checksums of known texts") {
    // FIPS 180-4's examples, and the check value of CRC-32
    CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(sha256_hex(std::string(1'000'000, 'a')) ==
          "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    CHECK(crc32("123456789") == 0xCBF43926U);
}

TEST_CASE("an archive") {
    std::string bytes;
    const Sink sink = [&](std::string_view part) { bytes += part; };
    ZipWriter zip(sink);
    zip.add("a", "one");
    zip.add("b", "");
    zip.finish();
    CHECK(bytes.substr(0, 4) == "PK\3\4");
    CHECK(bytes.substr(30, 4) == "aone");
    CHECK(bytes.size() == 2 * 31 + 3 + 2 * 47 + 22);
    CHECK(bytes.substr(bytes.size() - 22, 12) == "PK\5\6\0\0\0\0\2\0\2\0"s);
}

TEST_CASE("an archive of more files than two bytes can count") {
    std::string bytes;
    const Sink sink = [&](std::string_view part) { bytes += part; };
    ZipWriter zip(sink);
    for (int i = 0; i < 70'000; ++i) zip.add("f", "");
    zip.finish();
    CHECK(bytes.substr(bytes.size() - 22, 12) == "PK\5\6\0\0\0\0\xff\xff\xff\xff"s);
    CHECK(bytes.substr(bytes.size() - 42, 4) == "PK\6\7");
    CHECK(bytes.substr(bytes.size() - 98, 4) == "PK\6\6");
    CHECK(bytes.substr(bytes.size() - 98 + 24, 8) == "\x70\x11\1\0\0\0\0\0"s);
}

TEST_CASE("an open end in every format") {
    const std::string open = R"(<test id="a" end="open"><output port="client" message="Ticket">
<field name="id" type="int" bind="x"/></output></test><test id="b" end="open"/><test id="c"/>)";
    CHECK(by_template("{{#each tests}}{{id}}:{{end}}{{#if end = \"open\"}}!{{/if}} {{/each}}", open) ==
          "a:open! b:open! c: ");
    const auto in = [&](const char* format) {
        const Exporter* exporter = find_exporter(format);
        REQUIRE(exporter != nullptr);
        return exported(*exporter, open);
    };
    const auto count = [](const std::string& text, const std::string& part) {
        size_t n = 0;
        for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
        return n;
    };
    CHECK(count(in("xml"), " end=\"open\"") == 2);
    CHECK(count(in("json"), "\"end\": \"open\"") == 2);
    const std::string by_hand = in("markdown");
    CHECK(count(by_hand, "What the system does after this is left open") == 2);
    CHECK(count(by_hand, "Nothing is to be done.\n") == 1);
    CHECK(count(by_hand, "Nothing is to be done, and nothing comes.\n") == 1);
    const std::string ttcn3 = in("ttcn3");
    CHECK(count(ttcn3, "  // what the system does after this is left open\n  setverdict(pass);\n}\n") == 2);
    CHECK(count(ttcn3, "  f_quiet();\n  setverdict(pass);\n}\n") == 1); // of c
    CHECK(count(ttcn3, "f_quiet();") == 1);
}

TEST_CASE("a range of what the system chooses, in every format") {
    const std::string ranged = R"~(<test id="a"><output port="client" message="Ticket">
<field name="id" type="int" bind="x" within="(int -1 9)"/></output></test>)~";
    CHECK(by_template("{{#each tests}}{{#each steps}}{{#each fields}}{{within}}{{/each}}{{/each}}{{/each}}", ranged) ==
          "(int -1 9)");
    const auto in = [&](const char* format) { return exported(*find_exporter(format), ranged); };
    CHECK(in("xml").find("bind=\"x\" within=\"(int -1 9)\"") != std::string::npos);
    CHECK(in("json").find("\"within\": \"(int -1 9)\"") != std::string::npos);
    CHECK(in("markdown").find("any value of `(int -1 9)`; write it down as **x**") != std::string::npos);
    CHECK(in("ttcn3").find("receive(M_Ticket:{ f_id := (-1 .. 9) })") != std::string::npos);
}
