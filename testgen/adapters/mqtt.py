#!/usr/bin/env python3
"""An adapter between `espalier execute` and an MQTT 3.1.1 broker, for suites of models/mqtt_broker.scm.

The ports link-1, link-2, ... are network connections to the broker. The first packet on a closed one opens it. What the broker
sends there is an output on the link, except that its PUBLISH packets are outputs on inbox-1, inbox-2, ...; the end of the
connection is the output Closed. docs/mqtt.md tells more.
"""

import argparse
import json
import os
import select
import socket
import sys
import time

sys.dont_write_bytecode = True  # where a package is installed, root's would be left behind
import mqtt_packets as mqtt  # noqa: E402

PATIENCE = 5.0  # seconds for an answer that a broker owes; only one that is at fault needs so long


class Connection:
    def __init__(self, link, address):
        self.link = link  # None: nobody wants to know what comes
        self.inbox = link and link.replace("link", "inbox", 1)
        self.socket = socket.create_connection(address, PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.splitter = mqtt.Splitter()
        self.accepted = None  # the code of the CONNACK
        self.pings = []  # of those that are not answered, True for the tester's own

    def send(self, data):
        try:
            self.socket.sendall(data)
        except OSError:
            pass  # the broker has closed the connection: that is read, and told, as Closed

    def close(self):
        self.socket.close()


class Adapter:
    def __init__(self, options):
        self.options = options
        self.address = (options.host, options.port)
        self.connections = {}  # by link
        self.clients, self.topics = set(options.clients), set(options.topics)
        self.fences = True
        self.orders, self.ended = b"", False  # what Espalier has said and was not obeyed yet

    # -- Espalier's side --

    def tell(self, **message):
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()

    def output(self, port, message, fields):
        if port is not None:
            self.tell(type="output", port=port, message=message, fields=fields)

    def run(self):
        while not self.ended or b"\n" in self.orders:
            if b"\n" in self.orders:
                line, self.orders = self.orders.split(b"\n", 1)
                self.obey(json.loads(line))
            else:
                self.pump(None)

    def is_over(self):
        """Whether Espalier has given up the test: nothing has to be waited for any more."""
        *lines, _ = self.orders.split(b"\n")
        return self.ended or any(json.loads(line)["type"] == "reset" for line in lines)

    def obey(self, order):
        kind = order["type"]
        try:
            if kind == "reset":
                self.reset()
                self.tell(type="reset")
            elif kind == "input":
                self.input(order["port"], order["message"], order["fields"])
            elif kind == "wait":
                end = time.monotonic() + order["seconds"]
                while time.monotonic() < end and not self.is_over():
                    self.pump(end - time.monotonic())
                self.tell(type="wait")
        except OSError as error:
            self.tell(type="error", text="%s:%d: %s" % (*self.address, error))
        except KeyError as error:
            self.tell(type="error", text="%s is no message, field or flaw that the adapter knows" % error)

    # -- the broker's side --

    def pump(self, timeout):
        """Takes what comes from Espalier, and passes on what comes from the broker, until something came."""
        orders = [] if self.ended else [sys.stdin]
        sockets = {connection.socket: connection for connection in self.connections.values()}
        ready, _, _ = select.select([*sockets, *orders], [], [], None if timeout is None else max(timeout, 0))
        for one in ready:
            if one is sys.stdin:
                data = os.read(sys.stdin.fileno(), 65536)
                self.orders += data
                self.ended = not data
            elif not self.receive(sockets[one]):
                self.forget(sockets[one])
                self.output(sockets[one].link, "Closed", {})

    def receive(self, connection):
        """Passes on what came. Returns False where the broker has closed the connection."""
        try:
            data = connection.socket.recv(65536)
        except ConnectionError:
            data = b""
        connection.splitter.feed(data)
        try:
            while packet := connection.splitter.next():
                self.packet(connection, *mqtt.decode(*packet))
        except mqtt.Malformed as error:
            self.output(connection.link, "Undecodable", {"what": str(error)})
            self.forget(connection)
        return bool(data)

    def packet(self, connection, message, fields):
        if connection.accepted is None and message != "Connack":
            self.output(connection.link, "BeforeConnack", {"what": message})  # [MQTT-3.2.0-1]
            return
        if message == "Connack" and connection.accepted is None:
            connection.accepted = fields["code"]
        if message == "Pingresp" and connection.pings and not connection.pings.pop(0):
            return  # of a fence
        self.output(connection.inbox if message == "Publish" else connection.link, message, fields)

    def forget(self, connection):
        connection.close()
        if self.connections.get(connection.link) is connection:
            del self.connections[connection.link]

    def pump_until(self, done):
        """Passes on what comes until `done`; False where that takes too long."""
        end = time.monotonic() + PATIENCE
        while not done() and not self.is_over():
            if time.monotonic() >= end:
                return False
            self.pump(end - time.monotonic())
        return True

    def is_open(self, connection):
        return self.connections.get(connection.link) is connection

    # -- the tester's steps --

    def input(self, link, message, fields):
        connection = self.connections.get(link)
        if connection is None:
            connection = self.connections[link] = Connection(link, self.address)
        if message == "Drop":
            self.part(connection)
            return
        if message == "Connect" and fields["client"]:
            self.clients.add(fields["client"])
        if message == "Publish":
            self.topics.add(fields["topic"])
        if message == "Pingreq":
            connection.pings.append(True)
        connection.send(mqtt.encode(message, fields))
        if message == "Disconnect" and connection.accepted == 0:
            self.part(connection)
        else:
            self.settle(connection)

    def part(self, connection):
        """Ends a connection as a client does. That the broker has seen it shows in that it closes its side."""
        try:
            connection.socket.shutdown(socket.SHUT_WR)
            end = time.monotonic() + PATIENCE
            while select.select([connection.socket], [], [], max(end - time.monotonic(), 0))[0]:
                if not self.receive(connection):
                    break
        except OSError:
            pass  # closed already
        self.forget(connection)

    def settle(self, connection):
        """Waits until the broker has dealt with a packet, so that the next one on another connection does not overtake it."""
        if connection.accepted is None:
            self.pump_until(lambda: connection.accepted is not None or not self.is_open(connection))
        if connection.accepted != 0:
            self.pump_until(lambda: not self.is_open(connection))
        elif self.fences and self.is_open(connection):
            # A broker deals with the packets of a connection in order: so the answer to a PINGREQ says that it is done. So does
            # the end of the connection, after a packet that is malformed.
            connection.pings.append(False)
            connection.send(mqtt.packet(mqtt.PINGREQ))
            self.fences = self.pump_until(lambda: False not in connection.pings or not self.is_open(connection))

    # -- a clean start --

    def reset(self):
        for connection in list(self.connections.values()):
            self.connections.pop(connection.link)
            connection.link = connection.inbox = None
            connection.send(mqtt.packet(mqtt.DISCONNECT))  # without its will
            self.part(connection)
        for client in sorted(self.clients):
            self.visit(client)
        self.visit("espalier", *(mqtt.publish(topic, "", 1, 1, retain=True) for topic in sorted(self.topics)
                                 if topic and not set("+#") & set(topic)))

    def visit(self, client, *packets):
        """Connects with a clean session, sends packets, and leaves."""
        connection = Connection(None, self.address)
        connection.send(mqtt.connect(client) + b"".join(packets) + mqtt.packet(mqtt.DISCONNECT))
        self.part(connection)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=1883)
    parser.add_argument("--clients", nargs="*", default=["anna", "bert"], metavar="ID",
                        help="sessions to remove before each test, besides those that were used")
    parser.add_argument("--topics", nargs="*", default=["news", "news/uk", "News", "$news"], metavar="TOPIC",
                        help="retained messages to remove before each test, besides those that were used")
    Adapter(parser.parse_args()).run()


if __name__ == "__main__":
    main()
