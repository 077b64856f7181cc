"""Runs `espalier generate` and `espalier execute` and ends them at random moments, by every signal that ends a process.

    python3 kill_runs.py ESPALIER SEED GENERATE_RUNS EXECUTE_RUNS

Whatever the moment: what is on disk is nothing, what was there before, or a whole file. A signal that can be caught leaves
what was found, marked as incomplete, and the exit status 128 + signal. The run after it finds nothing left behind. What an
adapter has started ends with the run. Prints how the runs ended; exit status 1 and the seed where something does not hold.
"""
import json
import os
import random
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

espalier, seed, generate_runs, execute_runs = sys.argv[1], *map(int, sys.argv[2:])
dice = random.Random(seed)
ends = {}
failures = []

no_end = {signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU, signal.SIGCONT, signal.SIGCHLD, signal.SIGURG,
          signal.SIGWINCH}
plain = [s for s in range(1, 32) if s not in no_end and s != signal.SIGKILL]
catchable = plain + [signal.SIGRTMIN, signal.SIGRTMAX]

# A search that has no end: the last checkpoint is never reached, and only a search that has seen all would know.
MODEL = """(define (step n)
  (define x (read (int 1 9)))
  (write n)
  (if (> x 5) (checkpoint large) (checkpoint small))
  (if (= (modulo n 4) 3) (checkpoint never))
  (step (+ n (* 4 x))))
(step 1)
"""
TESTS = 400
ADAPTER = """import json, os, subprocess, sys, time
# A child that gets away as well as it can.
child = subprocess.Popen(["sleep", "1000"], start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL)
with open("child.new", "w") as file:
    file.write(str(child.pid))
os.rename("child.new", "child")
try:
    for line in sys.stdin:
        ask = json.loads(line)
        time.sleep(0.002)
        print('{"type": "reset"}' if ask["type"] == "reset" else '{"type": "quiet"}', flush=True)
except OSError:
    pass
child.kill()  # the run was killed, and could not do it
os._exit(0)
"""


def wrong(run, what):
    failures.append(f"{run}: {what}")


def all_default():
    for each in plain:
        signal.signal(each, signal.SIG_DFL)


def start(*arguments, out=subprocess.DEVNULL):
    return subprocess.Popen([espalier, *arguments], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL,
                            preexec_fn=all_default)


def wait_until(process, holds):
    """Not by the clock: until it holds, or the process has ended by itself."""
    while process.poll() is None and not holds():
        time.sleep(0.002)


def catches(process, number):
    try:
        with open(f"/proc/{process.pid}/status") as status:
            for line in status:
                if line.startswith("SigCgt:"):
                    return int(line.split()[1], 16) >> (number - 1) & 1 == 1
    except OSError:
        pass
    return False


def suite_on_disk(run, path):
    """Whether it is complete; nothing where there is no suite."""
    if not os.path.exists(path):
        return None
    try:
        root = xml.etree.ElementTree.parse(path).getroot()
        if not root.tag.endswith("}suite"):
            wrong(run, f"the root of {path} is {root.tag}")
        return root.get("complete")
    except xml.etree.ElementTree.ParseError as problem:
        wrong(run, f"{path} is not whole: {problem}")
        return None


def json_on_disk(run, path):
    if not os.path.exists(path):
        return None
    try:
        with open(path) as file:
            return json.load(file)
    except ValueError as problem:
        wrong(run, f"{path} is not whole: {problem}")
        return None


def leftovers(run):
    left = [name for name in os.listdir(".") if name.startswith(".espalier-part-")]
    if left:
        wrong(run, f"left behind: {left}")


def ended(run, process, number, heard):
    """How it ended, as text. `heard`: the signal came when it was already being waited for."""
    status = process.wait()
    if status == 128 + number:
        how = "orderly"
    elif status == -number:
        how = "killed"
    elif status in (0, 1) and not heard:
        how = "done before"
    else:
        how = f"exit status {status}"
        wrong(run, how)
    if heard and number != signal.SIGKILL and how != "orderly":
        wrong(run, f"{how}, although the signal is caught")
    ends[how] = ends.get(how, 0) + 1
    return how


