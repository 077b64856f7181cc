#!/usr/bin/env python3
"""Counts what the models of this folder can do, by rules of its own: no model is read here.

    bench/states/count.py MODEL SIZE

MODEL is election, machine, mutex, sokoban or window; SIZE is `large`, as in this folder, or `small`, as in the folder of that
name. A window may also be `broken`: small, with too few numbers. Prints a JSON object:

    states       how many stable states can be reached, the first one included
    transitions  how many steps lead from these to another one, or to the same
    depth        how many inputs the farthest of them is away
    reachable    how many targets can be reached
    targets      of each target that can be reached, how many inputs it is away

Each system says below what its stable state is: everything that a run can still depend on while the model waits, and nothing
else. A target is what Espalier calls so, with the name that it has there; those of the usual criteria are told.
"""

import json
import sys
from collections import deque

import machine


class Count:
    """A breadth-first search. A system has `first`, its first stable state, and `steps(state, hit)`, which gives the next
    stable state for each thing that the tester can do, and tells `hit` what is reached on the way there."""

    def __init__(self, system):
        self.targets = {}
        self.depth = 0
        self.transitions = 0
        for target in system.at_start:
            self.hit(target)
        seen = {system.first}
        waiting = deque([(system.first, 0)])
        while waiting:
            state, away = waiting.popleft()
            self.depth = away + 1  # of what is reached by the next input
            for after in system.steps(state, self.hit):
                self.transitions += 1
                if after not in seen:
                    seen.add(after)
                    waiting.append((after, away + 1))
        self.depth -= 1
        self.states = len(seen)

    def hit(self, target):
        self.targets.setdefault(target, self.depth)


def branch(hit, name, outcome):
    """A decision whose outcome is this; gives it back."""
    hit(f"branch:{name}:{'then' if outcome else 'else'}")
    return outcome


class Sokoban:
    """State: the keeper's place, and the set of the boxes' places."""

    def __init__(self, store):
        marks = {(x, y): mark for y, row in enumerate(store) for x, mark in enumerate(row)}
        self.walls = {place for place, mark in marks.items() if mark == "#"}
        self.drains = {place for place, mark in marks.items() if mark == "-"}
        self.goals = frozenset(place for place, mark in marks.items() if mark == ".")
        keeper = next(place for place, mark in marks.items() if mark == "@")
        self.first = (keeper, frozenset(place for place, mark in marks.items() if mark == "$"))
        self.at_start = ["proc:top/lambda", "proc:places", "proc:places/lambda", "proc:play", "proc:box?", "branch:play#1:else"]

    def steps(self, state, hit):
        for direction in ((0, -1), (0, 1), (-1, 0), (1, 0)):
            yield self.step(state, direction, hit)

    def step(self, state, direction, hit):
        (x, y), boxes = state
        dx, dy = direction
        to = (x + dx, y + dy)
        beyond = (x + 2 * dx, y + 2 * dy)
        hit("proc:go")
        hit("proc:wall?")
        if branch(hit, "go#1", to in self.walls):
            hit("cp:into a wall")
            return state
        if branch(hit, "go#2", to not in boxes):
            return (to, boxes)
        if branch(hit, "go#3", beyond in self.walls):
            hit("cp:a box at a wall")
            return state
        if branch(hit, "go#4", beyond in boxes):
            hit("cp:two boxes in a row")
            return state
        boxes = boxes - {to} | {beyond}
        hit("proc:push")
        if branch(hit, "push#1", beyond in self.drains):
            hit("cp:a box where none can come")
        if branch(hit, "push#2", self.goals <= boxes):
            hit("cp:solved")
        return (to, boxes)


class Machine:
    """State: the state of the machine, and the phase."""

    first = (0, 0)
    at_start = ["state:protocol/s0"]

    def __init__(self, count):
        self.table = machine.table(count)

    def steps(self, state, hit):
        here, _ = state
        for message in sorted({clause.message for clause in self.table[here]}):
            after = self.step(state, message, hit)
            if after is not None:
                yield after

    def step(self, state, message, hit):
        """The first clause for the message whose guard holds. What guards say counts only where there is one."""
        here, phase = state
        asked = []
        guards = 0
        for number, clause in enumerate(self.table[here], 1):
            guards += clause.guard is not None
            if clause.message != message:
                continue
            if clause.guard is not None:
                comparison, other = clause.guard
                holds = {"=": phase == other, "<": phase < other, ">": phase > other}[comparison]
                asked.append((f"protocol/s{here}#{guards}", holds))
                if not holds:
                    continue
            for name, holds in asked:
                branch(hit, name, holds)
            hit(f"transition:protocol/s{here}#{number}")
            if clause.target is None:
                return (here, clause.phase)
            hit(f"state:protocol/s{clause.target}")
            return (clause.target, clause.phase)
        return None


