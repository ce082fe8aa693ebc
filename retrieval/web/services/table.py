"""The eight services in the order in which they are tried: keyed first, then keyless."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from retrieval.net import Http
from retrieval.web.backend import Service, WebBackend
from retrieval.web.services import arxiv, biorxiv, duckduckgo, general, pubmed, semantic_scholar

SCIENTIFIC = frozenset(one.SERVICE.name for one in (pubmed, biorxiv, semantic_scholar, arxiv))


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """What services know us by; an empty key means that its service is never asked."""

    tavily: str = field(default="", repr=False)
    serper: str = field(default="", repr=False)
    serpapi: str = field(default="", repr=False)
    ncbi_email: str = field(default="", repr=False)

    @property
    def all(self) -> tuple[str, ...]:
        """Those that are set."""
        values = (self.tavily, self.serper, self.serpapi, self.ncbi_email)
        return tuple(value for value in values if value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bases:
    """Where each service is. One that was changed may be on this machine or its network."""

    tavily: str = general.TAVILY.home
    serper: str = general.SERPER.home
    serpapi: str = general.SERPAPI.home
    duckduckgo: str = duckduckgo.SERVICE.home
    pubmed: str = pubmed.SERVICE.home
    biorxiv: str = biorxiv.SERVICE.home
    semantic_scholar: str = semantic_scholar.SERVICE.home
    arxiv: str = arxiv.SERVICE.home


def services(
    http: Http, keys: Keys, bases: Bases, categories: Sequence[str] = ()
) -> tuple[WebBackend, ...]:
    """Those that can be asked, in their order; arXiv looks through these categories (all: none)."""
    table: tuple[tuple[Service, str, Mapping[str, object]], ...] = (
        (general.TAVILY, bases.tavily, {"key": keys.tavily}),
        (general.SERPER, bases.serper, {"key": keys.serper}),
        (general.SERPAPI, bases.serpapi, {"key": keys.serpapi}),
        (duckduckgo.SERVICE, bases.duckduckgo, {}),
        (pubmed.SERVICE, bases.pubmed, {"email": keys.ncbi_email}),
        (biorxiv.SERVICE, bases.biorxiv, {}),
        (semantic_scholar.SERVICE, bases.semantic_scholar, {}),
        (arxiv.SERVICE, bases.arxiv, {"categories": categories}),
    )
    return tuple(
        WebBackend(service=service, base=base, http=http, options=options)
        for service, base, options in table
        if options.get("key", True)
    )
