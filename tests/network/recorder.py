"""Records every name look-up and every connection off loopback, from the packets themselves.

``enter`` prepares a new network namespace: it has only ``lo``, and routes every address there, so
that a connection to any machine becomes a packet on ``lo`` and leaves this machine never. No
process can hide from that: neither a library in C nor a child.
"""

from __future__ import annotations

import shutil
import socket
import struct
import subprocess
import sys
import threading
from ipaddress import ip_address
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ETHERNET, EVERY_PROTOCOL = 14, 0x0003
IPV4, IPV6, TCP, UDP = 0x0800, 0x86DD, 6, 17
SYN, ACK = 0x02, 0x10
SOL_PACKET, PACKET_STATISTICS, SO_RCVBUFFORCE = 263, 6, 33
BUFFER = 64 << 20
"""Bytes of packets that may wait; an upload on loopback must not push a look-up out."""

DNS = {53, 853, 5353, 5355}
"""Ports of name look-ups: DNS, the same over TLS, multicast DNS and LLMNR."""

ROUTES = (
    ("link", "set", "lo", "up"),
    ("route", "add", "local", "default", "dev", "lo"),
    ("-6", "route", "add", "local", "default", "dev", "lo"),
)


def command(*arguments: str) -> list[str]:
    """What runs Python with these arguments in a new network namespace."""
    return [*_unshare(), sys.executable, *arguments]


def _unshare() -> list[str]:
    """As root, or in a user namespace where the system allows that."""
    for more in ((), ("--user", "--map-root-user")):
        line = ["unshare", *more, "--net", "--"]
        if subprocess.run([*line, "ip", "link", "set", "lo", "up"], capture_output=True).returncode:
            continue
        return line
    raise PermissionError("a network namespace needs root, or user namespaces")


def obstacle() -> str | None:
    """Why no network namespace can be made here, if so."""
    if sys.platform != "linux":
        return "network namespaces are of Linux"
    missing = [name for name in ("unshare", "ip") if shutil.which(name) is None]
    if missing:
        return f"{' and '.join(missing)} is not installed; apt-get install iproute2 util-linux"
    try:
        _unshare()
    except PermissionError as exc:
        return str(exc)
    return None


def enter() -> Recorder:
    """The recorder of the namespace that this process is in."""
    for line in ROUTES:
        done = subprocess.run(["ip", *line], capture_output=True, text=True)
        if done.returncode and "-6" not in line:  # a machine may be without IPv6
            raise OSError(done.stderr.strip())
    return Recorder()


class Recorder:
    """Look-ups and connections off loopback seen since it was made, in a thread of its own."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
        self._socket.bind(("lo", EVERY_PROTOCOL))
        try:
            self._socket.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, BUFFER)
        except PermissionError:  # in a user namespace the system's own limit holds
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
        self._seen: dict[str, None] = {}
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        while True:
            frame = self._socket.recv(1 << 17)
            event = outside(frame[ETHERNET:], struct.unpack("!H", frame[12:14])[0])
            if event is not None:
                self._seen[event] = None

    def seen(self) -> list[str]:
        """Every look-up and connection, once each, in the order of their first packets."""
        return list(self._seen)

    def lost(self) -> int:
        """Packets that the kernel had no room for; with any, silence is not proved."""
        counts = self._socket.getsockopt(SOL_PACKET, PACKET_STATISTICS, 8)
        return int(struct.unpack("=II", counts)[1])


def outside(packet: bytes, kind: int) -> str | None:
    """The look-up or the connection off loopback that a packet begins, if any."""
    if kind == IPV4 and len(packet) >= 20:
        protocol, to, body = packet[9], packet[16:20], packet[(packet[0] & 15) * 4 :]
    elif kind == IPV6 and len(packet) >= 40:
        protocol, to, body = packet[6], packet[24:40], packet[40:]
    else:
        return None
    if protocol not in {TCP, UDP} or len(body) < (20 if protocol == TCP else 8):
        return None
    if protocol == TCP and body[13] & (SYN | ACK) != SYN:
        return None
    port = struct.unpack("!H", body[2:4])[0]
    if port in DNS:
        return f"look-up of {_name(body[8:]) if protocol == UDP else '(by TCP)'}"
    address = ip_address(to)
    if address.is_loopback:
        return None
    return f"{'TCP' if protocol == TCP else 'UDP'} to {address} port {port}"


def _name(message: bytes) -> str:
    """The first name that a DNS message asks for."""
    labels, at = [], 12
    while at < len(message) and 0 < message[at] < 64:
        labels.append(message[at + 1 : at + 1 + message[at]].decode("ascii", "replace"))
        at += 1 + message[at]
    return ".".join(labels)
