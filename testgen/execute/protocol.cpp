#include "testgen/execute/protocol.hpp"

#include <charconv>
#include <string>

#include "testgen/text/json.hpp"

namespace espalier {

namespace {

std::string start(std::string_view type) { return R"({"type":")" + std::string(type) + "\""; }

void member(std::string& out, std::string_view name, std::string_view text) {
    out += ",\"" + std::string(name) + "\":";
    append_json_string(out, text);
}

NotUnderstood wrong(std::string_view line, const std::string& problem) {
    constexpr size_t longest = 200;
    return {problem + ": " + std::string(line.substr(0, longest)) + (line.size() > longest ? "…" : "")};
}

} // namespace

std::string reset_line(const std::string& test) {
    std::string out = start("reset");
    member(out, "test", test);
    return out + "}";
}

std::string wait_line(const Units& units, double seconds, size_t step) {
    return start("wait") + ",\"units\":" + units.text() + ",\"seconds\":" + std::to_string(seconds) +
           ",\"step\":" + std::to_string(step) + "}";
}

Result<std::string> input_line(const Exchange& input, const NamedValues& names, size_t step) {
    auto fields = to_json(input.fields, names);
    if (!fields) return fields.problem();
    std::string out = start("input");
    member(out, "port", input.port);
    member(out, "message", input.message);
    out += ",\"fields\":";
    append_json(out, JsonValue{std::move(*fields)});
    return out + ",\"step\":" + std::to_string(step) + "}";
}

AdapterMessage parse_adapter_line(std::string_view line) {
    const auto value = parse_json(line);
    if (!value) return wrong(line, "this is not JSON: " + value.problem().text);
    const auto text = [&](const char* name) {
        const JsonValue* v = value->member(name);
        return v == nullptr ? nullptr : v->string();
    };
    const std::string* type = text("type");
    if (type == nullptr) return wrong(line, "an object with a string `type` is expected");
    if (*type == "reset") return ResetAnswer{};
    if (*type == "wait") return WaitAnswer{};
    if (*type == "quiet") {
        const JsonValue* step = value->member("step");
        if (step == nullptr) return QuietNote{};
        const auto* number = std::get_if<JsonNumber>(&step->kind);
        QuietNote made{0};
        if (number != nullptr && number->is_integer()) {
            const char* const last = number->text.data() + number->text.size();
            const auto [end, error] = std::from_chars(number->text.data(), last, *made.step);
            if (error == std::errc{} && end == last) return made;
        }
        return wrong(line, "`step` is the number of a step");
    }
    if (*type == "error") {
        const std::string* said = text("text");
        if (said == nullptr) return wrong(line, "an `error` has a string `text`");
        return ErrorNote{*said};
    }
    if (*type != "output") return wrong(line, "there is no type `" + type->substr(0, 40) + "`");
    const std::string *port = text("port"), *message = text("message");
    const JsonValue* fields = value->member("fields");
    if (port == nullptr || message == nullptr) return wrong(line, "an `output` has strings `port` and `message`");
    if (fields != nullptr && fields->object() == nullptr) return wrong(line, "`fields` is an object");
    return SeenOutput{*port, *message, fields == nullptr ? JsonObject{} : *fields->object()};
}

} // namespace espalier
