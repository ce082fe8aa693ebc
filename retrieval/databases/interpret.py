"""What a database returned in a few sentences; an answer that is too large is reduced first."""

from __future__ import annotations

from pydantic import BaseModel, Field

from retrieval.core import NO_LIMIT, Deadline, StageUnavailable
from retrieval.llm import Budget, LanguageModel, ask, prompt_file

MOST_CONTEXT = 12_000
"""Characters of a result that a prompt holds."""

LEFT_OUT = "[{n} more lines were left out]"


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
