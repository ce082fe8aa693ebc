"""``APIAgent`` under the module name of BioChatter's documentation."""

from retrieval.compat.biochatter.api_agent.base.api_agent import APIAgent

__all__ = ["APIAgent"]
