// The modelling language: from text to a program that can be run.
//
//   Model model = load_model("turnstile.scm");
//   for (const Diagnostic& d : model.diagnostics.all()) std::cerr << render(model.sources, d);
//   Listener quiet;
//   Interpreter run(*model.program, quiet);
//   Status status = run.start();                        // runs to the first stable state
//
// This is the folder's public header. It brings along what other folders use: the λ-IR (ir/ir.hpp), which clauses of
// its waits take what (ir/selects.hpp), values (values/), the meaning of primitives (primitives/concrete.hpp) and the
// interpreter (vm/interpreter.hpp).
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lang/ir/ir.hpp"
#include "lang/ir/overloaded.hpp"
#include "lang/ir/selects.hpp"
#include "lang/ir/type.hpp"
#include "lang/lower/criteria.hpp"
#include "lang/names/stopped.hpp"
#include "lang/primitives/concrete.hpp"
#include "lang/read/datum.hpp"
#include "lang/read/value_datum.hpp"
#include "lang/text/json_text.hpp"
#include "lang/text/source.hpp"
#include "lang/text/utf8.hpp"
#include "lang/values/channel.hpp"
#include "lang/values/equality.hpp"
#include "lang/values/hash_index.hpp"
#include "lang/values/number.hpp"
#include "lang/values/print.hpp"
#include "lang/values/table.hpp"
#include "lang/values/units.hpp"
#include "lang/vm/interpreter.hpp"

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

// Reads a file's text; nothing where it cannot be read.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;

// Reads, expands, checks and lowers. Works on a stack of its own that is deep enough for any nesting the expander
// admits.
Model compile_model(const std::string& path, const ReadFile& read, const CompileOptions& options = {});
std::optional<std::string> read_file(const std::string& path);                 // errno says why not
Model load_model(const std::string& path, const CompileOptions& options = {}); // from disk
Model compile_text(std::string text, const CompileOptions& options = {});      // as "model.scm", no includes

} // namespace espalier
