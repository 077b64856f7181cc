#!/usr/bin/env python3
"""Runs suites of models/mqtt_broker.scm against mosquitto, and against mosquitto with faults.

usage: mqtt_run.py ESPALIER SOURCE-DIR FOLDER SUITE...

Each broker is a mosquitto of its own on the loopback. On mosquitto as it is, each verdict must be a pass or one of the expected
deviations, and each of those must be met by the test by hand that has its name. The tests that passed are then run against each fault of faulty_broker.py, a few at
a time in each suite's order (those that wait come last), until one fails. A tenth of the faults may go unnoticed.
The last line is "N passed, N failed".
"""

import concurrent.futures
import itertools
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import xml.etree.ElementTree as xml

ESPALIER, SOURCE, FOLDER, *SUITES = sys.argv[1:]
MODEL = os.path.join(SOURCE, "models", "mqtt_broker.scm")
ADAPTER = os.path.join(SOURCE, "testgen", "adapters", "mqtt.py")
FAULTY = os.path.join(SOURCE, "tests", "parts", "faulty_broker.py")
DEVIATIONS = os.path.join(SOURCE, "tests", "models", "mqtt_broker", "deviations.txt")
RECORDING = os.path.join(SOURCE, "tests", "parts", "recording.py")
BY_HAND = os.path.join(SOURCE, "tests", "models", "mqtt_broker", "deviations.xml")
NAMESPACE = "{urn:espalier:suite:1}"
# Seconds. Nothing passes or fails by QUIET alone: what comes later is told of the next step. mosquitto looks every six seconds
# who is silent; so tests that wait need a longer TIMEOUT than others.
QUIET, TIMEOUT, TIMEOUT_AFTER_WAIT = "0.05", "5", "12"
BATCH = 8  # tests between two looks at the verdicts, with a fault
JOBS = 8  # brokers at a time; all mostly wait


