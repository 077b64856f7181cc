"""Which messages of the language does no test mention?

Messages are the string literals with a blank in them, in the sources of `lang`. One that is made of several literals is
looked for part by part. A text that no file under `tests` contains must be on the list, with the reason: what is never
checked says something else one day, and nothing fails.

  messages.py ROOT LIST
"""
import pathlib
import re
import sys

LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
JOINED = re.compile(r'"\s*\n\s*"')  # "one literal " "over two lines"
KINDS = {".cpp", ".hpp", ".sh", ".py", ".expected", ".txt", ".scm"}
# Not for authors: our own mistakes, and what goes to the preprocessor.
OURS = re.compile(r"logic_error|assert\(|#\s*include|out_of_range|invalid_argument|length_error")


def plain(text):
    return text.replace('\\"', '"').replace("\\\\", "\\")


def messages(folder):
    for path in sorted(folder.rglob("*.cpp")):
        source = JOINED.sub("", path.read_text(encoding="utf-8"))
        source = re.sub(r"//[^\n\"]*$", "", source, flags=re.M)
        for line in source.splitlines():
            if line.lstrip().startswith("//") or OURS.search(line):
                continue
            for literal in LITERAL.findall(line):
                if " " in literal.strip() and len(literal) > 8:
                    yield path.relative_to(folder.parent), plain(literal)


def main(root, exceptions):
    tests = "\n".join(
        plain(JOINED.sub("", path.read_text(encoding="utf-8", errors="replace")))
        for path in sorted((root / "tests").rglob("*"))
        if path.suffix in KINDS and path != exceptions and path.is_file()
    )
    lines = exceptions.read_text(encoding="utf-8").splitlines()
    allowed = {line.split("  ")[0] for line in lines if line and not line.startswith("#")}
    needed, problems, count = set(), [], 0
    for path, text in messages(root / "lang"):
        count += 1
        if text in tests:
            continue
        needed.add(text.strip())
        if text.strip() not in allowed:
            problems.append(f"{path}: no test mentions: {text}")
    problems += [f"on the list, and a test mentions it, or it is gone: {text}" for text in sorted(allowed - needed)]
    if count == 0:
        problems.append("no messages")
    print("\n".join([*problems, f"{count} messages, {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
