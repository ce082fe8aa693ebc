"""Judges, clarification, answering agents."""

from retrieval.agents.clarify import Clarification, Option, clarify

__all__ = ["Clarification", "Option", "clarify"]
