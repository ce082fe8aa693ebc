"""A question's words by a model; its queries and counts stay what they are."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from pydantic import BaseModel

from retrieval.core import NO_LIMIT, Deadline, ModelBudget, Query, StageUnavailable
from retrieval.dialogue.clarify import Clarification
from retrieval.llm import Budget, LanguageModel, ask, plain

LONGEST_QUESTION, LONGEST_ANSWER = 200, 80
MOST_CALLS = 2
"""A query that has asked a model so often asks it for no words."""

_NO_WORDS = re.compile(r"[<>`{}\[\]|]|://|\bwww\.", re.IGNORECASE)


class Wording(BaseModel):
    """What the model is asked for."""

    question: str
    answers: list[str]


@dataclass(frozen=True)
class Wordsmith:
    """Words questions by a model, whose calls for one query take ``seconds`` in all."""

    model: LanguageModel
    seconds: float = 8.0

    def worded(
        self,
        asked: Clarification,
        query: Query,
        budget: ModelBudget | None,
        deadline: Deadline = NO_LIMIT,
    ) -> Clarification:
        """The question in the model's words; in its own, with the reason, where there are none."""
        if "language model" in query.off:
            return asked
        calls, ms = (budget.used.calls, budget.used.ms) if budget else (0, 0.0)
        if calls >= MOST_CALLS:
            return replace(asked, note=f"it was asked {calls} times for this query already")
        by = Deadline.after(max(0.0, self.seconds - ms / 1000))
        return worded(
            asked, query, self.model, budget=budget, deadline=min(by, deadline, key=lambda d: d.at)
        )


def worded(
    asked: Clarification,
    query: Query,
    model: LanguageModel,
    *,
    budget: ModelBudget | None = None,
    deadline: Deadline = NO_LIMIT,
) -> Clarification:
    """The same question in the model's words; as it was, with a note, when none of them fit.

    Which options there are, what they add and how many tools state them never changes.
    """
    request = _prompt().format(
        question=_quoted(asked.question),
        answers="\n".join(_quoted(option.label) for option in asked.options),
        task=_quoted(query.text),
    )
    own = Budget(within=budget)
    try:
        said = ask(model, request, Wording, budget=own, deadline=deadline, repair=False)
        value, note = said.value, said.reason
    except StageUnavailable as exc:
        value, note = None, str(exc)
    told = replace(asked, note=note, metrics=own.used.metrics())
    return _in_words(told, value) if value else told


@cache
def _prompt() -> str:
    return files("retrieval.dialogue").joinpath("prompts/wording.txt").read_text("utf-8")


def _in_words(asked: Clarification, said: Wording) -> Clarification:
    question, labels = plain(said.question), [plain(answer) for answer in said.answers]
    problem = _problem(question, labels, len(asked.options))
    if problem:
        return replace(asked, note=f"the language model's words do not fit: {problem}")
    pairs = zip(asked.options, labels, strict=True)
    options = tuple(replace(option, label=label) for option, label in pairs)
    return replace(asked, question=question, options=options, wording="language model")


def _problem(question: str, labels: list[str], wanted: int) -> str:
    """What is wrong with a question and its answers; empty when nothing is."""
    if len(labels) != wanted:
        return f"{len(labels)} answers for {wanted}"
    if not question or not all(labels):
        return "one is empty"
    if len({label.casefold() for label in labels}) != wanted:
        return "two answers are the same"
    if len(question) > LONGEST_QUESTION or max(map(len, labels)) > LONGEST_ANSWER:
        return "one is too long"
    return (
        "one holds markup or an address" if _NO_WORDS.search(" ".join((question, *labels))) else ""
    )


def _quoted(text: str) -> str:
    return json.dumps(plain(text), ensure_ascii=False)
