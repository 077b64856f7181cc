// An adapter without a process, and a clock that stands still unless somebody waits: what it says to each line is given
// by a function, and so is how long that takes.
#pragma once

#include <doctest/doctest.h>

#include <deque>

#include "testgen/execute/alternatives.hpp"
#include "testgen/execute/run.hpp"
#include "testgen/execute/shown.hpp"
#include "tests/testgen/suite_reading.hpp"

namespace espalier {

struct Reply {
    double after = 0; // seconds, from the line that it answers
    AdapterEvent event;
};
inline Reply say(std::string json, double after = 0) {
    for (char& c : json)
        if (c == '\'') c = '"';
    return {after, AdapterLine{std::move(json)}};
}
inline Reply out(const std::string& port, const std::string& message, const std::string& fields = "",
                 double after = 0) {
    return say("{'type':'output','port':'" + port + "','message':'" + message + "','fields':{" + fields + "}}", after);
}
inline Reply quiet(double after = 0) { return say("{'type':'quiet'}", after); }

class FakeAdapter : public Adapter {
public:
    using Answer = std::function<std::vector<Reply>(const std::string& line)>;
    // Asked for every line but `reset`, which is answered.
    explicit FakeAdapter(Answer answer) : answer_(std::move(answer)) {}

    double now() override { return clock; }
    std::string start() override {
        ++starts;
        pending_.clear();
        return start_problem;
    }
    void send(const std::string& line) override {
        sent.push_back(line);
        const bool is_reset = line.find("\"type\":\"reset\"") != std::string::npos;
        if (is_reset && answers_reset) add(say("{'type':'reset'}"));
        if (!is_reset || !answers_reset)
            for (const Reply& r : answer_(line)) add(r);
    }
    AdapterEvent receive(double deadline) override {
        if (pending_.empty() || pending_.front().after > deadline) {
            clock = std::max(clock, deadline);
            return NothingCame{};
        }
        const Reply next = pending_.front();
        pending_.pop_front();
        clock = std::max(clock, next.after);
        return next.event;
    }
    std::string finish(double) override { return {}; }
    void kill() override {
        ++kills;
        pending_.clear();
    }
    std::vector<std::string> last_words() const override { return {"its last words"}; }

    double clock = 100;
    int starts = 0, kills = 0;
    bool answers_reset = true;
    std::string start_problem;
    std::vector<std::string> sent;

private:
    void add(Reply r) {
        r.after += clock;
        const auto later = [&](const Reply& other) { return other.after > r.after; };
        pending_.insert(std::find_if(pending_.begin(), pending_.end(), later), r);
    }
    Answer answer_;
    std::deque<Reply> pending_; // when it comes, by the clock
};

struct Executable {
    explicit Executable(std::string xml) {
        const auto tree = parse_xml(sources, sources.add("suite.xml", std::move(xml)), diagnostics);
        if (tree) suite = read_executable_suite(*tree, diagnostics);
        CHECK(suite.has_value() != diagnostics.has_errors());
    }
    std::string errors() const {
        std::string all;
        for (const Diagnostic& d : diagnostics.all()) {
            const Position at = sources.position(d.span);
            all +=
                (all.empty() ? "" : "; ") + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + d.text;
        }
        return all;
    }
    const ExecutableSuite& good() const {
        REQUIRE_MESSAGE(suite.has_value(), errors());
        return *suite;
    }
    Sources sources;
    Diagnostics diagnostics;
    std::optional<ExecutableSuite> suite;
};

} // namespace espalier
