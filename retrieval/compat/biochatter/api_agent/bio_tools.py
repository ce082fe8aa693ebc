"""bio.tools under the module name of BioChatter's documentation."""

from retrieval.compat.biochatter.api_agent.web.bio_tools import (
    BioToolsFetcher,
    BioToolsInterpreter,
    BioToolsQueryBuilder,
)
from retrieval.databases import BioToolsQueryParameters

__all__ = [
    "BioToolsFetcher",
    "BioToolsInterpreter",
    "BioToolsQueryBuilder",
    "BioToolsQueryParameters",
]
