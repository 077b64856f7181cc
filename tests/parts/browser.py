"""A browser to be used as a person would: keys are pressed, paper is printed, the tree that a screen reader gets is read.

Chromium speaks its DevTools protocol over a pair of pipes (--remote-debugging-pipe): JSON messages, each ended by a zero
byte. So no port is opened, and no library is needed.
"""
import base64
import fcntl
import json
import os
import subprocess


class Browser:
    def __init__(self, profile):
        inner_read, outer_write = os.pipe()
        outer_read, inner_write = os.pipe()
        # High numbers, so that neither is in the other's way when the shell puts them where Chromium wants them.
        given = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (inner_read, inner_write)]
        os.close(inner_read)
        os.close(inner_write)
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                   f"--user-data-dir={profile}", "--remote-debugging-pipe"]
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{given[0]} 4>&{given[1]}', "chromium", *command], pass_fds=given,
            env={**os.environ, "HOME": profile}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        for end in given:
            os.close(end)
        self.to, self.back = outer_write, outer_read
        self.unread = b""
        self.last = 0
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Accessibility"):
            self.call(domain + ".enable")

    def close(self):
        self.session = None
        try:
            self.call("Browser.close")
        except EOFError:
            pass  # it may end before it answers
        self.process.wait(timeout=60)

    def message(self):
        while b"\0" not in self.unread:
            some = os.read(self.back, 1 << 20)
            if not some:
                raise EOFError("the browser has ended")
            self.unread += some
        first, self.unread = self.unread.split(b"\0", 1)
        return json.loads(first)

    def call(self, method, **parameters):
        self.last += 1
        request = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        text = json.dumps(request).encode() + b"\0"
        while text:
            text = text[os.write(self.to, text):]
        while True:
            answer = self.message()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def run(self, script):
        """The value of an expression, which may be a promise."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script[:200]}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def open(self, url):
        """Returns when the page is drawn. An address in the page itself is only followed."""
        self.call("Page.navigate", url=url)
        self.run("""new Promise((done) => {
          const look = () => document.documentElement?.dataset.drawn ? done() : setTimeout(look, 20);
          look();
        })""")
        self.settle()

    def settle(self):
        """Until what was asked for is drawn, and events about it are over."""
        self.run("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 20)))")

    def size(self, width, height, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)

    def media(self, kind="", **features):
        """media("print", prefers_color_scheme="dark")"""
        named = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.call("Emulation.setEmulatedMedia", media=kind, features=named)

    # What a key types, and its number, which some handlers of the browser itself still go by.
    keys = {"Tab": ("", 9), "Enter": ("\r", 13), "Escape": ("", 27), " ": (" ", 32), "End": ("", 35), "Home": ("", 36),
            "ArrowLeft": ("", 37), "ArrowUp": ("", 38), "ArrowRight": ("", 39), "ArrowDown": ("", 40)}

    def press(self, key, shift=False):
        text, number = self.keys[key]
        key_event = {"key": key, "code": "Space" if key == " " else key, "windowsVirtualKeyCode": number,
                     "modifiers": 8 if shift else 0}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **key_event)
        self.call("Input.dispatchKeyEvent", type="keyUp", **key_event)

    def tree(self):
        """What a screen reader is given: a list of nodes in the order of reading, without those that are ignored."""
        nodes = {n["nodeId"]: n for n in self.call("Accessibility.getFullAXTree")["nodes"]}
        found, work = [], [(next(iter(nodes)), 0)]
        while work:
            number, depth = work.pop()
            node = nodes[number]
            shown = not node.get("ignored")
            if shown:
                found.append(AccessibleNode(node, depth))
            work += [(child, depth + shown) for child in reversed(node.get("childIds", [])) if child in nodes]
        return found

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def paper(self, path, background=False):
        """Prints, as a person does who changes nothing in the dialogue: without colours behind text."""
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.printToPDF", printBackground=background,
                                                  preferCSSPageSize=True)["data"]))


class AccessibleNode:
    def __init__(self, node, depth):
        value = lambda key: node.get(key, {}).get("value", "")
        self.depth = depth
        self.element = node.get("backendDOMNodeId")
        self.role, self.name, self.description, self.value = map(value, ("role", "name", "description", "value"))
        self.properties = {p["name"]: p["value"].get("value") for p in node.get("properties", [])}
