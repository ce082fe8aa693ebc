"""What texts and tools are about: their concepts with every wider one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from retrieval.catalog.annotate import Annotator
from retrieval.core import Query, Tool

ASKED = ("operation", "anatomy", "modality", "disease", "data")
"""Kinds of concepts that say what a tool must do or be made for."""

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
        """The concepts and all that they are a kind or part of."""
        found: set[str] = set()
        level = list(concepts)
        while level:
            found.update(level)
            level = [p for c in level for p in self.parents.get(c, ()) if p not in found]
        return frozenset(found)

    def asked(self, query: Query) -> tuple[str, ...]:
        """What the words of a query ask for, in order, less what another of them includes."""
        named = [c for c in self.annotator.concepts(query.text) if self._counts(c)]
        implied = {w for c in named for w in self.wider([c]) - {c}}
        return tuple(c for c in named if c not in implied)

    def _counts(self, concept: str) -> bool:
        if kind_of(concept) not in ASKED or concept in WIDE_DATA:
            return False
        return "data:image" not in self.wider([concept])

    def of_tool(self, tool: Tool) -> frozenset[str]:
        """What a tool states or tells that it is about, with the wider concepts; read once."""
        known = self._tools.get(tool.id)
        if known is None or known[0] is not tool:
            known = self._tools[tool.id] = (tool, self._of_tool(tool))
        return known[1]

    def _of_tool(self, tool: Tool) -> frozenset[str]:
        told = (tool.name, tool.description, *tool.keywords, *tool.tasks)
        return self.wider((*self.annotator.concepts(". ".join(told)), *facts_of(tool)))


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
