"""One of several agents for a question, chosen by a model or by the caller, and run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel

from retrieval.ask.lookups import prompt_text
from retrieval.ask.routing import MAX_DESCRIPTION, Answerer, Choice, Route
from retrieval.core import (
    NO_LIMIT,
    BadInput,
    Deadline,
    Query,
    StageResult,
    StageUnavailable,
    State,
    finish,
    progress,
)
from retrieval.llm import Budget, LanguageModel, ask

NOBODY = ""


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

    Where the model names none of the agents, the choice is empty, nothing runs, and the reason
    says so.
    """

    agents: Mapping[str, Answerer]
    model: LanguageModel | None = None
    budget: Budget | None = None
    deadline: Deadline = field(default=NO_LIMIT)

    def choose(self, question: str, *, wanted: str | None = None) -> Choice:
        """The choice without a run. Raises WrongAgent where ``wanted`` does not exist."""
        if wanted is not None:
            if wanted not in self.agents:
                raise WrongAgent(f"agent: {wanted[:40]!r} is not one of {', '.join(self.agents)}")
            return self._choice(wanted, "chosen by hand", "person")
        if len(self.agents) == 1:
            return self._choice(next(iter(self.agents)), "there is no other", "rules")
        return self._by_model(question)

    def run(self, question: str, *, wanted: str | None = None) -> Selected:
        """The choice, and the result of the agent that answered."""
        choice = self.choose(question, wanted=wanted)
        routes = {name: one.stage for name, one in self.agents.items()}
        route = Route("agent", lambda state: choice.answerer, routes)
        state = State(query=Query(raw=question, text=question), deadline=self.deadline)
        return Selected(choice=choice, result=finish(progress(route, state, root=True)))

    def _by_model(self, question: str) -> Choice:
        if self.model is None:
            return self._choice(
                NOBODY, "no language model is configured that could choose", "rules"
            )
        listed = "\n".join(
            f"{name}: {one.description[:MAX_DESCRIPTION]}" for name, one in self.agents.items()
        )
        prompt = prompt_text("selector").format(question=question, agents=listed)
        try:
            reply = ask(self.model, prompt, AgentChoice, budget=self.budget, deadline=self.deadline)
        except StageUnavailable as exc:
            return self._choice(NOBODY, str(exc), "language model")
        if reply.value is None:
            return self._choice(NOBODY, reply.reason, "language model")
        name = reply.value.agent.strip()
        if name not in self.agents:
            return self._choice(
                NOBODY, f"{name[:40]!r} was chosen, which is not there", "language model"
            )
        return self._choice(name, reply.value.reason.strip()[:300], "language model")

    def _choice(self, name: str, reason: str, by: str) -> Choice:
        others = tuple(
            (other, one.description[:MAX_DESCRIPTION])
            for other, one in self.agents.items()
            if other != name
        )
        return Choice(answerer=name, reason=reason, by=by, alternatives=others)
