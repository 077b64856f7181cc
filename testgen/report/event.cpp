// An event of a test as the report's data: {"kind", "port", "message", "fields": [{"name", "type", "text"}]} and what
// the tester has to know of fresh values. Values are texts, spelt as in the language: the page shows them, and never
// computes with them.
#include <set>

#include "testgen/report/report.hpp"
#include "testgen/suite/fresh_names.hpp"
#include "testgen/suite/spelling.hpp"
#include "testgen/suite/view.hpp"

namespace espalier {

namespace {

// The numbers of fresh values anywhere in a value that a suite can spell, which is a tree.
std::set<uint32_t> fresh_in(Value root) {
    std::set<uint32_t> found;
    std::vector<Value> work{root};
    while (!work.empty()) {
        Value v = work.back();
        work.pop_back();
        for (; is_pair(v); v = as_pair(v).cdr) work.push_back(as_pair(v).car);
        if (is_type(v, ObjectType::message)) {
            const Message& m = as_message(v);
            for (uint32_t i = 0; i < m.count; ++i) work.push_back(m.fields[i]);
        } else if (is_type(v, ObjectType::fresh)) {
            found.insert(v.as_object()->count);
        }
    }
    return found;
}

class EventWriter {
public:
    EventWriter(JsonWriter& json, const Program& program, const SuiteEvent& event)
        : json_(json), program_(program), event_(event) {}

    void exchange() {
        json_.member("port", uint64_t{index(event_.port)});
        const bool message = is_type(event_.value, ObjectType::message);
        json_.member("message", message ? name_of(program_.messages[index(as_message(event_.value).message)].name)
                                        : std::string_view("value"));
        json_.key("fields");
        json_.begin_list();
        if (!event_.printed.empty()) {
            begin_field("value", ValueWord::other, event_.printed);
            json_.end_object();
        } else if (message) {
            const Message& m = as_message(event_.value);
            const MessageDef& def = program_.messages[index(m.message)];
            for (uint32_t i = 0; i < m.count; ++i)
                field(name_of(def.fields[i].name), type_word(program_.types[index(def.fields[i].type)]), m.fields[i],
                      i);
        } else {
            field("value", type_word(program_, event_.value), event_.value, std::nullopt);
        }
        json_.end_list();
    }

private:
    void begin_field(std::string_view name, ValueWord type, std::string_view text) {
        json_.begin_object();
        json_.member("name", name);
        json_.member("type", word_of(type));
        json_.member("text", text);
    }

    void field(std::string_view name, ValueWord type, Value value, std::optional<uint32_t> place) {
        begin_field(name, type, to_text(program_, value));
        names("fresh", fresh_in(value));
        std::set<uint32_t> others;
        for (const FreshUse& use : event_.fresh)
            if (!use.equal && (place ? !use.place.empty() && use.place.front() == *place : true))
                others.insert(use.fresh);
        names("not", others);
        json_.end_object();
    }

    void names(const char* key, const std::set<uint32_t>& numbers) {
        if (numbers.empty()) return;
        json_.key(key);
        json_.begin_list();
        for (const uint32_t n : numbers) json_.value(std::string_view(fresh_name(n)));
        json_.end_list();
    }

    JsonWriter& json_;
    const Program& program_;
    const SuiteEvent& event_;
};

} // namespace

void report_event(JsonWriter& json, const Program& program, const SuiteEvent& event) {
    json.begin_object();
    json.member("kind", kind_word(event.kind));
    switch (event.kind) {
    case SuiteEvent::Kind::input:
    case SuiteEvent::Kind::output: EventWriter(json, program, event).exchange(); break;
    case SuiteEvent::Kind::wait: json.member("units", std::string_view(event.units.text())); break;
    case SuiteEvent::Kind::choice:
        json.member("taken", uint64_t{event.taken});
        json.member("of", uint64_t{event.alternatives});
        break;
    case SuiteEvent::Kind::schedule:
        json.member("taken", uint64_t{event.taken});
        json.key("ready");
        json.begin_list();
        for (const uint32_t thread : event.ready) json.value(uint64_t{thread});
        json.end_list();
        break;
    }
    json.end_object();
}

} // namespace espalier