class Election:
    """State: of each node, what it does (mode), the number it goes into the round with, the last number that it had from its
    neighbour as long as it was active, and the messages on the way to it; and how many leaders there were. A message is
    its kind and a number."""

    at_start = ["proc:top/lambda", "proc:run"]

    def __init__(self, numbers):
        self.numbers = numbers
        self.first = (tuple(("asleep", number, 0, ()) for number in numbers), 0)

    def steps(self, state, hit):
        nodes, _ = state
        for place, (mode, _, _, link) in enumerate(nodes):
            if mode == "asleep" or link:
                yield self.move(state, place, hit)

    def move(self, state, place, hit):
        nodes, leaders = list(state[0]), state[1]
        number = self.numbers[place]
        mode, maximum, neighbour, link = nodes[place]
        sent = []
        hit("proc:ready?")
        branch(hit, "run#1", True)
        if branch(hit, "run#2", mode == "asleep"):
            mode = "active"
            sent = [("one", number)]
        else:
            (kind, told), link = link[0], link[1:]
            active = mode == "active"
            hit("proc:take")
            if branch(hit, "take#2", kind == "one" and active):
                if branch(hit, "take#3", told == maximum):
                    hit("cp:alone")
                    mode = "done"
                    sent = [("winner", told)]
                else:
                    neighbour = told
                    sent = [("two", told)]
            elif branch(hit, "take#4", kind == "two" and active):
                if branch(hit, "take#5", neighbour > told and neighbour > maximum):
                    hit("cp:another round")
                    maximum = neighbour
                    sent = [("one", neighbour)]
                else:
                    hit("cp:gives up")
                    mode = "passive"
            elif branch(hit, "take#6", kind == "winner"):
                if branch(hit, "take#7", told == number):
                    leaders += 1
                    hit("cp:elected")
                    if branch(hit, "take#8", leaders > 1):
                        hit("cp:two leaders")
                    if not branch(hit, "take#9", number == max(self.numbers)):
                        hit("cp:a leader that is not the greatest")
                if branch(hit, "take#10", active):
                    hit("cp:a winner while still active")
                if not branch(hit, "take#11", mode == "done"):
                    mode = "done"
                    sent = [(kind, told)]
            else:
                sent = [(kind, told)]
        nodes[place] = (mode, maximum, neighbour, link)
        if sent:
            after = (place + 1) % len(nodes)
            *rest, link = nodes[after]
            nodes[after] = (*rest, (*link, *sent))
            if state[0][place][0] != "asleep":
                hit("proc:take/pass-on")
                if branch(hit, "take#1", len(link) + 1 > 3):
                    hit("cp:four messages on a link")
        return (tuple(nodes), leaders)


class Window:
    """State: the oldest item that is not acknowledged, how many are sent from there on, the item that the receiver expects,
    the items on the way to it, and the numbers on the way back."""

    first = (0, 0, 0, (), ())
    at_start = ["state:protocol/running"]

    def __init__(self, window, sequence, room):
        self.window = window
        self.sequence = sequence
        self.room = room

    def later(self, item, by):
        return (item + by) % (2 * self.sequence)

    def steps(self, state, hit):
        base, ahead, expected, frames, acks = state

        def taken(transition, decision):
            branch(hit, f"protocol/running#{decision}", True)
            hit(f"transition:protocol/running#{transition}")

        if ahead < self.window and len(frames) < self.room:
            for name in ("space?", "put", "later"):
                hit(f"proc:{name}")
            taken(1, 1)
            yield (base, ahead + 1, expected, (*frames, self.later(base, ahead)), acks)
        if ahead > 0:
            taken(2, 2)
            yield (base, 0, expected, frames, acks)
        if frames:
            taken(3, 3)
            yield (base, ahead, expected, frames[1:], acks)
        if frames and len(acks) < self.room:
            taken(4, 4)
            hit("proc:number")
            yield (base, ahead, *self.receive(expected, frames[0], frames[1:], acks, hit))
        if acks:
            taken(5, 7)
            yield (base, ahead, expected, frames, acks[1:])
            taken(6, 8)
            yield (*self.acknowledge(base, ahead, acks[0], hit), expected, frames, acks[1:])

    def receive(self, expected, item, frames, acks, hit):
        if branch(hit, "protocol/running#5", item % self.sequence != expected % self.sequence):
            hit("cp:out of order")
        else:
            if not branch(hit, "protocol/running#6", item == expected):
                hit("cp:taken for another")
            expected = self.later(expected, 1)
        return (expected, frames, (*acks, expected % self.sequence))

    def acknowledge(self, base, ahead, ack, hit):
        count = (ack - base) % self.sequence
        if branch(hit, "protocol/running#9", count == 0):
            hit("cp:nothing new")
        elif branch(hit, "protocol/running#10", count > ahead):
            hit("cp:acknowledged after going back")
            ahead = 0
        else:
            if branch(hit, "protocol/running#11", count == self.window):
                hit("cp:the whole window at once")
            ahead -= count
        if branch(hit, "protocol/running#12", ahead > self.window):
            hit("cp:too far ahead")
        return (self.later(base, count), ahead)


