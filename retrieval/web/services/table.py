"""The eight services in the order in which they are tried: keyed first, then keyless."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import ModuleType

from retrieval.web.backend import PubMed, Service
from retrieval.web.http import Http
from retrieval.web.services import (
    arxiv,
    biorxiv,
    duckduckgo,
    pubmed,
    semantic_scholar,
    serpapi,
    serper,
    tavily,
)
from retrieval.web.services.request import Ask

SCIENTIFIC = frozenset({pubmed.NAME, biorxiv.NAME, semantic_scholar.NAME, arxiv.NAME})


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

    tavily: str = tavily.HOME
    serper: str = serper.HOME
    serpapi: str = serpapi.HOME
    duckduckgo: str = duckduckgo.HOME
    pubmed: str = pubmed.HOME
    biorxiv: str = biorxiv.HOME
    semantic_scholar: str = semantic_scholar.HOME
    arxiv: str = arxiv.HOME


def services(
    http: Http, keys: Keys, bases: Bases, categories: Sequence[str] = ()
) -> tuple[Service | PubMed, ...]:
    """Those that can be asked, in their order; arXiv looks through these categories (all: none)."""
    return (*_keyed(http, keys, bases), *_keyless(http, keys, bases, categories))


def _keyed(http: Http, keys: Keys, bases: Bases) -> tuple[Service, ...]:
    rows = (
        (tavily.NAME, keys.tavily, bases.tavily, tavily.HOME, tavily.request, tavily.parse),
        (serper.NAME, keys.serper, bases.serper, serper.HOME, serper.request, serper.parse),
        (serpapi.NAME, keys.serpapi, bases.serpapi, serpapi.HOME, serpapi.request, serpapi.parse),
    )
    return tuple(
        Service(
            name=name,
            base=base,
            http=http,
            request=_placed(partial(request, base.rstrip("/"), key=key), base, home),
            parse=parse,
        )
        for name, key, base, home, request, parse in rows
        if key
    )


def _keyless(
    http: Http, keys: Keys, bases: Bases, categories: Sequence[str]
) -> tuple[Service | PubMed, ...]:
    rows: tuple[tuple[ModuleType, str, dict[str, Sequence[str]]], ...] = (
        (duckduckgo, bases.duckduckgo, {}),
        (biorxiv, bases.biorxiv, {}),
        (semantic_scholar, bases.semantic_scholar, {}),
        (arxiv, bases.arxiv, {"categories": categories}),
    )
    web, *papers = (
        Service(
            name=module.NAME,
            base=base,
            http=http,
            request=_placed(partial(module.request, base.rstrip("/"), **more), base, module.HOME),
            parse=module.parse,
            through=biorxiv.THROUGH if module is biorxiv else "",
        )
        for module, base, more in rows
    )
    return (web, _pubmed(http, keys.ncbi_email, bases.pubmed), *papers)


def _pubmed(http: Http, email: str, base: str) -> PubMed:
    home = pubmed.HOME
    root = base.rstrip("/")
    return PubMed(
        base=base,
        http=http,
        request=_placed(partial(pubmed.request, root, email=email), base, home),
        fetch=_placed(partial(pubmed.fetch, root, email=email), base, home),
    )


def _placed(request: Callable[..., Ask], base: str, home: str) -> Callable[..., Ask]:
    """The request as it is for the public service; a server of one's own needs no pause."""
    if base.rstrip("/") == home:
        return request
    return lambda *arguments: replace(request(*arguments), pause=0.0, own=True)
