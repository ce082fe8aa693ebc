"""bio.tools by BioChatter's names."""

from retrieval.agents.api_bio_tools import BioToolsQueryParameters
from retrieval.compat.biochatter.api_agent.web.parts import fronts

__all__ = [
    "BioToolsFetcher",
    "BioToolsInterpreter",
    "BioToolsQueryBuilder",
    "BioToolsQueryParameters",
]

BioToolsQueryBuilder, BioToolsFetcher, BioToolsInterpreter = fronts("bio.tools", "BioTools")
