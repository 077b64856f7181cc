// Questions about bits of inputs, put in another way: as arithmetic of bit vectors, wide enough that nothing overflows.
//
// In that theory a bit operation is a word of its own, and a sum is an adder. Of 28 questions to Z3 4.8.12 (equations,
// orders, nested operations, checksums, of 16 and of 32 bits) all are decided, within the usual resources. With ten
// times as much, in integer arithmetic, 9 are given up by int2bv and bv2int, 10 as sums of bits, and 15 as sums of bits
// where all is reduced to `and`: each bit is a case.
//
// A question is written down in SMT-LIB, each part once, in an order that depends on the question alone. A solver
// reads it. What bit vectors cannot hold is left out or narrowed, and the answer counts for as much as is left:
//
//   an integer without bounds   narrowed to 64 bits: a solution is one; that there is none says nothing
//   a condition on strings      left out: that there is no solution is so; a solution is one of the rest only
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "symexec/solver/solver.hpp"
#include "symexec/terms/bounds.hpp"

namespace espalier::sym {

struct WrittenQuestion {
    std::string text;
    std::vector<Value> variables;
    bool is_narrowed = false; // then unsat is no answer
    bool is_part = false;     // conditions were left out: then sat is no answer
    size_t width = 0;         // of its vectors
    std::string name(size_t variable) const { return "x" + std::to_string(variable); }
};

bool is_about_bits(const Terms& terms, const Question& q);

enum class Unbounded : uint8_t { narrowed, left_out };
// Nothing where no bit operation is left in it.
std::optional<WrittenQuestion> write_question(Terms& terms, const Question& q, Unbounded how);
// What the variable is in a solution that makes its vector this number, unsigned and in decimal digits.
Value read_value(Terms& terms, const WrittenQuestion& written, Value variable, const std::string& digits);

} // namespace espalier::sym
