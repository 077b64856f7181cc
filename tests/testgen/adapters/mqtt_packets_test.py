#!/usr/bin/env python3
"""Tests of the codec of testgen/adapters/mqtt.py. Bytes are taken from the standard's figures and tables."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "testgen", "adapters"))
import mqtt_packets as mqtt  # noqa: E402


def packets(data, step=None):
    """What a Splitter makes of the data, fed whole or in pieces."""
    splitter, found = mqtt.Splitter(), []
    for begin in range(0, len(data), step or max(len(data), 1)):
        splitter.feed(data[begin:begin + (step or len(data))])
        while packet := splitter.next():
            found.append(packet)
    return found


class RemainingLength(unittest.TestCase):
    def test_the_edges_of_table_2_4(self):
        for length, encoded in ((0, "00"), (127, "7f"), (128, "8001"), (16383, "ff7f"), (16384, "808001"),
                                (2097151, "ffff7f"), (2097152, "80808001"), (268435455, "ffffff7f")):
            self.assertEqual(mqtt.remaining_length(length).hex(), encoded)

    def test_every_length_comes_back(self):
        for length in (0, 1, 127, 128, 300, 16383, 16384):
            self.assertEqual(packets(mqtt.packet(3, b"x" * length)), [(3, 0, b"x" * length)])

    def test_more_than_four_bytes_are_refused(self):
        with self.assertRaises(mqtt.Malformed):
            packets(mqtt.MALFORMED["remaining-length"])


class Splitting(unittest.TestCase):
    def test_pieces_of_any_size(self):
        data = mqtt.publish("news", "a" * 200) + mqtt.packet(mqtt.PINGRESP) + mqtt.packet(mqtt.PUBACK, b"\0\7")
        whole = packets(data)
        self.assertEqual([kind for kind, _, _ in whole], [mqtt.PUBLISH, mqtt.PINGRESP, mqtt.PUBACK])
        for step in (1, 2, 3, 7, 100):
            self.assertEqual(packets(data, step), whole)

    def test_half_a_packet_is_none(self):
        self.assertEqual(packets(mqtt.publish("news", "a")[:-1]), [])
        self.assertEqual(packets(b"\x30"), [])


class Encoding(unittest.TestCase):
    def encoded(self, message, **fields):
        return mqtt.encode(message, {name.replace("_", "-"): value for name, value in fields.items()}).hex(" ")

    def test_connect(self):
        none = {"name": "NoWill", "fields": {}}
        self.assertEqual(
            self.encoded("Connect", protocol="MQTT", level=4, client="anna", clean=True, keep_alive=10, will=none),
            "10 10 00 04 4d 51 54 54 04 02 00 0a 00 04 61 6e 6e 61")
        will = {"name": "Will", "fields": {"topic": "t", "payload": "p", "qos": 2, "retain": True}}
        self.assertEqual(
            self.encoded("Connect", protocol="MQTT", level=6, client="", clean=False, keep_alive=0, will=will),
            "10 12 00 04 4d 51 54 54 06 34 00 00 00 00 00 01 74 00 01 70")

    def test_publish(self):
        self.assertEqual(self.encoded("Publish", dup=False, qos=0, retain=True, topic="a/b", id=0, payload="x"),
                         "31 06 00 03 61 2f 62 78")
        self.assertEqual(self.encoded("Publish", dup=True, qos=2, retain=False, topic="a/b", id=10, payload=""),
                         "3c 07 00 03 61 2f 62 00 0a")

    def test_subscribe_and_unsubscribe(self):
        request = {"name": "Request", "fields": {"filter": "a/b", "qos": 1}}
        self.assertEqual(self.encoded("Subscribe", id=10, requests=[request]), "82 08 00 0a 00 03 61 2f 62 01")
        self.assertEqual(self.encoded("Unsubscribe", id=10, filters=["a/b"]), "a2 07 00 0a 00 03 61 2f 62")
        self.assertEqual(self.encoded("Subscribe", id=1, requests=[]), "82 02 00 01")

    def test_acknowledgements(self):
        for message, expected in (("Puback", "40 02 01 02"), ("Pubrec", "50 02 01 02"), ("Pubrel", "62 02 01 02"),
                                  ("Pubcomp", "70 02 01 02")):
            self.assertEqual(self.encoded(message, id=258), expected)

    def test_packets_without_a_body(self):
        self.assertEqual(self.encoded("Pingreq"), "c0 00")
        self.assertEqual(self.encoded("Disconnect"), "e0 00")

    def test_an_unknown_input_is_an_error(self):
        with self.assertRaises(KeyError):
            self.encoded("Hello", id=1)


class Flaws(unittest.TestCase):
    """Each breaks the one rule that it names, and is a packet otherwise."""

    def test_flags_of_a_connect(self):
        flags = {name: packets(data)[0][2][7] for name, data in mqtt.BAD_CONNECT.items()}
        self.assertEqual(flags["reserved-flag"] & 1, 1)
        self.assertEqual(flags["will-qos-3"] & 0x1C, 0x1C)
        self.assertEqual(flags["will-qos-without-will"] & 0x1C, 0x08)
        self.assertEqual(flags["will-retain-without-will"] & 0x24, 0x20)
        self.assertEqual(flags["will-without-topic"] & 0x04, 0x04)
        self.assertEqual(flags["password-without-user-name"] & 0xC0, 0x40)
        self.assertEqual(packets(mqtt.BAD_CONNECT["no-client-id"])[0][2][10:], b"")
        with self.assertRaises(UnicodeDecodeError):
            packets(mqtt.BAD_CONNECT["client-id-not-utf-8"])[0][2][12:].decode("utf-8")

    def test_fixed_headers(self):
        for name, first in (("publish-qos-3", 0x36), ("publish-dup-qos-0", 0x38), ("pubrel-flags", 0x60),
                            ("subscribe-flags", 0x80), ("unsubscribe-flags", 0xA0), ("pingreq-flags", 0xC1),
                            ("disconnect-flags", 0xE1), ("reserved-type", 0xF0)):
            self.assertEqual(mqtt.MALFORMED[name][0], first, name)

    def test_all_but_the_length_are_one_packet(self):
        for name, data in {**mqtt.BAD_CONNECT, **mqtt.MALFORMED}.items():
            if name != "remaining-length":
                self.assertEqual(len(packets(data)), 1, name)

    def test_the_model_has_the_same_flaws(self):
        model = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "models", "mqtt_broker.scm")
        with open(model) as read:
            text = " ".join(read.read().split())
        for message, flaws in (("BadConnect", mqtt.BAD_CONNECT), ("Malformed", mqtt.MALFORMED)):
            listed = text.split("(define-message %s (flaw (enum " % message)[1].split(")")[0].split()
            self.assertEqual(sorted(listed), sorted(flaws))


class Decoding(unittest.TestCase):
    def decoded(self, text):
        return [mqtt.decode(*packet) for packet in packets(bytes.fromhex(text))]

    def test_connack(self):
        self.assertEqual(self.decoded("20 02 01 00"), [("Connack", {"session-present": True, "code": 0})])
        self.assertEqual(self.decoded("20 02 00 02"), [("Connack", {"session-present": False, "code": 2})])

    def test_publish(self):
        self.assertEqual(self.decoded("3b 07 00 03 61 2f 62 00 0a"), [("Publish", {
            "dup": True, "qos": 1, "retain": True, "topic": "a/b", "id": 10, "payload": ""})])
        self.assertEqual(self.decoded("30 04 00 01 61 78"), [("Publish", {
            "dup": False, "qos": 0, "retain": False, "topic": "a", "id": 0, "payload": "x"})])

    def test_acknowledgements(self):
        self.assertEqual(self.decoded("40 02 00 07 62 02 00 08 90 04 00 09 01 80 b0 02 00 0a d0 00"), [
            ("Puback", {"id": 7}), ("Pubrel", {"id": 8}), ("Suback", {"id": 9, "codes": [1, 128]}), ("Unsuback", {"id": 10}),
            ("Pingresp", {})])

    def test_what_is_wrong_is_refused(self):
        for text in ("20 02 02 00", "20 01 00", "21 02 00 00", "60 02 00 08", "40 03 00 07 00", "36 05 00 01 61 00 01",
                     "32 03 00 01 61", "30 01 00", "30 04 00 02 c3 28", "d0 01 00", "90 02 00 01", "f0 00", "82 02 00 01"):
            with self.assertRaises(mqtt.Malformed, msg=text):
                self.decoded(text)


if __name__ == "__main__":
    unittest.main()
