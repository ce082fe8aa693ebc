"""Which answerer takes a question: chosen by the visitor, a model or rules, with the reason.

``choose`` always settles on one answerer. A ``Selector`` runs one agent of several, and none where
a model names none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from msgspec.structs import replace
from pydantic import BaseModel

from retrieval.core import (
    NO_LIMIT,
    BadInput,
    Combinator,
    Deadline,
    Query,
    Stage,
    StageResult,
    StageUnavailable,
    State,
    Status,
    boundary,
    finish,
    progress,
)
from retrieval.llm import Budget, LanguageModel, ask, prompt_file

MAX_DESCRIPTION = 1000
"""Characters of a description that a model is shown (S2-07)."""
MAX_REASON = 300
NOBODY = ""
"""The name in a choice of a Selector that chose none."""


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


def _descriptions(answerers: Mapping[str, Answerer]) -> str:
    rows = (f"{name}: {one.description[:MAX_DESCRIPTION]}" for name, one in answerers.items())
    return "\n".join(rows)


def _choice(name: str, reason: str, by: str, others: Mapping[str, str]) -> Choice:
    """A choice by these words; ``others`` has a reason for every answerer, the chosen included."""
    alternatives = tuple((other, why) for other, why in others.items() if other != name)
    return Choice(answerer=name, reason=reason, by=by, alternatives=alternatives)


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
    # Every answerer says how it suits, also where one is wanted: the reasons are shown beside it.
    suits = {name: _suits(one, question) for name, one in answerers.items()}
    reasons = {name: why for name, (_, why) in suits.items()}
    if wanted is not None:
        return _choice(wanted, "chosen by hand", "person", reasons)
    if model is not None and len(answerers) > 1:
        prompt = prompt_file("ask_choose", "ask").format(
            question=question, answerers=_descriptions(answerers)
        )
        reply: _Chosen | None = None
        # Where the model cannot choose, the rules do, and the choice says that they did.
        with boundary("the choice of an answerer", []):
            reply = ask(model, prompt, _Chosen, deadline=Deadline.after(seconds)).value
        if reply is not None and reply.answerer in answerers:
            return _choice(reply.answerer, reply.reason[:MAX_REASON], "language model", reasons)
    best = max(answerers, key=lambda name: suits[name][0])
    return _choice(best, reasons[best], "rules", reasons)


def _suits(answerer: Answerer, question: str) -> tuple[float, str]:
    """How well a question fits; one that cannot tell is the last choice and says why."""
    value, faults = (0.0, ""), list[tuple[Status, str]]()
    with boundary(f"the fit of {answerer.name}", faults):
        value = answerer.suits(question)
    return (0.0, f"how it fits is not known: {faults[0][1]}") if faults else value


class WrongAgent(BadInput, ValueError):
    """An agent that does not exist, or was created without what it needs."""


class AgentChoice(BaseModel):
    """The agent that a model chose."""

    agent: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected:
    """The choice with its reason and alternatives, and the result of the agent that ran."""

    choice: Choice
    result: StageResult


@dataclass(frozen=True)
class Selector:
    """Chooses and runs one agent; the caller's choice precedes the model's.

    Where the model names none of the agents, the choice is NOBODY, nothing runs, and the reason
    says so.
    """

    agents: Mapping[str, Answerer]
    model: LanguageModel | None = None
    budget: Budget | None = None
    deadline: Deadline = NO_LIMIT

    def choose(self, question: str, *, wanted: str | None = None) -> Choice:
        """The choice without a run. Raises WrongAgent where ``wanted`` does not exist."""
        described = {name: one.description[:MAX_DESCRIPTION] for name, one in self.agents.items()}
        if wanted is not None:
            if wanted not in self.agents:
                raise WrongAgent(f"agent: {wanted[:40]!r} is not one of {', '.join(self.agents)}")
            return _choice(wanted, "chosen by hand", "person", described)
        if len(self.agents) == 1:
            return _choice(next(iter(self.agents)), "there is no other", "rules", described)
        if self.model is None:
            reason = "no language model is configured that could choose"
            return _choice(NOBODY, reason, "rules", described)
        name, reason = self._by_model(self.model, question)
        return _choice(name, reason, "language model", described)

    def run(self, question: str, *, wanted: str | None = None) -> Selected:
        """The choice, and the result of the agent that answered."""
        choice = self.choose(question, wanted=wanted)
        routes = {name: one.stage for name, one in self.agents.items()}
        route = Route("agent", lambda state: choice.answerer, routes)
        state = State(query=Query(raw=question, text=question), deadline=self.deadline)
        return Selected(choice=choice, result=finish(progress(route, state, root=True)))

    def _by_model(self, model: LanguageModel, question: str) -> tuple[str, str]:
        """The agent that the model names and its reason; NOBODY and why where it names none."""
        prompt = prompt_file("selector", "ask").format(
            question=question, agents=_descriptions(self.agents)
        )
        faults: list[tuple[Status, str]] = []
        with boundary("the choice of an agent", faults):
            reply = ask(model, prompt, AgentChoice, budget=self.budget, deadline=self.deadline)
        if faults:
            return NOBODY, faults[0][1]
        if reply.value is None:
            return NOBODY, reply.reason
        name = reply.value.agent.strip()
        if name not in self.agents:
            return NOBODY, f"{name[:40]!r} was chosen, which is not there"
        return name, reply.value.reason.strip()[:MAX_REASON]
