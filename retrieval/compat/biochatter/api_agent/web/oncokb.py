"""OncoKB by BioChatter's names."""

from retrieval.agents.api_oncokb import OncoKBQueryParameters
from retrieval.compat.biochatter.api_agent.web.parts import (
    WebFetcher,
    WebInterpreter,
    WebQueryBuilder,
)

__all__ = ["OncoKBFetcher", "OncoKBInterpreter", "OncoKBQueryBuilder", "OncoKBQueryParameters"]


class OncoKBQueryBuilder(WebQueryBuilder):
    """Questions to parameters."""

    database = "oncokb"


class OncoKBFetcher(WebFetcher):
    """Parameters to an answer."""

    database = "oncokb"


class OncoKBInterpreter(WebInterpreter):
    """An answer to words."""

    database = "oncokb"
