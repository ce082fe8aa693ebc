"""Which answerer takes a question: chosen by the visitor, a model or rules, with the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel

from retrieval.ask.lookups import prompt_text
from retrieval.core import (
    BadInput,
    Combinator,
    Deadline,
    Stage,
    StageResult,
    StageUnavailable,
    State,
    progress,
)
from retrieval.llm import LanguageModel, ask

MAX_DESCRIPTION = 1000
"""Characters of a description that a model is shown (S2-07)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answerer:
    """One way to answer. ``suits`` says from 0 to 1 how well a question fits, and why."""

    name: str
    description: str
    stage: Stage
    suits: Callable[[str], tuple[float, str]] = lambda question: (0.5, "it takes any question")


@dataclass(frozen=True)
class Route(Combinator):
    """One of several stages, chosen from the state."""

    name: str
    choose: Callable[[State], str]
    routes: Mapping[str, Stage]

    def stream(self, state: State) -> Iterator[StageResult]:
        """The chosen route's result as it grows."""
        choice = self.choose(state)
        if choice not in self.routes:
            raise StageUnavailable(f"no route {choice!r}; there are: {', '.join(self.routes)}")
        for part in progress(self.routes[choice], state):
            yield replace(part, name=self.name, children=(part,), note=choice, listed=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The chosen answerer, why and by whom; ``alternatives`` pairs each other one with a reason."""

    answerer: str
    reason: str
    by: str = "rules"
    alternatives: tuple[tuple[str, str], ...] = ()


class _Chosen(BaseModel):
    answerer: str
    reason: str = ""


def choose(
    question: str,
    answerers: Mapping[str, Answerer],
    *,
    wanted: str | None = None,
    model: LanguageModel | None = None,
    seconds: float = 8.0,
) -> Choice:
    """The visitor's choice, else the model's, else the best by rules; ties by order.

    Raises BadInput for a name that does not exist.
    """
    if wanted is not None and wanted not in answerers:
        raise BadInput(f"answerer: {wanted!r} is not one of {', '.join(answerers)}")
    suits = {name: one.suits(question) for name, one in answerers.items()}
    if wanted is not None:
        return _choice(wanted, "chosen by hand", "person", suits)
    if model is not None and len(answerers) > 1:
        picked = _by_model(question, list(answerers.values()), model, seconds)
        if picked is not None:
            return _choice(picked.answerer, picked.reason[:300], "language model", suits)
    best = max(answerers, key=lambda name: suits[name][0])
    return _choice(best, suits[best][1], "rules", suits)


def _choice(name: str, reason: str, by: str, suits: Mapping[str, tuple[float, str]]) -> Choice:
    others = tuple((other, why) for other, (_, why) in suits.items() if other != name)
    return Choice(answerer=name, reason=reason, by=by, alternatives=others)


def _by_model(
    question: str, answerers: Sequence[Answerer], model: LanguageModel, seconds: float
) -> _Chosen | None:
    """The model's choice; None for a name that does not exist, or without an answer."""
    listed = "\n".join(f"{one.name}: {one.description[:MAX_DESCRIPTION]}" for one in answerers)
    prompt = prompt_text("ask_choose").format(question=question, answerers=listed)
    try:
        reply = ask(model, prompt, _Chosen, deadline=Deadline.after(seconds)).value
    except StageUnavailable:
        return None
    names = {one.name for one in answerers}
    return reply if reply is not None and reply.answerer in names else None
