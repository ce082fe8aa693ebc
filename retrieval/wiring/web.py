"""Web search from settings."""

from __future__ import annotations

import httpx

from retrieval.net import Http, OutsideCalls
from retrieval.query import MAX_TEXT, parse_query
from retrieval.settings import Settings, read_settings
from retrieval.web import (
    PURPOSE,
    SCIENTIFIC,
    SERVICES,
    BackendStage,
    Keys,
    PageCache,
    WebSearch,
    services,
    web_http,
)


def open_web(
    settings: Settings | None = None, transport: httpx.BaseTransport | None = None
) -> WebSearch:
    """Web search over the configured services; it connects to nothing until it is run.

    A transport stands in for the network. Raises BadInput when a setting is wrong.
    """
    chosen = settings or read_settings()
    guard = OutsideCalls(frozenset([PURPOSE] if chosen.web_search else []))
    http = http_of(chosen, guard, transport)
    cache = page_cache(chosen)
    stages = tuple(
        BackendStage(
            backend=one, cache=cache, seconds=chosen.web_service_seconds, limit=chosen.web_results
        )
        for one in services(http, keys(chosen), bases(chosen))
    )
    return WebSearch(
        services=stages,
        scientific=SCIENTIFIC,
        guard=guard,
        clean=clean,
        seconds=chosen.web_seconds,
        limit=2 * chosen.web_results,
    )


def http_of(
    settings: Settings, guard: OutsideCalls, transport: httpx.BaseTransport | None = None
) -> Http:
    """The way out for the services of these settings."""
    return web_http(guard, transport, keys(settings).all)


def clean(text: str) -> str:
    """The words of a query: without control tags, format tokens or anything of a scan."""
    return parse_query(text[:MAX_TEXT]).text


def page_cache(settings: Settings) -> PageCache:
    """The cache in the user's cache folder, or one that keeps nothing."""
    hours = settings.web_cache_hours
    file = settings.cache_dir / "web.sqlite" if hours else None
    return PageCache(file, age_s=hours * 3600)


def keys(settings: Settings) -> Keys:
    """The keys that are set."""
    return Keys(
        tavily=settings.tavily_api_key.get_secret_value(),
        serper=settings.serper_api_key.get_secret_value(),
        serpapi=settings.serpapi_api_key.get_secret_value(),
        ncbi_email=settings.ncbi_email.get_secret_value(),
    )


def bases(settings: Settings) -> dict[str, str]:
    """The addresses that are set, by service; the others are asked at their public ones."""
    addresses = {name: getattr(settings, f"{name}_url") for name in SERVICES}
    return {name: url for name, url in addresses.items() if url}