class Broker:
    """A mosquitto on a free port, and perhaps a fault in front of it."""

    def __init__(self, name, fault=None):
        self.processes = []
        folder = os.path.join(FOLDER, name)
        os.makedirs(folder)
        mosquitto = shutil.which("mosquitto", path=os.environ["PATH"] + ":/usr/sbin")
        for _ in range(10):  # another program may take the port in between
            with socket.create_server(("127.0.0.1", 0)) as free:
                self.port = free.getsockname()[1]
            config = os.path.join(folder, "mosquitto.conf")
            with open(config, "w") as out:
                out.write("listener %d 127.0.0.1\nallow_anonymous true\npersistence false\n" % self.port)
            log = open(os.path.join(folder, "mosquitto.log"), "a")
            self.processes = [subprocess.Popen([mosquitto, "-c", config], stdout=log, stderr=log)]
            if self.answers():
                break
            self.stop()
        else:
            sys.exit("mosquitto does not start, see " + folder)
        if fault:
            proxy = subprocess.Popen([sys.executable, FAULTY, fault, "--broker", str(self.port)],
                                     stdout=subprocess.PIPE, text=True)
            self.processes.append(proxy)
            self.port = int(proxy.stdout.readline())

    def answers(self):
        while self.processes[0].poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return True
            except OSError:
                time.sleep(0.05)
        return False

    def stop(self):
        for process in self.processes:
            process.kill()
            process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def execute(suite, name, tests, timeout, model, adapter):
    """The runs of these tests, as `execute --results` tells them."""
    if not tests:
        return []
    results = os.path.join(FOLDER, name + ".json")
    run = subprocess.run(
        [ESPALIER, "execute", suite, "--quiet", "--quiet-time", QUIET, "--timeout", timeout, "--model", model,
         "--results", results, *(part for test in tests for part in ("--test", test)), "--", sys.executable, *adapter],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if run.returncode not in (0, 1):
        sys.exit("execute ended with %d:\n%s" % (run.returncode, run.stdout))
    with open(results) as read:
        return json.load(read)["tests"]


def tests_of(suite):
    """The names of its tests: those that do not wait, and those that do."""
    tests = xml.parse(suite).getroot().findall(NAMESPACE + "test")
    waits = [test.get("id") for test in tests if test.find(NAMESPACE + "wait") is not None]
    return [test.get("id") for test in tests if test.get("id") not in waits], waits


def name_of(suite):
    return os.path.splitext(os.path.basename(suite))[0]


# ---- Deviations ----


class Deviation:
    """A stanza of deviations.txt: its name, and its changes of the model's text."""

    def __init__(self, stanza):
        self.name = re.match("name: (.*)", stanza)[1]
        # Lines that go, and those that come in their place.
        pairs = re.findall(r"((?:^-.*\n)+)((?:^\+.*\n)+)", stanza + "\n", flags=re.MULTILINE)
        self.changes = [tuple("".join(line[2:] + "\n" for line in part.splitlines()) for part in pair) for pair in pairs]

    def change(self, text):
        """The changed text, or None where it does not have what is to change."""
        for old, new in self.changes:
            if text.count(old) != 1:
                return None
            text = text.replace(old, new)
        return text


def read_deviations():
    with open(DEVIATIONS) as read:
        stanzas = re.split(r"\n\n+", re.sub(r"^#.*\n", "", read.read(), flags=re.MULTILINE).strip())
    return [Deviation(stanza) for stanza in stanzas]


def changed_model(deviations):
    """The path of the model with these changes; None where they do not go together."""
    with open(MODEL) as read:
        text = read.read()
    for deviation in deviations:
        text = deviation.change(text)
        if text is None:
            return None
    path = os.path.join(FOLDER, "+".join(deviation.name for deviation in deviations) + ".scm")
    with open(path, "w") as out:
        out.write(text)
    return path


def without_targets(suite):
    """A copy that says nothing of what its tests cover: a changed model has other targets."""
    xml.register_namespace("", NAMESPACE[1:-1])
    tree = xml.parse(suite)
    for parent in [tree.getroot(), *tree.getroot()]:
        for child in list(parent):
            if child.tag in (NAMESPACE + "targets", NAMESPACE + "covers"):
                parent.remove(child)
    path = os.path.join(FOLDER, name_of(suite) + "-bare.xml")
    tree.write(path)
    return path


def explained(suite, tests, models):
    """For each of these tests that one of the changed models explains, the name of that one."""
    names, bare = {}, without_targets(suite)
    for name, model in models:
        left = [test for test in tests if test not in names]
        runs = execute(bare, "%s-by-%s" % (name_of(suite), name), left, TIMEOUT, model, [RECORDING, "play", log_of(suite)])
        names.update((run["id"], name) for run in runs if run["reason"].endswith("of the model allows what was seen"))
    return names


def log_of(suite):
    return os.path.join(FOLDER, name_of(suite) + ".log")


def shown(run):
    return "%s %s: %s\n%s" % (run["verdict"], run["id"], run.get("reason", ""), "\n".join(
        "  %s %s %s" % (line["mark"], line["text"], "; ".join(line.get("details", []))) for line in run.get("lines", [])))


def first_difference(run):
    lines = [line for line in run.get("lines", []) if line["mark"] != " "]
    inputs = [line["text"] for line in run.get("lines", []) if line["text"].startswith(("input ", "wait "))]
    return "%s: after %s: %s" % (run["id"], inputs[-1] if inputs else "nothing", "; ".join(
        line["mark"] + " " + line["text"] for line in lines) or run.get("reason", ""))


def run_suite(suite):
    quick, slow = tests_of(suite)
    with Broker(name_of(suite)) as broker:
        adapter = [RECORDING, "record", log_of(suite), sys.executable, ADAPTER, "--port", str(broker.port)]
        return (execute(suite, name_of(suite), quick, TIMEOUT, MODEL, adapter) +
                execute(suite, name_of(suite) + "-waits", slow, TIMEOUT_AFTER_WAIT, MODEL, adapter))


def check_mosquitto(suites):
    """Returns the names of the tests of each suite that passed, and how much is wrong."""
    deviations, wrong, passed = read_deviations(), 0, {}
    single = [(one.name, changed_model([one])) for one in deviations]
    for name in [name for name, model in single if model is None]:
        sys.exit("the model does not have what the deviation %s changes" % name)
    double = [(one.name + "+" + other.name, changed_model([one, other]))
              for one, other in itertools.combinations(deviations, 2)]
    models = single + [(name, model) for name, model in double if model]
    met = {name: [] for name, _ in models}
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        runs_of_suites = list(pool.map(run_suite, [BY_HAND, *suites]))
    for suite, runs in zip([BY_HAND, *suites], runs_of_suites):
        passed[suite] = [run["id"] for run in runs if run["verdict"] == "pass"]
        names = explained(suite, [run["id"] for run in runs if run["verdict"] == "fail"], models)
        print("%s: %d of %d tests passed, %d met a deviation" % (name_of(suite), len(passed[suite]), len(runs), len(names)))
        for run in runs:
            if run["id"] in names:
                met[names[run["id"]]].append(name_of(suite) + "/" + run["id"])
            elif run["verdict"] == "inconclusive":
                print("inconclusive %s/%s" % (name_of(suite), first_difference(run)))
            elif run["verdict"] != "pass":
                wrong += 1
                print("FAILED %s: unexpected verdict\n%s" % (name_of(suite), shown(run)))
    for name, tests in met.items():
        if tests:
            print("deviation %s: %s" % (name, ", ".join(tests)))
    for name, _ in single:
        if "%s/%s" % (name_of(BY_HAND), name) not in met[name]:
            wrong += 1
            print("FAILED the deviation %s is not met any more" % name)
    return passed, wrong


# ---- Faults ----


def first_to_find(fault, batches):
    """The first run that fails with this fault, or None."""
    with Broker(fault, fault) as broker:
        for number, (suite, tests, timeout) in enumerate(batches):
            name = "%s-%s-%d" % (name_of(suite), fault, number)
            for run in execute(suite, name, tests, timeout, MODEL, [ADAPTER, "--port", str(broker.port)]):
                if run["verdict"] == "fail":
                    return run
    return None


def check_faults(passed):
    """Returns how many faults are found, and how many there are."""
    batches = []
    for suite in SUITES:
        tests, waits = ([test for test in kind if test in passed[suite]] for kind in tests_of(suite))
        batches += [(suite, tests[i:i + BATCH], TIMEOUT) for i in range(0, len(tests), BATCH)]
        batches += [(suite, [test], TIMEOUT_AFTER_WAIT) for test in waits]
    listed = subprocess.run([sys.executable, FAULTY, "--list"], stdout=subprocess.PIPE, text=True, check=True).stdout
    faults = [line.split("\t") for line in listed.splitlines() if not line.startswith("none\t")]
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        runs = list(pool.map(lambda fault: first_to_find(fault[0], batches), faults))
    for (name, statement, text), run in zip(faults, runs):
        print("fault %s [%s]: %s" % (name, statement, "found by " + first_difference(run) if run else "NOT FOUND: " + text))
    return len([run for run in runs if run]), len(faults)


def main():
    passed, wrong = check_mosquitto()
    found, faults = check_faults(passed)
    print("faults: %d of %d found" % (found, faults))
    if found * 10 < faults * 9:
        wrong += 1
        print("FAILED faults: too few are found")
    print("%d passed, %d failed" % (sum(map(len, passed.values())) + found, wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
