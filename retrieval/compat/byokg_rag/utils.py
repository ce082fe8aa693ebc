"""``parse_response``: the lines between the tags of a pattern with one group."""

from retrieval.ask import tagged as parse_response

__all__ = ["parse_response"]
