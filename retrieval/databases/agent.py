"""A question to a database: parameters, fetch, records as evidence, each step in the trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Protocol

from pydantic import BaseModel

from retrieval.core import (
    NO_LIMIT,
    BadInput,
    Deadline,
    Fact,
    Known,
    Sentence,
    StageResult,
    StageUnavailable,
    State,
    StoreQuery,
)
from retrieval.databases.http import TRIES
from retrieval.databases.interpret import interpreted
from retrieval.databases.parameters import Form, described, filled, form_of, named_call
from retrieval.llm import Budget, LanguageModel, ask

SHOWN = 20
"""Records that become evidence."""

TOLD = 3
"""Records that are told where no model words an answer."""

MOST_TEXT = 1000
NOTHING = "{title} found nothing for these parameters."
FORM = "no language model is configured that could fill in the parameters; fill in the form"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One thing that a database returned, as a line of text."""

    id: str
    text: str
    url: str = ""


class Api(Protocol):
    """One database: what it can be asked, how it is asked, and what its answers hold."""

    @property
    def name(self) -> str:
        """Short name, such as ``bio.tools``."""
        ...

    @property
    def title(self) -> str:
        """What people call it."""
        ...

    @property
    def description(self) -> str:
        """What it knows, for the choice between those who can answer."""
        ...

    @property
    def parameters(self) -> type[BaseModel]:
        """Its parameters, each with a description."""
        ...

    @property
    def instructions(self) -> str:
        """How a question becomes parameters."""
        ...

    def allowed(self) -> None:
        """Raise OutsideCallRefused while it may not be asked."""
        ...

    def request(self, asked: BaseModel) -> str:
        """The request as one line, without a token."""
        ...

    def fetch(self, asked: BaseModel, deadline: Deadline, tries: int = TRIES) -> str:
        """The raw answer; StageUnavailable with a readable reason."""
        ...

    def records(self, raw: str) -> tuple[Record, ...]:
        """What the answer holds; StageUnavailable when it cannot be read."""
        ...


@cache
def _prompt(name: str) -> str:
    return files("retrieval.databases").joinpath(f"prompts/api_{name}.txt").read_text("utf-8")


def instructions_of(name: str) -> str:
    """The prompt file of a database, with its doubled braces single."""
    return _prompt(name).format()


@dataclass(frozen=True)
class ApiAgent:
    """The steps by themselves; each says why it has nothing, and none goes on after a failure."""

    api: Api
    model: LanguageModel | None = None
    budget: Budget | None = None
    deadline: Deadline = NO_LIMIT

    @property
    def form(self) -> Form:
        """The parameters as a form, for when there is no model."""
        return form_of(self.api.parameters, name=self.api.name, title=self.api.title)

    def parameterise(self, question: str) -> BaseModel:
        """The parameters of a question. Raises StageUnavailable with the reason."""
        if self.model is None:
            raise StageUnavailable(FORM)
        prompt = _prompt("query").format(
            title=self.api.title,
            instructions=self.api.instructions,
            parameters=described(self.api.parameters),
            question=question,
        )
        shape = self.api.parameters
        said = ask(self.model, prompt, shape, budget=self.budget, deadline=self.deadline)
        if said.value is None:
            raise StageUnavailable(f"the parameters could not be filled in: {said.reason}")
        return named_call(said.value)

    def fill(self, values: Mapping[str, Any]) -> BaseModel:
        """The parameters of a filled form. Raises BadInput naming the field."""
        return filled(self.api.parameters, values)

    def fetch(self, asked: BaseModel) -> str:
        """The raw answer."""
        return self.api.fetch(asked, self.deadline)

    def interpret(self, question: str, raw: str) -> str:
        """A summary of an answer, reduced first where it is large (optional)."""
        if self.model is None:
            raise StageUnavailable("no language model is configured that could sum it up")
        context = "\n".join(record.text for record in self.api.records(raw))
        return interpreted(
            self.model,
            question,
            context or NOTHING.format(title=self.api.title),
            title=self.api.title,
            budget=self.budget,
            deadline=self.deadline,
        )


@dataclass(frozen=True)
class ApiAnswers:
    """A database as a stage: records as evidence; ``values`` are those of a filled form."""

    api: Api
    model: LanguageModel | None = None
    values: Mapping[str, Any] | None = None
    budget: Budget | None = None
    seconds: float = 30.0

    @property
    def name(self) -> str:
        """The database's name."""
        return self.api.name

    def run(self, state: State) -> StageResult:
        """Facts and the request behind them. StageUnavailable when a step fails; no later runs."""
        self.api.allowed()
        within = Deadline.after(min(self.seconds, state.deadline.left))
        agent = ApiAgent(self.api, self.model, self.budget, within)
        asked = self._asked(agent, state.query.text)
        request = self.api.request(asked)
        records = self.api.records(agent.fetch(asked))
        after = replace(state, known=_known(state, self.api, request, records))
        note = f"{len(records)} records" if records else NOTHING.format(title=self.api.title)
        return StageResult(name=self.name, state=after, note=f"{request}: {note}")

    def _asked(self, agent: ApiAgent, question: str) -> BaseModel:
        if self.values is None:
            return agent.parameterise(question)
        try:
            return agent.fill(self.values)
        except BadInput as exc:
            raise StageUnavailable(f"the form: {exc}") from exc


def _known(state: State, api: Api, request: str, records: tuple[Record, ...]) -> Known:
    facts = tuple(_fact(api, record) for record in records[:SHOWN])
    told = tuple(Sentence(text=fact.text, evidence=(fact.id,)) for fact in facts[:TOLD])
    return replace(
        state.known.with_facts(facts),
        answer=told,
        query=StoreQuery(language=f"{api.title} request", text=request),
        refusal="" if facts else NOTHING.format(title=api.title),
    )


def _fact(api: Api, record: Record) -> Fact:
    source = f"{api.title} {record.url}".strip()
    text = " ".join(record.text.split())[:MOST_TEXT]
    return Fact(id=f"{api.name} {record.id}", text=text, kind="record", source=source)
