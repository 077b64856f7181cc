// `espalier run`: a model on concrete inputs.
//
// Standard output carries what the model writes and displays, and nothing else, so that it can be compared; what is
// covered, the trace and the conversation with a person go to standard error.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <iostream>
#include <set>
#include <sstream>

#include "testgen/commands/complain.hpp"
#include "testgen/commands/declarations.hpp"
#include "testgen/commands/model_file.hpp"
#include "testgen/commands/run_inputs.hpp"
#include "testgen/commands/shared_options.hpp"
#include "testgen/replay/offers.hpp"
#include "testgen/testgen.hpp"
#include "testgen/text/escapes.hpp"

namespace espalier {

namespace {

// The inputs in order: from a file, from standard input, or from a person who is asked for them.
class InputSource {
public:
    explicit InputSource(bool ask, std::string name) : ask_(ask), name_(std::move(name)) {}
    void append(std::string text) {
        Diagnostics diagnostics;
        const FileId file = sources_.add(name_, std::move(text));
        for (DatumId d : read_data(sources_, file, data_, diagnostics)) ready_.push_back(d);
        for (const Diagnostic& d : diagnostics.all()) error_ += render(sources_, d);
    }
    bool append_or_report(std::string text) { // false after an error
        append(std::move(text));
        std::fputs(error_.c_str(), stderr);
        return error_.empty();
    }
    bool asks() const { return ask_; }
    const Data& data() const { return data_; }
    std::string place(DatumId d) const { return sources_.place(data_[d].span); }

    // The next datum; nothing at the end. A person is asked with `prompt`.
    std::optional<DatumId> next(const char* prompt) {
        while (ready_.empty() && ask_) {
            std::fputs(prompt, stderr);
            std::fflush(stderr);
            std::string line;
            if (!std::getline(std::cin, line)) return std::nullopt;
            append(line + "\n");
            std::fputs(error_.c_str(), stderr);
            error_.clear();
        }
        if (ready_.empty()) return std::nullopt;
        const DatumId d = ready_.front();
        ready_.pop_front();
        return d;
    }
    const DatumId* peek() const { return ready_.empty() ? nullptr : &ready_.front(); }

private:
    bool ask_;
    std::string name_;
    Sources sources_;
    Data data_;
    std::deque<DatumId> ready_;
    std::string error_;
};

class Console : public Listener {
public:
    Console(const Model& model, InputSource& inputs, bool trace)
        : model_(model), program_(*model.program), inputs_(inputs), trace_(trace) {}

    void output(PortId port, Value value) override {
        fresh_line();
        const std::string text = to_text(program_, value);
        if (program_.ports[index(port)].bare_out) {
            put(text + "\n");
        } else {
            put("(" + std::string(name_of(program_.ports[index(port)].name)) + " " + text + ")\n");
        }
        if (trace_) say("output", name_of(program_.ports[index(port)].name), text);
    }
    void display(std::string_view text) override { put(text); }
    void mark(TargetId id, uint32_t thread) override {
        const Target& t = program_.targets[index(id)];
        switch (t.kind) {
        case TargetKind::checkpoint: note("checkpoint " + printable(t.name)); break;
        case TargetKind::requirement: note("requirement " + printable(t.name)); break;
        case TargetKind::state:
            if (trace_) note("state " + printable(t.name) + of(thread));
            break;
        case TargetKind::transition:
            if (trace_)
                note("transition " + printable(t.name) + (t.text.empty() ? "" : " -> " + printable(t.text)) +
                     of(thread));
            break;
        case TargetKind::procedure: // only in programs that criteria were put into
        case TargetKind::branch:
        case TargetKind::condition:
        case TargetKind::mcdc:
        case TargetKind::boundary:
        case TargetKind::error: break;
        }
    }
    void assigned(Symbol name, Value value, uint32_t thread) override {
        if (trace_)
            note("set " + std::string(name_of(name)) + " = " + printable(to_text(program_, value)) + of(thread));
    }
    void input_taken(uint32_t thread, PortId port, Value value) override {
        if (trace_)
            note("input " + std::string(name_of(program_.ports[index(port)].name)) + " " +
                 printable(to_text(program_, value)) + of(thread));
    }
    void sent(uint32_t thread, Value channel, Value value) override {
        if (trace_) note("send " + name(channel) + " " + printable(to_text(program_, value)) + of(thread));
    }
    void received(uint32_t thread, Value channel, Value value) override {
        if (trace_) note("receive " + name(channel) + " " + printable(to_text(program_, value)) + of(thread));
    }
    void timer_fired(uint32_t thread, Value timer) override {
        if (trace_) note("timeout " + name(timer) + of(thread));
    }
    void spawned(uint32_t thread) override {
        if (trace_) note("thread " + std::to_string(thread) + " starts");
    }
    void ended(uint32_t thread) override {
        if (trace_) note("thread " + std::to_string(thread) + " ends");
    }
    uint32_t choose(Label, uint32_t count) override {
        uint32_t taken = 0;
        const std::string prompt = "choose 0.." + std::to_string(count - 1) + "> ";
        if (inputs_.asks()) {
            if (const auto d = inputs_.next(prompt.c_str())) taken = alternative(*d).value_or(0);
        } else if (const DatumId* d = inputs_.peek(); d != nullptr && alternative(*d)) {
            taken = *alternative(*inputs_.next(""));
        }
        if (taken >= count) {
            note("there is no alternative " + std::to_string(taken) + ": the first is taken");
            taken = 0;
        }
        if (trace_) note("choose " + std::to_string(taken) + " of " + std::to_string(count));
        return taken;
    }

