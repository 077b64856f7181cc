"""The list of mosquitto's deviations, tests/models/mqtt_broker/deviations.txt: each is a change of the model's text."""

import os
import re
import sys


class Deviation:
    """A stanza of deviations.txt: its name, and its changes of the model's text."""

    def __init__(self, stanza):
        self.name = re.match("name: (.*)", stanza)[1]
        # Lines that go, and those that come in their place.
        pairs = re.findall(r"((?:^-.*\n)+)((?:^\+.*\n)+)", stanza + "\n", flags=re.MULTILINE)
        self.changes = [tuple("".join(line[2:] + "\n" for line in part.splitlines()) for part in pair) for pair in pairs]

    def change(self, text):
        """The changed text."""
        for old, new in self.changes:
            if text.count(old) == 1:
                text = text.replace(old, new)
            elif text.count(new) != 1:  # not made before, by another deviation
                sys.exit("the model does not have what the deviation %s changes:\n%s" % (self.name, old))
        return text


def read_deviations(path):
    with open(path) as read:
        stanzas = re.split(r"\n\n+", re.sub(r"^#.*\n", "", read.read(), flags=re.MULTILINE).strip())
    return [Deviation(stanza) for stanza in stanzas]


def changed_model(model, folder, name, deviations):
    """The path of the model with these changes."""
    with open(model) as read:
        text = read.read()
    for deviation in deviations:
        text = deviation.change(text)
    path = os.path.join(folder, name + ".scm")
    with open(path, "w") as out:
        out.write(text)
    return path
