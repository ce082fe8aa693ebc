"""Serper: Google's results with a key."""

from __future__ import annotations

import json

from retrieval.core import Page
from retrieval.web.services.hits import hits
from retrieval.web.services.reading import rows
from retrieval.web.services.request import Ask, Reply

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
    return hits(rows(reply.data(), "organic"), NAME)
