"""SerpAPI: Google's results with a key."""

from __future__ import annotations

from collections.abc import Mapping

from retrieval.core import Page
from retrieval.web.services.hits import hits
from retrieval.web.services.reading import rows
from retrieval.web.services.request import Ask, Reply

NAME = "SerpAPI"
HOME = "https://serpapi.com"


def request(base: str, text: str, limit: int, *, key: str) -> Ask:
    """One question; the service takes its key in the address only."""
    return Ask(
        url=f"{base}/search.json",
        params=(("engine", "google"), ("q", text), ("num", str(limit))),
        secret_params=(("api_key", key),),
    )


def parse(reply: Reply) -> tuple[Page, ...]:
    """The organic hits in their order; an answer that only says "no results" has none."""
    data = reply.data()
    if isinstance(data, Mapping) and "error" in data and "organic_results" not in data:
        return ()
    return hits(rows(data, "organic_results"), NAME)
