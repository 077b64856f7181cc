#include "testgen/execute/test.hpp"

#include <algorithm>
#include <deque>
#include <limits>

#include "testgen/execute/judge.hpp"
#include "testgen/execute/shown.hpp"
#include "testgen/replay/replay.hpp"

namespace espalier {

namespace {

// A system that never stops is no reason to run out of memory, whether it says much or often: so much of what one stage
// has done is kept.
constexpr size_t most_bytes_heard = size_t{8} << 20U;

// Why a test ends before its last stage.
struct Broken {
    TestVerdict verdict;
    std::string reason;
    bool adapter_lost = false;
    bool interrupted = false;
};

class Execution {
public:
    Execution(Adapter& adapter, const ExecutableTest& test, const Timing& timing)
        : adapter_(adapter), test_(test), timing_(timing), judge_(test, timing, names_) {}

    TestRun run() {
        const double begin = adapter_.now();
        if (!test_.misnamed.empty())
            broken_ = {TestVerdict::error, "the test uses `" + test_.misnamed + "`, which no output before binds"};
        else if (reset())
            stages();
        if (broken_) end_with(*broken_);
        if (flooded_) run_.adapter_lost = true; // it has more to say, and its end is not waited for
        run_.lines = judge_.take_lines();
        run_.seconds = adapter_.now() - begin;
        run_.names = std::move(names_);
        return std::move(run_);
    }

private:
    bool stop(TestVerdict verdict, std::string reason) {
        broken_ = {verdict, std::move(reason)};
        return false;
    }
    bool lost(std::string reason) {
        broken_ = {TestVerdict::error, std::move(reason), true};
        return false;
    }

    // The next message, or nothing when the deadline passed or the conversation is over (broken_ says so).
    std::optional<AdapterMessage> next(double deadline) {
        const AdapterEvent event = adapter_.receive(deadline);
        if (const auto* line = std::get_if<AdapterLine>(&event)) {
            ++heard_;
            heard_bytes_ += line->text.size();
            AdapterMessage message = parse_adapter_line(line->text);
            if (const auto* wrong = std::get_if<NotUnderstood>(&message)) {
                lost("the adapter broke the protocol: " + wrong->problem);
                return std::nullopt;
            }
            if (const auto* error = std::get_if<ErrorNote>(&message)) {
                stop(TestVerdict::error, "the adapter reported: " + error->text);
                return std::nullopt;
            }
            return message;
        }
        if (const auto* closed = std::get_if<AdapterClosed>(&event))
            lost("the adapter " + closed->how);
        else if (const auto* longer = std::get_if<AdapterLineTooLong>(&event))
            lost("the adapter broke the protocol: a line of more than " + std::to_string(longer->limit >> 20U) +
                 " MiB");
        else if (std::holds_alternative<Interrupted>(event))
            broken_ = {TestVerdict::error, "", false, true};
        return std::nullopt;
    }

    bool reset() {
        adapter_.send(reset_line(test_.id));
        const double deadline = adapter_.now() + timing_.timeout;
        while (true) {
            const auto message = next(deadline);
            if (broken_) {
                // An answer may still come after an `error`, and would be taken for that to the next reset.
                broken_->adapter_lost = !broken_->interrupted;
                return false;
            }
            if (message && std::holds_alternative<ResetAnswer>(*message))
                break; // all before this is of an earlier test
            if (!message || adapter_.now() > deadline)
                return lost("the adapter did not answer `reset` within " + seconds_text(timing_.timeout));
        }
        run_.answered = true;
        return true;
    }

    void stages() {
        for (size_t i = 0; i < test_.stages.size(); ++i) {
            const Stage& stage = test_.stages[i];
            step_ = i;
            last_ = i + 1 == test_.stages.size();
            seen_.clear();
            heard_ = heard_bytes_ = 0;
            fits_ = true;
            if (!act(stage) || !settle(stage)) {
                judge_.show(seen_); // what came until then
                return;
            }
            judge_.judge(stage, seen_, {last_, late_});
            run_.seen.push_back(std::move(seen_));
            if (judge_.difference().empty()) continue;
            size_t left = 0;
            for (size_t k = i + 1; k < test_.stages.size(); ++k) left += 1 + test_.stages[k].outputs.size();
            if (left > 0) judge_.detail("what follows in the test is not run: " + plural(left, "event"));
            stop(TestVerdict::fail, judge_.difference());
            return;
        }
        if (!test_.error.empty())
            stop(TestVerdict::inconclusive,
                 "the model ends in an error here, and does not say what a system should do: " + test_.error);
    }

