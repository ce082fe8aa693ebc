"""The candidates put in order by a language model, which can name none that was not shown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from retrieval.core.deadline import bounded
from retrieval.core.errors import StageUnavailable
from retrieval.core.ports import LanguageModel
from retrieval.core.stage import StageResult
from retrieval.core.types import Candidate, State, Why
from retrieval.rerank.keep import size

HOW = "set SCANSCOUT_LLM_BASE_URL and SCANSCOUT_LLM_MODEL to switch one on"
MAX_DESCRIPTION = 400


@cache
def _prompt() -> str:
    return files("retrieval.rerank").joinpath("prompts/rerank.txt").read_text("utf-8")


@dataclass(frozen=True)
class LanguageModelRerank:
    """Asks for the best candidates in the order a pipeline needs them (S0-27).

    Only ids of the prompt come back out; a gap is filled from the incoming order and marked.
    """

    model: LanguageModel | None
    limit: int | None = 15
    seconds: float = 8.0
    name: str = "language model"

    def run(self, state: State) -> StageResult:
        """The chosen candidates; skipped without a model, an answer in time, or a usable one."""
        model = self.model
        if model is None:
            raise StageUnavailable(f"none configured; {HOW}")
        wanted = size(state, self.limit) or len(state.candidates)
        prompt = self._asked(state, wanted)
        seconds = min(self.seconds, state.deadline.left)
        answer = bounded(lambda: model.complete(prompt), seconds, "the language model")
        chosen, filled = _chosen(answer, state.candidates, wanted)
        why = Why(kind="language model", stage=state.path, text="")
        scored = tuple(
            c.scored(state.path, 1.0 - rank / len(chosen), replace(why, text=text))
            for rank, (c, text) in enumerate(chosen)
        )
        note = f"{filled} filled from the order before" if filled else ""
        after = replace(state, candidates=scored)
        return StageResult(name=self.name, state=after, note=note, metrics={"filled": filled})

    def _asked(self, state: State, wanted: int) -> str:
        tools = [
            {"id": c.tool.id, "name": c.tool.name, "does": c.tool.description[:MAX_DESCRIPTION]}
            for c in state.candidates
        ]
        listed = "\n".join(json.dumps(t, ensure_ascii=False) for t in tools)
        data = " ".join(state.query.tokens) or "not given"
        return _prompt().format(task=state.query.text, data=data, wanted=wanted, tools=listed)


def _chosen(
    answer: str, shown: Sequence[Candidate], wanted: int
) -> tuple[list[tuple[Candidate, str]], int]:
    by_id = {c.tool.id: c for c in shown}
    picked: dict[str, str] = {}
    for tool_id, reason in _read(answer):
        if tool_id in by_id:
            picked.setdefault(tool_id, reason)
    if not picked:
        raise StageUnavailable("the language model named no tool it was shown")
    rest = [c.tool.id for c in shown if c.tool.id not in picked]
    full = [*picked, *rest][:wanted]
    named = [(by_id[i], picked.get(i, "filled from the order before")) for i in full]
    return named, sum(i not in picked for i in full)


def _read(answer: str) -> list[tuple[str, str]]:
    start, end = answer.find("{"), answer.rfind("}")
    try:
        told = json.loads(answer[start : end + 1])
        rows = told["tools"]
        return [(str(r["id"]), str(r.get("why", ""))[:300]) for r in rows if isinstance(r, dict)]
    except (ValueError, TypeError, KeyError) as exc:
        raise StageUnavailable("the language model's answer could not be read") from exc
