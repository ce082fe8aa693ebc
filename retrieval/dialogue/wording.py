"""Words a clarifying question by a language model; queries and counts do not change."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace

from pydantic import BaseModel

from retrieval.core import NO_LIMIT, Deadline, ModelBudget, Query, StageUnavailable
from retrieval.dialogue.clarify import Clarification
from retrieval.llm import Budget, LanguageModel, ask, plain, prompt_file

LONGEST_QUESTION, LONGEST_ANSWER = 200, 80
MOST_CALLS = 2
"""After this many calls for one query the question keeps its own words."""

_NO_WORDS = re.compile(r"[<>`{}\[\]|]|://|\bwww\.", re.IGNORECASE)


class Wording(BaseModel):
    """The reply of the model."""

    question: str
    answers: list[str]


@dataclass(frozen=True)
class Wordsmith:
    """Words questions by a model; all calls for one query share ``seconds``."""

    model: LanguageModel
    seconds: float = 8.0

    def worded(
        self,
        clarification: Clarification,
        query: Query,
        budget: ModelBudget | None = None,
        deadline: Deadline = NO_LIMIT,
    ) -> Clarification:
        """The question in the model's words, or the same question with the reason as its note.

        The options themselves, the words they add and their counts never change. Markup, addresses,
        equal or overlong labels are refused; an unavailable model is noted and does not raise.
        """
        if "language model" in query.off:
            return clarification
        calls, ms = (budget.used.calls, budget.used.ms) if budget else (0, 0.0)
        if calls >= MOST_CALLS:
            return replace(clarification, note=f"it was asked {calls} times for this query already")
        request = prompt_file("wording", "dialogue").format(
            question=_quoted(clarification.question),
            answers="\n".join(_quoted(option.label) for option in clarification.options),
            task=_quoted(query.text),
        )
        by = Deadline.after(max(0.0, self.seconds - ms / 1000))
        own = Budget(within=budget)
        try:
            reply = ask(
                self.model,
                request,
                Wording,
                budget=own,
                deadline=min(by, deadline, key=lambda d: d.at),
                repair=False,
            )
            value, note = reply.value, reply.reason
        except StageUnavailable as exc:
            value, note = None, str(exc)
        original = replace(clarification, note=note, metrics=own.used.metrics())
        return _in_words(original, value) if value else original


def _in_words(clarification: Clarification, wording: Wording) -> Clarification:
    question, labels = plain(wording.question), [plain(answer) for answer in wording.answers]
    problem = _problem(question, labels, len(clarification.options))
    if problem:
        return replace(clarification, note=f"the language model's words do not fit: {problem}")
    pairs = zip(clarification.options, labels, strict=True)
    options = tuple(replace(option, label=label) for option, label in pairs)
    return replace(clarification, question=question, options=options, wording="language model")


def _problem(question: str, labels: list[str], answer_count: int) -> str:
    """The reason to refuse a question and its answers; empty when they are acceptable."""
    if len(labels) != answer_count:
        return f"{len(labels)} answers for {answer_count}"
    if not question or not all(labels):
        return "one is empty"
    if len({label.casefold() for label in labels}) != answer_count:
        return "two answers are the same"
    if len(question) > LONGEST_QUESTION or max(map(len, labels)) > LONGEST_ANSWER:
        return "one is too long"
    marked_up = _NO_WORDS.search(" ".join((question, *labels)))
    return "one holds markup or an address" if marked_up else ""


def _quoted(text: str) -> str:
    return json.dumps(plain(text), ensure_ascii=False)
