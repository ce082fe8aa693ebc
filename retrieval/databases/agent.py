"""A question to a database: parameters, fetch, records as evidence, each step in the trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace
from pydantic import BaseModel, Field

from retrieval.core import (
    NO_LIMIT,
    BadInput,
    Deadline,
    Evidence,
    Fact,
    Sentence,
    StageResult,
    StageUnavailable,
    State,
    StoreQuery,
)
from retrieval.databases.api import Api, Record
from retrieval.databases.parameters import described, filled, named_call
from retrieval.llm import Budget, LanguageModel, ask, prompt_file

SHOWN = 20
"""Records that become evidence."""

SENTENCES = 3
"""Records that make the answer where no model words one."""

MOST_TEXT = 1000
MOST_CONTEXT = 12_000
"""Characters of a result that a prompt holds."""

LEFT_OUT = "[{n} more lines were left out]"
NOTHING = "{title} found nothing for these parameters."
FORM = "no language model is configured that could fill in the parameters; fill in the form"


@dataclass(frozen=True)
class ApiAgent:
    """The steps by themselves; each says why it has nothing, and none goes on after a failure."""

    api: Api
    model: LanguageModel | None = None
    budget: Budget | None = None
    deadline: Deadline = NO_LIMIT

    def parameterise(self, question: str) -> BaseModel:
        """The parameters of a question. Raises StageUnavailable with the reason."""
        if self.model is None:
            raise StageUnavailable(FORM)
        prompt = prompt_file("api_query", "databases").format(
            title=self.api.title,
            instructions=self.api.instructions,
            parameters=described(self.api.parameters),
            question=question,
        )
        shape = self.api.parameters
        reply = ask(self.model, prompt, shape, budget=self.budget, deadline=self.deadline)
        if reply.value is None:
            raise StageUnavailable(f"the parameters could not be filled in: {reply.reason}")
        return named_call(reply.value)

    def fetch(self, parameters: BaseModel) -> str:
        """The raw answer."""
        return self.api.fetch(parameters, self.deadline)

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
        """The records as facts, the first three as sentences, and the request in the note.

        Raises StageUnavailable when a step fails; the steps after it do not run. An answer without
        records is no failure: it becomes a refusal in the evidence.
        """
        self.api.allowed()
        within = Deadline.after(min(self.seconds, state.deadline.left))
        agent = ApiAgent(self.api, self.model, self.budget, within)
        if self.values is None:
            parameters = agent.parameterise(state.query.text)
        else:
            try:
                parameters = filled(self.api.parameters, self.values)
            except BadInput as exc:
                raise StageUnavailable(f"the form: {exc}") from exc
        request = self.api.request(parameters)
        records = self.api.records(agent.fetch(parameters))
        after = replace(state, evidence=_evidence(state, self.api, request, records))
        note = f"{len(records)} records" if records else NOTHING.format(title=self.api.title)
        return StageResult(name=self.name, state=after, note=f"{request}: {note}")


def _evidence(state: State, api: Api, request: str, records: tuple[Record, ...]) -> Evidence:
    facts = tuple(
        Fact(
            id=f"{api.name} {record.id}",
            text=" ".join(record.text.split())[:MOST_TEXT],
            kind="record",
            source=f"{api.title} {record.url}".strip(),
        )
        for record in records[:SHOWN]
    )
    sentences = tuple(Sentence(text=fact.text, evidence=(fact.id,)) for fact in facts[:SENTENCES])
    return replace(
        state.evidence.with_facts(facts),
        answer=sentences,
        query=StoreQuery(language=f"{api.title} request", text=request),
        refusal="" if facts else NOTHING.format(title=api.title),
    )


class Summary(BaseModel):
    """A short answer from a result."""

    answer: str = Field(min_length=1)


def reduced(text: str, most: int = MOST_CONTEXT) -> str:
    """The first lines that fit, and how many were left out.

    At most ``most`` characters; where not even the first line fits, it is cut.
    """
    if len(text) <= most:
        return text
    head: list[str] = []
    lines = text.splitlines()
    room = most - len(LEFT_OUT) - 10
    for line in lines:
        if room - len(line) < 0:
            break
        head.append(line)
        room -= len(line) + 1
    if not head:
        return f"{text[: most - 4]} ..."
    return "\n".join([*head, LEFT_OUT.format(n=len(lines) - len(head))])


def interpreted(
    model: LanguageModel,
    question: str,
    context: str,
    *,
    title: str,
    budget: Budget | None = None,
    deadline: Deadline = NO_LIMIT,
) -> str:
    """The answer to a question from a result. Raises StageUnavailable without a usable one."""
    if not context.strip():
        raise StageUnavailable(f"{title} returned nothing that could be summed up")
    template = prompt_file("api_summary", "databases")
    prompt = template.format(title=title, question=question, context=reduced(context))
    reply = ask(model, prompt, Summary, budget=budget, deadline=deadline)
    if reply.value is None:
        raise StageUnavailable(reply.reason)
    return reply.value.answer
