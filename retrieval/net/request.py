"""One question to a service and its answer, as plain values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import httpx

from retrieval.core import StageUnavailable

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

Pairs = tuple[tuple[str, str], ...]
UNREADABLE = "sent {} that cannot be read"
A_PAGE = "sent a web page instead of data (a captcha, a login or an error page)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request; what names a person or an account is kept apart and never printed.

    ``data``: an object to post as JSON; ``form``: fields to post. ``token``: goes in the header
    Authorization. ``pause``: seconds that must lie between two requests to this host. ``own``: the
    address was set on purpose, so it may be on this machine or its network.
    """

    url: str
    params: Pairs = ()
    data: Mapping[str, object] | None = None
    form: Pairs = ()
    token: str = field(default="", repr=False)
    secret_params: Pairs = field(default=(), repr=False)
    secret_headers: Pairs = field(default=(), repr=False)
    pause: float = 0.0
    own: bool = False

    @property
    def method(self) -> str:
        """POST where there is something to post."""
        return "POST" if self.form or self.data is not None else "GET"

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values that must not be seen again."""
        pairs = (*self.secret_params, *self.secret_headers, ("token", self.token))
        return tuple(value for _, value in pairs if value)

    @property
    def line(self) -> str:
        """The request as one line, without its secrets."""
        url = httpx.URL(self.url).copy_merge_params([*self.params, *self.form])
        return f"{self.method} {url}"


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
