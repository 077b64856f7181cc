// The modelling language: from text to a program that can be run.
//
//   Model model = load_model("turnstile.scm");
//   if (model.diagnostics.has_errors()) { for (auto& d : model.diagnostics.all()) std::cerr << render(model.sources,
//   d); } Listener quiet; Interpreter run(*model.program, quiet); Status status = run.start();             // runs to
//   the first stable state
//
// This is the folder's public header; it brings the λ-IR (ir.hpp), values (value.hpp, heap.hpp), what primitives mean
// (runtime.hpp) and the interpreter (interpreter.hpp) along.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lang/channel.hpp"
#include "lang/criteria.hpp"
#include "lang/datum.hpp"
#include "lang/hash_index.hpp"
#include "lang/interpreter.hpp"
#include "lang/ir.hpp"
#include "lang/json_text.hpp"
#include "lang/overloaded.hpp"
#include "lang/runtime.hpp"
#include "lang/source.hpp"
#include "lang/table.hpp"
#include "lang/units.hpp"
#include "lang/utf8.hpp"

namespace espalier {

struct Model {
    Sources sources;
    Diagnostics diagnostics;            // sorted by place
    std::optional<Program> program;     // there when there are no errors
    std::string read_dump, expand_dump; // with CompileOptions::dump
};

struct CompileOptions {
    bool dump = false;         // keep the printed data and core forms
    bool dump_prelude = false; // the prelude's too
    bool prelude = true;       // without it only primitives and forms are there; for tests
    // Set by another thread, it ends the work soon, with CompileStopped.
    const std::atomic<bool>* stop = nullptr;
};
struct CompileStopped : std::exception {
    const char* what() const noexcept override { return "asked to stop while the model was read"; }
};

// Reads a file's text; nothing where it cannot be read.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;

// Reads, expands, checks and lowers. Works on a stack of its own that is deep enough for any nesting the expander
// admits.
Model compile_model(const std::string& path, const ReadFile& read, const CompileOptions& options = {});
std::optional<std::string> read_file(const std::string& path);                 // errno says why not
Model load_model(const std::string& path, const CompileOptions& options = {}); // from disk
Model compile_text(std::string text, const CompileOptions& options = {});      // as "model.scm", no includes

// A value written as a datum: a number, string, symbol, list, (Message field …), or the name of a fresh value. Nothing
// and an explanation in `error` where it is none.
// `named` gives the value that a symbol stands for where a field cannot hold the symbol itself: the name of a fresh
// value.
using NamedValue = std::function<std::optional<Value>(Symbol)>;
std::optional<Value> value_from_datum(const Program& program, Heap& heap, const Data& data, DatumId datum,
                                      const NamedValue& named, std::string& error);

} // namespace espalier
