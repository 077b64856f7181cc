"""MQTT 3.1.1 control packets as bytes, and as the messages of models/mqtt_broker.scm.

Only what the adapter needs, but without any library's opinion on what may be sent: a test says what is wrong with a packet,
and here it is made so. What a broker sends is taken apart strictly, because a test must see what is wrong with that, too.
"""

import struct

CONNECT, CONNACK, PUBLISH, PUBACK, PUBREC, PUBREL, PUBCOMP = range(1, 8)
SUBSCRIBE, SUBACK, UNSUBSCRIBE, UNSUBACK, PINGREQ, PINGRESP, DISCONNECT = range(8, 15)

# The reserved flags of the fixed header (table 2.2); those of PUBLISH mean something.
FLAGS = {PUBREL: 2, SUBSCRIBE: 2, UNSUBSCRIBE: 2}

ACKNOWLEDGEMENTS = {"Puback": PUBACK, "Pubrec": PUBREC, "Pubrel": PUBREL, "Pubcomp": PUBCOMP, "Unsuback": UNSUBACK}
ACKNOWLEDGEMENT_NAMES = {kind: name for name, kind in ACKNOWLEDGEMENTS.items()}

LONGEST_LENGTH = 4  # bytes of a remaining length (2.2.3)


class Malformed(Exception):
    """A packet that breaks the rules of sections 2 and 3."""


def remaining_length(length):
    encoded = bytearray()
    while True:
        length, digit = divmod(length, 128)
        encoded.append(digit | (128 if length else 0))
        if not length:
            return bytes(encoded)


def packet(kind, body=b"", flags=None):
    flags = FLAGS.get(kind, 0) if flags is None else flags
    return bytes([kind << 4 | flags]) + remaining_length(len(body)) + body


def binary(data):
    return struct.pack("!H", len(data)) + data


def string(text):
    return binary(text.encode("utf-8"))


def number(value):
    return struct.pack("!H", value)


# ---- Encoding what the tester sends ----


def connect(client, clean=True, keep_alive=0, will=None, protocol="MQTT", level=4):
    """`will` is None, or (topic, payload, qos, retain)."""
    flags = 0x02 if clean else 0
    payload = string(client)
    if will is not None:
        topic, message, qos, retain = will
        flags |= 0x04 | qos << 3 | (0x20 if retain else 0)
        payload += string(topic) + string(message)
    return packet(CONNECT, string(protocol) + bytes([level, flags]) + number(keep_alive) + payload)


def publish(topic, payload, qos=0, identifier=0, dup=False, retain=False):
    head = string(topic) + (number(identifier) if qos else b"")
    return packet(PUBLISH, head + payload.encode("utf-8"), (8 if dup else 0) | qos << 1 | (1 if retain else 0))


def subscribe(identifier, requests):
    return packet(SUBSCRIBE, number(identifier) + b"".join(string(topic) + bytes([qos]) for topic, qos in requests))


def unsubscribe(identifier, filters):
    return packet(UNSUBSCRIBE, number(identifier) + b"".join(string(topic) for topic in filters))


def flawed_connect(flags, payload):
    return packet(CONNECT, string("MQTT") + bytes([4, flags]) + number(0) + payload)


CLEAN = 0x02
BAD_CONNECT = {
    "reserved-flag": flawed_connect(CLEAN | 0x01, string("anna")),
    "will-qos-3": flawed_connect(CLEAN | 0x1C, string("anna") + string("news") + string("gone")),
    "will-qos-without-will": flawed_connect(CLEAN | 0x08, string("anna")),
    "will-retain-without-will": flawed_connect(CLEAN | 0x20, string("anna")),
    "will-without-topic": flawed_connect(CLEAN | 0x04, string("anna")),
    "will-topic-not-utf-8": flawed_connect(CLEAN | 0x04, string("anna") + binary(b"ne\xc3(") + string("gone")),
    "user-name-missing": flawed_connect(CLEAN | 0x80, string("anna")),
    "user-name-without-flag": flawed_connect(CLEAN, string("anna") + string("anna")),
    "user-name-not-utf-8": flawed_connect(CLEAN | 0x80, string("anna") + binary(b"an\xc3(")),
    "password-missing": flawed_connect(CLEAN | 0xC0, string("anna") + string("anna")),
    "password-without-user-name": flawed_connect(CLEAN | 0x40, string("anna") + string("secret")),
    "no-client-id": flawed_connect(CLEAN, b""),
    "client-id-not-utf-8": flawed_connect(CLEAN, binary(b"an\xc3(")),
}
MALFORMED = {
    "publish-qos-3": packet(PUBLISH, string("news") + number(1) + b"a", 6),
    "publish-dup-qos-0": packet(PUBLISH, string("news") + b"a", 8),
    "pubrel-flags": packet(PUBREL, number(1), 0),
    "subscribe-flags": packet(SUBSCRIBE, number(1) + string("news") + b"\0", 0),
    "subscribe-reserved-bits": packet(SUBSCRIBE, number(1) + string("news") + b"\4"),
    "unsubscribe-flags": packet(UNSUBSCRIBE, number(1) + string("news"), 0),
    "pingreq-flags": packet(PINGREQ, b"", 1),
    "disconnect-flags": packet(DISCONNECT, b"", 1),
    "not-utf-8": packet(PUBLISH, binary(b"news\xc3(") + b"a"),
    "nul-character": packet(PUBLISH, binary(b"ne\0ws") + b"a"),
    "subscribe-not-utf-8": packet(SUBSCRIBE, number(1) + binary(b"ne\xc3(") + b"\0"),
    "unsubscribe-not-utf-8": packet(UNSUBSCRIBE, number(1) + binary(b"ne\xc3(")),
    "filter-nul-character": packet(SUBSCRIBE, number(1) + binary(b"ne\0ws") + b"\0"),
    "reserved-type": packet(15),
    "remaining-length": bytes([PUBLISH << 4]) + b"\xff" * LONGEST_LENGTH + b"\x01",
}


