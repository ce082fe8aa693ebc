"""A language model as the judge: whether the candidates are sufficient, and what to search next.

The queries that it writes for a second round are validated here.
"""

from __future__ import annotations

import json
import logging
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

from msgspec import structs
from pydantic import BaseModel, BeforeValidator

from retrieval.agentic.config import MOST_QUERIES, JudgePrompts
from retrieval.core import (
    Candidate,
    Deadline,
    Query,
    StageResult,
    StageUnavailable,
    State,
    Verdict,
    finish,
    progress,
)
from retrieval.llm import Budget, LanguageModel, Limits, ask, plain

logger = logging.getLogger("retriever.agentic")

CALLS = 2
"""One call judges, one writes the next queries; a repair of the first uses up the second."""

MOST_MISSING, MISSING_LENGTH = 8, 120
SHORTEST, LONGEST = 5, 300
SHORTEST_IDEOGRAPHIC = 2
"""Lower limit for Han, kana and hangul, where two characters can be a word."""

_IDEOGRAPHIC = ("CJK ", "HIRAGANA", "KATAKANA", "HANGUL")
"""How the Unicode names of these characters begin."""

MOST_TEXTS = 20
MAX_NOTE, MAX_NAME, MAX_DESCRIPTION = 300, 100, 400


def _texts(value: object) -> list[str]:
    """The strings of a list, or a single string as a list; other values are dropped."""
    values = value if isinstance(value, list) else [value]
    return [item for item in values if isinstance(item, str)][:MOST_TEXTS]


Texts = Annotated[list[str], BeforeValidator(_texts)]


class Queries(BaseModel):
    """The reply of the model."""

    queries: Texts
    strategy: str | None = None


class Judgement(BaseModel):
    """The reply of the model; the string "false" counts as false."""

    is_sufficient: bool
    reasoning: str | None = None
    missing_info: Texts = []


@dataclass(frozen=True)
class LanguageJudge:
    """Asks whether the first ``shown`` candidates are sufficient; a child stage writes queries.

    At most two calls. A reply that cannot be parsed gives *unknown*, a fallback with the reason.
    Skipped without candidates, and when the model answers neither question.
    """

    model: LanguageModel
    shown: int = 5
    queries: int = 3
    seconds: float = 8.0
    name: str = "judge"
    prompts: JudgePrompts = field(default_factory=JudgePrompts)

    def run(self, state: State) -> StageResult:
        """A verdict with its reason; its queries come from the child ``refine``."""
        if not state.candidates:
            raise StageUnavailable("there is no candidate to judge")
        # The judge and its child share the calls; ``own`` counts those of the judge alone.
        budget = Budget(Limits(calls=CALLS), within=state.budget)
        own = Budget(within=budget)
        by = Deadline(min(Deadline.after(self.seconds).at, state.deadline.at))
        request = self.prompts.judge.format(
            tools=listed(state.candidates[: self.shown], described=True),
            data=data_of(state.query),
            task=json.dumps(plain(state.query.text), ensure_ascii=False),
        )
        reply = ask(self.model, request, Judgement, budget=own, deadline=by)
        verdict = _verdict(reply.value, reply.reason)
        result = StageResult(
            name=self.name,
            state=state,
            status="fallback" if reply.value is None else "ok",
            note=verdict.reason,
            verdict=verdict,
            listed=False,
            metrics={"shown": len(state.candidates[: self.shown]), **own.used.metrics()},
        )
        final_result = self._refined(result, budget) if verdict.enough == "not enough" else result
        log_judgment(final_result, state.round)
        return final_result

    def _refined(self, result: StageResult, budget: Budget) -> StageResult:
        verdict = result.verdict or Verdict(enough="unknown")
        stage = LanguageRefine(self, verdict.missing, budget)
        child = structs.replace(finish(progress(stage, result.state)), listed=False)
        merged = structs.replace(result, children=(child,))
        if not child.ran or child.verdict is None:
            return structs.replace(merged, status="skipped", note=child.note)
        refined = replace(verdict, queries=child.verdict.queries)
        return structs.replace(merged, verdict=refined)


