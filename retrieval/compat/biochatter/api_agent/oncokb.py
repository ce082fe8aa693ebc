"""OncoKB under the module name of BioChatter's documentation."""

from retrieval.compat.biochatter.api_agent.web.oncokb import (
    OncoKBFetcher,
    OncoKBInterpreter,
    OncoKBQueryBuilder,
)
from retrieval.databases import OncoKBQueryParameters

__all__ = ["OncoKBFetcher", "OncoKBInterpreter", "OncoKBQueryBuilder", "OncoKBQueryParameters"]
