"""Tavily, Serper and SerpAPI: general web search with a key.

They differ in the request and in the names of the fields of a hit alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from retrieval.core import Page
from retrieval.net import Request
from retrieval.web.backend import Send, Service
from retrieval.web.services.reading import address, day, rows, words


def _tavily(text: str, limit: int, key: str) -> Request:
    # Tavily gives 20 hits at most, and refuses a request for more.
    data = {"query": text, "max_results": min(limit, 20), "search_depth": "basic"}
    return Request(url="/search", data=data, token=key)


def _serper(text: str, limit: int, key: str) -> Request:
    data = {"q": text, "num": limit}
    return Request(url="/search", data=data, secret_headers=(("X-API-KEY", key),))


def _serpapi(text: str, limit: int, key: str) -> Request:
    params = (("engine", "google"), ("q", text), ("num", str(limit)))
    # The service takes its key in the address only.
    return Request(url="/search.json", params=params, secret_params=(("api_key", key),))


def _search(
    send: Send,
    text: str,
    limit: int,
    *,
    key: str,
    name: str,
    request: Callable[[str, int, str], Request],
    listed: str,
    link: str = "link",
    snippet: str = "snippet",
    date: str = "date",
) -> tuple[Page, ...]:
    """The hits with a web address in their order; one without a title has its address for one."""
    data = send(request(text, limit, key)).data()
    if isinstance(data, Mapping) and "error" in data and listed not in data:
        # SerpAPI says "no results" like this.
        return ()
    return tuple(
        Page(
            title=words(row, "title") or url,
            url=url,
            text=words(row, snippet),
            date=day(row.get(date)),
            sources=(name,),
        )
        for row in rows(data, listed)
        if (url := address(row.get(link)))
    )


def _service(name: str, home: str, request: Callable[..., Request], **fields: Any) -> Service:  # noqa: ANN401
    return Service(
        name=name, home=home, search=partial(_search, name=name, request=request, **fields)
    )


TAVILY = _service(
    "Tavily",
    "https://api.tavily.com",
    _tavily,
    listed="results",
    link="url",
    snippet="content",
    date="published_date",
)
SERPER = _service("Serper", "https://google.serper.dev", _serper, listed="organic")
SERPAPI = _service("SerpAPI", "https://serpapi.com", _serpapi, listed="organic_results")
