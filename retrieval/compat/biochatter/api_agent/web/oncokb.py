"""OncoKB by BioChatter's names."""

from retrieval.agents.api_oncokb import OncoKBQueryParameters
from retrieval.compat.biochatter.api_agent.web.parts import fronts

__all__ = ["OncoKBFetcher", "OncoKBInterpreter", "OncoKBQueryBuilder", "OncoKBQueryParameters"]

OncoKBQueryBuilder, OncoKBFetcher, OncoKBInterpreter = fronts("oncokb", "OncoKB")
