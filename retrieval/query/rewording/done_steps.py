"""Steps that a text says are done, before it asks for the next one.

"Converted to NIfTI, need tensor fitting" looks for no converter. A participle names such a step
where nothing is asked for yet: in "should be deskewed, deconvolved and stitched" all is to be done.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.catalog import Mention
from retrieval.query.clauses.told_clauses import TASK, words_of_stories
from retrieval.query.clauses.windows import Span

_PARTICIPLE = re.compile(r"(?:ed|iert|ées?|és?|ad[oa]s?)$", re.IGNORECASE)

_MEANS = re.compile(
    r"\s+(?:to|into|with|by|using|via|in|as|nach|mit|in|als|en|avec|con|a|com|para)\s[^,;.]*",
    re.IGNORECASE,
)
"""What a step was done with, and what it led to, up to the end of its clause."""

_ENDS = re.compile(r"\s*(?:$|[,;:.!?)]|(?:and|und|et|y|e)\b)", re.IGNORECASE)
"""What may follow a step that is done as well; before a thing a participle says what it is."""

MEANS_KINDS = frozenset({"format", "method", "domain"})
"""Kinds of concepts that say how a step was done, and nothing of the images."""


def done_steps(text: str, mentions: Sequence[Mention]) -> tuple[Span, ...]:
    """The words for steps that are done; none where no later clause asks or names a task."""
    words, steps, start = words_of_stories(), list[Span](), 0
    for end in (*(m.end() for m in words.cut.finditer(text)), len(text)):
        tasks = [m for m in mentions if start <= m.start < end and m.concept.startswith(TASK)]
        is_next = any(not _PARTICIPLE.search(text[m.start : m.end]) for m in tasks)
        if is_next or words.asks.search(text[start:end]):
            return tuple(steps)
        done = (m for m in tasks if _MEANS.match(text, m.end) or _ENDS.match(text, m.end))
        steps += (_with_means(text, m, mentions) for m in done)
        start = end
    return ()


def _with_means(text: str, step: Mention, mentions: Sequence[Mention]) -> Span:
    """The words of a step, and how it was done where that says nothing of the images."""
    means = _MEANS.match(text, step.end)
    if means is None:
        return step.start, step.end
    named = (m.concept for m in mentions if means.start() <= m.start < means.end())
    is_alone = all(concept.partition(":")[0] in MEANS_KINDS for concept in named)
    return step.start, means.end() if is_alone else step.end