    bool act(const Stage& stage) {
        waiting_ = false;
        if (!stage.step) return true;
        if (const auto* wait = std::get_if<TestWait>(&*stage.step)) {
            wait_seconds_ =
                std::min(wait->units.approximately() * timing_.time_unit, std::numeric_limits<double>::max());
            adapter_.send(wait_line(wait->units, wait_seconds_, step_));
            waiting_ = true;
            judge_.line(' ', "wait " + wait->units.text(), stage.in_suite);
            return true;
        }
        const Exchange& input = std::get<TestInput>(*stage.step).exchange;
        judge_.line(' ', "input " + shown(input, names_), stage.in_suite);
        if (const std::string same = equal_to_what_it_must_not_be(input, names_); !same.empty())
            return stop(TestVerdict::inconclusive,
                        "the system chose for `" + same +
                            "` the value that this input should not have; nothing is known then");
        const auto sent = input_line(input, names_, step_);
        if (!sent) return stop(TestVerdict::error, sent.problem().text);
        adapter_.send(*sent);
        return true;
    }

    // Does the test leave open what comes after the expected outputs of this stage?
    bool open() const { return last_ && test_.open_end; }

    // Gathers what the system does until it is quiet, or until all is there where the end is open.
    bool settle(const Stage& stage) {
        expected_.clear();
        for (const ExpectedOutput& e : stage.outputs) expected_[e.exchange.port].push_back(&e.exchange);
        awaited_ = stage.outputs.size();
        tentative_ = names_;
        late_ = false;
        double last = adapter_.now();
        double odd_since = 0; // when the first output came that does not fit
        while (!open() || waiting_ || !fits_ || awaited_ > 0) {
            const double until = waiting_       ? last + wait_seconds_ + timing_.timeout
                                 : !fits_       ? std::min(last + timing_.quiet_time, odd_since + timing_.timeout)
                                 : awaited_ > 0 ? last + timing_.timeout
                                                : last + timing_.quiet_time;
            const auto message = next(until);
            if (broken_) return false;
            if (!message) {
                if (waiting_)
                    return lost("the adapter did not answer `wait` within " +
                                seconds_text(wait_seconds_ + timing_.timeout));
                late_ = fits_ && awaited_ > 0;
                return true;
            }
            if (const auto* output = std::get_if<SeenOutput>(&*message)) {
                const bool fitted = fits_;
                const bool judged = take(*output);
                if (fitted && !fits_) odd_since = adapter_.now();
                flooded_ = heard_too_much();
                if (flooded_) return true;
                if (!waiting_ && judged) last = adapter_.now();
            } else if (std::holds_alternative<WaitAnswer>(*message)) {
                if (!waiting_) return lost("the adapter broke the protocol: an answer `wait` that was not asked for");
                waiting_ = false;
                last = adapter_.now();
                if (!fits_) odd_since = last;
            } else if (const auto* quiet = std::get_if<QuietNote>(&*message)) {
                if (!waiting_ && quiet->step.value_or(step_) == step_) return true;
                if (heard_too_much()) return lost("the adapter says `quiet` again and again");
            } else {
                return lost("the adapter broke the protocol: an answer `reset` that was not asked for");
            }
        }
        return true;
    }

    // False: at an open end, past the last expected output on its port. Outputs that are still awaited must not wait
    // longer because of it.
    bool take(const SeenOutput& output) {
        seen_.push_back(output);
        if (!fits_) return true;
        auto& waiting = expected_[output.port];
        if (waiting.empty() && open()) return false;
        SeenMatcher matcher(tentative_, test_.apart);
        fits_ = !waiting.empty() && matcher.matches(*waiting.front(), output);
        if (!fits_) return true;
        waiting.pop_front();
        --awaited_;
        return true;
    }

    bool heard_too_much() const { return heard_ >= most_outputs_of_stage || heard_bytes_ >= most_bytes_heard; }

    void end_with(const Broken& broken) {
        run_.verdict = broken.verdict;
        run_.reason = broken.reason;
        run_.adapter_lost = broken.adapter_lost;
        run_.interrupted = broken.interrupted;
    }

    Adapter& adapter_;
    const ExecutableTest& test_;
    const Timing& timing_;
    NamedValues names_;
    StageJudge judge_;
    TestRun run_;
    std::optional<Broken> broken_;
    // Of the current stage
    size_t step_ = 0;
    bool last_ = false;
    bool waiting_ = false; // for the answer to `wait`
    double wait_seconds_ = 0;
    bool fits_ = true; // all that came is as expected so far
    bool late_ = false;
    size_t awaited_ = 0;
    size_t heard_ = 0, heard_bytes_ = 0; // lines of the adapter's, and their size
    bool flooded_ = false;
    std::map<std::string, std::deque<const Exchange*>> expected_; // by port, those that have not come
    NamedValues tentative_;
    std::vector<SeenOutput> seen_;
};

} // namespace

TestRun execute_test(Adapter& adapter, const ExecutableTest& test, const Timing& timing) {
    return Execution(adapter, test, timing).run();
}

} // namespace espalier
