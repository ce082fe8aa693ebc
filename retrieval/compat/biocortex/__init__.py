"""BioCortex's own names for literature search."""

from retrieval.compat.biocortex.web_search import Papers, search_arxiv

__all__ = ["Papers", "search_arxiv"]
