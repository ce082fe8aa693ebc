"""Look-ups that a language model requests: one prompt of several tasks, one reply with tags."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from retrieval.llm import prompt_file

ENTITIES, PATHS, ANSWERS = "entity-extraction", "path-extraction", "draft-answer-generation"
OPENCYPHER, SPARQL = "opencypher", "sparql"
QUERY_TYPES = (OPENCYPHER, "opencypher-neptune-rdf", "opencypher-neptune", SPARQL)
TAGS = {ENTITIES: "entities", PATHS: "paths", ANSWERS: "answers"}
"""Tag of each task in a reply; a query type is its own tag."""

COMPLETION = r"<task-completion>(.*?)</task-completion>"
FINISH = "FINISH"
MAX_REPLY, MAX_ITEMS, MAX_ITEM = 100_000, 50, 2000
MAX_CONTEXT = 60_000
"""Characters of context that one prompt repeats; the earliest stay."""


def tagged(reply: str, pattern: str) -> list[str]:
    """Lines between tags of a pattern with one group, in order.

    Blank lines are dropped. The reply is untrusted: MAX_REPLY characters of it are read,
    MAX_ITEMS lines of MAX_ITEM characters are returned.
    """
    blocks = re.findall(pattern, reply[:MAX_REPLY], re.DOTALL)
    lines = (line.strip() for text in blocks for line in str(text).splitlines())
    return [line[:MAX_ITEM] for line in lines if line][:MAX_ITEMS]


@dataclass(frozen=True)
class TaskLinker:
    """Asks a model for everything at once and reads its reply task by task."""

    complete: Callable[[str], str]
    tasks: tuple[str, ...] = (ENTITIES, PATHS, OPENCYPHER, ANSWERS)

    def prompts(self, *, again: bool = False) -> str:
        """The prompt of the tasks; that of later iterations builds on the facts so far."""
        names = ("tasks_again" if again else "tasks_first", *(f"task_{t}" for t in self.tasks))
        return "\n\n".join(prompt_file(name, "ask") for name in names)

    def generate_response(
        self, question: str, schema: str, graph_context: str, task_prompts: str
    ) -> str:
        """The model's reply to a question with its schema, context and tasks."""
        return self.complete(
            prompt_file("linker", "ask").format(
                question=question,
                schema=schema,
                context=graph_context[:MAX_CONTEXT] or "nothing yet",
                tasks=task_prompts,
            )
        )

    def parse_response(self, reply: str) -> dict[str, list[str]]:
        """The items by task; a task without an item in the reply has no key.

        All of TAGS and QUERY_TYPES are read, also for tasks that were not requested.
        """
        by_task: dict[str, list[str]] = {}
        for task in dict.fromkeys((*self.tasks, *TAGS, *QUERY_TYPES)):
            tag = re.escape(TAGS.get(task, task))
            if items := tagged(reply, rf"<{tag}>(.*?)</{tag}>"):
                by_task[task] = items
        return by_task


def finished(reply: str) -> bool:
    """Whether the model replied that the question can be answered."""
    return FINISH in " ".join(tagged(reply, COMPLETION))


def queries_in(requests: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    """Type and text of every query among the requests, one per type, lines joined by blanks."""
    joined = {
        kind: " ".join(line for line in requests.get(kind, ()) if not line.startswith("```"))
        for kind in QUERY_TYPES
    }
    return [(kind, text.strip()) for kind, text in joined.items() if text.strip()]
