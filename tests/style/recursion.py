"""Which functions of the program call themselves, directly or through others?

Read from the compiled libraries: calls, jumps to other functions, and functions whose address is taken, directly or in a
table (std::visit). What goes through a virtual function or a std::function is not seen. Each cycle of calls must be on
the list, with the reason why its depth is bounded: recursion on the depth of data ends in a stack overflow.

  recursion.py LIST LIBRARY...
"""
import bisect
import collections
import fnmatch
import re
import subprocess
import sys

# As deep as the logarithm of a container's size; a library that is given a command line; and what only passes calls on.
HARMLESS = re.compile(r"std::_Rb_tree|std::__introsort|std::__\w*stable_sort|std::__merge|^CLI::|^void CLI::|^bool CLI::")
PLUMBING = re.compile(r"__gen_vtable|^std::invoke_result|^std::_Function_handler|std::__do_visit|std::__invoke")

CLONE = re.compile(r"(\.(part|cold|isra|constprop|lto_priv)(\.\d+)?)+$")


def output(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


class Graph:
    def __init__(self):
        self.calls = collections.defaultdict(set)
        self.functions = set()
        self.tables = {}  # by object file and section: where each table begins, in order
        self.classes = set()  # tables of virtual functions: who calls through them is not known

    def add(self, caller, callee):
        # A function and its cold part jump to each other.
        if caller != callee and caller.replace(".cold", "") == callee.replace(".cold", ""):
            return
        self.calls[caller].add(callee)

    def table(self, file, section, at):
        starts = self.tables.get((file, section), [])
        begin = bisect.bisect_right(starts, at) - 1
        return f"{file}:{section}+{starts[begin]}" if begin >= 0 else None

    # Tables of functions: a reference to the table is one to each of them.
    def read_tables(self, library):
        file = section = None
        code = {}  # of the object file at hand: functions, by where they begin
        for line in output("objdump", "-trw", library).splitlines():
            if line.endswith("file format elf64-x86-64"):
                file, section, code = line.split(":")[0], None, {}
            elif begin := re.match(r"RELOCATION RECORDS FOR \[(.+)\]:$", line):
                section = begin[1]
            elif symbol := re.match(r"([0-9a-f]{16}) (.{7}) (\S+)\s[0-9a-f]{16}\s+(?:\.hidden )?(\S+)$", line):
                at = int(symbol[1], 16)
                if symbol[3].startswith(".text") and "F" in symbol[2]:
                    code[symbol[3], at] = symbol[4]
                elif symbol[3].startswith((".data", ".rodata")) and "d" not in symbol[2]:
                    bisect.insort(self.tables.setdefault((file, symbol[3]), []), at)
                    table = self.table(file, symbol[3], at)
                    if symbol[4].startswith("_ZTV"):
                        self.classes.add(table)
                    else:
                        self.add(symbol[4], table)
                        self.functions.add(symbol[4])
            elif section and section.startswith((".data", ".rodata")):
                if entry := re.match(r"([0-9a-f]{16}) R_X86_64_64\s+(\S+?)(?:\+0x([0-9a-f]+))?$", line):
                    table = self.table(file, section, int(entry[1], 16))
                    target = code.get((entry[2], int(entry[3] or "0", 16)), entry[2])
                    if table and table not in self.classes:
                        self.add(table, target)
                        self.functions.add(table)

    def read_code(self, library):
        file = function = None
        for line in output("objdump", "-drw", "--no-show-raw-insn", library).splitlines():
            if line.endswith("file format elf64-x86-64"):
                file, function = line.split(":")[0], None
            elif begin := re.match(r"[0-9a-f]+ <(.+)>:$", line):
                function = begin[1]
                self.functions.add(function)
            elif function is None:
                continue
            elif reference := re.search(r"R_X86_64_(\w+)\s+(\S+?)([-+]0x[0-9a-f]+)?$", line):
                target, offset = reference[2], int(reference[3] or "0", 16)
                if target.startswith((".data", ".rodata")):
                    offset += 4 if reference[1] == "PC32" else 0
                    target = self.table(file, target, offset)
                if target:
                    self.add(function, target)
            elif call := re.search(r"\b(call|jmp|j[a-z]+)\s+[0-9a-f]+ <([^>+]+)>", line):
                if call[1] == "call" or call[2] != function:
                    self.add(function, call[2])

    # Tarjan's strongly connected components, without recursion.
    def cycles(self):
        number, low, stack, on_stack, found = {}, {}, [], set(), []
        for root in sorted(self.functions):
            if root in number:
                continue
            work = [(root, iter(sorted(self.calls[root] & self.functions)))]
            number[root] = low[root] = len(number)
            stack.append(root)
            on_stack.add(root)
            while work:
                at, callees = work[-1]
                for callee in callees:
                    if callee not in number:
                        number[callee] = low[callee] = len(number)
                        stack.append(callee)
                        on_stack.add(callee)
                        work.append((callee, iter(sorted(self.calls[callee] & self.functions))))
                        break
                    if callee in on_stack:
                        low[at] = min(low[at], number[callee])
                else:
                    work.pop()
                    if work:
                        low[work[-1][0]] = min(low[work[-1][0]], low[at])
                    if low[at] == number[at]:
                        cycle = []
                        while not cycle or cycle[-1] != at:
                            cycle.append(stack.pop())
                            on_stack.discard(cycle[-1])
                        if len(cycle) > 1 or at in self.calls[at]:
                            found.append(cycle)
        return found


def without_brackets(name, opening, closing):
    depth, kept = 0, ""
    for at, c in enumerate(name):
        depth += c == opening
        if depth == 0:
            kept += c
        depth -= c == closing and name[at - 1 : at + 1] != "->"
    return kept


# espalier::sym::Terms::compute(Value, …) const → sym::Terms::compute
def short(name):
    name = name.replace("(anonymous namespace)::", "").replace("[abi:cxx11]", "")
    name = re.sub(r"operator(<=>|<<|<|\(\)|->|>)", "operator", name)
    whole = name
    if name.startswith("std::") or " std::" in name.split("(")[0]:  # of a container, what it holds matters
        return re.sub(r"espalier::", "", whole)
    name = without_brackets(without_brackets(name, "<", ">"), "(", ")")
    return name.split("espalier::", 1)[-1].replace(" const", "").strip()


def main():
    allowed = []
    for line in open(sys.argv[1], encoding="utf-8"):
        if line.strip() and not line.startswith("#"):
            pattern, _, reason = line.strip().partition("  ")
            assert reason, f"no reason is given: {line}"
            allowed.append(pattern)
    graph = Graph()
    for library in sys.argv[2:]:
        graph.read_tables(library)
        graph.read_code(library)
    cycles = graph.cycles()
    names = sorted({name for cycle in cycles for name in cycle})
    shown = output("c++filt", "-r", text="\n".join(CLONE.sub("", name) for name in names)).splitlines()
    readable = dict(zip(names, shown))
    used, bad = set(), 0
    for cycle in cycles:
        unknown = []
        members = {short(readable[name]) for name in cycle if ".o:." not in name}
        own = {name for name in members if not PLUMBING.search(name)}
        for name in sorted(own or members):
            if HARMLESS.search(name):
                continue
            matches = [p for p in allowed if fnmatch.fnmatchcase(name, p)]
            used.update(matches)
            if not matches:
                unknown.append(name)
        if unknown:
            bad += 1
            print("recursion that is not on the list: " + ", ".join(n[:160] for n in unknown))
    for pattern in allowed:
        if pattern not in used:
            bad += 1
            print("on the list, and no recursion: " + pattern)
    print(f"{len(graph.functions)} functions, {len(cycles)} cycles")
    assert len(graph.functions) > 1000 and cycles, "the libraries were not read"
    return 1 if bad else 0


sys.exit(main())
