"""BLAST by BioChatter's names."""

from retrieval.agents.api_blast import BlastQueryParameters
from retrieval.compat.biochatter.api_agent.web.parts import (
    WebFetcher,
    WebInterpreter,
    WebQueryBuilder,
)

__all__ = ["BlastFetcher", "BlastInterpreter", "BlastQueryBuilder", "BlastQueryParameters"]


class BlastQueryBuilder(WebQueryBuilder):
    """Questions to parameters."""

    database = "blast"


class BlastFetcher(WebFetcher):
    """Parameters to an answer; a search may take many minutes."""

    database = "blast"
    patience = 900.0


class BlastInterpreter(WebInterpreter):
    """An answer to words."""

    database = "blast"
