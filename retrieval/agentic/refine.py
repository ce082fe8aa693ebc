"""Queries for a second round, worded by a model and cleaned here."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, BeforeValidator

from retrieval.agentic.config import MOST_QUERIES, prompt
from retrieval.core import Candidate, Deadline, Query, StageResult, State, Verdict
from retrieval.llm import Budget, LanguageModel, ask, plain

SHORTEST, LONGEST = 5, 300
SHORTEST_IDEOGRAPHIC = 2
"""Two characters are a word where a character is a syllable or more."""

MOST_TEXTS = 20
MAX_NOTE, MAX_NAME, MAX_DESCRIPTION = 300, 100, 400


def _texts(value: object) -> list[str]:
    """The texts of a list, or of a text by itself; what is none is dropped and costs no other."""
    listed = value if isinstance(value, list) else [value]
    return [item for item in listed if isinstance(item, str)][:MOST_TEXTS]


Texts = Annotated[list[str], BeforeValidator(_texts)]


class Queries(BaseModel):
    """What the model is asked for."""

    queries: Texts
    strategy: str | None = None


@dataclass(frozen=True)
class LanguageRefine:
    """Asks a model for searches that look for what is missing; its note is the strategy."""

    model: LanguageModel
    missing: Sequence[str]
    shown: int
    queries: int
    budget: Budget
    seconds: float
    name: str = "refine"

    def run(self, state: State) -> StageResult:
        """A verdict with one to ``queries`` searches; the original where none can be used.

        Raises StageUnavailable when the model does not answer.
        """
        by = Deadline(min(Deadline.after(self.seconds).at, state.deadline.at))
        own = Budget(within=self.budget)
        said = ask(self.model, self._asked(state), Queries, budget=own, deadline=by, repair=False)
        told = said.value or Queries(queries=[])
        verdict = Verdict(
            enough="not enough",
            reason=said.reason,
            missing=tuple(self.missing),
            queries=cleaned(told.queries, state.query.text, self.queries),
        )
        note = plain(told.strategy or "")[:MAX_NOTE] or said.reason
        return StageResult(
            name=self.name,
            state=state,
            note=note,
            verdict=verdict,
            listed=False,
            metrics=own.used.metrics(),
        )

    def _asked(self, state: State) -> str:
        wanted = "one search" if self.queries == 1 else f"two to {self.queries} searches"
        if self.queries == 2:
            wanted = "two searches"
        return prompt("refine").format(
            wanted=wanted,
            missing="\n".join(json.dumps(m, ensure_ascii=False) for m in self.missing) or '""',
            tools=listed(state.candidates[: self.shown], described=False),
            data=data_of(state.query),
            task=json.dumps(plain(state.query.text), ensure_ascii=False),
        )


def data_of(query: Query) -> str:
    """What the data are, for a prompt, in closed codes: the query's, or those of its scans.

    Stages of retrieval do not see the codes of files in a query, but what judges them has to.
    """
    read = (t for s in query.scans for t in s.tokens if t not in query.muted_tokens)
    told = query.tokens or (() if "tokens" in query.off else read)
    return " ".join(dict.fromkeys(map(plain, told))) or "not given"


def listed(candidates: Iterable[Candidate], *, described: bool) -> str:
    """Tools for a prompt, one JSON string or object a line."""
    rows = (
        {"name": _name(c), "does": plain(c.tool.description)[:MAX_DESCRIPTION]}
        if described
        else _name(c)
        for c in candidates
    )
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)


def _name(candidate: Candidate) -> str:
    return plain(candidate.tool.name)[:MAX_NAME]


def cleaned(queries: Iterable[str], original: str, limit: int = MOST_QUERIES) -> tuple[str, ...]:
    """The usable ones in order: long enough, not the original, once each, at most ``limit``.

    With none usable the original is the one query.
    """
    seen, kept = {_key(original)}, []
    for query in queries:
        text = plain(query)
        if _fits(text) and _key(text) not in seen:
            seen.add(_key(text))
            kept.append(text)
    return tuple(kept[:limit]) or (original,)


def _key(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).strip(" .?!。？！")


def _fits(text: str) -> bool:
    shortest = SHORTEST_IDEOGRAPHIC if any(map(_is_ideographic, text)) else SHORTEST
    return shortest <= len(text) <= LONGEST and any(c.isalnum() for c in text)


def _is_ideographic(char: str) -> bool:
    """Han, kana or hangul."""
    return unicodedata.name(char, "").startswith(("CJK ", "HIRAGANA", "KATAKANA", "HANGUL"))
