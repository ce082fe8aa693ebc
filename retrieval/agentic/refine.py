"""Queries for a second round: written by a model, validated here."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, BeforeValidator

from retrieval.agentic.config import MOST_QUERIES
from retrieval.core import Candidate, Deadline, Query, StageResult, State, Verdict
from retrieval.llm import Budget, LanguageModel, ask, plain, prompt_file

SHORTEST, LONGEST = 5, 300
SHORTEST_IDEOGRAPHIC = 2
"""Lower limit for Han, kana and hangul, where two characters can be a word."""

_IDEOGRAPHIC = ("CJK ", "HIRAGANA", "KATAKANA", "HANGUL")
"""How the Unicode names of these characters begin."""

MOST_TEXTS = 20
MAX_NOTE, MAX_NAME, MAX_DESCRIPTION = 300, 100, 400


def _texts(value: object) -> list[str]:
    """The strings of a list, or a single string as a list; other values are dropped."""
    listed = value if isinstance(value, list) else [value]
    return [item for item in listed if isinstance(item, str)][:MOST_TEXTS]


Texts = Annotated[list[str], BeforeValidator(_texts)]


class Queries(BaseModel):
    """The reply of the model."""

    queries: Texts
    strategy: str | None = None


@dataclass(frozen=True)
class LanguageRefine:
    """Asks a model for searches for the missing information; its note is the strategy."""

    model: LanguageModel
    missing: Sequence[str]
    shown: int
    queries: int
    budget: Budget
    seconds: float
    name: str = "refine"

    def run(self, state: State) -> StageResult:
        """A verdict with one to ``queries`` searches; the original query where none is usable.

        Raises StageUnavailable when the model does not answer.
        """
        by = Deadline(min(Deadline.after(self.seconds).at, state.deadline.at))
        own = Budget(within=self.budget)
        reply = ask(
            self.model, self._request(state), Queries, budget=own, deadline=by, repair=False
        )
        value = reply.value or Queries(queries=[])
        verdict = Verdict(
            enough="not enough",
            reason=reply.reason,
            missing=tuple(self.missing),
            queries=cleaned(value.queries, state.query.text, self.queries),
        )
        note = plain(value.strategy or "")[:MAX_NOTE] or reply.reason
        return StageResult(
            name=self.name,
            state=state,
            note=note,
            verdict=verdict,
            listed=False,
            metrics=own.used.metrics(),
        )

    def _request(self, state: State) -> str:
        wanted = "one search" if self.queries == 1 else f"two to {self.queries} searches"
        if self.queries == 2:
            wanted = "two searches"
        return prompt_file("refine", "agentic").format(
            wanted=wanted,
            missing="\n".join(json.dumps(m, ensure_ascii=False) for m in self.missing) or '""',
            tools=listed(state.candidates[: self.shown], described=False),
            data=data_of(state.query),
            task=json.dumps(plain(state.query.text), ensure_ascii=False),
        )


def data_of(query: Query) -> str:
    """The kind of data for a prompt, in closed codes: those of the query, or of its scans.

    Retrieval stages ignore the codes of files in a query, but a judge needs them.
    """
    read = (t for s in query.scans for t in s.tokens if t not in query.muted_tokens)
    codes = query.tokens or (() if "tokens" in query.off else read)
    return " ".join(dict.fromkeys(map(plain, codes))) or "not given"


def listed(candidates: Iterable[Candidate], *, described: bool) -> str:
    """Tools for a prompt, one JSON value per line: a name, or an object when ``described``."""
    rows = []
    for tool in (c.tool for c in candidates):
        name, does = plain(tool.name)[:MAX_NAME], plain(tool.description)[:MAX_DESCRIPTION]
        row = {"name": name, "does": does} if described else name
        rows.append(json.dumps(row, ensure_ascii=False))
    return "\n".join(rows)


def cleaned(queries: Iterable[str], original: str, limit: int = MOST_QUERIES) -> tuple[str, ...]:
    """The usable queries in order, at most ``limit``; the original alone when there are none.

    A query is usable when its length is within the limits, and when it differs from the original
    and from earlier queries after case folding, NFKC and removal of final punctuation.
    """
    seen, usable = {_key(original)}, []
    for query in queries:
        text = plain(query)
        is_ideographic = any(unicodedata.name(c, "").startswith(_IDEOGRAPHIC) for c in text)
        shortest = SHORTEST_IDEOGRAPHIC if is_ideographic else SHORTEST
        fits = shortest <= len(text) <= LONGEST and any(c.isalnum() for c in text)
        if fits and _key(text) not in seen:
            seen.add(_key(text))
            usable.append(text)
    return tuple(usable[:limit]) or (original,)


def _key(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).strip(" .?!。？！")
