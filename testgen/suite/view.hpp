// A suite as plain data, for whatever writes it in another format: no heap, no ids, names of values resolved.
//
//   const SuiteView view(model, suite);
//   for (size_t t = 0; t < view.test_count(); ++t) for (const StepView& step : view.test(t).steps) …
//
// A test is made when it is asked for, so that a suite of any size takes the memory of one test.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testgen/suite/spelling.hpp"
#include "testgen/suite/suite.hpp"

namespace espalier {

struct FieldView;

struct ValueView {
    enum class Is : uint8_t {
        text,    // `text`: a number, the characters of a string, hexadecimal digits, an enum's datum
        truth,   // `text`: true or false
        list,    // `parts`: the items
        message, // `text`: its name; `parts`: its fields
        bind,    // `text`: the name that the value gets
        ref,     // `text`: the name of the value
        any,
        printed // `text`: how it prints
    } is = Is::text;
    ValueWord type = ValueWord::any;
    std::optional<TypeId> declared; // none for a bare value
    std::string text;
    std::string datum; // as the language writes it: "a\n", (Login "a"), x1
    std::vector<FieldView> parts;
    std::string within;                    // bind: what the system may choose; empty: anything of its type
    std::vector<std::string> differs_from; // names of values that it must not equal
};

struct FieldView {
    std::string name; // empty for the item of a list
    ValueView value;
};

struct StepView {
    SuiteEvent::Kind kind = SuiteEvent::Kind::input;
    PortId port_id{};
    std::string port, message; // input and output; a bare value is a message `value` with a field `value`
    bool bare = false;
    std::optional<MessageId> message_id; // none for a bare value
    std::vector<FieldView> fields;
    std::string datum;
    Units units{};                 // wait
    uint32_t taken = 0;            // choice, schedule
    std::optional<uint32_t> of;    // choice
    std::vector<uint32_t> threads; // schedule
};
const char* kind_word(SuiteEvent::Kind kind);

struct TargetView {
    std::string id, criterion, status, at;
    std::string proof; // infeasible: what proved it; "" where that is not said
    std::string text;  // of a requirement
    std::string test;  // "" where there is none
};

struct TestView {
    std::string id, signature, error, error_at;
    bool open_end = false;
    std::vector<TargetId> covers;
    std::vector<StepView> steps;
};

class SuiteView {
public:
    SuiteView(const Model& model, const Suite& suite) : model_(model), suite_(suite) {}

    const Model& model() const { return model_; }
    const Program& program() const { return *model_.program; }
    const Suite& suite() const { return suite_; } // what holds for all of it
    size_t test_count() const { return suite_.tests.size(); }
    TestView test(size_t number) const;
    std::vector<TargetId> targets() const; // those that the suite lists; one written by hand may list a few, or none
    TargetView target(TargetId id) const;

private:
    const Model& model_;
    const Suite& suite_;
};

// Relative to the model's folder, so that what is written does not depend on where the tool was started.
std::string place_in_model(const Model& model, Span span);

} // namespace espalier
