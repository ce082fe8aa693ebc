"""Tools found by a language model that reads the catalog, where there are no vectors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

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
from retrieval.llm.cards import request_card, tool_card
from retrieval.llm.port import LanguageModel
from retrieval.llm.replies import Found
from retrieval.llm.reranker import HOW, PROMPT_TOKENS, prompt_file
from retrieval.llm.structured import ask

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
        seen = self._seen(state, admitted)
        cut = len(admitted) - len(seen)
        told = f"asked about {len(seen)} of {len(admitted)} tools"
        note = f"{told}; {cut} were cut to fit" if cut else told
        mine = Budget(within=state.budget)
        try:
            found, reason = self._found(self.model, state, seen, mine)
        except StageUnavailable as exc:
            found, reason = (), str(exc)
        result = StageResult(
            name=self.name,
            state=state,
            status="skipped",
            note=f"{reason}; {note}",
            metrics={"unseen": cut, **mine.used.metrics()},
        )
        if not found:
            return result
        return replace(result, state=replace(state, candidates=found), status="ok", note=note)

    def request(self, state: State, seen: Iterable[Tool]) -> str:
        """The exact text that would be sent."""
        cards = (tool_card(t, DESCRIBED) for t in sorted(seen, key=lambda t: t.id))
        asked = request_card(state, self.k)
        return prompt_file("retrieve").format(tools="\n".join(cards), request=asked)

    def _found(
        self, model: LanguageModel, state: State, seen: Mapping[str, Tool], budget: Budget
    ) -> tuple[tuple[Candidate, ...], str]:
        deadline = Deadline.after(min(self.seconds, state.deadline.left))
        prompt = self.request(state, seen.values())
        said = ask(model, prompt, Found, budget=budget, deadline=deadline, repair=False)
        if said.value is None:
            return (), said.reason
        named = [i for i in dict.fromkeys(said.value.ids) if i in seen][: self.k]
        why = Why(kind="language model", stage=state.path, text="named by the language model")
        return (
            tuple(
                Candidate(tool=seen[i], score=0.0).scored(state.path, 1 - rank / len(named), why)
                for rank, i in enumerate(named)
            ),
            "the language model named no tool it was shown",
        )

    def _seen(self, state: State, admitted: Iterable[Tool]) -> dict[str, Tool]:
        by_id = {t.id: t for t in admitted}
        first = [c.tool for c in self._by_words(state) if c.tool.id in by_id]
        taken = {t.id for t in first}
        rest = _in_turn(t for t in by_id.values() if t.id not in taken)
        seen: dict[str, Tool] = {}
        left = self.prompt_tokens
        for tool in (*first, *rest):
            left -= guess_tokens(tool_card(tool, DESCRIBED))
            if seen and (left < 0 or len(seen) >= self.shown):
                break
            seen[tool.id] = tool
        return seen

    def _by_words(self, state: State) -> Candidates:
        if self.words is None:
            return ()
        try:
            return self.words.run(replace(state, candidates=())).state.candidates
        except StageUnavailable:
            return ()


def _in_turn(tools: Iterable[Tool]) -> list[Tool]:
    """One of each domain, then another of each, by id: a cut leaves something of all of them."""
    domains: dict[str, list[Tool]] = defaultdict(list)
    for tool in sorted(tools, key=lambda t: t.id):
        domains[tool.domain or ""].append(tool)
    turns = zip_longest(*(domains[name] for name in sorted(domains)))
    return [tool for tool in chain.from_iterable(turns) if tool is not None]
