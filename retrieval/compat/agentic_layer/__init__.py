"""Agentic retrieval under the names of the agentic source."""
