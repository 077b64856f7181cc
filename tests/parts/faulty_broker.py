#!/usr/bin/env python3
"""A proxy in front of an MQTT broker that makes it break one rule of MQTT 3.1.1.

usage: faulty_broker.py FAULT --broker PORT     listens on a free port of the loopback, and prints it
       faulty_broker.py --list                  the faults, with what each breaks

Packets pass unchanged, except that a fault may change, drop or add some. tests/e2e/mqtt.sh runs the suite of
models/mqtt_broker.scm against each.
"""

import argparse
import os
import socket
import struct
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testgen", "adapters"))
import mqtt_packets as mqtt  # noqa: E402

FAULTS = {}  # name -> class


def fault(name, statement, text):
    def register(broken):
        broken.statement, broken.text = statement, text
        FAULTS[name] = broken
        return broken
    return register


class Connection:
    """One client's connection. A fault says what becomes of each packet: a list of packets that go on in its place."""

    def __init__(self, client, broker):
        self.client, self.broker = client, broker

    def from_client(self, kind, flags, body):
        return [(kind, flags, body)]

    def from_broker(self, kind, flags, body):
        return [(kind, flags, body)]

    def keep_client(self):
        """Whether the client's side stays open when the broker closes its own."""
        return False

    def to_client(self, kind, flags, body):
        self.client.sendall(mqtt.packet(kind, body, flags))


@fault("none", "-", "Nothing: packets pass unchanged.")
class Correct(Connection):
    pass


@fault("puback-id", "MQTT-4.3.2-2", "A PUBACK has the packet identifier of another PUBLISH.")
class PubackId(Connection):
    def from_broker(self, kind, flags, body):
        if kind == mqtt.PUBACK:
            body = struct.pack("!H", struct.unpack("!H", body)[0] % 65535 + 1)
        return [(kind, flags, body)]


@fault("puback-lost", "MQTT-4.3.2-2", "A PUBLISH with QoS 1 is not acknowledged.")
class PubackLost(Connection):
    def from_broker(self, kind, flags, body):
        return [] if kind == mqtt.PUBACK else [(kind, flags, body)]


@fault("qos-2-twice", "MQTT-4.3.3-2", "A PUBLISH with QoS 2 that is sent again before its PUBREL is forwarded twice.")
class Qos2Twice(Connection):
    seen = {}  # identifiers that are not released, by client: a client sends again when it is back

    def from_client(self, kind, flags, body):
        if kind == mqtt.CONNECT and len(body) > 12:
            self.client_id = body[10:12 + struct.unpack_from("!H", body, 10)[0]]
            if body[7] & 2:  # a clean session
                Qos2Twice.seen.pop(self.client_id, None)
        seen = Qos2Twice.seen.setdefault(getattr(self, "client_id", None), set())
        if kind == mqtt.PUBLISH and flags >> 1 & 3 == 2:
            topic = 2 + struct.unpack_from("!H", body)[0]
            identifier = body[topic:topic + 2]
            if identifier in seen:  # for the broker, the repetition is another message: one with QoS 0
                self.to_client(mqtt.PUBREC, 0, identifier)
                return [(kind, flags & 1, body[:topic] + body[topic + 2:])]
            seen.add(identifier)
        if kind == mqtt.PUBREL:
            seen.discard(body)
        return [(kind, flags, body)]


def fields_of(payload):
    """The strings of a payload, each with its length before it."""
    fields = []
    while payload:
        length = 2 + struct.unpack_from("!H", payload)[0]
        fields.append(payload[:length])
        payload = payload[length:]
    return fields


def is_sound(text):
    """Whether this may be a topic name or a filter; good enough for those of the model."""
    try:
        return len(text) > 2 and not set("+#\0") & set(text[2:].decode("utf-8")[1:])
    except UnicodeDecodeError:
        return False


def without_will(body):
    """The body of a CONNECT, without its will; what is wrong stays."""
    connect_flags, fields = body[7], fields_of(body[10:])
    if connect_flags & 4 and connect_flags & 0x18 != 0x18 and len(fields) > 2 and is_sound(fields[1]):
        connect_flags &= ~0x3C
        del fields[1:3]
    return body[:7] + bytes([connect_flags]) + body[8:10] + b"".join(fields)


def is_acceptable(body):
    """Whether a CONNECT of the model's is neither refused nor malformed."""
    whole = body.startswith(mqtt.string("MQTT") + b"\4") and len(body) > 12 and not body[7] & 1
    return whole and (not body[7] & 4 or without_will(body) != body)


@fault("will-ignored", "MQTT-3.1.2-8", "A will is never published.")
class WillIgnored(Connection):
    def from_client(self, kind, flags, body):
        sound = kind == mqtt.CONNECT and body.startswith(mqtt.string("MQTT"))
        return [(kind, flags, without_will(body) if sound else body)]


@fault("will-after-disconnect", "MQTT-3.14.4-3", "A will is published in spite of DISCONNECT.")
class WillAfterDisconnect(Connection):
    def from_client(self, kind, flags, body):
        return [] if kind == mqtt.DISCONNECT and flags == 0 else [(kind, flags, body)]


