// The register code of a program's λs, and what runs that come one after the other share of it.
//
// A λ is translated when it is first called, and the translation relies on what it then finds in globals: that they are
// defined, and what constant ones hold. Another run may define them later, or give them other values, so a λ's code
// sleeps until it is first called in a run, and then what it relies on is compared with what is there. A global that
// disappointed once is not relied on again: a λ is translated at most once more than it names globals, however many
// runs there are.
#pragma once

#include <map>
#include <vector>

#include "lang/ir/selects.hpp"
#include "lang/values/heap.hpp"
#include "lang/vm/virtual.hpp"

namespace espalier::vm {

class SharedCode {
public:
    enum class Runs : uint8_t { one, many };
    struct Tracing {
        bool follow = false;
        bool assignments = false;
        bool operator==(const Tracing&) const = default;
    };
    SharedCode(const Program& program, Runs runs, Tracing tracing);
    SharedCode(const SharedCode&) = delete;
    SharedCode& operator=(const SharedCode&) = delete;

    // The runner of a new run; there is one at a time.
    void begin(const void* const* handlers);
    void end() { in_use_ = false; }

    Code* codes() { return codes_.data(); } // by λ; they do not move
    const Code& code_of(const Instr* cell) const;
    const Code& awake(Code& code, const std::vector<Value>& globals); // translates it where need be
    Value closure(LambdaId lambda);                                   // of a λ that captures nothing: made once

    const Program& program() const { return program_; }
    const Selects& selects() const { return selects_; }
    // A port that carries what all clauses on a source take, where one was met; by the first of these clauses.
    PortId& carrier(size_t clause) { return carriers_[clause]; }
    Tracing tracing() const { return tracing_; }
    uint64_t translations() const { return translations_; }

private:
    bool holds(const Code& code, const std::vector<Value>& globals);

    const Program& program_;
    const Selects selects_;
    std::vector<PortId> carriers_; // by clause
    Runs runs_;
    Tracing tracing_;
    bool in_use_ = false;
    const void* const* handlers_ = nullptr;
    Heap heap_{Heap::Lifetime::immortal}; // of the closures
    std::vector<Value> closures_;         // by λ; unbound: not made yet
    std::vector<bool> constant_;          // by global: defined once, and assigned nowhere
    std::vector<bool> unreliable_;        // by global
    std::vector<Code> codes_;
    std::map<const Instr*, const Code*> code_by_start_;
    std::vector<Code*> awake_;
    uint64_t translations_ = 0;
};

} // namespace espalier::vm
