"""A farm of eight services on this machine, and web search over it."""

from __future__ import annotations

from retrieval.settings import Settings
from retrieval.wiring.web import open_web
from tests.web import samples
from tests.web.loopback import Loopback, by_path, says

GOOD = {
    "tavily": says(samples.TAVILY),
    "serper": says(samples.SERPER),
    "serpapi": says(samples.SERPAPI),
    "duckduckgo": says(samples.DUCKDUCKGO, "Content-Type: text/html; charset=UTF-8"),
    "pubmed": by_path(esearch_fcgi=says(samples.ESEARCH), efetch_fcgi=says(samples.EFETCH)),
    "biorxiv": says(samples.BIORXIV),
    "semantic_scholar": says(samples.SEMANTIC_SCHOLAR),
    "arxiv": says(samples.ARXIV, "Content-Type: application/atom+xml"),
}
KEYS = {
    "tavily_api_key": "tvly-KEY-one-1",
    "serper_api_key": "serper-KEY-two-2",
    "serpapi_api_key": "serpapi-KEY-three-3",
    "ncbi_email": "someone.private@example.org",
}
SHOWN = {
    "tavily": "Tavily",
    "serper": "Serper",
    "serpapi": "SerpAPI",
    "duckduckgo": "DuckDuckGo",
    "pubmed": "PubMed",
    "biorxiv": "bioRxiv",
    "semantic_scholar": "Semantic Scholar",
    "arxiv": "arXiv",
}
"""Settings name to shown name, in the order in which they are tried."""


class Farm:
    """Eight servers; each answers well until told otherwise."""

    def __init__(self, folder):
        self.folder = folder
        self.servers = {name: Loopback(answer) for name, answer in GOOD.items()}

    def set(self, **answers):
        for name, answer in answers.items():
            self.servers[name].answers = answer

    def asked(self, name):
        return self.servers[name].asked

    @property
    def count(self):
        return sum(len(server.asked) for server in self.servers.values())

    def settings(self, **more):
        urls = {f"{name}_url": server.url for name, server in self.servers.items()}
        told = {"web_search": True, "web_cache_hours": 0, "cache_dir": self.folder}
        return Settings(**{**told, **urls, **more}, _env_file=None)

    def web(self, **more):
        return open_web(self.settings(**more))

    def keyed(self, **more):
        return self.web(**KEYS, **more)

    def close(self):
        for server in self.servers.values():
            server.close()
