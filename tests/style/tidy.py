"""tidy.py SOURCE_DIR BUILD_DIR: clang-tidy on every source file, with the checks of .clang-tidy.

Most of its time goes into the headers of the standard library, again for each file. So several files are looked at as
one: a source that includes them. Files of one folder of which two give the same name to something of their own are kept
apart. Where a group cannot be read all the same, the files with errors leave it.

A group that passed is looked at again only when one of its files, a header or the checks changed: what it depends on is
known by content, not by time."""
import hashlib
import json
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path

source, build = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
folders = ("lang", "flowanalysis", "symexec", "pda", "testgen")
largest_group = 8
work = build / "tidy"
work.mkdir(exist_ok=True)

# {file: flags} of what the build compiles of ours.
commands = {}
for entry in json.loads((build / "compile_commands.json").read_text()):
    file = Path(entry["file"])
    if not file.is_relative_to(source) or file.is_relative_to(build):
        continue
    parts = file.relative_to(source).parts
    if parts[0] in folders or (parts[0] == "tests" and parts[1] in folders):
        words = shlex.split(entry["command"])
        commands[file] = tuple(w for w in words if w.startswith(("-D", "-I", "-U", "-std=")))
if len(commands) < 100:
    sys.exit(f"only {len(commands)} files to look at: is the build complete?")

headers = sorted(f for folder in folders + ("tests",) for f in (source / folder).rglob("*.hpp"))
checks = hashlib.sha256((source / ".clang-tidy").read_bytes())
for header in headers:
    checks.update(header.read_bytes())


def own_names(text):
    """What the file defines in its anonymous namespaces, and macros. Such lines are not indented."""
    names = set(re.findall(r"^#define (\w+)", text, re.MULTILINE))
    for inside in re.findall(r"^namespace \{$(.*?)^\} // namespace$", text, re.MULTILINE | re.DOTALL):
        for line in inside.splitlines():
            defined = re.match(r"(?!//|#|\}|using namespace)\S[^({=;]*?(\w+)(?: final)?(?: : .*)?\s*(?:[({=;\[]|$)", line)
            if defined:
                names.add(defined.group(1))
    return names


def folder_of(file):
    parts = file.relative_to(source).parts
    return parts[:2] if parts[0] == "tests" else parts[:1]


groups = []
for kind in sorted({(folder_of(f), flags) for f, flags in commands.items()}):
    open_groups = []
    for file in sorted(f for f, flags in commands.items() if (folder_of(f), flags) == kind):
        text = file.read_text()
        # The big libraries are where the time goes in the few files that use them.
        alone = re.search(r'#include ["<](z3|CLI|boost/spirit|pugixml|tinyxml2)', text)
        names = own_names(text)
        for group in [] if alone else open_groups:
            if len(group["files"]) < largest_group and not group["names"] & names:
                break
        else:
            group = {"files": [], "names": set(), "flags": kind[1]}
            groups.append(group)
            if not alone:
                open_groups.append(group)
        group["files"].append(file)
        group["names"] |= names


def tidy(files, flags, unit):
    """What clang-tidy finds in the files, and how many times it was started."""
    if len(files) > 1:
        unit.write_text("".join(f'#include "{f}"\n' for f in files))
    done = subprocess.run(
        ["clang-tidy", "--quiet", "--warnings-as-errors=*", f"--header-filter=^{source}/(({'|'.join(folders)})/.*[ch]pp|tests/.*cpp)$",
         "--checks=-bugprone-suspicious-include", # of a group; tests/style/includes.py looks for such includes
         str(unit if len(files) > 1 else files[0]), "--", "-w", "-O2", "-ferror-limit=0", *flags],
        cwd=source, capture_output=True, text=True)
    if len(files) == 1 or "clang-diagnostic-error" not in done.stdout:
        return done.stdout if done.returncode != 0 else "", 1
    named = set(re.findall(r"^(/.*?):\d+:\d+: error: .*\[clang-diagnostic-error", done.stdout, re.MULTILINE))
    clashing = [f for f in files if str(f) in named] or files[1:]
    if len(clashing) == len(files):
        clashing = files[1:]
    rest = [f for f in files if f not in clashing]
    parts = [tidy(part, flags, unit) for part in (rest, clashing)]
    return parts[0][0] + parts[1][0], 1 + parts[0][1] + parts[1][1]


def look_at(number):
    group = groups[number]
    key = checks.copy()
    key.update(" ".join(group["flags"]).encode())
    for file in group["files"]:
        key.update(str(file).encode() + file.read_bytes())
    stamp = work / key.hexdigest()
    if stamp.exists():
        return "", 0
    findings, starts = tidy(group["files"], group["flags"], work / f"group{number}.cpp")
    if not findings:
        stamp.touch()
    return findings, starts


with ThreadPoolExecutor(cpu_count()) as pool:
    results = list(pool.map(look_at, range(len(groups))))
for output, _ in results:
    print(output, end="")
print(f"{len(commands)} files in {len(groups)} groups, clang-tidy was started {sum(r[1] for r in results)} times, "
      f"{sum(bool(r[0]) for r in results)} groups with findings")
sys.exit(1 if any(r[0] for r in results) else 0)
