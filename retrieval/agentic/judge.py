"""A language model as the judge: whether the candidates are sufficient, and what is missing."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from pydantic import BaseModel

from retrieval.agentic.refine import MAX_NOTE, LanguageRefine, Texts, data_of, listed
from retrieval.core import Deadline, StageResult, StageUnavailable, State, Verdict, finish, progress
from retrieval.llm import Budget, LanguageModel, Limits, ask, plain, prompt_file

CALLS = 2
"""One call judges, one writes the next queries; a repair of the first uses up the second."""

MOST_MISSING, MISSING_LENGTH = 8, 120


class Judgement(BaseModel):
    """The reply of the model; the string "false" counts as false."""

    is_sufficient: bool
    reasoning: str | None = None
    missing_info: Texts = []


@dataclass(frozen=True)
class LanguageJudge:
    """Asks whether the first ``shown`` candidates are sufficient; a child stage writes queries.

    At most two calls. A reply that cannot be parsed gives *unknown*. Skipped without candidates,
    and when the model answers neither question.
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
        # The judge and its child share the calls; ``own`` counts those of the judge alone.
        budget = Budget(Limits(calls=CALLS), within=state.budget)
        own = Budget(within=budget)
        by = Deadline(min(Deadline.after(self.seconds).at, state.deadline.at))
        request = prompt_file("judge", "agentic").format(
            tools=listed(state.candidates[: self.shown], described=True),
            data=data_of(state.query),
            task=json.dumps(plain(state.query.text), ensure_ascii=False),
        )
        reply = ask(self.model, request, Judgement, budget=own, deadline=by)
        verdict = _verdict(reply.value, reply.reason)
        result = StageResult(
            name=self.name,
            state=state,
            note=verdict.reason,
            verdict=verdict,
            listed=False,
            metrics={"shown": len(state.candidates[: self.shown]), **own.used.metrics()},
        )
        return self._refined(result, budget) if verdict.enough == "not enough" else result

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
        merged = replace(result, children=(child,))
        if not child.ran or child.verdict is None:
            return replace(merged, status="skipped", note=child.note)
        refined = replace(verdict, queries=child.verdict.queries)
        return replace(merged, verdict=refined)


def _verdict(judgement: Judgement | None, problem: str) -> Verdict:
    if judgement is None:
        return Verdict(enough="unknown", reason=problem or "the judgement could not be read")
    missing = (plain(m)[:MISSING_LENGTH] for m in judgement.missing_info)
    return Verdict(
        enough="enough" if judgement.is_sufficient else "not enough",
        reason=plain(judgement.reasoning or "")[:MAX_NOTE],
        missing=tuple(dict.fromkeys(m for m in missing if m))[:MOST_MISSING],
    )