@fault("session-present", "MQTT-3.2.2-2", "Session Present is 0 although the session is resumed.")
class SessionPresent(Connection):
    def from_broker(self, kind, flags, body):
        return [(kind, flags, b"\0" + body[1:] if kind == mqtt.CONNACK else body)]


@fault("retained-lost", "MQTT-3.3.1-6", "A new subscription gets no retained messages.")
class RetainedLost(Connection):
    def from_broker(self, kind, flags, body):
        return [] if kind == mqtt.PUBLISH and flags & 1 else [(kind, flags, body)]


@fault("ping-unanswered", "MQTT-3.12.4-1", "A PINGREQ is not answered.")
class PingUnanswered(Connection):
    def from_broker(self, kind, flags, body):
        return [] if kind == mqtt.PINGRESP else [(kind, flags, body)]


@fault("second-connect", "MQTT-3.1.0-2", "A second CONNECT is accepted.")
class SecondConnect(Connection):
    connected = False

    def from_client(self, kind, flags, body):
        if kind == mqtt.CONNECT and self.connected:
            self.to_client(mqtt.CONNACK, 0, b"\0\0")
            return []
        return [(kind, flags, body)]

    def from_broker(self, kind, flags, body):
        self.connected = self.connected or kind == mqtt.CONNACK
        return [(kind, flags, body)]


@fault("takeover-ignored", "MQTT-3.1.4-2", "A client stays connected where it was when it connects again.")
class TakeoverIgnored(Connection):
    latest = {}  # connection, by client identifier

    def from_client(self, kind, flags, body):
        if kind == mqtt.CONNECT and is_acceptable(body):
            self.identifier = body[10:12 + struct.unpack_from("!H", body, 10)[0]]
            TakeoverIgnored.latest[self.identifier] = self
        return [(kind, flags, body)]

    def keep_client(self):
        return TakeoverIgnored.latest.get(getattr(self, "identifier", None), self) is not self


@fault("granted-qos", "MQTT-3.8.4-5", "A SUBACK shows a QoS that was not granted.")
class GrantedQos(Connection):
    def from_broker(self, kind, flags, body):
        if kind == mqtt.SUBACK:
            body = body[:2] + bytes((code + 1) % 3 for code in body[2:])
        return [(kind, flags, body)]


@fault("unsubscribe-ignored", "MQTT-3.10.4-2", "Messages are delivered after UNSUBSCRIBE.")
class UnsubscribeIgnored(Connection):
    def from_client(self, kind, flags, body):
        if kind == mqtt.UNSUBSCRIBE and flags == 2 and body[:2] != b"\0\0":
            filters = fields_of(body[2:])
            if filters and all(text[2:] in (b"news/+", b"news/#") or is_sound(text) for text in filters):
                self.to_client(mqtt.UNSUBACK, 0, body[:2])
                return []
        return [(kind, flags, body)]


@fault("dup-missing", "MQTT-3.3.1-1", "A PUBLISH that is sent again has DUP 0.")
class DupMissing(Connection):
    def from_broker(self, kind, flags, body):
        return [(kind, flags & ~8 if kind == mqtt.PUBLISH else flags, body)]


@fault("retain-missing", "MQTT-3.3.1-8", "A retained message is sent to a new subscription with RETAIN 0.")
class RetainMissing(Connection):
    def from_broker(self, kind, flags, body):
        return [(kind, flags & ~1 if kind == mqtt.PUBLISH else flags, body)]


@fault("keep-alive-ignored", "MQTT-3.1.2-24", "A client that is silent is never disconnected.")
class KeepAliveIgnored(Connection):
    def from_client(self, kind, flags, body):
        if kind == mqtt.CONNECT and len(body) > 9:
            body = body[:8] + b"\0\0" + body[10:]
        return [(kind, flags, body)]


def pass_on(connection, source, target, change):
    """Passes packets on until one side ends. What is no packet at all passes as it is."""
    splitter = mqtt.Splitter()
    try:
        while data := source.recv(65536):
            splitter.feed(data)
            try:
                while packet := splitter.next():
                    for changed in change(*packet):
                        target.sendall(mqtt.packet(changed[0], changed[2], changed[1]))
            except mqtt.Malformed:
                target.sendall(splitter.data)
                splitter.data = b""
    except OSError:
        pass  # the other side has gone
    # The broker answers the end of the client's side with the end of its own; the client must not see that before.
    try:
        if source is connection.client:
            target.shutdown(socket.SHUT_WR)
        elif not connection.keep_client():
            target.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # closed already


def serve(broken, broker):
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    while True:
        client = listener.accept()[0]
        try:
            server = socket.create_connection(("127.0.0.1", broker))
        except OSError:
            client.close()
            continue
        for side in (client, server):
            side.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = broken(client, server)
        for source, target, change in ((client, server, connection.from_client), (server, client, connection.from_broker)):
            threading.Thread(target=pass_on, args=(connection, source, target, change), daemon=True).start()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("fault", nargs="?", choices=list(FAULTS))
    parser.add_argument("--broker", type=int)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list:
        for name, broken in FAULTS.items():
            print("%s\t%s\t%s" % (name, broken.statement, broken.text))
        return
    if options.fault is None or options.broker is None:
        parser.error("a fault and --broker are needed")
    serve(FAULTS[options.fault], options.broker)


if __name__ == "__main__":
    main()
