// A thread of the model: its stack, where it stands, and what it waits for.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "lang/ir/selects.hpp"
#include "lang/vm/code.hpp"

namespace espalier::vm {

// A thread's stack: words that are values for the collector, from first to last.
class Stack {
public:
    explicit Stack(size_t words) : words_(allocate(words)), size_(words) {}
    Value* begin() const { return words_.get(); }
    Value* end() const { return words_.get() + size_; }
    size_t size() const { return size_; }
    void resize(size_t words, size_t used); // keeps the first `used`

private:
    struct Free {
        void operator()(Value* words) const { std::free(words); }
    };
    static Value* allocate(size_t words);
    std::unique_ptr<Value, Free> words_;
    size_t size_;
};

// What a waiting thread waits for: a source of its select, as it was when the wait began.
struct Wait {
    const SelectClause* clause; // the first that takes from it; all are of one kind
    Value source;
    Value deadline = Value::fixnum(0); // `after`
    bool spent = false;                // `after`: it fired, and its guard refused
};

struct Thread {
    Thread(uint32_t thread_number, bool is_service) : number(thread_number), service(is_service) {}

    uint32_t number;
    bool service;
    bool waiting = false;
    bool indexed = false;         // it stands in the index of waits
    bool may_take_timer = false;  // time passed while it waited, and it has not gone on since
    size_t only_timer = SIZE_MAX; // of those that fired, the one of this source has its turn
    Stack stack{64};              // words at first: there may be very many threads, and most stay small
    Value* base = nullptr;        // of the running frame; good while the thread does not run
    const Instr* pc = nullptr;
    std::vector<Wait> waits;              // while waiting: by the select's sources
    const ClauseIndex* clauses = nullptr; // of the select
    const Instr* select = nullptr;        // a cell for each clause follows it: its test, and the test's parameters

    // The clauses of its select are tried one after the other: from queues (and timers that fired), with what
    // no clause took from a queue, or with a message that the tester sends.
    enum class Trial : uint8_t { queues, other, delivery };
    Trial trial = Trial::queues;
    uint32_t tried = 0;    // the clause whose test runs
    Value source, message; // what it is tried with
};

} // namespace espalier::vm
