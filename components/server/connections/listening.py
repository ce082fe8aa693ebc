"""The sockets on which the page listens; a wrong setting is named by its own variable."""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterable, Sequence

FIRST_PORT, PORTS = 7860, 100
"""Ports that are tried where none is chosen, as Gradio does."""

EVERY_IPV6 = "::"
WRONG_ADDRESS = frozenset({errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, errno.EINVAL})


def listening_sockets(host: str, port: int | None) -> list[socket.socket]:
    """Bound sockets, all at one port, one per address of the host (two for ``localhost``).

    Ends the program with one line that names the wrong setting when there can be none.
    """
    ports = [port] if port else range(FIRST_PORT, FIRST_PORT + PORTS)
    plain = host.strip("[]")
    try:
        entries = socket.getaddrinfo(plain, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        addresses = list(dict.fromkeys((entry[0], str(entry[4][0])) for entry in entries))
        return _first_free(addresses, ports)
    except (OSError, UnicodeError) as exc:
        raise SystemExit(_reason(exc, plain, port)) from exc


def _first_free(
    addresses: Sequence[tuple[socket.AddressFamily, str]], ports: Iterable[int]
) -> list[socket.socket]:
    for port in ports:
        try:
            return _bound(addresses, port)
        except OSError as exc:
            if exc.errno != errno.EADDRINUSE:
                raise
            last = exc
    raise last


def _bound(addresses: Sequence[tuple[socket.AddressFamily, str]], port: int) -> list[socket.socket]:
    """One socket an address; one that this machine lacks is left out where another is there."""
    sockets: list[socket.socket] = []
    for family, address in addresses:
        try:
            sockets.append(_socket(family, address, port))
        except OSError as exc:
            lacking = exc.errno in WRONG_ADDRESS and len(addresses) > 1
            if not lacking or (address == addresses[-1][1] and not sockets):
                for one in sockets:
                    one.close()
                raise
    return sockets


def _socket(family: socket.AddressFamily, address: str, port: int) -> socket.socket:
    # asyncio switches Nagle's algorithm off where the protocol is named, and only there; with it
    # the body of every answer comes 40 ms after its header.
    one = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            # "::" means every address of the machine, those of IPv4 too.
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, address != EVERY_IPV6)
        one.bind((address, port))
    except OSError:
        one.close()
        raise
    return one


def _reason(exc: OSError | UnicodeError, host: str, port: int | None) -> str:
    # A name that is too long is no name at all: UnicodeError.
    no_host = isinstance(exc, (socket.gaierror, UnicodeError))
    if no_host or getattr(exc, "errno", None) in WRONG_ADDRESS:
        return (
            f"SCANSCOUT_HOST: {host[:60]!r} is no address of this machine; write 127.0.0.1 or ::1 "
            "for this machine alone, 0.0.0.0 or :: for every address it has"
        )
    if not port:
        last = FIRST_PORT + PORTS - 1
        return f"SCANSCOUT_PORT: ports {FIRST_PORT} to {last} of {host} are in use; choose another"
    if isinstance(exc, PermissionError):
        return (
            f"SCANSCOUT_PORT: port {port} of {host} cannot be used without more rights; choose one "
            f"above 1023, such as {FIRST_PORT}"
        )
    return (
        f"SCANSCOUT_PORT: port {port} of {host} cannot be used, another program has it; choose "
        f"another, such as {port + 1 if port < 65535 else FIRST_PORT}"
    )
