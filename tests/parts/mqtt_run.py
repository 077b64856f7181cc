#!/usr/bin/env python3
"""Runs suites of models/mqtt_broker.scm against mosquitto, and against mosquitto with faults.

usage: mqtt_run.py ESPALIER SOURCE-DIR FOLDER model
           writes the model with all deviations of mosquitto, and prints its path
       mqtt_run.py ESPALIER SOURCE-DIR FOLDER deviations SUITE...
           runs the model's suites: each verdict must be a pass or explained by an expected deviation (deviations.txt says how), and
           each of those must be met by the test by hand that has its name
       mqtt_run.py ESPALIER SOURCE-DIR FOLDER faults MODEL SUITE...
           runs suites of the model with all deviations, which must not fail, and then those tests that pass against each fault of
           faulty_broker.py, a few at a time in the suites' order (those that wait come last), until one fails. A tenth of the faults
           may go unnoticed; where the proxy changes nothing, no test may fail

Each broker is a mosquitto of its own on the loopback. The last line is "N passed, N failed".
"""

import concurrent.futures
import itertools
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import xml.etree.ElementTree as xml

from mqtt_deviations import changed_model, read_deviations

ESPALIER, SOURCE, FOLDER, COMMAND, *ARGUMENTS = sys.argv[1:]
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
BEFORE_KEEP_ALIVE = "8"  # a client with a keep alive time is closed down after 9, if an output is waited for so long
BATCH = 6  # tests that a broker runs, one after the other
JOBS = 16  # brokers at a time; all mostly wait


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


def are_explained(suite, name, tests, model, log):
    """Which of these tests did, in the run that was recorded, what this changed model does."""
    runs = execute(suite, name, tests, TIMEOUT, model, [RECORDING, "play", log, BEFORE_KEEP_ALIVE])
    return [run["id"] for run in runs if run["reason"].endswith("of the model allows what was seen")]


def explanations(suite, tests, models, log):
    """For each of these tests that one of the changed models explains, the name of that one."""
    names, bare = {}, without_targets(suite)
    for name, model in models:
        left = [test for test in tests if test not in names]
        names.update((test, name) for test in are_explained(bare, "%s-by-%s" % (name_of(suite), name), left, model, log))
    return names


def recorded(name, port):
    """The adapter, and the file that it leaves what it did in."""
    log = os.path.join(FOLDER, name + ".log")
    return [RECORDING, "record", log, sys.executable, ADAPTER, "--port", str(port)], log


def shown(run):
    return "%s %s: %s\n%s" % (run["verdict"], run["id"], run.get("reason", ""), "\n".join(
        "  %s %s %s" % (line["mark"], line["text"], "; ".join(line.get("details", []))) for line in run.get("lines", [])))


def first_difference(run):
    lines = [line for line in run.get("lines", []) if line["mark"] != " "]
    inputs = [line["text"] for line in run.get("lines", []) if line["text"].startswith(("input ", "wait "))]
    return "%s: after %s: %s" % (run["id"], inputs[-1] if inputs else "nothing", "; ".join(
        line["mark"] + " " + line["text"] for line in lines) or run.get("reason", ""))


def batches_of(suite, wanted=None):
    """A suite's tests, a few at a time, with their timeout: (tests, timeout)."""
    tests, waits = ([test for test in kind if wanted is None or test in wanted] for kind in tests_of(suite))
    return [*((tests[i:i + BATCH], TIMEOUT) for i in range(0, len(tests), BATCH)), *(([test], TIMEOUT_AFTER_WAIT) for test in waits)]


def run_suite(pool, suite, model=MODEL):
    """Starts the runs of its batches, each on a broker of its own: for each batch, the runs to come and where they are recorded."""
    def run(number, tests, timeout):
        name = "%s-%d" % (name_of(suite), number)
        with Broker(name) as broker:
            adapter, log = recorded(name, broker.port)
            return execute(suite, name, tests, timeout, model, adapter), log
    return [pool.submit(run, number, *batch) for number, batch in enumerate(batches_of(suite))]


