// A suite as JSON: see docs/formats.md for its members. Numbers are JSON numbers only where every reader keeps them:
// whole, and within the 53 bits that JavaScript and jq have. Any other is a string of its digits, so none is rounded.
#include <charconv>
#include <cstdint>

#include "testgen/export/exporter.hpp"
#include "testgen/text/json.hpp"

namespace espalier {

namespace {

bool every_reader_keeps(std::string_view digits) {
    constexpr int64_t largest = (int64_t{1} << 53) - 1;
    int64_t n = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
    return problem == std::errc() && end == digits.data() + digits.size() && n >= -largest && n <= largest;
}

class Writer {
public:
    Writer(const SuiteView& suite, const Sink& sink) : suite_(suite), sink_(sink) {}

    void write() {
        json_.begin_object();
        json_.member("format", "espalier-suite");
        json_.member("version", uint64_t{1});
        json_.member("model", std::string_view(suite_.suite().model));
        if (const uint32_t depth = suite_.suite().depth; depth == no_bound)
            json_.member("depth", std::string_view(depth_text(depth)));
        else
            json_.member("depth", uint64_t{depth});
        json_.key("seed");
        number(std::to_string(suite_.suite().seed));
        json_.member("complete", suite_.suite().complete);
        json_.key("tests");
        json_.begin_list();
        for (size_t t = 0; t < suite_.test_count(); ++t) {
            test(suite_.test(t));
            sink_(json_.take_part());
        }
        json_.end_list();
        json_.key("targets");
        json_.begin_list();
        for (const TargetId id : suite_.targets()) target(suite_.target(id));
        json_.end_list();
        json_.end_object();
        sink_(json_.take());
    }

private:
    void text(std::string_view name, const std::string& value) { json_.member(name, std::string_view(value)); }

    void number(const std::string& digits) {
        if (every_reader_keeps(digits))
            json_.literal(digits);
        else
            json_.value(std::string_view(digits));
    }

    void names(std::string_view key, const std::vector<std::string>& all) {
        json_.key(key);
        json_.begin_list();
        for (const std::string& name : all) json_.value(std::string_view(name));
        json_.end_list();
    }

    void test(const TestView& t) {
        json_.begin_object();
        text("id", t.id);
        text("signature", t.signature);
        if (t.open_end) json_.member("end", "open");
        if (!t.error.empty()) {
            text("error", t.error);
            if (!t.error_at.empty()) text("at", t.error_at);
        }
        std::vector<std::string> covers;
        for (const TargetId id : t.covers) covers.push_back(target_id(suite_.program().targets[index(id)]));
        names("covers", covers);
        json_.key("steps");
        json_.begin_list();
        for (const StepView& s : t.steps) step(s);
        json_.end_list();
        json_.end_object();
    }

    void step(const StepView& s) {
        json_.begin_object();
        json_.member("kind", kind_word(s.kind));
        switch (s.kind) {
        case SuiteEvent::Kind::input:
        case SuiteEvent::Kind::output:
            text("port", s.port);
            text("message", s.message);
            fields(s.fields);
            break;
        case SuiteEvent::Kind::wait:
            json_.key("units");
            number(s.units.text());
            break;
        case SuiteEvent::Kind::choice:
            json_.member("taken", uint64_t{s.taken});
            if (s.of) json_.member("of", uint64_t{*s.of});
            break;
        case SuiteEvent::Kind::schedule:
            json_.member("turn", uint64_t{s.taken});
            json_.key("of");
            json_.begin_list();
            for (const uint32_t thread : s.threads) json_.value(uint64_t{thread});
            json_.end_list();
            break;
        }
        json_.end_object();
    }

    void fields(const std::vector<FieldView>& all) {
        json_.key("fields");
        json_.begin_list();
        for (const FieldView& f : all) {
            json_.begin_object();
            text("name", f.name);
            value(f.value);
            json_.end_object();
        }
        json_.end_list();
    }

    // The members of a field or item that say what its value is.
    void value(const ValueView& v) {
        json_.member("type", word_of(v.type));
        if (!v.differs_from.empty()) names("not", v.differs_from);
        switch (v.is) {
        case ValueView::Is::bind:
            if (!v.within.empty()) text("within", v.within);
            return text("bind", v.text);
        case ValueView::Is::ref: return text("ref", v.text);
        case ValueView::Is::any: return json_.member("any", true);
        case ValueView::Is::truth: return json_.member("value", v.text == "true");
        case ValueView::Is::printed: return text("value", v.text);
        case ValueView::Is::text:
            json_.key("value");
            if (v.type == ValueWord::integer)
                number(v.text);
            else
                json_.value(std::string_view(v.text));
            return;
        case ValueView::Is::message: text("message", v.text); return fields(v.parts);
        case ValueView::Is::list:
            json_.key("items");
            json_.begin_list();
            for (const FieldView& item : v.parts) {
                json_.begin_object();
                value(item.value);
                json_.end_object();
            }
            json_.end_list();
            return;
        }
    }

    void target(const TargetView& t) {
        json_.begin_object();
        text("id", t.id);
        text("criterion", t.criterion);
        text("status", t.status);
        if (!t.proof.empty()) text("proof", t.proof);
        if (!t.test.empty()) text("test", t.test);
        text("at", t.at);
        if (!t.text.empty()) text("text", t.text);
        json_.end_object();
    }

    const SuiteView& suite_;
    const Sink& sink_;
    JsonWriter json_;
};

} // namespace

void export_json(const SuiteView& suite, const Sink& sink) { Writer(suite, sink).write(); }

} // namespace espalier
