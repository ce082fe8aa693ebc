"""BLAST under the module name of BioChatter's documentation."""

from retrieval.compat.biochatter.api_agent.web.blast import (
    BlastFetcher,
    BlastInterpreter,
    BlastQueryBuilder,
)
from retrieval.databases import BlastQueryParameters

__all__ = ["BlastFetcher", "BlastInterpreter", "BlastQueryBuilder", "BlastQueryParameters"]
