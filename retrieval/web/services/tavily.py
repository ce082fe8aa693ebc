"""Tavily: general web search with a key."""

from __future__ import annotations

import json

from retrieval.core import Page
from retrieval.web.services.hits import hits
from retrieval.web.services.reading import rows
from retrieval.web.services.request import Ask, Reply

NAME = "Tavily"
HOME = "https://api.tavily.com"


def request(base: str, text: str, limit: int, *, key: str) -> Ask:
    """One question; the key goes in a header."""
    body = json.dumps({"query": text, "max_results": min(limit, 20), "search_depth": "basic"})
    return Ask(
        url=f"{base}/search",
        body=body,
        headers=(("Content-Type", "application/json"),),
        secret_headers=(("Authorization", f"Bearer {key}"),),
    )


def parse(reply: Reply) -> tuple[Page, ...]:
    """The hits in their order; rows without a web address are left out."""
    return hits(
        rows(reply.data(), "results"), NAME, link="url", text="content", date="published_date"
    )
