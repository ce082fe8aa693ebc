"""Requests that a catalog serves, written from its own records by templates in six languages."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from retrieval.catalog import Concept, kind_of
from retrieval.core import Tool
from retrieval.explain import BEYOND_IMAGES, BOUND, StatedFacts

TEMPLATES: dict[str, dict[str, list[str]]] = json.loads(
    Path(__file__).with_suffix(".json").read_text("utf-8")
)
ENGLISH_SHARE = 0.5
"""Half of the requests are in English, in which most are asked."""

SLOT = {"operation": "task", "anatomy": "object", "disease": "object", "data": "object"}


def is_bound(stated: StatedFacts, task: str) -> bool:
    """Whether a task can be done only on the objects that a tool is made for."""
    return not BOUND.isdisjoint({task, *stated.wider(task)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A text that names ``concept`` and other facts of the record ``tool``, which serves it."""

    text: str
    language: str
    concept: str
    tool: str


@dataclass(frozen=True)
class RequestWriter:
    """Writes requests from records; the same for the same seed."""

    stated: StatedFacts
    concepts: Mapping[str, Concept]
    seed: int = 20_26

    def requests(self, concept: str, number: int) -> Iterator[Request]:
        """Requests for a concept, each served by a record that names it."""
        draw = random.Random(f"{self.seed} {concept}")
        naming = self.stated.ids(self.stated.naming(concept))
        tools = [
            tool
            for tool in self.stated.tools
            if tool.id in naming and f"domain:{tool.domain}" not in BEYOND_IMAGES
        ]
        for _ in range(number if tools else 0):
            tool = draw.choice(tools)
            language = "en"
            if draw.random() > ENGLISH_SHARE:
                language = draw.choice([name for name in TEMPLATES if name != "en"])
            text = self._text(concept, tool, language, draw)
            if text:
                yield Request(text=text, language=language, concept=concept, tool=tool.id)

    def _text(self, concept: str, tool: Tool, language: str, draw: random.Random) -> str:
        """A template filled with the concept and with other facts of the record's fields."""
        slot = SLOT.get(kind_of(concept), "modality")
        fields = {
            # What works on any object (viewing, conversion) is served by general tools.
            "task": [
                task
                for task in map("operation:{}".format, tool.tasks)
                if is_bound(self.stated, task)
            ],
            "object": [f"anatomy:{part}" for part in tool.anatomy],
            "modality": [f"modality:{modality}" for modality in tool.modalities],
        }
        filled: dict[str, str] = {}
        for name, values in fields.items():
            named = [concept] if name == slot else values
            spellings = self._spellings(draw.choice(named), language) if named else []
            if spellings:
                filled[name] = draw.choice(spellings)
        if slot not in filled or "task" not in filled or len(filled) < 2:
            return ""
        if len(filled) == 3 and draw.random() < 1 / 3:
            del filled[draw.choice([n for n in filled if n not in (slot, "task")] or ["object"])]
        return draw.choice(TEMPLATES[language][" ".join(filled)]).format(**filled)

    def _spellings(self, concept: str, language: str) -> Sequence[str]:
        """The label and synonyms of a concept in a language."""
        entry = self.concepts.get(concept)
        if entry is None:
            return ()
        return entry.english if language == "en" else dict(entry.labels).get(language, ())
