"""A clarifying question: the one whose answer narrows the candidates most, by their own facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log2
from typing import Literal

from retrieval.catalog import Meaning, modality_of
from retrieval.core import Candidate, Query, Tool, format_token
from retrieval.dialogue.rules import is_generic, own_words
from retrieval.query import with_wishes_in_text

MIN_SPLIT, MIN_OPTIONS, MAX_OPTIONS = 2, 3, 5
"""Fewest answers of one kind that still split a list, and the limits of a question (source 001)."""
ANYTHING = "What matters most?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One answer: the words it adds, the query that results, and its expected effect.

    ``tools`` is the number of tools in the pool that state it; ``first`` is the id of the best
    candidate among them.
    """

    label: str
    adds: str
    tools: int
    query: str = ""
    effect: str = ""
    first: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Clarification:
    """A question with two to five options (schema of source 001).

    ``wording`` says who wrote the question and the labels; ``note`` is the reason why a configured
    language model did not; ``metrics`` are the tokens and times of its calls.
    """

    question: str
    context: str
    options: tuple[Option, ...]
    wording: Literal["rules", "language model"] = "rules"
    note: str = ""
    metrics: Mapping[str, float] = field(default_factory=dict)


Facts = Callable[[Tool], Sequence[str]]

_QUESTIONS: tuple[tuple[str, str, Facts], ...] = (
    ("operation", "What should be done?", lambda tool: tool.tasks),
    ("modality", "What kind of data is it?", lambda tool: tool.modalities),
    ("anatomy", "Which part of the body, or what structure?", lambda tool: tool.anatomy),
    ("", "How do you want to work?", lambda tool: tool.interfaces),
    ("", "Is it a plane, a volume or a time series?", lambda tool: tool.dimensions),
    ("", "Which field of research is it?", lambda tool: (tool.domain,) if tool.domain else ()),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """A possible answer: kind, fact, number of tools that state it, and where tools state it."""

    kind: str
    fact: str
    tools: int
    facts: Facts


@dataclass(frozen=True)
class _QuestionPicker:
    """One question about a pool of tools; ``listed`` are those of them in the list, in order."""

    query: Query
    pool: Sequence[Tool]
    listed: Sequence[Tool]
    meaning: Meaning | None

    def ask(self) -> Clarification | None:
        """The question with the highest weighted entropy; a mixed one when no kind has enough."""
        questions: list[tuple[float, str, list[_Row]]] = []
        for kind, question, facts in _QUESTIONS:
            stated = Counter(str(f) for tool in self.pool for f in dict.fromkeys(facts(tool)))
            counts = Counter({f: n for f, n in stated.items() if self._adds(kind, f)})
            frequent = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MAX_OPTIONS]
            rows = [_Row(kind=kind, fact=f, tools=n, facts=facts) for f, n in frequent]
            # The task and its material matter more than how to work, as long as none is named.
            unnamed = self.meaning and kind and not self._concepts_of(kind)
            if rows:
                spread = _entropy(counts, len(self.pool)) * (2.0 if unnamed else 1.0)
                questions.append((spread, question, rows))
        for enough in (MIN_OPTIONS, MIN_SPLIT):
            able = [one for one in questions if len(one[2]) >= enough]
            if able:
                _, question, rows = max(able, key=lambda one: one[0])
                return self._clarification(question, rows)
            # Answers to different questions, ordered by how evenly each splits the pool.
            size = len(self.pool)
            parting = [row for _, _, rows in questions for row in rows if row.tools < size]
            if len(parting) >= MIN_OPTIONS:
                parting.sort(key=lambda row: (abs(2 * row.tools - size), row.fact))
                return self._clarification(ANYTHING, parting)
        return None

    def _adds(self, kind: str, fact: str) -> bool:
        """Whether a fact is new to the query: not named in it, or narrower than what it names."""
        searched = self.query.search_text.casefold()
        label = self._label(kind, fact)
        if (
            fact.casefold() in searched
            or label.casefold() in searched
            or is_generic(f"{kind}:{fact}")
        ):
            return False
        concepts = self._concepts_of(kind)
        if self.meaning is None or not concepts:
            return True
        wider = self.meaning.wider([f"{kind}:{fact}"])
        return f"{kind}:{fact}" not in concepts and not wider.isdisjoint(concepts)

    def _concepts_of(self, kind: str) -> frozenset[str]:
        if self.meaning is None or not kind:
            return frozenset()
        concepts = {c for c in self.meaning.of_query(self.query) if c.startswith(f"{kind}:")}
        scans = (f"modality:{s.modality}" for s in self.query.scans if s.modality)
        return frozenset(concepts).union(scans if kind == "modality" else ())

    def _label(self, kind: str, fact: str) -> str:
        return self.meaning.label(f"{kind}:{fact}") if self.meaning and kind else fact

    def _clarification(self, question: str, rows: Sequence[_Row]) -> Clarification:
        options = [self._option(row) for row in rows[:MAX_OPTIONS]]
        if len(options) < MIN_OPTIONS:
            options.append(self._no_preference())
        context = (
            f"{len(self.pool)} tools to choose from; beside each answer, how many of them state "
            "it. An answer adds its words and searches again."
        )
        return Clarification(question=question, context=context, options=tuple(options))

    def _no_preference(self) -> Option:
        """No preference: the query as it is."""
        count, first = len(self.pool), next(iter(self.listed), None)
        return Option(
            label="no preference",
            adds="",
            tools=count,
            query=with_wishes_in_text(self.query).text,
            effect="the list stays as it is",
            first=first.id if first else None,
        )

    def _option(self, row: _Row) -> Option:
        label = self._label(row.kind, row.fact)
        stating = (t for t in self.listed if row.fact in map(str, row.facts(t)))
        first = next(stating, None)
        verb = "states" if row.tools == 1 else "state"
        effect = f"{row.tools} of {len(self.pool)} tools {verb} it"
        # A kind of image goes as a token too, so that tools are held against it.
        code = modality_of(row.fact) if row.kind == "modality" else None
        words = f"{label} {format_token(code)}" if code else label
        typed = with_wishes_in_text(self.query).text
        return Option(
            label=label,
            adds=label,
            tools=row.tools,
            # Words that are said of every search are replaced, not carried on.
            query=f"{typed} {words}" if own_words(typed) else words,
            effect=effect,
            first=first.id if first else None,
        )


def clarify(
    query: Query,
    candidates: Sequence[Candidate],
    meaning: Meaning | None = None,
    pool: Sequence[Tool] = (),
) -> Clarification | None:
    """The question that splits the ``pool`` of tools best, by default that of the candidates.

    Answers that the query or its scans already give are left out; ties go to the earlier question
    of the table. With fewer than three answers to every question, answers to several are offered;
    None when there are too few of these as well.
    """
    among = {t.id: t for t in pool or (c.tool for c in candidates)}
    candidate_tools = [c.tool for c in candidates if c.tool.id in among]
    return _QuestionPicker(query, tuple(among.values()), candidate_tools, meaning).ask()


def _entropy(counts: Counter[str], tools: int) -> float:
    """Shannon entropy in bits of the five most frequent answers, times the share that states one.

    A tool may state several answers, so the share is cut at 1. Rounded, so that ties are stable.
    """
    top = [n for _, n in counts.most_common(MAX_OPTIONS)]
    total = sum(top)
    if not total or not tools:
        return 0.0
    bits = -sum(n / total * log2(n / total) for n in top)
    return round(bits * min(1.0, total / tools), 6)
