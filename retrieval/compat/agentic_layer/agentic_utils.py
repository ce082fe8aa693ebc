"""The configuration of agentic retrieval."""

from retrieval.agents import AgenticConfig

__all__ = ["AgenticConfig"]
