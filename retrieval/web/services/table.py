"""The eight services in the order in which they are tried: keyed first, then keyless."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from retrieval.net import Http
from retrieval.web.backend import Service, WebBackend
from retrieval.web.services import arxiv, biorxiv, duckduckgo, general, pubmed, semantic_scholar

SERVICES: Mapping[str, Service] = {
    "tavily": general.TAVILY,
    "serper": general.SERPER,
    "serpapi": general.SERPAPI,
    "duckduckgo": duckduckgo.SERVICE,
    "pubmed": pubmed.SERVICE,
    "biorxiv": biorxiv.SERVICE,
    "semantic_scholar": semantic_scholar.SERVICE,
    "arxiv": arxiv.SERVICE,
}
"""By the name that settings use, in the order in which they are tried."""

SCIENTIFIC = frozenset(
    SERVICES[name].name for name in ("pubmed", "biorxiv", "semantic_scholar", "arxiv")
)


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


def services(
    http: Http, keys: Keys, bases: Mapping[str, str], categories: Sequence[str] = ()
) -> tuple[WebBackend, ...]:
    """Those that can be asked, in their order; arXiv looks through these categories (all: none).

    ``bases``: addresses other than the public ones, by the name of the service in SERVICES; such
    an address may be on this machine or its network.
    """
    options: Mapping[str, Mapping[str, object]] = {
        "tavily": {"key": keys.tavily},
        "serper": {"key": keys.serper},
        "serpapi": {"key": keys.serpapi},
        "pubmed": {"email": keys.ncbi_email},
        "arxiv": {"categories": categories},
    }
    return tuple(
        WebBackend(service=one, base=bases.get(name, one.home), http=http, options=own)
        for name, one in SERVICES.items()
        if (own := options.get(name, {})).get("key", True)
    )
