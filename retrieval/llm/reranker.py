"""The candidates put in order by a language model, which can name none that was not shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

from msgspec.structs import replace

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
    MAX_DESCRIPTION,
    MAX_LINE,
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

LATE = ("no answer within", "in time", "too slowly")
"""What a call that ran out of its seconds says."""

SHARED = (
    "each prompt has an equal share of SCANSCOUT_QUERY_SECONDS, which is less here than "
    "SCANSCOUT_LLM_SECONDS"
)
CUT = "the answer has no end: its complete rows count"
NONE_SHOWN = "the language model named no tool it was shown"

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


@dataclass(frozen=True, slots=True, kw_only=True)
class _ModelPicks:
    """Picks by id in the model's order, how many tools it was shown, and why it gave no more."""

    picks: Mapping[str, Pick]
    shown: int
    reason: str = ""


@dataclass(frozen=True)
class LanguageModelRerank:
    """Asks once for the best candidates in the order a pipeline needs them (S0-27).

    Only ids of the prompt come back out; a gap is filled from the incoming order and marked.
    The images of the state go along, if there are any. ``in_parts``: candidates go as a line each,
    and those that do not fit one prompt go in further ones, whose best a last one puts in order.
    """

    model: LanguageModel | None
    limit: int | None = 15
    seconds: float = 8.0
    name: str = "language model"
    prompt_tokens: int = PROMPT_TOKENS
    in_parts: bool = False

    def run(self, state: State) -> StageResult:
        """The chosen candidates; skipped without a model, an answer in time, or a usable one."""
        if self.name in state.query.off:
            raise StageUnavailable("switched off for this search")
        if self.model is None:
            raise StageUnavailable(f"none configured; {HOW}")
        if not state.candidates:
            raise StageUnavailable("there is nothing to put in order")
        own = Budget(within=state.budget)
        list_length = list_size(state, self.limit) or len(state.candidates)
        model_picks = self._picks_of_all(self.model, state, own)
        metrics = own.used.metrics()
        if not model_picks.picks:
            return StageResult(
                name=self.name,
                state=state,
                status="skipped",
                note=model_picks.reason,
                metrics=metrics,
            )
        return self._ordered(state, list_length, model_picks, metrics)

    def _picks_of_all(self, model: LanguageModel, state: State, budget: Budget) -> _ModelPicks:
        """What the model chooses of all candidates that one prompt, or several, can show it."""
        rest, picks, shown_count, reasons = state.candidates, dict[str, Pick](), 0, list[str]()
        parts = 0
        while rest and (self.in_parts or not parts):
            request = self.request(replace(state, candidates=rest))
            # The parts that are left, and the prompt that orders the best of all of them.
            calls = ceil(len(rest) / len(request.shown)) + 1 if self.in_parts else 1
            seconds = state.deadline.left / calls
            one = self._picks_of(model, request, state, budget, seconds)
            reasons += [one.reason] if one.reason else []
            late = one.reason == CUT or any(words in one.reason for words in LATE)
            if late and calls > 1 and seconds < self.seconds:
                reasons.append(SHARED)
            if not one.shown:
                break
            picks, shown_count, parts = {**picks, **one.picks}, shown_count + one.shown, parts + 1
            rest = rest[len(request.shown) :]
        if parts > 1:
            best = [c for c in state.candidates if c.tool.id in picks]
            request = self.request(replace(state, candidates=tuple(best)))
            last = self._picks_of(model, request, state, budget, state.deadline.left)
            picks = {**last.picks, **{i: p for i, p in picks.items() if i not in last.picks}}
            reasons += [last.reason] if last.reason else []
        return _ModelPicks(picks=picks, shown=shown_count, reason="; ".join(dict.fromkeys(reasons)))

    def request(self, state: State) -> Request:
        """What would be sent for this state, made without sending it."""
        list_length = list_size(state, self.limit) or len(state.candidates)
        ids = frozenset(c.tool.id for c in state.candidates)
        describe = MAX_LINE if self.in_parts else MAX_DESCRIPTION
        every = (candidate_card(c, ids, describe) for c in state.candidates)
        cards = fitting(every, self.prompt_tokens)
        most = min(list_length, MOST_ASKED)
        card = request_card(state.query, state.query.tokens, most, len(state.images))
        text = prompt_file("rerank").format(tools="\n".join(cards), request=card)
        candidates = state.candidates[: len(cards)]
        return Request(
            text=text, card=card, images=state.images, shown=candidates, wanted=list_length
        )

    def _picks_of(
        self,
        model: LanguageModel,
        request: Request,
        state: State,
        budget: Budget,
        seconds: float,
    ) -> _ModelPicks:
        """What the model picks of the tools of one request; nothing, and why, without an answer.

        It has ``seconds``, and never more than one call may take.
        """
        read_by(state, "language model", request.card)
        try:
            reply = ask(
                model,
                request.text,
                Ranking,
                budget=budget,
                deadline=Deadline.after(min(self.seconds, seconds)),
                # A second turn would take as long as the first, and there is an order already.
                repair=False,
                images=request.images,
                partial=True,
            )
        except StageUnavailable as exc:
            return _ModelPicks(picks={}, shown=0, reason=str(exc))
        if reply.value is None:
            return _ModelPicks(picks={}, shown=0, reason=reply.reason)
        ids = {c.tool.id for c in request.shown}
        picks: dict[str, Pick] = {}
        for row in reply.value.tools:
            if row.id in ids:
                after = [i for i in dict.fromkeys(row.after) if i in ids and i != row.id]
                picks.setdefault(row.id, Pick(id=row.id, why=_own_words(row.why), after=after))
        reason = CUT if reply.is_cut else "" if picks else NONE_SHOWN
        return _ModelPicks(picks=picks, shown=len(request.shown), reason=reason)

    def _ordered(
        self, state: State, list_length: int, model_picks: _ModelPicks, metrics: Mapping[str, float]
    ) -> StageResult:
        by_id, picks = {c.tool.id: c for c in state.candidates}, model_picks.picks
        full = [*picks, *(i for i in by_id if i not in picks)][:list_length]
        filled, unseen = sum(i not in picks for i in full), len(by_id) - model_picks.shown
        # Evenly spaced scores: the model gives an order and no distances.
        scored = tuple(
            by_id[i].scored(state.path, 1.0 - rank / len(full), *_reasons(state.path, picks.get(i)))
            for rank, i in enumerate(full)
        )
        notes = (
            model_picks.reason,
            f"{filled} {FILLED}" if filled else "",
            f"{unseen} of {len(by_id)} tools were not sent" if unseen else "",
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