def log_judgment(judged: StageResult, number: int) -> None:
    """Write what a judge found to the log; words of a visitor or of a model at DEBUG alone."""
    verdict = judged.verdict or Verdict(enough="unknown")
    tool_count = int(judged.metrics.get("shown", 0))
    counts = (len(verdict.missing), len(verdict.queries))
    logger.info(
        "Round %d: %s, tools judged=%d, missing=%d, next queries=%d",
        *(number, verdict.enough, tool_count, *counts),
    )
    logger.debug(
        "reasoning=%r missing=%r queries=%r", verdict.reason, verdict.missing, verdict.queries
    )


def _verdict(judgement: Judgement | None, problem: str) -> Verdict:
    if judgement is None:
        return Verdict(enough="unknown", reason=problem or "the judgement could not be read")
    missing = (plain(m)[:MISSING_LENGTH] for m in judgement.missing_info)
    return Verdict(
        enough="enough" if judgement.is_sufficient else "not enough",
        reason=plain(judgement.reasoning or "")[:MAX_NOTE],
        missing=tuple(dict.fromkeys(m for m in missing if m))[:MOST_MISSING],
    )


@dataclass(frozen=True)
class LanguageRefine:
    """Asks a model for searches for the missing information; its note is the strategy."""

    judge: LanguageJudge
    missing: Sequence[str]
    budget: Budget
    name: str = "refine"

    def run(self, state: State) -> StageResult:
        """A verdict with one to ``queries`` searches; the original query where none is usable.

        An unusable reply is a fallback with the reason. Raises StageUnavailable when the model
        does not answer.
        """
        by = Deadline(min(Deadline.after(self.judge.seconds).at, state.deadline.at))
        own = Budget(within=self.budget)
        reply = ask(
            self.judge.model, self._request(state), Queries, budget=own, deadline=by, repair=False
        )
        value = reply.value or Queries(queries=[])
        verdict = Verdict(
            enough="not enough",
            reason=reply.reason,
            missing=tuple(self.missing),
            queries=cleaned(value.queries, state.query.text, self.judge.queries),
        )
        note = plain(value.strategy or "")[:MAX_NOTE] or reply.reason
        return StageResult(
            name=self.name,
            state=state,
            status="fallback" if reply.value is None else "ok",
            note=note,
            verdict=verdict,
            listed=False,
            metrics=own.used.metrics(),
        )

    def _request(self, state: State) -> str:
        most = self.judge.queries
        search_count = {1: "one search", 2: "two searches"}.get(most, f"two to {most} searches")
        return self.judge.prompts.refine.format(
            wanted=search_count,
            missing="\n".join(json.dumps(m, ensure_ascii=False) for m in self.missing) or '""',
            tools=listed(state.candidates[: self.judge.shown], described=False),
            data=data_of(state.query),
            task=json.dumps(plain(state.query.text), ensure_ascii=False),
        )


def data_of(query: Query) -> str:
    """The kind of data for a prompt, in closed codes: those of the query, or of its scans.

    Retrieval stages ignore the codes of files in a query, but a judge needs them.
    """
    scan_tokens = (t for s in query.scans for t in s.tokens if t not in query.muted_tokens)
    codes = query.tokens or (() if "tokens" in query.off else scan_tokens)
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
    keys, usable = {_key(original)}, []
    for query in queries:
        text = plain(query)
        is_ideographic = any(unicodedata.name(c, "").startswith(_IDEOGRAPHIC) for c in text)
        shortest = SHORTEST_IDEOGRAPHIC if is_ideographic else SHORTEST
        fits = shortest <= len(text) <= LONGEST and any(c.isalnum() for c in text)
        if fits and _key(text) not in keys:
            keys.add(_key(text))
            usable.append(text)
    return tuple(usable[:limit]) or (original,)


def _key(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).strip(" .?!。？！")
