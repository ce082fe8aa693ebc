"""One file per web and literature search backend, round one HTTP layer."""

from retrieval.web.bibtex import bibtex
from retrieval.web.cache import PageCache
from retrieval.web.http import PURPOSE, Http
from retrieval.web.offer import RECORD, WebOffer
from retrieval.web.search import OFF, Offer, WebAnswer, WebSearch
from retrieval.web.services import SCIENTIFIC, Bases, Keys, services
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
    "services",
    "topic",
    "web_json",
    "web_table",
]
