"""``KGQueryReflexionAgent`` under the module name of BioChatter."""

from retrieval.compat.biochatter.database_agent import KGQueryReflexionAgent

__all__ = ["KGQueryReflexionAgent"]
