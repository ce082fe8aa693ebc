"""What a licence says of the price of a tool, in fixed wording."""

from __future__ import annotations

from collections.abc import Iterator

from retrieval.ask.solve import Solution
from retrieval.ask.words.phrases import wording
from retrieval.core import Sentence
from retrieval.graph import OPEN, FactBase


def free_note(base: FactBase, solution: Solution) -> Iterator[Sentence]:
    """Whether the licences of the subjects let anyone use them free of charge."""
    language = solution.reading.language
    for key, is_open in (("free of charge", True), ("price unknown", False)):
        evidence = tuple(
            fact.id
            for fact in solution.facts
            for step in fact.steps
            if step[1] == "license_is" and (step[2] == OPEN) == is_open
        )
        if solution.reading.priced and evidence:
            yield Sentence(text=wording(key, language), evidence=evidence)
