"""Tools found by a language model that reads the catalog, where there are no vectors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, zip_longest

from msgspec.structs import replace

from retrieval.core import (
    Candidate,
    Candidates,
    Deadline,
    Stage,
    StageResult,
    StageUnavailable,
    State,
    Tool,
    Why,
)
from retrieval.llm.budget import Budget, guess_tokens
from retrieval.llm.cards import ToolIds, request_card, tool_card
from retrieval.llm.port import LanguageModel
from retrieval.llm.reranker import HOW, PROMPT_TOKENS
from retrieval.llm.structured import ask, prompt_file

DESCRIBED = 200
"""Characters of a description that are shown."""


@dataclass(frozen=True)
class LanguageModelRetrieve:
    """Shows the model at most ``shown`` records and takes the ids it names (S0-12, S0-13).

    The records that ``words`` finds come first, then others of every domain in turn; the prompt
    lists them by id, so that it is the same for every query over a catalog that fits whole.
    """

    model: LanguageModel | None
    tools: Mapping[str, Tool]
    words: Stage | None = None
    k: int = 50
    shown: int = 200
    seconds: float = 8.0
    name: str = "language model"
    prompt_tokens: int = PROMPT_TOKENS

    def run(self, state: State) -> StageResult:
        """The tools the model named, in its order; the note says how many it did not see."""
        if self.name in state.query.off:
            raise StageUnavailable("switched off for this search")
        if self.model is None:
            raise StageUnavailable(f"none configured; {HOW}")
        admitted = [t for t in self.tools.values() if state.selection.admits(t.id)]
        if not admitted:
            raise StageUnavailable("no tool is left to choose from")
        choices = self._choices(state, admitted)
        cut = len(admitted) - len(choices)
        counts = f"asked about {len(choices)} of {len(admitted)} tools"
        note = f"{counts}; {cut} were cut to fit" if cut else counts
        budget = Budget(within=state.budget)
        try:
            candidates, reason = self._model_candidates(self.model, state, choices, budget)
        except StageUnavailable as exc:
            candidates, reason = (), str(exc)
        result = StageResult(
            name=self.name,
            state=state,
            status="skipped",
            note=f"{reason}; {note}",
            metrics={"unseen": cut, **budget.used.metrics()},
        )
        if not candidates:
            return result
        return replace(result, state=replace(state, candidates=candidates), status="ok", note=note)

    def request(self, state: State, choices: Iterable[Tool]) -> str:
        """The exact text that would be sent."""
        # By id: a prompt that is the same for every query can be cached by the server.
        cards = (tool_card(t, DESCRIBED) for t in sorted(choices, key=lambda t: t.id))
        task = request_card(state.query, state.query.searched_tokens, self.k)
        return prompt_file("retrieve").format(tools="\n".join(cards), request=task)

    def _model_candidates(
        self, model: LanguageModel, state: State, choices: Mapping[str, Tool], budget: Budget
    ) -> tuple[tuple[Candidate, ...], str]:
        deadline = Deadline.after(min(self.seconds, state.deadline.left))
        prompt = self.request(state, choices.values())
        reply = ask(model, prompt, ToolIds, budget=budget, deadline=deadline, repair=False)
        if reply.value is None:
            return (), reply.reason
        ids = [i for i in dict.fromkeys(reply.value.ids) if i in choices][: self.k]
        why = Why(kind="language model", stage=state.path, text="named by the language model")
        return (
            tuple(
                Candidate(tool=choices[i], score=0.0).scored(state.path, 1 - rank / len(ids), why)
                for rank, i in enumerate(ids)
            ),
            "the language model named no tool it was shown",
        )

    def _choices(self, state: State, admitted: Iterable[Tool]) -> dict[str, Tool]:
        by_id = {t.id: t for t in admitted}
        by_words: Candidates = ()
        if self.words is not None:
            with suppress(StageUnavailable):
                by_words = self.words.run(replace(state, candidates=())).state.candidates
        first = [c.tool for c in by_words if c.tool.id in by_id]
        # One of each domain, then another of each, by id: a cut leaves something of all of them.
        domains: dict[str, list[Tool]] = defaultdict(list)
        for id in sorted(by_id.keys() - {t.id for t in first}):
            domains[by_id[id].domain or ""].append(by_id[id])
        turns = zip_longest(*(domains[name] for name in sorted(domains)))
        rest = (tool for tool in chain.from_iterable(turns) if tool is not None)
        choices: dict[str, Tool] = {}
        tokens_left = self.prompt_tokens
        for tool in (*first, *rest):
            tokens_left -= guess_tokens(tool_card(tool, DESCRIBED))
            if choices and (tokens_left < 0 or len(choices) >= self.shown):
                break
            choices[tool.id] = tool
        return choices