def encode(message, fields):
    """The bytes for an input of the model; KeyError for one that it does not have."""
    if message == "Connect":
        will = fields["will"]["fields"] if fields["will"]["name"] == "Will" else None
        return connect(fields["client"], fields["clean"], fields["keep-alive"],
                       will and (will["topic"], will["payload"], will["qos"], will["retain"]),
                       fields["protocol"], fields["level"])
    if message == "Publish":
        return publish(fields["topic"], fields["payload"], fields["qos"], fields["id"], fields["dup"], fields["retain"])
    if message == "Subscribe":
        requests = [request["fields"] for request in fields["requests"]]
        return subscribe(fields["id"], [(request["filter"], request["qos"]) for request in requests])
    if message == "Unsubscribe":
        return unsubscribe(fields["id"], fields["filters"])
    if message == "Pingreq":
        return packet(PINGREQ)
    if message == "Disconnect":
        return packet(DISCONNECT)
    if message == "BadConnect":
        return BAD_CONNECT[fields["flaw"]]
    if message == "Malformed":
        return MALFORMED[fields["flaw"]]
    return packet(ACKNOWLEDGEMENTS[message], number(fields["id"]))


# ---- Decoding what the broker sends ----


class Splitter:
    """Takes bytes as they come, and gives whole packets: (kind, flags, body)."""

    def __init__(self):
        self.data = b""

    def feed(self, data):
        self.data += data

    def next(self):
        """The next packet, or None while it is not all there."""
        length = 0
        for index in range(LONGEST_LENGTH):
            if len(self.data) < index + 2:
                return None
            digit = self.data[index + 1]
            length |= (digit & 127) << 7 * index
            if digit < 128:
                break
        else:
            raise Malformed("a remaining length of more than four bytes")
        begin = index + 2
        if len(self.data) < begin + length:
            return None
        head, body = self.data[0], self.data[begin:begin + length]
        self.data = self.data[begin + length:]
        return head >> 4, head & 15, body


def decode_publish(flags, body):
    qos = flags >> 1 & 3
    head = 2 + struct.unpack_from("!H", body)[0]
    payload = head + (2 if qos else 0)
    if qos == 3 or len(body) < payload:
        raise Malformed("a PUBLISH with flags %d and %d bytes" % (flags, len(body)))
    return {"dup": bool(flags & 8), "qos": qos, "retain": bool(flags & 1), "topic": body[2:head].decode("utf-8"),
            "id": struct.unpack_from("!H", body, head)[0] if qos else 0, "payload": body[payload:].decode("utf-8")}


def decode(kind, flags, body):
    """A packet from the broker as an output of the model: (message, fields)."""
    try:
        if kind == PUBLISH:
            return "Publish", decode_publish(flags, body)
        if flags != FLAGS.get(kind, 0):
            raise Malformed("flags %d in a packet of type %d" % (flags, kind))
        if kind == CONNACK and len(body) == 2 and body[0] < 2:
            return "Connack", {"session-present": bool(body[0]), "code": body[1]}
        if kind in ACKNOWLEDGEMENT_NAMES and len(body) == 2:
            return ACKNOWLEDGEMENT_NAMES[kind], {"id": struct.unpack("!H", body)[0]}
        if kind == SUBACK and len(body) > 2:
            return "Suback", {"id": struct.unpack_from("!H", body)[0], "codes": list(body[2:])}
        if kind == PINGRESP and not body:
            return "Pingresp", {}
    except (struct.error, UnicodeDecodeError) as error:
        raise Malformed(str(error)) from error
    raise Malformed("a packet of type %d with the bytes %s" % (kind, body.hex()))
