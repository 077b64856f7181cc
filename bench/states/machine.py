#!/usr/bin/env python3
"""Prints a protocol state machine with 500 states (large) or 50 (small), and four clauses in each; the same one each time.

    bench/states/machine.py large|small

The machine has a variable, the phase, from 0 to 7. Each state is even or odd, and every arrow to it sets a phase that is so
too. An analysis that knows values and states one by one does not see that. So a clause that asks for a phase of the other
kind is never taken, and only a search of all stable states proves it.

One state in 25 is *barred*: from the others, only such clauses lead to it. Another one in 25 is *forgotten*: no clause of
the others leads to it. All the others are on a ring, by their last clauses, which are always open: so all of them are
reachable, and from each of them the barred states seem to be.
"""

import sys
from typing import NamedTuple, Optional

GUARDED = ("Open", "Data", "Poll", "Close")  # what a clause with a guard takes
OTHERS = ("Accept", "Ack", "Nak", "Reset")  # what the last clause takes
MESSAGES = GUARDED + OTHERS
SIZES = {"large": 500, "small": 50}
PHASES = 8
CLAUSES = 4


class Guard(NamedTuple):
    comparison: str  # =, < or >
    phase: int


class Clause(NamedTuple):
    message: str
    guard: Optional[Guard]
    target: Optional[int]  # None: the machine stays
    phase: int  # what it is afterwards


class Dice:
    """Numbers that are the same with each version of Python: Knuth's linear congruence (MMIX)."""

    def __init__(self, seed):
        self.state = seed

    def below(self, count):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % count

    def one_of(self, things):
        return things[self.below(len(things))]

    def phase(self, odd):
        return 2 * self.below(PHASES // 2) + odd


def table(count, seed=1):
    """The clauses of each state. The machine starts in state 0, in phase 0."""
    dice = Dice(seed)
    barred = range(count - 2 * (count // 25), count - count // 25)
    forgotten = range(barred.stop, count)
    ring = range(barred.start)
    odd = [0] + [dice.below(2) for _ in range(1, count)]

    def arrow(state, message, guard, target):
        stays = target == state
        return Clause(message, guard, None if stays else target, dice.phase(odd[target]))

    def guarded(state):
        message = dice.one_of(GUARDED)
        if state in forgotten:
            return arrow(state, message, Guard("=", dice.below(PHASES)), dice.below(count))
        if dice.below(10) == 0:
            return arrow(state, message, Guard("=", dice.phase(1 - odd[state])), dice.one_of(barred))
        phase = dice.phase(odd[state])
        guard = dice.one_of((Guard("=", phase), Guard("=", phase), Guard("<", phase + 1), Guard(">", phase - 1)))
        target = state if dice.below(10) == 0 else dice.one_of(ring)
        return arrow(state, message, guard, target)

    def unguarded(state):
        target = (state + 1) % len(ring) if state in ring else dice.one_of(forgotten if state in forgotten else ring)
        return arrow(state, dice.one_of(OTHERS), None, target)

    return [[guarded(state) for _ in range(CLAUSES - 1)] + [unguarded(state)] for state in range(count)]


def written(clauses):
    for clause in clauses:
        guard = f" (where ({clause.guard.comparison} phase {clause.guard.phase}))" if clause.guard else ""
        if clause.target is None:
            yield f"    (on (line {clause.message}){guard} (set! phase {clause.phase}))"
        else:
            yield f"    (on (line {clause.message}){guard} -> s{clause.target} (with (phase {clause.phase})))"


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in SIZES:
        sys.exit("usage: bench/states/machine.py large|small")
    states = table(SIZES[sys.argv[1]])
    print(f"; A protocol state machine with {len(states)} states and {CLAUSES * len(states)} clauses, by machine.py.")
    for message in MESSAGES:
        print(f"(define-message {message})")
    print(f"(define-port line in {' '.join(MESSAGES)})")
    print("(define-machine (protocol phase)")
    for number, clauses in enumerate(states):
        print(f"  (state s{number}")
        last = number == len(states) - 1
        print("\n".join(written(clauses)) + ("))" if last else ")"))
    print("(protocol 0)")


if __name__ == "__main__":
    main()
