"""What a database returned in a few sentences; an answer that is too large is reduced first."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from pydantic import BaseModel, Field

from retrieval.core import NO_LIMIT, Deadline, StageUnavailable
from retrieval.llm import Budget, LanguageModel, ask

MOST_CONTEXT = 12_000
"""Characters of a result that a prompt holds."""

LEFT_OUT = "[{n} more lines were left out]"


class Summary(BaseModel):
    """A short answer from a result."""

    answer: str = Field(min_length=1)


@cache
def _prompt() -> str:
    return files("retrieval.databases").joinpath("prompts/api_summary.txt").read_text("utf-8")


def reduced(text: str, most: int = MOST_CONTEXT) -> str:
    """Whole lines from the beginning, and how many were left out; a longer line is cut."""
    if len(text) <= most:
        return text
    kept: list[str] = []
    lines = text.splitlines()
    room = most - len(LEFT_OUT) - 10
    for line in lines:
        if room - len(line) < 0:
            break
        kept.append(line)
        room -= len(line) + 1
    if not kept:
        return f"{text[: most - 4]} ..."
    return "\n".join([*kept, LEFT_OUT.format(n=len(lines) - len(kept))])


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
    prompt = _prompt().format(title=title, question=question, context=reduced(context))
    said = ask(model, prompt, Summary, budget=budget, deadline=deadline)
    if said.value is None:
        raise StageUnavailable(said.reason)
    return said.value.answer
