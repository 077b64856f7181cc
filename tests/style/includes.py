"""includes.py ROOT: who includes whom. The rooms of each folder, from the lowest to the highest, are the list in
docs/architecture.md, "Rooms". Files that lie in the folder itself, its public header among them, belong to the highest
room that includes them: they come after all rooms but the last."""
import re
import sys
from pathlib import Path

SEES = {
    "lang": [],
    "pda": [],
    "flowanalysis": ["lang", "pda"],
    "symexec": ["lang", "pda", "flowanalysis"],
    "testgen": ["lang", "pda", "flowanalysis", "symexec"],
}
LIBRARIES = {
    "Z3": r"z3",
    "Boost.Spirit": r"boost/spirit",
    "CLI11": r"CLI/",
    "TinyXML-2": r"tinyxml2",
    "pugixml": r"pugixml",
}
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]*)[">]', re.MULTILINE)

root = Path(sys.argv[1])
problems = []
includes_seen = 0


def rooms_of_docs():
    """{folder: [room, …]} in the order of the list."""
    page = root / "docs/architecture.md"
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    section = re.search(r"^## Rooms$(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL)
    rooms = {}
    for folder, room, promise in re.findall(r"^- `(\w+)/(\w+)`: (.*)$", section.group(1) if section else "", re.MULTILINE):
        rooms.setdefault(folder, []).append(room)
        if not promise.strip():
            problems.append(f"{folder}/{room} promises nothing in docs/architecture.md")
    if not rooms:
        problems.append("no rooms in docs/architecture.md")
    return rooms


def room_of(path, rooms):
    """The room of "lang/text/source.hpp": its name and rank. What lies in the folder itself is as high as the last."""
    folder, *rest = path.split("/")
    known = rooms.get(folder, [])
    if len(rest) == 1:
        return path, max(len(known) - 1, 0) if folder == "testgen" else len(known)
    return f"{folder}/{rest[0]}", known.index(rest[0]) if rest[0] in known else -1


def includes(file):
    global includes_seen
    found = INCLUDE.findall(file.read_text(encoding="utf-8"))
    includes_seen += len(found)
    return found


def check_file(file, own, others, rooms):
    path = file.relative_to(root).as_posix()
    is_test = path.startswith("tests/")
    for quote, header in includes(file):
        if quote == "<":
            continue
        folder = header.split("/")[0]
        if header.endswith(".cpp"):
            problems.append(f'{path}: "{header}" is a source, not a header')
        elif is_test and header.startswith("tests/"):
            if not (root / header).exists():
                problems.append(f'{path}: "{header}" does not exist')
        elif folder not in SEES or not (root / header).exists():
            problems.append(f'{path}: "{header}" is not a path from the root')
        elif folder == own:
            (room, rank), (other, other_rank) = room_of(path, rooms), room_of(header, rooms)
            if not is_test and room != other and other_rank > rank:
                problems.append(f"{path}: {room} must not know {other}")
        elif folder not in others:
            problems.append(f'{path}: {own} must not know {folder} ("{header}")')
        elif not header.endswith(".def") and header != f"{folder}/{folder}.hpp":
            problems.append(f'{path}: "{header}" is private to {folder}; include "{folder}/{folder}.hpp"')


def sources(folder):
    return sorted(f for f in (root / folder).rglob("*") if f.suffix in (".cpp", ".hpp"))


rooms = rooms_of_docs()
files = 0
for folder, others in SEES.items():
    own = sources(folder)
    if not own:
        problems.append(f"{folder} has no files")
    if not (root / folder / f"{folder}.hpp").exists():
        problems.append(f"{folder} has no public header {folder}/{folder}.hpp")
    for room in rooms.get(folder, []):
        if not any(f.relative_to(root / folder).parts[0] == room for f in own):
            problems.append(f"{folder}/{room} has no files")
    for file in own:
        parts = file.relative_to(root / folder).parts
        if len(parts) > 2 or (len(parts) == 2 and parts[0] not in rooms.get(folder, [])):
            problems.append(f"{folder}/{parts[0]} is not among the rooms of docs/architecture.md")
        check_file(file, folder, others, rooms)
    # A test knows its own folder inside out, and may use what the others publish.
    tests = sources(f"tests/{folder}")
    for file in tests:
        parts = file.relative_to(root / "tests" / folder).parts
        if len(parts) == 2 and file.name.endswith("_test.cpp") and parts[0] not in rooms.get(folder, []):
            problems.append(f"tests/{folder}/{parts[0]} mirrors no room")
        check_file(file, folder, list(SEES), rooms)
    files += len(own) + len(tests)

for library, pattern in LIBRARIES.items():
    users = [f.relative_to(root).as_posix() for folder in SEES for f in sources(folder)
             if any(re.match(pattern, header) for _, header in includes(f))]
    if len(users) > 1:
        problems.append(f"{library} belongs in one source file: {' '.join(users)}")
    if any(u.endswith(".hpp") for u in users):
        problems.append(f"{library} belongs in a source file, not in a header: {' '.join(users)}")

if includes_seen == 0:
    problems.append("no include was found")
for problem in dict.fromkeys(problems):
    print(problem)
print(f"{files} files, {sum(map(len, rooms.values()))} rooms, {len(problems)} problems")
sys.exit(1 if problems else 0)