    void watch(const Interpreter& run) { run_ = &run; }
    std::string name(Value timer_or_channel) const {
        return run_ == nullptr ? std::string() : run_->name(timer_or_channel);
    }
    void note(const std::string& text) {
        std::fflush(stdout);
        std::fputs((text + "\n").c_str(), stderr);
    }
    void fresh_line() {
        if (column_ != 0) put("\n");
    }

private:
    void put(std::string_view text) {
        if (text.empty()) return;
        std::fwrite(text.data(), 1, text.size(), stdout);
        const size_t end = text.rfind('\n');
        column_ = end == std::string_view::npos ? column_ + text.size() : text.size() - end - 1;
    }
    void say(const char* what, std::string_view port, const std::string& text) {
        note(std::string(what) + " " + std::string(port) + " " + printable(text));
    }
    static std::string of(uint32_t thread) { return thread == 0 ? "" : " [thread " + std::to_string(thread) + "]"; }
    // The N of a datum (choose N), or on a terminal also of a plain N.
    std::optional<uint32_t> alternative(DatumId d) const {
        const Data& data = inputs_.data();
        if (inputs_.asks() && data.is(d, DatumKind::integer) && data.integer(d) >= 0)
            return at_most_32_bits(data.integer(d));
        if (!data.is_pair(d) || !data.is(data.car(d), DatumKind::symbol) ||
            name_of(data.symbol(data.car(d))) != "choose")
            return std::nullopt;
        const DatumId rest = data.cdr(d);
        if (!data.is_pair(rest) || !data.is(data.car(rest), DatumKind::integer) || data.integer(data.car(rest)) < 0)
            return std::nullopt;
        return at_most_32_bits(data.integer(data.car(rest)));
    }
    static uint32_t at_most_32_bits(int64_t n) { return static_cast<uint32_t>(std::min<int64_t>(n, UINT32_MAX)); }

    const Model& model_;
    const Program& program_;
    InputSource& inputs_;
    bool trace_;
    const Interpreter* run_ = nullptr;
    size_t column_ = 0;
};

// All that the model waits for, or only what it waits for on one port.
void show_offers(const Program& program, const Interpreter& run, Console& console,
                 std::optional<PortId> port = std::nullopt) {
    std::string text = "the model waits for:";
    std::set<std::string> seen;
    for (const Offer& o : run.offers()) {
        if (port && (o.kind == Offer::Kind::timer || o.port != *port)) continue;
        for (const std::string& line : describe(program, run, o)) {
            if (seen.insert(line).second) text += "\n  " + line;
        }
    }
    if (seen.empty()) {
        if (!port) return;
        text = "the model waits for nothing on `" + std::string(name_of(program.ports[index(*port)].name)) + "` now";
    }
    console.note(text);
}

void show_error(const Model& model, const ModelError& error) {
    Diagnostic d{Severity::error, error.span, error.text, {}, {}};
    std::string text = render(model.sources, d);
    for (const BacktraceEntry& e : error.backtrace) {
        const std::string_view name = name_of(e.procedure);
        text += "  " + (name == "top" ? "at the top level" : "in " + printable(name)) +
                (e.span.known() ? ", at " + model.sources.place(e.span) : "") + "\n";
    }
    std::fputs(text.c_str(), stderr);
}

// One run of a model: its inputs are delivered one after the other, until there are no more or the model ends.
class Session {
public:
    Session(const Model& model, const RunOptions& options, const Limits& limits, InputSource& inputs)
        : model_(model), limits_(limits), inputs_(inputs), console_(model, inputs, options.trace),
          run_(*model.program, console_, interpreter_options(options, limits)),
          standard_input_read_(!options.inputs.empty() || inputs.asks()) {
        console_.watch(run_);
    }

