// What the page draws from, besides the statistics: the model's files line by line, the place of each target, the tests
// with what they cover, and when each target was covered. Targets and files are named by number: a target's number is
// its place in the statistics' `targets_detail`.
#include "testgen/report/report.hpp"
#include "testgen/suite/fresh_names.hpp"

namespace espalier {

namespace {

class DataWriter {
public:
    DataWriter(const Report& report, const Sink& sink)
        : model_(report.model), program_(*report.model.program), result_(report.result), sink_(sink) {
        // The prelude is not the author's.
        for (uint32_t i = 0; i < model_.sources.size(); ++i) {
            const bool shown = i == 0 || model_.sources.path(FileId{i}) != "<prelude>";
            shown_.push_back(shown ? std::optional(files_.size()) : std::nullopt);
            if (shown) files_.push_back(FileId{i});
        }
    }

    // Tests are passed on one by one: all of them can be as large as their number times that of the targets.
    void write() {
        const std::string& main = model_.sources.path(FileId{0});
        const size_t slash = main.rfind('/');
        part("{\"folder\":", slash == std::string::npos ? "" : main.substr(0, slash + 1));
        list(",\"files\":[", files_, [&](JsonWriter& json, FileId id) { file(json, id); });
        list("],\"ports\":[", program_.ports, [](JsonWriter& json, const PortDef& p) { json.value(name_of(p.name)); });
        list("],\"targets\":[", program_.targets, [&](JsonWriter& json, const Target& t) { target(json, t); });
        list("],\"tests\":[", result_.suite.tests, [&](JsonWriter& json, const SuiteTest& t) { test(json, t); });
        list("],\"timeline\":[", result_.timeline, [](JsonWriter& json, const TimelineRow& row) {
            json.begin_list();
            json.value(row.seconds);
            json.value(row.vm_steps);
            json.value(uint64_t{index(row.target)});
            json.end_list();
        });
        sink_("]}");
    }

private:
    void part(const char* before, std::string_view text) {
        JsonWriter json;
        json.value(text);
        sink_(before + inline_json(json.take()));
    }

    template <typename List, typename Item>
    void list(const char* before, const List& items, const Item& item) {
        sink_(before);
        bool first = true;
        for (const auto& each : items) {
            JsonWriter json;
            item(json, each);
            sink_((first ? "" : ",") + inline_json(json.take()));
            first = false;
        }
    }

    void file(JsonWriter& json, FileId id) const {
        json.begin_object();
        json.member("path", std::string_view(model_.sources.path(id)));
        json.key("lines");
        json.begin_list();
        const auto size = static_cast<uint32_t>(model_.sources.text(id).size());
        const uint32_t lines = model_.sources.position({id, size, size}).line;
        for (uint32_t line = 1; line <= lines; ++line) {
            const std::string_view text = model_.sources.line(id, line);
            if (line < lines || !text.empty()) json.value(text); // nothing stands after the last end of line
        }
        json.end_list();
        json.end_object();
    }

    void target(JsonWriter& json, const Target& t) const {
        json.begin_object();
        if (const auto shown = t.span.known() ? shown_[index(t.span.file)] : std::nullopt) {
            const Position at = model_.sources.position(t.span);
            json.member("file", uint64_t{*shown});
            json.member("line", uint64_t{at.line});
            json.member("column", uint64_t{at.column});
        }
        if (t.kind == TargetKind::requirement) json.member("text", std::string_view(t.text));
        json.end_object();
    }

    void test(JsonWriter& json, const SuiteTest& t) const {
        json.begin_object();
        json.member("id", std::string_view(t.id));
        json.key("covers");
        json.begin_list();
        for (const TargetId id : t.covers) json.value(uint64_t{index(id)});
        json.end_list();
        json.key("events");
        json.begin_list();
        for (const SuiteEvent& e : t.events) report_event(json, program_, e);
        json.end_list();
        if (!t.fresh_ranges.empty()) {
            json.key("ranges");
            json.begin_object();
            for (const auto& [number, text] : t.fresh_ranges) json.member(fresh_name(number), std::string_view(text));
            json.end_object();
        }
        if (t.open_end) json.member("end", "open");
        if (!t.error.empty()) {
            json.member("error", std::string_view(t.error));
            json.member("error_at", std::string_view(model_.sources.place(t.error_at)));
        }
        json.end_object();
    }

    const Model& model_;
    const Program& program_;
    const Generation& result_;
    const Sink& sink_;
    std::vector<FileId> files_;                // that the page shows
    std::vector<std::optional<size_t>> shown_; // by FileId: its number there
};

} // namespace

void report_data(const Report& report, const Sink& sink) { DataWriter(report, sink).write(); }

} // namespace espalier
