"""BLAST by BioChatter's names; a search may take many minutes."""

from retrieval.compat.biochatter.api_agent.web.parts import fronts
from retrieval.databases import BlastQueryParameters

__all__ = ["BlastFetcher", "BlastInterpreter", "BlastQueryBuilder", "BlastQueryParameters"]

BlastQueryBuilder, BlastFetcher, BlastInterpreter = fronts("blast", "Blast", patience=900.0)
