"""Whether a browser sent a request for another site's page.

Without this any site could make a visitor's browser upload files to, or start searches on, a page
that only that visitor can reach. A request without ``Origin`` and ``Sec-Fetch-Site`` comes from no
browser (gradio_client, curl) and passes.
"""

from __future__ import annotations

from collections.abc import Iterable

from starlette.datastructures import Headers

from components.server.requests.hosts import AllowedHosts, HostPort, is_loopback, parse_origin

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
