"""bio.tools by BioChatter's names."""

from retrieval.compat.biochatter.api_agent.web.parts import fronts
from retrieval.databases import BioToolsQueryParameters

__all__ = [
    "BioToolsFetcher",
    "BioToolsInterpreter",
    "BioToolsQueryBuilder",
    "BioToolsQueryParameters",
]

BioToolsQueryBuilder, BioToolsFetcher, BioToolsInterpreter = fronts("bio.tools", "BioTools")
