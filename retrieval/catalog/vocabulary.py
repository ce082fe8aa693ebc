"""The words and phrases of a catalog, for expansion of queries."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from retrieval.core import Tool

MAX_TERMS = 20_000
_WORD = re.compile(r"[^\W\d_][\w-]{2,39}")


def catalog_terms(tools: Iterable[Tool], limit: int = MAX_TERMS) -> tuple[str, ...]:
    """Names, keywords, tasks and the words of descriptions, case-folded, in alphabetical order.

    Above the limit the terms that occur in most records stay, ties alphabetically (S1-09).
    """
    seen: Counter[str] = Counter()
    for tool in tools:
        phrases = {p.casefold() for p in (tool.name, *tool.keywords, *tool.tasks) if len(p) < 60}
        words = {w.casefold() for w in _WORD.findall(tool.description)}
        seen.update(phrases | words)
    terms = sorted(seen, key=lambda term: (-seen[term], term))[:limit]
    return tuple(sorted(terms))


def task_token(task: str) -> str:
    """``task:quality_control``: the relation of files to each other as a search token."""
    return f"task:{task}".replace(" ", "_")
