"""DuckDuckGo: general web search without a key, from its plain HTML answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

from retrieval.core import Page, StageUnavailable
from retrieval.net import Request
from retrieval.web.backend import Send, Service
from retrieval.web.services.reading import address, plain

NAME = "DuckDuckGo"
CAPTCHA = ("anomaly-modal", "anomaly.js", "challenge-form", "g-recaptcha", "captcha")
ADVERT = "/y.js"


def search(send: Send, text: str, _limit: int) -> tuple[Page, ...]:
    """The hits in their order, less adverts, about thirty whatever the limit.

    Raises StageUnavailable for a captcha, which can come as an ordinary page.
    """
    html = send(Request(url="/html/", params=(("q", text),))).text()
    reader = _Hits()
    reader.feed(html)
    reader.close()
    pages = tuple(
        Page(
            title=plain("".join(hit.title)) or url,
            url=url,
            text=plain("".join(hit.snippet)),
            sources=(NAME,),
        )
        for hit in reader.hits
        if (url := target(hit.link))
    )
    if pages or "no-results" in html:
        return pages
    low = html.casefold()
    if any(mark in low for mark in CAPTCHA):
        raise StageUnavailable("asks to prove that a person is there (a captcha)")
    raise StageUnavailable("sent a page without results")


SERVICE = Service(name=NAME, home="https://html.duckduckgo.com", search=search, pause=1.0)


def target(link: str) -> str:
    """Where a hit leads: the address inside the service's own redirect, or the link itself."""
    url = f"https:{link}" if link.startswith("//") else link
    try:
        parts = urlsplit(url)
        inner = parse_qs(parts.query).get("uddg", [""])[0]
    except ValueError:
        return ""
    if parts.path.endswith(ADVERT) or urlsplit(inner or "x").path.endswith(ADVERT):
        return ""
    return address(inner or url)


@dataclass
class _Hit:
    link: str
    title: list[str] = field(default_factory=list)
    snippet: list[str] = field(default_factory=list)


class _Hits(HTMLParser):
    """Collects the text of title and snippet of every hit; markup inside them is dropped."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.hits: list[_Hit] = []
        self._into: list[str] | None = None
        self._tag = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        classes = (attributes.get("class") or "").split()
        if "result__a" in classes:
            self.hits.append(_Hit(attributes.get("href") or ""))
            self._into, self._tag = self.hits[-1].title, tag
        elif "result__snippet" in classes and self.hits:
            self._into, self._tag = self.hits[-1].snippet, tag

    def handle_endtag(self, tag: str) -> None:
        if tag == self._tag:
            self._into = None

    def handle_data(self, data: str) -> None:
        if self._into is not None:
            self._into.append(data)
