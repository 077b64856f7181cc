#!/usr/bin/env python3
"""compare_formats.py SUITE.xml SUITE.json SUITE.zip SUITE.md

The same suite in four formats says the same: read with readers that know nothing of the program that wrote them. JSON is
compared member by member and value by value; an archive for Test-Comp by the inputs of each test; Markdown by its
tests and steps, and by what it must not hold.
"""
import json
import re
import sys
import unicodedata
import xml.etree.ElementTree as ET
import zipfile

NS = "{urn:espalier:suite:1}"
ESCAPE = re.compile(r"\\x([0-9a-fA-F]+);")


def unescape(text):
    return ESCAPE.sub(lambda m: chr(int(m.group(1), 16)), text)


def number(text):
    """As JSON must write it: exact for every reader."""
    if re.fullmatch(r"-?[0-9]+", text) and abs(int(text)) < 2**53:
        return int(text)
    return text


def value_of_xml(e):
    made = {"type": e.get("type")}
    if e.get("not"):
        made["not"] = e.get("not").split()
    if e.get("within"):
        made["within"] = unescape(e.get("within"))
    for way in ("bind", "ref"):
        if e.get(way):
            return {**made, way: e.get(way)}
    if e.get("any"):
        return {**made, "any": True}
    message = e.find(NS + "message")
    if message is not None:
        return {**made, "message": unescape(message.get("name")), "fields": fields_of_xml(message)}
    if made["type"] == "list":
        return {**made, "items": [value_of_xml(i) for i in e.findall(NS + "item")]}
    text = e.text or ""
    if e.get("escaped"):
        text = unescape(text)
    if made["type"] == "bool":
        return {**made, "value": {"#t": True, "#f": False}[text]}
    return {**made, "value": number(text) if made["type"] == "int" else text}


def fields_of_xml(e):
    return [{"name": unescape(f.get("name")), **value_of_xml(f)} for f in e.findall(NS + "field")]


def step_of_xml(e):
    kind = e.tag[len(NS):]
    if kind in ("input", "output"):
        return {"kind": kind, "port": unescape(e.get("port")), "message": unescape(e.get("message")),
                "fields": fields_of_xml(e)}
    if kind == "wait":
        return {"kind": kind, "units": number(e.get("units"))}
    if kind == "choice":
        return {"kind": kind, "taken": int(e.get("taken")), **({"of": int(e.get("of"))} if e.get("of") else {})}
    return {"kind": kind, "turn": int(e.get("turn")), "of": [int(n) for n in e.get("of").split()]}


def suite_of_xml(path):
    root = ET.parse(path).getroot()
    tests = []
    for t in root.findall(NS + "test"):
        made = {"id": t.get("id"), "signature": t.get("signature", "")}
        if t.get("end"):
            made["end"] = t.get("end")
        if t.get("error"):
            made["error"] = unescape(t.get("error"))
        made["covers"] = [unescape(c.get("target")) for c in t.findall(NS + "covers")]
        made["steps"] = [step_of_xml(e) for e in t if e.tag != NS + "covers"]
        tests.append(made)
    targets = []
    for t in root.findall(NS + "targets/" + NS + "target"):
        targets.append({k: unescape(t.get(k)) for k in ("id", "status", "proof", "test", "at") if t.get(k) is not None})
    return {"format": "espalier-suite", "version": 1, "model": root.get("model"), "depth": number(root.get("depth", "0")),
            "seed": number(root.get("seed", "0")), "complete": root.get("complete", "true") == "true", "tests": tests,
            "targets": targets}


def suite_of_json(path):
    with open(path, encoding="utf-8") as f:
        suite = json.load(f, parse_float=lambda text: sys.exit(f"{path}: a number that readers round: {text}"))
    for t in suite["tests"]:
        if "error" in t:
            t.pop("at", None)  # a suite that was read back knows no place
    for t in suite["targets"]:
        del t["criterion"]
        t.pop("text", None)
    return suite


