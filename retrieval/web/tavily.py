"""Tavily: general web search with a key."""

from __future__ import annotations

import json

from retrieval.core.pages import Page
from retrieval.web.ask import Ask, Reply
from retrieval.web.reading import address, day, rows, words

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
    return tuple(
        Page(
            title=words(row, "title") or url,
            url=url,
            text=words(row, "content"),
            date=day(row.get("published_date")),
            sources=(NAME,),
        )
        for row in rows(reply.data(), "results")
        if (url := address(row.get("url")))
    )
