// A test suite: for each test what the tester does and what the system must answer, and what became of each target.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lang/lang.hpp"
#include "symexec/symexec.hpp"
#include "testgen/suite/target_result.hpp"
#include "testgen/text/write_file.hpp"

namespace espalier {

struct SuiteEvent {
    enum class Kind : uint8_t { input, output, wait, choice, schedule } kind = Kind::input;
    PortId port{};
    Value value;         // a message, or a bare value
    std::string printed; // output: as text, where the value is none that a suite can spell
    // Places that must differ from a fresh value: of an input, or where an output gives a name to another fresh value.
    std::vector<FreshUse> fresh{};
    Units units{};      // wait
    uint32_t taken = 0; // choice, of `alternatives`; schedule: the turn
    uint32_t alternatives = 0;
    std::vector<uint32_t> ready{}; // schedule: the thread of each turn that was possible
    Span in_suite;                 // where it was read from
    // What is wrong about the names of fresh values in it: bound twice, or not bound where they are used. Taking an
    // output out of a suite can leave such a name behind. So the suite is not refused: a replay shows the difference.
    std::vector<std::string> misnamed{};
};

struct SuiteTest {
    std::string id; // a slug of the first target it is there for
    std::string signature;
    std::vector<TargetId> covers; // all that replaying it reaches, in order
    std::vector<SuiteEvent> events;
    std::string error; // the model error that it ends in, else empty
    Span error_at;     // its place in the model; a suite that was read has none
    // The model says nothing of what comes after its last output: an assumption fails there, or the model does not come
    // to rest. Not where it ends in an error.
    bool open_end = false;
    // Where it was read from; the names that it gives to fresh values, where they are not "x<number>".
    Span in_suite;
    std::vector<Span> covers_in_suite; // of each in `covers`
    std::map<uint32_t, std::string> fresh_names;
    std::map<uint32_t, std::string> fresh_ranges; // what the system may choose: see value_range.hpp
};

struct Suite {
    std::string model;  // the file's base name
    uint32_t depth = 0; // of the search that made it, or no_bound
    uint64_t seed = 0;
    bool complete = true;
    std::vector<SuiteTest> tests;
    std::vector<TargetResult> targets;     // by TargetId
    std::vector<std::string> not_replayed; // what the search found and the model denies: errors of this program
    size_t left_out = 0;                   // tests that were found, and not replayed before it was asked to stop
    size_t cut_short = 0;                  // tests whose replay was stopped when they had done what they are there for
    std::unique_ptr<Heap> values;          // what the events refer to, where no interpreter owns it
};

inline std::string depth_text(uint32_t depth) { return depth == no_bound ? "auto" : std::to_string(depth); }

// In parts, since what a suite says it covers can be as large as the number of its tests times that of the targets.
void suite_to_xml(const Model& model, const Suite& suite, const Sink& sink);
std::string suite_to_xml(const Model& model, const Suite& suite);

} // namespace espalier
