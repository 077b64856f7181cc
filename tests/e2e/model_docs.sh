#!/usr/bin/env bash
# docs/models.md is true: the sizes of each model, and what the plain command covers, are those of its table; every target that
# it leaves is named on the model's page, and no other; its picture shows the machines as they are. Searches end by themselves or
# by their effort, never by time.
#
# `model_docs.sh --update` puts the numbers into the table and draws the pictures; the reasons on the pages are written by hand.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export work
python3 - "${1-}" <<'PYTHON'
import json, os, re, shutil, subprocess, sys

espalier, source, work = os.environ["ESPALIER"], os.environ["SOURCE_DIR"], os.environ["work"]
update = sys.argv[1:] == ["--update"]
page = f"{source}/docs/models.md"
passed, failed = 0, 0


def judge(name, wrong):
    global passed, failed
    if wrong:
        print(f"FAILED {name}", *wrong, sep="\n  ")
        failed += 1
    else:
        passed += 1


def texts(path):
    """What is written in a picture, wherever it stands; places in the file move with every edit."""
    found = re.findall(r"<text[^>]*>(.*?)</text>", open(path, encoding="utf-8").read())
    return sorted(t for t in found if not re.fullmatch(r"\d+:\d+", t))


def row(cells):
    return "| " + " | ".join(cells).replace("|  |", "| |") + " |"


lines = open(page, encoding="utf-8").read().split("\n")
rows = [(i, [c.strip() for c in line.split("|")[1:-1]]) for i, line in enumerate(lines) if line.startswith("| [")]
if len(rows) != 10:
    judge("the table", [f"{len(rows)} models, not ten"])
for i, cells in rows:
    name = re.match(r"\[(\w+)\]", cells[0])[1]
    model = f"{source}/models/{name}.scm"
    stats = f"{work}/{name}.json"
    command = [espalier, "generate", model, "-o", f"{work}/{name}.xml", "--stats", stats, "--quiet"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        judge(name, [f"exit status {run.returncode}: {run.stderr.strip()}"])
        continue
    result = json.load(open(stats, encoding="utf-8"))
    targets = result["targets_detail"]
    count = lambda criterion: str(sum(t["criterion"] == criterion for t in targets))
    now = cells.copy()
    now[2], now[3], now[4], now[6] = count("states"), count("transitions"), str(len(targets)), str(result["covered"])
    if update:
        lines[i] = row(now)
    wrong = [] if update or now == cells else [f"the table says {row(cells)}", f"it should be    {row(now)}"]

    text = open(f"{source}/docs/models/{name}.md", encoding="utf-8").read()
    size = f"{now[2]} states"
    if size not in text or f"{now[3]} transitions, {now[4]} targets" not in re.sub(r"\s+", " ", text):
        wrong.append(f"docs/models/{name}.md has not the size: {size}, {now[3]} transitions, {now[4]} targets")
    named = set(re.findall(r"`((?:cp|req|proc|branch|state|transition):[^`]+)`", text))
    left = {t["id"] for t in targets if t["status"] != "covered"}
    wrong += [f"docs/models/{name}.md says nothing of {t}" for t in sorted(left - named)]
    wrong += [f"docs/models/{name}.md names {t}, which is covered" for t in sorted(named - left)]
    if result["model_errors"]:
        wrong.append(f"{result['model_errors']} model errors")
    judge(name, wrong)

    picture = f"{source}/docs/models/{name}.svg"
    if shutil.which("dot"):
        drawn = picture if update else f"{work}/{name}.svg"
        way = "right" if name in ("sctp", "instiki", "nota", "sip_client") else "down"
        command = [espalier, "graph", model, "--kind", "machines", "--direction", way, "-o", drawn]
        subprocess.run(command, check=True)
        judge(f"picture of {name}", [] if texts(picture) == texts(drawn) else [f"{picture} is not what `graph` draws"])
if update:
    open(page, "w", encoding="utf-8").write("\n".join(lines))
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0 or passed == 0)
PYTHON
