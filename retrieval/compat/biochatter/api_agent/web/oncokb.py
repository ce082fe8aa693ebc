"""OncoKB by BioChatter's names."""

from retrieval.compat.biochatter.api_agent.web.parts import fronts
from retrieval.databases import OncoKBQueryParameters

__all__ = ["OncoKBFetcher", "OncoKBInterpreter", "OncoKBQueryBuilder", "OncoKBQueryParameters"]

OncoKBQueryBuilder, OncoKBFetcher, OncoKBInterpreter = fronts("oncokb", "OncoKB")
