"""The answer to a question: sentences that each cite facts, or a refusal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel

from retrieval.ask.lookups import prompt_text
from retrieval.core import Deadline, Fact, Sentence, StageResult, StageUnavailable, State
from retrieval.llm import Budget, LanguageModel, ask

MAX_SHOWN = 100
"""Facts that one prompt lists."""
MAX_SENTENCES, MAX_SENTENCE = 8, 500
UNSUPPORTED = "The model's answer rests on no evidence, so it is not shown."


class _CitedSentence(BaseModel):
    text: str
    evidence: list[int] = []


class Answered(BaseModel):
    """The JSON that a model answers with: sentences with the numbers of their facts."""

    answer: list[_CitedSentence] = []


@dataclass(frozen=True)
class ModelAnswer:
    """Lets a model answer from numbered facts; a sentence without a fact of the list is dropped."""

    model: LanguageModel | None
    seconds: float = 8.0
    budget: Budget | None = None
    name: str = "language model"

    def run(self, state: State) -> StageResult:
        """The sentences that rest on evidence; a refusal where none does.

        Raises StageUnavailable without a model, without facts, or where its reply cannot be parsed.
        """
        if self.model is None:
            raise StageUnavailable("none configured")
        facts = evidence_of(state.evidence.facts)
        if not facts:
            raise StageUnavailable("nothing was found that it could answer from")
        listed = "\n".join(f"{n}. {fact.text}" for n, fact in enumerate(facts, start=1))
        prompt = prompt_text("ask_answer").format(question=state.query.text, facts=listed)
        within = Deadline.after(min(self.seconds, state.deadline.left))
        reply = ask(self.model, prompt, Answered, budget=self.budget, deadline=within)
        if reply.value is None:
            raise StageUnavailable(reply.reason)
        sentences, dropped = _supported(reply.value, facts)
        evidence = replace(
            state.evidence, answer=sentences, refusal="" if sentences else UNSUPPORTED
        )
        note = f"{dropped} sentences without evidence dropped" if dropped else ""
        return StageResult(name=self.name, state=replace(state, evidence=evidence), note=note)


def evidence_of(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """The first MAX_SHOWN facts that may support a sentence: all kinds but notes."""
    return tuple(fact for fact in facts if fact.kind != "note")[:MAX_SHOWN]


def _supported(reply: Answered, facts: Sequence[Fact]) -> tuple[tuple[Sentence, ...], int]:
    sentences: list[Sentence] = []
    for one in reply.answer[:MAX_SENTENCES]:
        numbers = dict.fromkeys(n for n in one.evidence if 1 <= n <= len(facts))
        text = " ".join(one.text.split())[:MAX_SENTENCE]
        if numbers and text:
            sentences.append(Sentence(text=text, evidence=tuple(facts[n - 1].id for n in numbers)))
    return tuple(sentences), len(reply.answer) - len(sentences)


@dataclass(frozen=True)
class FoundAnswer:
    """The answer that a strategy read straight from the facts, or why there is none."""

    name: str = "from the facts"

    def run(self, state: State) -> StageResult:
        """The state as it is, with a refusal (of the question or of a part) as the note."""
        evidence = state.evidence
        refused = evidence.refusal or ("" if evidence.answer else "nothing was found")
        after = replace(state, evidence=replace(evidence, refusal=refused))
        return StageResult(name=self.name, state=after, note=refused)
