#!/usr/bin/env python3
"""Records what an adapter and `espalier execute` say to each other, and plays the adapter's part again.

usage: recording.py record FILE COMMAND ARG...    is the adapter COMMAND, and appends what it does to FILE
       recording.py play FILE SECONDS             is an adapter that does what is in FILE, at once; but not what came
                                                  more than so many seconds after an input

What a system did once can so be held against another model, without the system and without waiting. In a model no time passes after
an input; in the system it does while an output is waited for that does not come, and its timers run.
"""

import json
import subprocess
import sys
import threading
import time


def record(path, command):
    lock = threading.Lock()
    with open(path, "a") as log, subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as adapter:
        def keep(line):
            with lock:
                log.write("%.3f %s" % (time.monotonic(), line))
                log.flush()

        def obey():
            try:
                for line in sys.stdin:
                    keep(line)
                    adapter.stdin.write(line)
                    adapter.stdin.flush()
                adapter.stdin.close()
            except BrokenPipeError:
                pass  # it has ended, which its output shows

        threading.Thread(target=obey, daemon=True).start()
        for line in adapter.stdout:
            keep(line)
            sys.stdout.write(line)
            sys.stdout.flush()
    return adapter.returncode


def outputs_of(path, patience):
    """For each test, in its last run: the outputs after each of its steps."""
    tests, steps, outputs, end = {}, {}, [], 0
    with open(path) as log:
        for stamped in log:
            now, line = stamped.split(" ", 1)
            said = json.loads(line)
            if said["type"] == "reset" and "test" in said:
                steps = tests[said["test"]] = {}
                outputs = []
            elif said["type"] == "reset":
                outputs = steps[0] = []  # what came before belongs to the test before
                end = float("inf")
            elif "step" in said and said["type"] != "quiet":
                outputs = steps[said["step"]] = []
                end = float(now) + (patience if said["type"] == "input" else float("inf"))
            elif said["type"] == "output" and float(now) < end:
                outputs.append(line)
    return tests


def play(path, patience):
    tests, steps = outputs_of(path, patience), {}
    for line in sys.stdin:
        order = json.loads(line)
        step = order.get("step", 0)
        if order["type"] == "reset":
            steps = tests[order["test"]]
            print('{"type":"reset"}')
        sys.stdout.writelines(steps.get(step, []))
        if order["type"] == "wait":
            print('{"type":"wait"}')
        print(json.dumps({"type": "quiet", "step": step}), flush=True)
    return 0


def main():
    if sys.argv[1:2] == ["record"] and len(sys.argv) > 3:
        return record(sys.argv[2], sys.argv[3:])
    if sys.argv[1:2] == ["play"] and len(sys.argv) == 4:
        return play(sys.argv[2], float(sys.argv[3]))
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main())
