"""A question's words by a model; its queries and counts stay what they are."""

from __future__ import annotations

import json
from dataclasses import replace

from pydantic import BaseModel

from retrieval.agents.clarify import Clarification
from retrieval.agents.config import prompt
from retrieval.agents.refine import Texts, plain
from retrieval.core.budget import Budget
from retrieval.core.deadline import Deadline
from retrieval.core.errors import StageUnavailable
from retrieval.core.ports import LanguageModel
from retrieval.core.structured import NO_LIMIT, ask
from retrieval.core.types import Query

LONGEST_QUESTION, LONGEST_ANSWER = 200, 80


class Wording(BaseModel):
    """What the model is asked for."""

    question: str
    answers: Texts


def worded(
    asked: Clarification,
    query: Query,
    model: LanguageModel,
    *,
    budget: Budget | None = None,
    deadline: Deadline = NO_LIMIT,
) -> Clarification:
    """The same question in the model's words; as it was when the model gives none that fit."""
    request = prompt("wording").format(
        question=_quoted(asked.question),
        answers="\n".join(_quoted(option.label) for option in asked.options),
        task=_quoted(query.text),
    )
    try:
        said = ask(model, request, Wording, budget=budget, deadline=deadline, repair=False).value
    except StageUnavailable:
        return asked
    question = plain(said.question)[:LONGEST_QUESTION] if said else ""
    labels = [plain(answer)[:LONGEST_ANSWER] for answer in said.answers] if said else []
    if not question or len(set(labels)) != len(asked.options) or not all(labels):
        return asked
    pairs = zip(asked.options, labels, strict=True)
    options = tuple(replace(option, label=label) for option, label in pairs)
    return replace(asked, question=question, options=options)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
