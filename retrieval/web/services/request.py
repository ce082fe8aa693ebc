"""One question to a service and its answer, as plain values."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from retrieval.core import StageUnavailable

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

Pairs = tuple[tuple[str, str], ...]
UNREADABLE = "sent {} that cannot be read"
A_PAGE = "sent a web page instead of data (a captcha, a login or an error page)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A request; what names a person or an account is kept apart and never printed.

    ``pause``: seconds that must lie between two requests to this host. ``own``: the address was
    set on purpose, so it may be on this machine or its network.
    """

    url: str
    params: Pairs = ()
    headers: Pairs = ()
    body: str | None = None
    secret_params: Pairs = field(default=(), repr=False)
    secret_headers: Pairs = field(default=(), repr=False)
    pause: float = 0.0
    own: bool = False

    @property
    def method(self) -> Literal["GET", "POST"]:
        """POST where there is a body."""
        return "GET" if self.body is None else "POST"

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values that must not be seen again."""
        return tuple(v for _, v in (*self.secret_params, *self.secret_headers) if v)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The body of an answer, inflated and bounded; ``charset`` is what its header says."""

    body: bytes
    charset: str | None = None

    def data(self) -> object:
        """The body as JSON, in UTF-8, UTF-16 or UTF-32.

        Raises StageUnavailable for anything else; a web page in its place has a reason of its own.
        """
        if self.body.lstrip()[:1] == b"<":
            raise StageUnavailable(A_PAGE)
        try:
            value: object = json.loads(self.body)
        except (ValueError, RecursionError) as exc:
            raise StageUnavailable(UNREADABLE.format("JSON")) from exc
        return value

    def tree(self) -> Element:
        """The root of the body as XML, without entities of its own and without anything fetched.

        Raises StageUnavailable for anything else.
        """
        from defusedxml import DefusedXmlException
        from defusedxml.ElementTree import ParseError, fromstring

        if b"<html" in self.body[:2000].lower():
            raise StageUnavailable(A_PAGE)
        try:
            root: Element = fromstring(self.body, forbid_entities=True, forbid_external=True)
        except (ParseError, DefusedXmlException, ValueError, LookupError) as exc:
            raise StageUnavailable(UNREADABLE.format("XML")) from exc
        return root

    def text(self) -> str:
        """The body as text: by its byte-order mark, its header, else UTF-8."""
        marks = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
        charset = next((name for mark, name in marks if self.body.startswith(mark)), self.charset)
        try:
            return self.body.decode(charset or "utf-8", "replace")
        except LookupError:
            return self.body.decode("utf-8", "replace")
