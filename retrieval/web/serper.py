"""Serper: Google's results with a key."""

from __future__ import annotations

import json

from retrieval.core.pages import Page
from retrieval.web.ask import Ask, Reply
from retrieval.web.reading import address, day, rows, words

NAME = "Serper"
HOME = "https://google.serper.dev"


def request(base: str, text: str, limit: int, *, key: str) -> Ask:
    """One question; the key goes in a header."""
    return Ask(
        url=f"{base}/search",
        body=json.dumps({"q": text, "num": limit}),
        headers=(("Content-Type", "application/json"),),
        secret_headers=(("X-API-KEY", key),),
    )


def parse(reply: Reply) -> tuple[Page, ...]:
    """The organic hits in their order; rows without a web address are left out."""
    return tuple(
        Page(
            title=words(row, "title") or url,
            url=url,
            text=words(row, "snippet"),
            date=day(row.get("date")),
            sources=(NAME,),
        )
        for row in rows(reply.data(), "organic")
        if (url := address(row.get("link")))
    )
