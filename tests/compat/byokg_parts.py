"""A graph of three triples and a generator that follows a script."""

from __future__ import annotations

TRIPLES = (("A", "uses", "F"), ("B", "uses", "F"), ("B", "next", "C"))
FINISH = "<task-completion>FINISH</task-completion>"


class Llm:
    """A generator with a list of replies; the last is repeated."""

    def __init__(self, *replies: str) -> None:
        self.replies, self.prompts = list(replies), list[str]()

    def generate(self, prompt: str) -> str:
        self.prompts.append(prompt)
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