def generate(i):
    number = signal.SIGKILL if i % 3 == 0 else catchable[i % len(catchable)]
    if dice.random() < 0.5 and os.path.exists("s.xml"):
        os.remove("s.xml")
    before = open("s.xml", "rb").read() if os.path.exists("s.xml") else None
    short = i % 4 == 0  # more of it is writing
    limit = ["--step-limit", "2000"] if short else []
    run = f"generate {i}, signal {int(number)}{', short' if short else ''}"
    process = start("generate", "m.scm", "--depth", "1000000", "--memo", "off", "-o", "s.xml", "--stats", "s.json", "--report", "s.html",
                    *limit)
    heard = not short and i % 2 == 1
    if heard:
        wait_until(process, lambda: catches(process, signal.SIGTERM))
        time.sleep(dice.uniform(0, 0.05))
    else:
        time.sleep(dice.uniform(0, 3 * usual))
    process.send_signal(number)
    how = ended(run, process, number, heard)
    complete = suite_on_disk(run, "s.xml")
    json_on_disk(run, "s.json")
    if os.path.exists("s.html") and not open("s.html").read().endswith("</html>\n"):
        wrong(run, "s.html is not whole")
    now = open("s.xml", "rb").read() if os.path.exists("s.xml") else None
    if how == "orderly" and complete != "false":
        wrong(run, f"it ended orderly, and complete is {complete}")
    if how == "killed" and number != signal.SIGKILL and not short and now != before:
        wrong(run, "it was killed before it listened, and has written")


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def execute(i):
    number = signal.SIGKILL if i % 3 == 0 else catchable[(7 * i) % len(catchable)]
    run = f"execute {i}, signal {int(number)}"
    for name in ("r.json", "child"):
        if os.path.exists(name):
            os.remove(name)
    with open("verdicts", "wb") as out:
        process = start("execute", "hand.xml", "--results", "r.json", "--junit", "j.xml", "--", sys.executable,
                        "adapter.py", out=out)
    heard = i % 4 != 1
    if heard:  # until there is a verdict
        wait_until(process, lambda: os.path.getsize("verdicts") > 0)
        time.sleep(dice.uniform(0, 0.2))
    else:
        time.sleep(dice.uniform(0, 3 * usual))
    process.send_signal(number)
    how = ended(run, process, number, heard)
    results = json_on_disk(run, "r.json")
    shown = open("verdicts").read().count("pass ")
    if results is not None:
        written = sum(1 for test in results["tests"] if test["verdict"] != "not run")
        if results["complete"] and how != "done before":
            wrong(run, "the results say that they are complete")
        if shown - written > 20 or (how == "orderly" and shown != written):
            wrong(run, f"{shown} verdicts were shown, {written} are written")
    elif heard or how == "orderly":
        wrong(run, "no results")
    if os.path.exists("j.xml"):
        try:
            xml.etree.ElementTree.parse("j.xml")
        except xml.etree.ElementTree.ParseError as problem:
            wrong(run, f"j.xml is not whole: {problem}")
    child = int(open("child").read()) if os.path.exists("child") else None
    if child is not None and alive(child):
        if how == "orderly":
            wrong(run, "what the adapter started is still alive")
        os.kill(child, signal.SIGKILL)


with open("m.scm", "w") as file:
    file.write(MODEL)
with open("adapter.py", "w") as file:
    file.write(ADAPTER)
with open("hand.xml", "w") as file:
    file.write('<suite xmlns="urn:espalier:suite:1" model="m.scm">\n')
    for n in range(TESTS):
        file.write(f'<test id="t{n}"><input port="in" message="value"><field name="value" type="int">{n}</field></input></test>\n')
    file.write("</suite>\n")

began = time.monotonic()
if start("generate", "m.scm", "--depth", "1000000", "--memo", "off", "--step-limit", "2000", "-o", "s.xml").wait() != 0:
    wrong("the first run", "failed")
usual = min(time.monotonic() - began, 1)  # seconds; only where the moments are, not what is judged

for each in range(generate_runs):
    generate(each)
    if each % 5 == 4:
        if start("generate", "m.scm", "--step-limit", "100", "-o", "s.xml").wait() != 0:
            wrong(f"the run after generate {each}", "failed")
        leftovers(f"the run after generate {each}")
for each in range(execute_runs):
    execute(each)
start("execute", "hand.xml", "--test", "t1", "--results", "r.json", "--", sys.executable, "adapter.py").wait()
leftovers("the run after all")

print("seed", seed, ends)
for failure in failures:
    print("FAILED", failure)
sys.exit(1 if failures else 0)