    // The exit status.
    int run() {
        Status status = run_.start();
        while (status == Status::stable) {
            std::fflush(stdout);
            if (!read_standard_input()) return exit_usage;
            if (inputs_.asks()) {
                console_.fresh_line();
                show_offers(*model_.program, run_, console_);
            }
            const auto datum = inputs_.next("> ");
            if (!datum) break;
            const RunInput input = parse_input(*model_.program, run_, inputs_.data(), *datum);
            if (std::holds_alternative<QuitInput>(input)) return end(Status::finished);
            const Step made = std::visit([this](const auto& what) { return step(what); }, input);
            if (made.status != Status::refused) {
                status = made.status;
                continue;
            }
            refuse(*datum, made);
            if (!inputs_.asks()) return exit_found;
        }
        return end(status);
    }

private:
    // What became of an input.
    struct Step {
        Status status = Status::refused;
        std::string problem{}; // refused: why
        std::optional<PortId> port{};
    };

    static InterpreterOptions interpreter_options(const RunOptions& options, const Limits& limits) {
        InterpreterOptions how;
        how.trace_assignments = options.trace;
        how.step_limit = options.step_limit;
        how.stop = &limits.over();
        return how;
    }

    // Only when the model first waits, so that a model without inputs never blocks on it. False after an error.
    bool read_standard_input() {
        if (standard_input_read_) return true;
        standard_input_read_ = true;
        std::ostringstream all;
        all << std::cin.rdbuf();
        return inputs_.append_or_report(std::move(all).str());
    }

    Step step(const SendInput& send) {
        const Status next = run_.deliver(send.port, send.message);
        const bool has_reason = next == Status::refused && !run_.refusal().empty();
        return {next, has_reason ? run_.refusal() : "the model does not accept it here", send.port};
    }
    Step step(const WaitInput& wait) {
        Status next = wait.units ? run_.pass_time(*wait.units) : run_.pass_time();
        while (next == Status::stable && run_.time_left_to_pass() > 0) next = run_.pass_time(run_.time_left_to_pass());
        return {next, "the model does not accept it here"};
    }
    static Step step(const ChooseInput&) { return {Status::refused, "there is nothing to choose here"}; }
    static Step step(const QuitInput&) { return {Status::finished}; }
    static Step step(const BadInput& bad) { return {Status::refused, bad.text}; }

    void refuse(DatumId datum, const Step& made) {
        console_.note((inputs_.asks() ? std::string() : inputs_.place(datum) + ": ") +
                      "refused: " + printable(print_datum(inputs_.data(), datum)) + ": " + printable(made.problem));
        if (!inputs_.asks()) show_offers(*model_.program, run_, console_, made.port);
    }

    int end(Status status) {
        if (isatty(STDOUT_FILENO) != 0) console_.fresh_line(); // a file gets what the model wrote, to the byte
        std::fflush(stdout);
        switch (status) {
        case Status::model_error: show_error(model_, *run_.error()); return exit_found;
        case Status::assume_failed: console_.note("the run ends here: an assumption does not hold"); return exit_done;
        case Status::out_of_steps: console_.note("the run was stopped: too many steps"); return exit_found;
        case Status::stopped: return ended_early("run", limits_);
        case Status::stable:
            console_.note("no more inputs");
            show_offers(*model_.program, run_, console_);
            return exit_done;
        case Status::finished:
        case Status::refused: break;
        }
        return exit_done;
    }

    const Model& model_;
    const Limits& limits_;
    InputSource& inputs_;
    Console console_;
    Interpreter run_;
    bool standard_input_read_;
};

int run_within(const RunOptions& options, const Limits& limits) {
    const auto model = load_or_report(options.model, true, &limits);
    if (!model) return exit_usage;
    const bool ask = options.inputs.empty() && isatty(STDIN_FILENO) != 0;
    InputSource inputs(ask, options.inputs.empty() ? "<inputs>" : options.inputs);
    if (!options.inputs.empty()) {
        auto text = read_or_report(options.inputs);
        if (!text || !inputs.append_or_report(std::move(*text))) return exit_usage;
    }
    return Session(*model, options, limits, inputs).run();
}

} // namespace

int run_command(const RunOptions& options) {
    const Limits limits(nullptr, options.limits.time, options.limits.memory);
    return unless_stopped("run", limits, [&] { return run_within(options, limits); });
}

Action declare_run(Arguments& arguments) {
    const auto options = std::make_shared<RunOptions>();
    arguments.word("MODEL", options->model, "The model's file");
    arguments.text("--inputs", "FILE", options->inputs,
                   "A datum a line: (port message), value, (wait N), (choose N). Without it, asks on a terminal "
                   "or reads standard input");
    arguments.flag("--trace", options->trace, "Show states, transitions, messages and variables on standard error");
    add_limits(arguments, options->limits, "the run ends");
    add_call_limit(arguments, options->step_limit, "the run ends");
    return [options] { return run_command(*options); };
}

} // namespace espalier
