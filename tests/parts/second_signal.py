#!/usr/bin/env python3
"""second_signal.py ESPALIER MODEL SUITE SIGNALS: signals while what `generate` found is being replayed.

The first is sent when the live line says that something was found. When that line is cleared, the search is over, and the
program is stopped (SIGSTOP) until the next signal is there, which so comes two seconds later by its clock and in the
middle of its work, however fast the machine is. The summary goes to SUITE.out. Prints the exit status, 128 + N for the
end by signal N.
"""
import os
import pty
import re
import signal
import subprocess
import sys
import time

espalier, model, suite, signals = sys.argv[1:]
terminal, stderr = pty.openpty()
run = subprocess.Popen([espalier, "generate", model, "--cover", "checkpoints", "-o", suite],
                       stdin=subprocess.DEVNULL, stdout=open(suite + ".out", "w"), stderr=stderr)
os.close(stderr)


def field(name):
    for line in open(f"/proc/{run.pid}/status"):
        if line.startswith(name + ":"):
            return line.split()[1]
    return "0"


def processor_ticks():
    return sum(map(int, open(f"/proc/{run.pid}/stat").read().rpartition(")")[2].split()[11:13]))


def until(condition):
    while run.poll() is None and not condition():
        time.sleep(0.01)


def read_until(pattern):
    said = b""
    while not re.search(pattern, said):
        try:
            said += os.read(terminal, 4096)
        except OSError:  # the program has ended
            return


read_until(rb"1 of 1 covered")
for i in range(int(signals)):
    run.send_signal(signal.SIGTERM)
    run.send_signal(signal.SIGCONT)
    until(lambda: int(field("ShdPnd"), 16) == 0)
    if i == 0:
        read_until(rb"\r\x1b\[K$")
        begun = processor_ticks()
        until(lambda: processor_ticks() > begun)  # for the replay
    if i + 1 < int(signals):
        run.send_signal(signal.SIGSTOP)
        until(lambda: field("State") == "T")
        time.sleep(3)
status = run.wait()
print(128 - status if status < 0 else status)
