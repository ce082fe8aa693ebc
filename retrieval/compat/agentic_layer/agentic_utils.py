"""The configuration of agentic retrieval."""

from retrieval.agentic import AgenticConfig

__all__ = ["AgenticConfig"]
