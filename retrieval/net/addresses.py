"""Names to addresses, and which addresses a search may connect to."""

from __future__ import annotations

import socket
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

from retrieval.core import BadInput, StageUnavailable

Lookup = Callable[[str, int], list[str]]
"""From a host and a port to addresses, the preferred one first."""

# NAT64 (RFC 6052); the module ipaddress has no property for it.
_TRANSLATED = IPv6Network("64:ff9b::/96")


def look_up(host: str, port: int) -> list[str]:
    """The addresses that the resolver of the system gives, each once, the preferred one first.

    Raises StageUnavailable when there is none. IPv6 zone ids are cut off.
    """
    try:
        entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as exc:
        raise StageUnavailable("its name could not be looked up; is this machine online?") from exc
    return list(dict.fromkeys(str(entry[4][0]).split("%")[0] for entry in entries))


def is_public(address: str) -> bool:
    """Whether an address is of the open internet, also where it wraps another address.

    Wrapping addresses (mapped, 6to4, Teredo, NAT64) are judged by the IPv4 addresses in them, to
    which a gateway would connect.
    """
    try:
        outer = ip_address(address)
    except ValueError:
        return False
    inner = _wrapped(outer) if isinstance(outer, IPv6Address) else ()
    return all(map(_is_of_the_internet, inner or (outer,)))


def _is_of_the_internet(one: IPv4Address | IPv6Address) -> bool:
    # RFC 3879 withdrew fec0::/10; networks still use it as a private range, and ``is_global`` is
    # true for it.
    is_site_local = isinstance(one, IPv6Address) and one.is_site_local
    return one.is_global and not (one.is_multicast or one.is_reserved or is_site_local)


def _wrapped(one: IPv6Address) -> tuple[IPv4Address, ...]:
    """The IPv4 addresses inside a mapped, 6to4, Teredo or translated address."""
    if one.ipv4_mapped is not None:
        return (one.ipv4_mapped,)
    if one.sixtofour is not None:
        return (one.sixtofour,)
    if one.teredo is not None:
        return one.teredo
    if one in _TRANSLATED:
        return (IPv4Address(one.packed[-4:]),)
    return ()


def admitted(host: str, port: int, lookup: Lookup, *, own: bool) -> list[str]:
    """The addresses of a host in the order of the lookup.

    Raises StageUnavailable when one of them is not public: a name with a public and a private
    address is a way to reach the private one (DNS rebinding). ``own``: no address is refused.
    """
    addresses = lookup(host, port)
    if not addresses:
        raise StageUnavailable("its name has no address")
    if not own and not all(map(is_public, addresses)):
        raise StageUnavailable("its address is on this machine or a private network; not asked")
    return addresses


def checked_address(url: str, *, example: str, secret: str) -> str:
    """An http(s) address without its last slash, user, query or fragment.

    Logs of libraries show addresses, so no key may be in one. Raises BadInput;
    ``example`` and ``secret`` ("a token") are named in its text.
    """
    parts = _parts(url)
    if parts is None or parts.scheme not in {"http", "https"} or not parts.hostname:
        raise BadInput(f"base_url: not an http or https address; give one such as {example}")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise BadInput(f"base_url: holds more than an address; give {secret} by its own setting")
    return url.rstrip("/")


def _parts(url: str) -> SplitResult | None:
    """The parts of an address; None with a blank, a control character, or a wrong host or port."""
    try:
        parts = urlsplit(url)
        # The port is read on access; ValueError out of range.
        return parts if url.isprintable() and " " not in url and parts.port != 0 else None
    except ValueError:
        return None
