"""One file per web and literature search backend, round one HTTP layer."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from retrieval.web.bibtex import bibtex

if TYPE_CHECKING:
    from retrieval.web.cache import PageCache
    from retrieval.web.http import PURPOSE, Http
    from retrieval.web.offer import RECORD, WebOffer
    from retrieval.web.search import OFF, Offer, WebAnswer, WebSearch
    from retrieval.web.services import SCIENTIFIC, Bases, Keys
    from retrieval.web.stage import BackendStage
    from retrieval.web.transport import PinnedTransport
    from retrieval.web.wording import Choice, choose, sendable, topic
    from retrieval.web.writing import evidence_markdown, web_json, web_table

__all__ = [
    "OFF",
    "PURPOSE",
    "RECORD",
    "SCIENTIFIC",
    "BackendStage",
    "Bases",
    "Choice",
    "Http",
    "Keys",
    "Offer",
    "PageCache",
    "PinnedTransport",
    "WebAnswer",
    "WebOffer",
    "WebSearch",
    "bibtex",
    "choose",
    "evidence_markdown",
    "sendable",
    "topic",
    "web_json",
    "web_table",
]

_PLACES = {
    "retrieval.web.cache": ("PageCache",),
    "retrieval.web.http": ("PURPOSE", "Http"),
    "retrieval.web.offer": ("RECORD", "WebOffer"),
    "retrieval.web.search": ("OFF", "Offer", "WebAnswer", "WebSearch"),
    "retrieval.web.services": ("SCIENTIFIC", "Bases", "Keys"),
    "retrieval.web.stage": ("BackendStage",),
    "retrieval.web.transport": ("PinnedTransport",),
    "retrieval.web.wording": ("Choice", "choose", "sendable", "topic"),
    "retrieval.web.writing": ("evidence_markdown", "web_json", "web_table"),
}


def __getattr__(name: str) -> object:
    """Names are looked up when they are first used: a search that asks no web needs no client."""
    for place, names in _PLACES.items():
        if name in names:
            return getattr(import_module(place), name)
    raise AttributeError(f"module 'retrieval.web' has no attribute {name!r}")
