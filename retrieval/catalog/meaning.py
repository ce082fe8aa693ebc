"""Concepts of texts and tools, with every wider concept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from retrieval.catalog.annotate import Annotator
from retrieval.core import Query, Tool

TASK_KINDS = ("operation", "anatomy", "modality", "disease", "data")
"""Kinds of concepts that state a task, or the material that a tool must be made for."""

WIDE_DATA = frozenset({"data:image", "data:volume", "data:raw data", "data:organ", "data:signal"})
"""Kinds of data that nearly every tool has; asking for one asks for nothing."""


@dataclass(frozen=True)
class Meaning:
    """Concepts of texts and tools by one annotator; ``parents`` are the wider ones of each."""

    annotator: Annotator
    labels: Mapping[str, str] = field(default_factory=dict)
    parents: Mapping[str, Sequence[str]] = field(default_factory=dict)
    _tools: dict[str, tuple[Tool, frozenset[str]]] = field(default_factory=dict, compare=False)

    def label(self, concept: str) -> str:
        """A concept's name in words."""
        return self.labels.get(concept, concept.split(":", 1)[-1])

    def wider(self, concepts: Iterable[str]) -> frozenset[str]:
        """The concepts and all their ancestors."""
        reached: set[str] = set()
        level = list(concepts)
        while level:
            reached.update(level)
            level = [p for c in level for p in self.parents.get(c, ()) if p not in reached]
        return frozenset(reached)

    def of_query(self, query: Query) -> tuple[str, ...]:
        """Concepts that the text of a query names, in order, without those wider than another.

        Only kinds in TASK_KINDS count, and no kind of data that nearly every tool has.
        """
        concepts = [
            c
            for c in self.annotator.concepts(query.text)
            if kind_of(c) in TASK_KINDS
            and c not in WIDE_DATA
            and "data:image" not in self.wider([c])
        ]
        implied = {w for c in concepts for w in self.wider([c]) - {c}}
        return tuple(c for c in concepts if c not in implied)

    def of_tool(self, tool: Tool) -> frozenset[str]:
        """Concepts of a tool's fields and texts, with the wider ones; annotated once per tool."""
        entry = self._tools.get(tool.id)
        # A changed record keeps its id, so the object itself is compared.
        if entry is None or entry[0] is not tool:
            texts = (tool.name, tool.description, *tool.keywords, *tool.tasks)
            text_concepts = self.annotator.concepts(". ".join(texts))
            entry = self._tools[tool.id] = (tool, self.wider((*text_concepts, *facts_of(tool))))
        return entry[1]


def kind_of(concept: str) -> str:
    """``operation`` of ``operation:segmentation``."""
    return concept.split(":", 1)[0]


def facts_of(tool: Tool) -> tuple[str, ...]:
    """The concepts that a record states in its own fields."""
    return (
        *(f"operation:{task}" for task in tool.tasks),
        *(f"modality:{modality}" for modality in tool.modalities),
        *(f"anatomy:{part}" for part in tool.anatomy),
    )
