"""A question whose answer would narrow the search most, found in the candidates' own facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log2

from retrieval.core.types import Candidate, Query, Tool

MIN_OPTIONS, MAX_OPTIONS = 2, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One answer: what to add to the text, and how many of the candidates it keeps."""

    label: str
    adds: str
    tools: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Clarification:
    """A question with three to five options where there are so many (schema of source 001)."""

    question: str
    context: str
    options: tuple[Option, ...]


_QUESTIONS: tuple[tuple[str, Callable[[Tool], Sequence[str]]], ...] = (
    ("What should be done?", lambda tool: tool.tasks),
    ("What kind of data is it?", lambda tool: tool.modalities),
    ("Which part of the body, or what structure?", lambda tool: tool.anatomy),
    ("How do you want to work?", lambda tool: tool.interfaces),
    ("Is it a plane, a volume or a time series?", lambda tool: tool.dimensions),
)


def clarify(query: Query, candidates: Sequence[Candidate]) -> Clarification | None:
    """The question that splits the candidates most evenly, or None when none splits them.

    Answers that the query already gives are not asked for; ties go to the earlier question.
    """
    had = query.search_text.casefold()
    best: tuple[float, str, Counter[str]] | None = None
    for question, facts in _QUESTIONS:
        counts = Counter(str(f) for c in candidates for f in facts(c.tool))
        counts = Counter({f: n for f, n in counts.items() if f.casefold() not in had})
        spread = _entropy(counts, len(candidates))
        if len(counts) >= MIN_OPTIONS and (best is None or spread > best[0]):
            best = (spread, question, counts)
    if best is None:
        return None
    _, question, counts = best
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MAX_OPTIONS]
    options = tuple(Option(label=f, adds=f, tools=n) for f, n in ordered)
    context = f"{len(candidates)} tools remain; each answer keeps those that state it."
    return Clarification(question=question, context=context, options=options)


def _entropy(counts: Counter[str], candidates: int) -> float:
    """Bits that the five most frequent answers give, weighed by how many tools state one."""
    top = [n for _, n in counts.most_common(MAX_OPTIONS)]
    total = sum(top)
    if not total or not candidates:
        return 0.0
    bits = -sum(n / total * log2(n / total) for n in top)
    return round(bits * min(1.0, total / candidates), 6)
