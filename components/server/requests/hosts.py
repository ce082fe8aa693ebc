"""Which hosts a request may name, and which sites may send one.

A site can make its own name resolve to 127.0.0.1 after a visitor opened it (DNS rebinding); the
browser then takes the page for a part of that site. The name still stands in ``Host``, and it is
refused here. An address written as numbers is never resolved, so it cannot be rebound: any is
allowed, which is how a page on 0.0.0.0 is opened within its own network.

Without the check of the site, any site could make a visitor's browser upload files to, or start
searches on, a page that only that visitor can reach. A request without ``Origin`` and
``Sec-Fetch-Site`` comes from no browser (gradio_client, curl) and passes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers

LOOPBACK_NAME = "localhost"
USUAL_PORTS = frozenset({None, 80, 443})
"""Ports that browsers leave out of ``Host`` and ``Origin``; a proxy may change one to another."""


@dataclass(frozen=True, slots=True)
class HostPort:
    """A host in one spelling: small letters, no brackets, no dot at its end."""

    name: str
    port: int | None = None


def parse_host(text: str) -> HostPort | None:
    """The parts of ``name``, ``name:port`` or ``[address]:port``; None for anything else."""
    try:
        parts = urlsplit(f"//{text.strip()}")
        name, port = parts.hostname, parts.port
    except ValueError:
        return None
    if not name or parts.username is not None or parts.path or parts.query or parts.fragment:
        return None
    return HostPort(name.rstrip("."), None if port in USUAL_PORTS else port)


def parse_origin(text: str) -> HostPort | None:
    """The host of an ``Origin`` header; None for ``null`` and what is no web origin."""
    scheme, separator, rest = text.partition("://")
    return parse_host(rest) if separator and scheme in {"http", "https"} else None


def is_loopback(name: str) -> bool:
    """Whether a name or an address always means the machine that asks.

    Names below ``.localhost`` are loopback as well (RFC 6761, 6.3).
    """
    if name == LOOPBACK_NAME or name.endswith(f".{LOOPBACK_NAME}"):
        return True
    return _is_address(name) and ip_address(name).is_loopback


@dataclass(frozen=True, slots=True)
class AllowedHosts:
    """Names that this page may be called by, beside loopback names and addresses in numbers."""

    names: frozenset[str]
    endings: tuple[str, ...] = ()

    @classmethod
    def of(cls, entries: Iterable[str]) -> AllowedHosts:
        """From ``name`` and ``*.name`` entries; ports and what is no name are left out.

        ``*.name`` allows every host below ``name`` and not ``name`` itself.
        """
        plain = [entry.strip().casefold() for entry in entries]
        parsed = [parse_host(entry) for entry in plain if not entry.startswith("*.")]
        return cls(
            names=frozenset(host.name for host in parsed if host),
            endings=tuple(entry[1:] for entry in plain if entry.startswith("*.")),
        )

    def names_host(self, host: HostPort) -> bool:
        """Whether a setting names this host."""
        return host.name in self.names or host.name.endswith(self.endings)

    def allows(self, host: HostPort) -> bool:
        """Whether a request may be addressed to this host, at any port."""
        return is_loopback(host.name) or _is_address(host.name) or self.names_host(host)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


READING_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing; a browser keeps their answers from other sites by itself."""

OWN_SITE = frozenset({"same-origin", "none"})
"""Values of Sec-Fetch-Site, which no script can set, for the page itself and the address bar."""


def is_cross_site(
    method: str, headers: Headers, own: Iterable[HostPort], hosts: AllowedHosts
) -> bool:
    """Whether another site's page sent this; ``own`` are the hosts that the request is for."""
    if method in READING_METHODS:
        return False
    site = headers.get("sec-fetch-site")
    if site in OWN_SITE:
        return False
    if "origin" not in headers:
        return site is not None
    origin, own_hosts = parse_origin(headers["origin"]), tuple(own)
    if origin is None:
        return True
    if origin in own_hosts or hosts.names_host(origin):
        return False
    # A page under development on another local port may use the local page, not a remote one.
    return not (is_loopback(origin.name) and all(is_loopback(host.name) for host in own_hosts))