class Mutex:
    """State: where each process is, who came last to each level, and how many are in the critical section. A process is at
    rest, about to say that it came to a level (mark), in front of one (wait), or inside. Its second part is the level, which
    is also what the others see of it; the third, of one that waits, at whom it looks next."""

    def __init__(self, processes):
        self.processes = processes
        self.first = ((("rest", 0, 0),) * processes, (0,) * processes, 0)
        self.at_start = ["proc:start", "branch:start#1:then", "branch:start#1:else", "proc:process"]

    def steps(self, state, hit):
        for me in range(self.processes):
            yield self.step(state, me, hit)

    def step(self, state, me, hit):
        where, latest, inside = list(state[0]), list(state[1]), state[2]
        place, level, other = where[me]
        if place == "rest":
            inside = self.climb(where, latest, inside, me, 1, hit)
        elif place == "mark":
            latest[level] = me
            inside = self.wait(where, latest, inside, me, level, 0, hit)
        elif place == "wait":
            if branch(hit, "wait#3", latest[level] != me):
                hit("cp:passed: another one came later")
                inside = self.climb(where, latest, inside, me, level + 1, hit)
            elif branch(hit, "wait#4", where[other][1] < level):
                inside = self.wait(where, latest, inside, me, level, other + 1, hit)
        else:
            inside -= 1
            if branch(hit, "process#3", inside < 0):
                hit("cp:left by one who was not inside")
            where[me] = ("rest", 0, 0)
        return (tuple(where), tuple(latest), inside)

    def wait(self, where, latest, inside, me, level, other, hit):
        """In front of a level, where `other` is next, or behind it where nobody is left. Gives how many are inside then."""
        hit("proc:wait")
        if branch(hit, "wait#1", other == self.processes):
            hit("cp:passed: all others are below")
            return self.climb(where, latest, inside, me, level + 1, hit)
        if branch(hit, "wait#2", other == me):
            return self.wait(where, latest, inside, me, level, other + 1, hit)
        where[me] = ("wait", level, other)
        return inside

    def climb(self, where, latest, inside, me, level, hit):
        """At the next level, or inside where there is none. Gives how many are inside then."""
        hit("proc:climb")
        if branch(hit, "climb#1", level < self.processes):
            where[me] = ("mark", level, 0)
            return inside
        where[me] = ("inside", self.processes - 1, 0)
        inside += 1
        if branch(hit, "process#1", inside > 1):
            hit("cp:two in the critical section")
        if branch(hit, "process#2", latest[self.processes - 1] == me):
            hit("cp:in, and nobody came later")
        return inside


SYSTEMS = {
    "sokoban": {
        "large": lambda: Sokoban(
            [
                "###########",
                "##-#  ..  #",
                "#------# -#",
                "#-#---#  ##",
                "#--#-##   #",
                "##-#### $ #",
                "#---##  $##",
                "#@  $ .   #",
                "###########",
            ]
        ),
        "small": lambda: Sokoban(
            [
                "#######",
                "#@ #  #",
                "# $ $.#",
                "#  #. #",
                "##    #",
                "#- ####",
                "#######",
            ]
        ),
    },
    "machine": {size: (lambda count=count: Machine(count)) for size, count in machine.SIZES.items()},
    "election": {"large": lambda: Election((3, 9, 1, 6, 8, 2, 5, 7, 4)), "small": lambda: Election((3, 5, 1, 4, 2))},
    "window": {
        "large": lambda: Window(3, 4, 4),
        "small": lambda: Window(2, 3, 2),
        "broken": lambda: Window(2, 2, 2),
    },
    "mutex": {"large": lambda: Mutex(4), "small": lambda: Mutex(3)},
}


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in SYSTEMS or sys.argv[2] not in SYSTEMS[sys.argv[1]]:
        sys.exit("usage: bench/states/count.py election|machine|mutex|sokoban|window large|small|broken")
    count = Count(SYSTEMS[sys.argv[1]][sys.argv[2]]())
    told = {name: getattr(count, name) for name in ("states", "transitions", "depth")}
    print(json.dumps({**told, "reachable": len(count.targets), "targets": count.targets}, indent=2))


if __name__ == "__main__":
    main()
