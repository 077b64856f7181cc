#!/usr/bin/env python3
"""Tests of testgen/adapters/mqtt.py with a broker that does what a test tells it, right or wrong."""

import json
import os
import socket
import subprocess
import sys
import threading
import unittest

ADAPTERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "testgen", "adapters")
sys.path.insert(0, ADAPTERS)
import mqtt_packets as mqtt  # noqa: E402

CONNACK = mqtt.packet(mqtt.CONNACK, b"\0\0")
PINGRESP = mqtt.packet(mqtt.PINGRESP)
CONNECT = {"protocol": "MQTT", "level": 4, "client": "anna", "clean": True, "keep-alive": 0,
           "will": {"name": "NoWill", "fields": {}}}


class Broker:
    """Answers each packet as `answers` says: bytes by type; None closes the connection. What came is in `seen`."""

    def __init__(self, answers):
        self.answers, self.seen = {mqtt.CONNECT: CONNACK, mqtt.PINGREQ: PINGRESP, mqtt.DISCONNECT: None, **answers}, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection = self.listener.accept()[0]
            except OSError:
                return
            threading.Thread(target=self.converse, args=(connection,), daemon=True).start()

    def converse(self, connection):
        splitter = mqtt.Splitter()
        with connection:
            while data := connection.recv(65536):
                splitter.feed(data)
                while packet := splitter.next():
                    self.seen.append(packet)
                    answer = self.answers.get(packet[0], b"")
                    if answer is None:
                        return
                    connection.sendall(answer)


class Adapter(unittest.TestCase):
    def start(self, **answers):
        self.broker = Broker({getattr(mqtt, name): answer for name, answer in answers.items()})
        self.addCleanup(self.broker.listener.close)
        self.run_adapter(self.broker.port)

    def run_adapter(self, port):
        self.adapter = subprocess.Popen(
            [sys.executable, "-B", os.path.join(ADAPTERS, "mqtt.py"), "--port", str(port), "--clients", "--topics"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end)

    def end(self):
        self.adapter.stdin.close()
        self.assertEqual(self.adapter.wait(20), 0)
        self.adapter.stdout.close()

    def tell(self, **order):
        self.adapter.stdin.write(json.dumps(order) + "\n")
        self.adapter.stdin.flush()

    def send(self, message, link="link-1", **fields):
        self.tell(type="input", port=link, message=message, fields=fields)

    def expect(self, *outputs):
        """The next lines are these outputs: (port, message, fields)."""
        for port, message, fields in outputs:
            line = json.loads(self.adapter.stdout.readline())
            self.assertEqual(line, {"type": "output", "port": port, "message": message, "fields": fields})

    def expect_nothing(self):
        """Nothing more came: the next line is the answer to a reset."""
        self.tell(type="reset", test="x")
        self.assertEqual(json.loads(self.adapter.stdout.readline()), {"type": "reset"})

    def connect(self):
        self.send("Connect", **CONNECT)
        self.expect(("link-1", "Connack", {"session-present": False, "code": 0}))

    def test_its_own_pings_are_its_own_business(self):
        self.start()
        self.connect()
        self.send("Pingreq")
        self.expect(("link-1", "Pingresp", {}))
        self.send("Puback", id=1)
        self.expect_nothing()
        self.assertIn((mqtt.PUBACK, 0, b"\0\1"), self.broker.seen)

    def test_a_ping_that_is_answered_twice(self):
        self.start(PINGREQ=PINGRESP + PINGRESP)
        self.connect()
        self.send("Pingreq")
        self.expect(*[("link-1", "Pingresp", {})] * 2)

    def test_publish_packets_go_to_the_inbox(self):
        self.start(SUBSCRIBE=mqtt.publish("news", "a", 1, 7) + mqtt.packet(mqtt.SUBACK, b"\0\1\1"))
        self.connect()
        self.send("Subscribe", id=1, requests=[{"name": "Request", "fields": {"filter": "news", "qos": 1}}])
        self.expect(("inbox-1", "Publish", {"dup": False, "qos": 1, "retain": False, "topic": "news", "id": 7, "payload": "a"}),
                    ("link-1", "Suback", {"id": 1, "codes": [1]}))

    def test_connections_are_closed_and_opened_again(self):
        self.start(UNSUBSCRIBE=None)
        self.connect()
        self.send("Unsubscribe", id=0, filters=[])
        self.expect(("link-1", "Closed", {}))
        self.connect()
        self.send("Drop")
        self.send("Drop")
        self.send("Disconnect")  # the first packet of a connection
        self.expect(("link-1", "Closed", {}))
        self.connect()
        self.send("Disconnect")
        self.expect_nothing()

    def test_a_packet_before_the_connack(self):
        self.start(CONNECT=mqtt.publish("news", "a") + CONNACK)
        self.send("Connect", **CONNECT)
        self.expect(("link-1", "BeforeConnack", {"what": "Publish"}),
                    ("link-1", "Connack", {"session-present": False, "code": 0}))

    def test_a_packet_that_cannot_be_decoded(self):
        self.start(UNSUBSCRIBE=b"\xb1\x02\x00\x01")
        self.connect()
        self.send("Unsubscribe", id=1, filters=["news"])
        line = json.loads(self.adapter.stdout.readline())
        self.assertEqual((line["port"], line["message"]), ("link-1", "Undecodable"))

    def test_a_reset_clears_what_was_used(self):
        self.start()
        self.connect()
        self.send("Publish", dup=False, qos=0, retain=True, topic="news", id=0, payload="a")
        self.expect_nothing()
        after = self.broker.seen[self.broker.seen.index((mqtt.PUBLISH, 1, mqtt.string("news") + b"a")):]
        kinds = [kind for kind, _, _ in after]
        self.assertEqual(kinds, [mqtt.PUBLISH, mqtt.PINGREQ, mqtt.DISCONNECT, mqtt.CONNECT, mqtt.DISCONNECT,
                                 mqtt.CONNECT, mqtt.PUBLISH, mqtt.DISCONNECT])
        self.assertIn((mqtt.PUBLISH, 3, mqtt.string("news") + b"\0\1"), after)

    def test_a_wait_is_answered(self):
        self.start()
        self.tell(type="wait", units=1, seconds=0.01)
        self.assertEqual(json.loads(self.adapter.stdout.readline()), {"type": "wait"})

    def test_what_it_does_not_know_is_an_error(self):
        self.start()
        self.send("Hello")
        self.assertEqual(json.loads(self.adapter.stdout.readline())["type"], "error")

    def test_without_a_broker(self):
        with socket.create_server(("127.0.0.1", 0)) as nobody:
            port = nobody.getsockname()[1]
        self.run_adapter(port)
        self.tell(type="reset", test="x")
        self.assertEqual(json.loads(self.adapter.stdout.readline())["type"], "error")


if __name__ == "__main__":
    unittest.main()