def check_mosquitto(suites):
    """Returns how many tests passed, or failed by a deviation, and how much is wrong."""
    deviations, wrong, passed = read_deviations(DEVIATIONS), 0, 0
    models = []
    for one, other in [*zip(deviations, deviations), *itertools.combinations(deviations, 2)]:
        name = one.name if one is other else one.name + "+" + other.name
        models.append((name, changed_model(MODEL, FOLDER, name, dict.fromkeys((one, other)))))
    met = {name: [] for name, _ in models}
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        jobs_of_suites = [run_suite(pool, suite) for suite in [BY_HAND, *suites]]
    for suite, jobs in zip([BY_HAND, *suites], jobs_of_suites):
        runs, names = [], {}
        for some, log in (job.result() for job in jobs):
            runs += some
            names.update(explanations(suite, [run["id"] for run in some if run["verdict"] == "fail"], models, log))
        passes = len([run for run in runs if run["verdict"] == "pass"])
        passed += passes + len(names)
        print("%s: %d of %d tests passed, %d met a deviation" % (name_of(suite), passes, len(runs), len(names)))
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
    for one in deviations:
        if "%s/%s" % (name_of(BY_HAND), one.name) not in met[one.name]:
            wrong += 1
            print("FAILED the deviation %s is not met any more" % one.name)
    return passed, wrong


# ---- mosquitto as it is, and with faults ----


def check_as_it_is(model, suites):
    """Runs suites of the model with all deviations. Returns the tests of each that passed, and how many failed."""
    passed, wrong = {}, 0
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        jobs_of_suites = [run_suite(pool, suite, model) for suite in suites]
    for suite, jobs in zip(suites, jobs_of_suites):
        runs = [run for job in jobs for run in job.result()[0]]
        for run in [run for run in runs if run["verdict"] not in ("pass", "inconclusive")]:
            wrong += 1
            print("FAILED %s: mosquitto does something else than the list of deviations says\n%s" % (name_of(suite), shown(run)))
        passed[suite] = [run["id"] for run in runs if run["verdict"] == "pass"]
        print("%s: %d of %d tests passed" % (name_of(suite), len(passed[suite]), len(runs)))
    return passed, wrong


def check_faults(model, passed):
    """Returns how many faults are found by those tests of each suite that pass on mosquitto, how many there are, and how much is
    wrong: nothing may be found where the proxy changes nothing."""
    batches = [(suite, *batch) for suite, tests in passed.items() for batch in batches_of(suite, tests)]
    listed = subprocess.run([sys.executable, FAULTY, "--list"], stdout=subprocess.PIPE, text=True, check=True).stdout
    faults = [line.split("\t") for line in listed.splitlines()]
    found = {}  # by fault: the number of the batch that found it, and the run

    def attempt(number, fault):
        if found.get(fault, (number,))[0] < number:
            return
        suite, tests, timeout = batches[number]
        name = "%s-%d" % (fault, number)
        with Broker(name, fault) as broker:
            runs = execute(suite, name, tests, timeout, model, [ADAPTER, "--port", str(broker.port)])
        failed = [run for run in runs if run["verdict"] == "fail"]
        if failed and found.get(fault, (number,))[0] >= number:
            found[fault] = number, failed[0]

    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        jobs = [pool.submit(attempt, number, name) for number in range(len(batches)) for name, _, _ in faults]
        for job in jobs:
            job.result()
    wrong = 1 if "none" in found else 0
    if wrong:
        print("FAILED a test fails behind the proxy, without a fault\n" + shown(found.pop("none")[1]))
    faults = [fault for fault in faults if fault[0] != "none"]
    for name, statement, text in faults:
        print("fault %s [%s]: %s" % (
            name, statement, "found by " + first_difference(found[name][1]) if name in found else "NOT FOUND: " + text))
    for suite in passed:
        first = [number for number, _ in found.values() if batches[number][0] == suite]
        print("%s: %d of %d faults found first" % (name_of(suite), len(first), len(faults)))
    return len(found), len(faults), wrong


def main():
    if COMMAND == "model":
        print(changed_model(MODEL, FOLDER, "as-it-is", read_deviations(DEVIATIONS)))
        return 0
    if COMMAND == "deviations":
        passed, wrong = check_mosquitto(ARGUMENTS)
    else:
        model, *suites = ARGUMENTS
        tests, wrong = check_as_it_is(model, suites)
        found, faults, more_wrong = check_faults(model, tests)
        passed = sum(map(len, tests.values())) + found
        wrong += more_wrong
        if found * 10 < faults * 9:
            wrong += 1
            print("FAILED faults: too few are found")
    print("%d passed, %d failed" % (passed, wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
