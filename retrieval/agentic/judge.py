"""A language model as the judge: is what was found enough, and if not, what to look for."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from pydantic import BaseModel

from retrieval.agentic.config import prompt
from retrieval.agentic.refine import MAX_NOTE, LanguageRefine, Texts, data_of, listed
from retrieval.core import Deadline, StageResult, StageUnavailable, State, Verdict, finish, progress
from retrieval.llm import Budget, LanguageModel, Limits, ask, plain

CALLS = 2
"""One to judge, one to word the next queries; a repair turn takes the second one's place."""

MOST_MISSING, MISSING_LENGTH = 8, 120


class Judgement(BaseModel):
    """What the model is asked for; the word "false" is false."""

    is_sufficient: bool
    reasoning: str | None = None
    missing_info: Texts = []


@dataclass(frozen=True)
class LanguageJudge:
    """Asks whether the first ``shown`` candidates are enough; then, in a child, what to ask next.

    At most two calls in all. An answer that cannot be read is *unknown*. Skipped without
    candidates, and when the model does not answer either question.
    """

    model: LanguageModel
    shown: int = 5
    queries: int = 3
    seconds: float = 8.0
    name: str = "judge"

    def run(self, state: State) -> StageResult:
        """A verdict with its reason; its queries come from the child ``refine``."""
        if not state.candidates:
            raise StageUnavailable("there is no candidate to judge")
        budget = Budget(Limits(calls=CALLS), within=state.budget)
        own = Budget(within=budget)
        by = Deadline(min(Deadline.after(self.seconds).at, state.deadline.at))
        said = ask(self.model, self._asked(state), Judgement, budget=own, deadline=by)
        verdict = _verdict(said.value, said.reason)
        result = StageResult(
            name=self.name,
            state=state,
            note=verdict.reason,
            verdict=verdict,
            listed=False,
            metrics={"shown": len(state.candidates[: self.shown]), **own.used.metrics()},
        )
        return self._refined(result, budget) if verdict.enough == "not enough" else result

    def _asked(self, state: State) -> str:
        return prompt("judge").format(
            tools=listed(state.candidates[: self.shown], described=True),
            data=data_of(state.query),
            task=json.dumps(plain(state.query.text), ensure_ascii=False),
        )

    def _refined(self, result: StageResult, budget: Budget) -> StageResult:
        verdict = result.verdict or Verdict(enough="unknown")
        stage = LanguageRefine(
            model=self.model,
            missing=verdict.missing,
            shown=self.shown,
            queries=self.queries,
            budget=budget,
            seconds=self.seconds,
        )
        child = replace(finish(progress(stage, result.state)), listed=False)
        whole = replace(result, children=(child,))
        if not child.ran or child.verdict is None:
            return replace(whole, status="skipped", note=child.note)
        told = replace(verdict, queries=child.verdict.queries)
        return replace(whole, verdict=told)


def _verdict(told: Judgement | None, problem: str) -> Verdict:
    if told is None:
        return Verdict(enough="unknown", reason=problem or "the judgement could not be read")
    said = (plain(m)[:MISSING_LENGTH] for m in told.missing_info)
    return Verdict(
        enough="enough" if told.is_sufficient else "not enough",
        reason=plain(told.reasoning or "")[:MAX_NOTE],
        missing=tuple(dict.fromkeys(m for m in said if m))[:MOST_MISSING],
    )
