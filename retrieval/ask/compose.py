"""The last word on a question: sentences of which each rests on facts, or a refusal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from pydantic import BaseModel

from retrieval.core import Deadline, Fact, Sentence, StageResult, StageUnavailable, State
from retrieval.llm import Budget, LanguageModel, ask

MAX_SHOWN = 100
"""Facts that one prompt lists."""
MAX_SENTENCES, MAX_SENTENCE = 8, 500
NO_EVIDENCE = "The model's answer rests on no evidence, so it is not shown."


class _Said(BaseModel):
    text: str
    evidence: list[int] = []


class Answered(BaseModel):
    """An answer as a model gives it: sentences with the numbers of their facts."""

    answer: list[_Said] = []


@cache
def _prompt() -> str:
    return files("retrieval.ask").joinpath("prompts/ask_answer.txt").read_text("utf-8")


@dataclass(frozen=True)
class ModelAnswer:
    """Lets a model answer from numbered facts; a sentence without a fact of the list is dropped."""

    model: LanguageModel | None
    seconds: float = 8.0
    budget: Budget | None = None
    name: str = "language model"

    def run(self, state: State) -> StageResult:
        """The sentences that rest on evidence; a refusal where none does."""
        if self.model is None:
            raise StageUnavailable("none configured")
        facts = evidence_of(state.known.facts)
        if not facts:
            raise StageUnavailable("nothing was found that it could answer from")
        listed = "\n".join(f"{n}. {fact.text}" for n, fact in enumerate(facts, start=1))
        prompt = _prompt().format(question=state.query.text, facts=listed)
        within = Deadline.after(min(self.seconds, state.deadline.left))
        said = ask(self.model, prompt, Answered, budget=self.budget, deadline=within)
        if said.value is None:
            raise StageUnavailable(said.reason)
        told, dropped = _borne(said.value, facts)
        known = replace(state.known, answer=told, refusal="" if told else NO_EVIDENCE)
        note = f"{dropped} sentences without evidence dropped" if dropped else ""
        return StageResult(name=self.name, state=replace(state, known=known), note=note)


def evidence_of(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """The facts that may bear a sentence: all but notes."""
    return tuple(fact for fact in facts if fact.kind != "note")[:MAX_SHOWN]


def _borne(said: Answered, facts: Sequence[Fact]) -> tuple[tuple[Sentence, ...], int]:
    told: list[Sentence] = []
    for one in said.answer[:MAX_SENTENCES]:
        numbers = dict.fromkeys(n for n in one.evidence if 1 <= n <= len(facts))
        text = " ".join(one.text.split())[:MAX_SENTENCE]
        if numbers and text:
            told.append(Sentence(text=text, evidence=tuple(facts[n - 1].id for n in numbers)))
    return tuple(told), len(said.answer) - len(told)


@dataclass(frozen=True)
class FoundAnswer:
    """The answer that a strategy read straight from the facts, or why there is none."""

    name: str = "from the facts"

    def run(self, state: State) -> StageResult:
        """The state as it is; a refusal, of the whole or of a part, stands as the note."""
        known = state.known
        refused = known.refusal or ("" if known.answer else "nothing was found")
        after = replace(state, known=replace(known, refusal=refused))
        return StageResult(name=self.name, state=after, note=refused)
