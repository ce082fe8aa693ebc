"""The secrets that bind a session to one browser: a cookie, and a header of the open page.

The cookie works inside a frame of another site (a Hugging Face Space) over https. The header is
for browsers that refuse cookies in such a frame: a script makes its value when the page opens and
sends it with every request; it lives in that page's memory only.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from ipaddress import ip_address
from secrets import token_urlsafe
from typing import Any

from components.server.address import Network

COOKIE = "scanscout_visitor"
HEADER = b"x-scanscout-page"
SHORTEST, LONGEST = 22, 200
"""Characters of a secret: 22 of base64 hold 128 random bits."""


def secrets_of(scope: Any) -> frozenset[str]:  # noqa: ANN401 - an ASGI scope
    """Digests of the secrets that a request presents; a short one counts as none."""
    values = [cookie_of(scope), *(v.decode("latin-1") for v in headers_of(scope, HEADER))]
    return frozenset(
        sha256(value.encode()).hexdigest() for value in values if SHORTEST <= len(value) <= LONGEST
    )


def cookie_of(scope: Any) -> str:  # noqa: ANN401 - an ASGI scope
    """The cookie's value, or an empty text."""
    for header in headers_of(scope, b"cookie"):
        for part in header.decode("latin-1").split(";"):
            name, _, value = part.strip().partition("=")
            if name == COOKIE and SHORTEST <= len(value) <= LONGEST:
                return value
    return ""


def headers_of(scope: Any, name: bytes) -> list[bytes]:  # noqa: ANN401 - an ASGI scope
    """Every value of a header."""
    return [bytes(value) for key, value in scope.get("headers", ()) if key.lower() == name]


def new_cookie(*, secure: bool) -> bytes:
    """A Set-Cookie value with a fresh secret, which ends with the browser's own session.

    Over https it works in a frame of another site, in a store of its own for each such site
    (CHIPS); without https browsers take only ``SameSite=Lax``.
    """
    rules = "SameSite=None; Secure; Partitioned" if secure else "SameSite=Lax"
    return f"{COOKIE}={token_urlsafe(32)}; Path=/; HttpOnly; {rules}".encode("ascii")


def is_https(scope: Any, trusted: Sequence[Network]) -> bool:  # noqa: ANN401 - an ASGI scope
    """Whether the browser's connection is encrypted, as the server or a trusted proxy says."""
    if scope.get("scheme") == "https":
        return True
    try:
        peer = ip_address(str((scope.get("client") or ("",))[0]))
    except ValueError:
        return False
    if not any(peer.version == one.version and peer in one for one in trusted):
        return False
    scheme = b",".join(headers_of(scope, b"x-forwarded-proto")).rpartition(b",")[2]
    return scheme.strip().lower() == b"https"