def difference(a, b, path):
    if type(a) is not type(b):
        return f"{path}: {a!r} in XML, {b!r} in JSON"
    if isinstance(a, dict):
        for key in sorted(set(a) | set(b)):
            if key not in a or key not in b:
                return f"{path}.{key} is only in {'XML' if key in a else 'JSON'}"
            if found := difference(a[key], b[key], f"{path}.{key}"):
                return found
    elif isinstance(a, list):
        if len(a) != len(b):
            return f"{path}: {len(a)} items in XML, {len(b)} in JSON"
        for i, (x, y) in enumerate(zip(a, b)):
            if found := difference(x, y, f"{path}[{i}]"):
                return found
    elif a != b:
        return f"{path}: {a!r} in XML, {b!r} in JSON"
    return None


def plain(text):
    """What Test-Comp's XML can carry, as this format shows the rest."""
    return "".join(c if c in "\t\n\r" or ord(c) >= 32 and ord(c) not in (0xFFFE, 0xFFFF) else f"\\x{ord(c):x};"
                   for c in text)


def inputs_of(value, variable):
    if "ref" in value:
        return [(variable, "ref", value["ref"])]
    if "message" in value:
        made = [(variable, "message", plain(value["message"]))]
        for f in value["fields"]:
            made += inputs_of(f, variable + "." + plain(f["name"]))
        return made
    if "items" in value:
        made = [(variable, "list", str(len(value["items"])))]
        for i, item in enumerate(value["items"]):
            made += inputs_of(item, f"{variable}[{i}]")
        return made
    text = value["value"]
    return [(variable, value["type"], plain({True: "true", False: "false"}[text] if isinstance(text, bool) else str(text)))]


def inputs_of_test(test):
    made = []
    for s in test["steps"]:
        if s["kind"] == "input":
            port = plain(s["port"])
            bare = s["message"] == "value" and [f["name"] for f in s["fields"]] == ["value"]
            if not bare:
                made.append((port, "message", plain(s["message"])))
            for f in s["fields"]:
                made += inputs_of(f, port if bare else port + "." + plain(f["name"]))
        elif s["kind"] == "wait":
            made.append(("time", "wait", str(s["units"])))
        elif s["kind"] == "choice":
            made.append(("environment", "choice", str(s["taken"])))
        elif s["kind"] == "schedule":
            made.append(("scheduler", "turn", str(s["turn"])))
    return made


def check_archive(path, suite):
    with zipfile.ZipFile(path) as archive:
        if archive.testzip() is not None:
            return f"{path}: a wrong checksum"
        names = sorted(n for n in archive.namelist() if n != "metadata.xml")
        if len(names) != len(suite["tests"]):
            return f"{path}: {len(names)} tests, not {len(suite['tests'])}"
        for name, test in zip(names, suite["tests"]):
            root = ET.fromstring(archive.read(name))
            found = [(i.get("variable"), i.get("type"), i.text or "") for i in root.findall("input")]
            wanted = inputs_of_test(test)
            if found != wanted:
                return f"{path}: {name}: {found}, not {wanted}"
            if (root.get("coversError") == "true") != ("error" in test):
                return f"{path}: {name}: coversError"
    return None


def check_markdown(path, suite):
    with open(path, encoding="utf-8", newline="") as f:
        text = f.read()
    for c in text:
        if c != "\n" and unicodedata.category(c) in ("Cc", "Cf"):
            return f"{path}: the character U+{ord(c):04X}"
    parts = re.split(r"(?m)^## ", text)
    tests = [p for p in parts[1:] if not p.startswith("Targets\n")]
    if len(tests) != len(suite["tests"]):
        return f"{path}: {len(tests)} tests, not {len(suite['tests'])}"
    for part, test in zip(tests, suite["tests"]):
        steps = re.findall(r"(?m)^[0-9]+\. ", part.split("\n", 1)[1])
        if len(steps) != len(test["steps"]):
            return f"{path}: {test['id']}: {len(steps)} steps, not {len(test['steps'])}"
        if ("is left open" in part) != ("end" in test):
            return f"{path}: {test['id']}: the end"
        if re.search(r"<[a-zA-Z/!]", re.sub(r"(`+).*?[^`]\1(?!`)", "", part).replace("\\<", "")):
            return f"{path}: {test['id']}: HTML"
    return None


def main():
    xml, js, archive, markdown = sys.argv[1:]
    suite = suite_of_xml(xml)
    for found in (difference(suite, suite_of_json(js), "suite"), check_archive(archive, suite),
                  check_markdown(markdown, suite)):
        if found:
            sys.exit(found)


main()
