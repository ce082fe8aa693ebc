"""The abstract parts under the module name of BioChatter's documentation."""

from retrieval.compat.biochatter.api_agent.base.agent_abc import (
    BaseFetcher,
    BaseInterpreter,
    BaseQueryBuilder,
)

__all__ = ["BaseFetcher", "BaseInterpreter", "BaseQueryBuilder"]
