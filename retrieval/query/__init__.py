"""Text, tags and toggles to a Query; the stages that reword it."""

from retrieval.query.broaden import FewResults
from retrieval.query.core_text import core_of, core_text
from retrieval.query.enrich import Enrich, with_tokens
from retrieval.query.expand import Expand, TermIndex
from retrieval.query.parse import MAX_TEXT, MAX_TOP_K, parse_query
from retrieval.query.read import Read

__all__ = [
    "MAX_TEXT",
    "MAX_TOP_K",
    "Enrich",
    "Expand",
    "FewResults",
    "Read",
    "TermIndex",
    "core_of",
    "core_text",
    "parse_query",
    "with_tokens",
]
