"""The candidates put in order by a language model, which can name none that was not shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from retrieval.core import (
    Candidates,
    Deadline,
    StageResult,
    StageUnavailable,
    State,
    Why,
    list_size,
    read_by,
)
from retrieval.llm.budget import Budget
from retrieval.llm.cards import (
    Pick,
    Ranking,
    candidate_card,
    fitting,
    plain,
    request_card,
    sentence,
)
from retrieval.llm.port import LanguageModel
from retrieval.llm.structured import ask, prompt_file

HOW = "set SCANSCOUT_LLM_BASE_URL and SCANSCOUT_LLM_MODEL to switch one on"
PROMPT_TOKENS = 30_000
FILLED = "filled from the order before"
MOST_ASKED = 50
"""Tools that one answer can name with a reason each; what is wanted beyond is filled."""

MAX_WHY = 600
REPEATED = 60
"""Characters of the instructions that a reason may not repeat in one piece."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What one rerank would send: the exact text, what in it is of the query, pictures, tools."""

    text: str
    card: str
    images: tuple[bytes, ...]
    shown: Candidates
    wanted: int


@dataclass(frozen=True)
class LanguageModelRerank:
    """Asks once for the best candidates in the order a pipeline needs them (S0-27).

    Only ids of the prompt come back out; a gap is filled from the incoming order and marked.
    The images of the state go along, if there are any.
    """

    model: LanguageModel | None
    limit: int | None = 15
    seconds: float = 8.0
    name: str = "language model"
    prompt_tokens: int = PROMPT_TOKENS

    def run(self, state: State) -> StageResult:
        """The chosen candidates; skipped without a model, an answer in time, or a usable one."""
        if self.name in state.query.off:
            raise StageUnavailable("switched off for this search")
        if self.model is None:
            raise StageUnavailable(f"none configured; {HOW}")
        if not state.candidates:
            raise StageUnavailable("there is nothing to put in order")
        mine = Budget(within=state.budget)
        request = self.request(state)
        try:
            picked, reason = self._picked(self.model, request, state, mine)
        except StageUnavailable as exc:
            picked, reason = {}, str(exc)
        metrics = mine.used.metrics()
        if not picked:
            return StageResult(
                name=self.name, state=state, status="skipped", note=reason, metrics=metrics
            )
        return self._ordered(state, request, picked, metrics)

    def request(self, state: State) -> Request:
        """What would be sent for this state, made without sending it."""
        wanted = list_size(state, self.limit) or len(state.candidates)
        ids = frozenset(c.tool.id for c in state.candidates)
        cards = fitting((candidate_card(c, ids) for c in state.candidates), self.prompt_tokens)
        most = min(wanted, MOST_ASKED)
        card = request_card(state.query, state.query.tokens, most, len(state.images))
        text = prompt_file("rerank").format(tools="\n".join(cards), request=card)
        shown = state.candidates[: len(cards)]
        return Request(text=text, card=card, images=state.images, shown=shown, wanted=wanted)

    def _picked(
        self, model: LanguageModel, request: Request, state: State, budget: Budget
    ) -> tuple[dict[str, Pick], str]:
        """Picks by id in the model's order, only of the tools shown; or nothing, and why."""
        deadline = Deadline.after(min(self.seconds, state.deadline.left))
        read_by(state, "language model", request.card)
        reply = ask(
            model,
            request.text,
            Ranking,
            budget=budget,
            deadline=deadline,
            # A second turn would take as long as the first, and there is an order already.
            repair=False,
            images=request.images,
        )
        if reply.value is None:
            return {}, reply.reason
        ids = {c.tool.id for c in request.shown}
        picked: dict[str, Pick] = {}
        for row in reply.value.tools:
            if row.id in ids:
                after = [i for i in dict.fromkeys(row.after) if i in ids and i != row.id]
                picked.setdefault(row.id, Pick(id=row.id, why=_own_words(row.why), after=after))
        return picked, "the language model named no tool it was shown"

    def _ordered(
        self,
        state: State,
        request: Request,
        picked: Mapping[str, Pick],
        metrics: Mapping[str, float],
    ) -> StageResult:
        by_id = {c.tool.id: c for c in state.candidates}
        full = [*picked, *(i for i in by_id if i not in picked)][: request.wanted]
        filled, unseen = sum(i not in picked for i in full), len(by_id) - len(request.shown)
        # Evenly spaced scores: the model gives an order and no distances.
        scored = tuple(
            by_id[i].scored(
                state.path, 1.0 - rank / len(full), *_reasons(state.path, picked.get(i))
            )
            for rank, i in enumerate(full)
        )
        notes = (
            f"{filled} {FILLED}" if filled else "",
            f"{unseen} of {len(by_id)} tools were cut to fit the prompt" if unseen else "",
        )
        return StageResult(
            name=self.name,
            state=replace(state, candidates=scored),
            note="; ".join(n for n in notes if n),
            metrics={"filled": filled, "unseen": unseen, **metrics},
        )


def _reasons(stage: str, pick: Pick | None) -> tuple[Why, ...]:
    text = FILLED if pick is None else pick.why or "named without a reason"
    why = Why(kind="language model", stage=stage, text=text)
    if pick is None or not pick.after:
        return (why,)
    return why, Why(kind="pipeline order", stage=stage, text=f"after {', '.join(pick.after)}")


def _own_words(text: str) -> str:
    """A reason as one sentence; nothing when it recites the instructions."""
    reason = plain(text, MAX_WHY)
    rules = " ".join(prompt_file("rerank").split())
    pieces = (reason[at : at + REPEATED] for at in range(max(0, len(reason) - REPEATED + 1)))
    return "" if any(piece in rules for piece in pieces) else sentence(text)
