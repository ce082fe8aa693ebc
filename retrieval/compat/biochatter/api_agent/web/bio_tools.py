"""bio.tools by BioChatter's names."""

from retrieval.agents.api_bio_tools import BioToolsQueryParameters
from retrieval.compat.biochatter.api_agent.web.parts import (
    WebFetcher,
    WebInterpreter,
    WebQueryBuilder,
)

__all__ = [
    "BioToolsFetcher",
    "BioToolsInterpreter",
    "BioToolsQueryBuilder",
    "BioToolsQueryParameters",
]


class BioToolsQueryBuilder(WebQueryBuilder):
    """Questions to parameters."""

    database = "bio.tools"


class BioToolsFetcher(WebFetcher):
    """Parameters to an answer."""

    database = "bio.tools"


class BioToolsInterpreter(WebInterpreter):
    """An answer to words."""

    database = "bio.tools"
