"""Reading tagged replies."""

from __future__ import annotations

from retrieval.ask import tagged


def parse_response(response: str, pattern: str) -> list[str]:
    """The lines between the tags of a pattern with one group, in order."""
    return tagged(response, pattern)
