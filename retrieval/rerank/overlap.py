"""The concepts of a query held against those of each candidate, wider ones included."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from retrieval.catalog import Annotator, places, rows_of, trust_of
from retrieval.core import State, Tool

Floats = NDArray[np.float64]
OPERATION = "operation:"


class ConceptTable:
    """What every record is about: concepts of its words, its facts, and all that is wider."""

    def __init__(
        self, tools: Sequence[Tool], annotator: Annotator, parents: Mapping[str, Sequence[str]]
    ) -> None:
        self.annotator, self._parents = annotator, parents
        self._row = places([t.id for t in tools])
        rows: defaultdict[str, list[int]] = defaultdict(list)
        for row, tool in enumerate(tools):
            for concept in self.widened(self._about(tool)):
                rows[concept].append(row)
        self._rows = {
            concept: np.array(rows_of_concept, dtype=np.int32)
            for concept, rows_of_concept in rows.items()
        }

    def _about(self, tool: Tool) -> Iterable[str]:
        yield from self.annotator.concepts(f"{tool.name}. {tool.description}")
        facts = (
            ("operation", tool.tasks),
            ("modality", tool.modalities),
            ("anatomy", tool.anatomy),
            ("format", (*tool.formats_in, *tool.formats_out)),
        )
        yield from (f"{kind}:{value}" for kind, values in facts for value in values)

    def widened(self, concepts: Iterable[str]) -> frozenset[str]:
        """The concepts with all that is wider than each."""
        closure: set[str] = set()
        level = list(concepts)
        while level:
            closure.update(level)
            level = [p for c in level for p in self._parents.get(c, ()) if p not in closure]
        return frozenset(closure)

    def rarity(self, concept: str) -> float:
        """High for what few records are about."""
        return log(1 + len(self._row) / (1 + len(self._rows.get(concept, ()))))

    def summed(self, weights: Mapping[str, float], ids: Sequence[str]) -> Floats:
        """For each tool named the weights of the concepts it has; 0 for an unknown tool."""
        every = np.zeros(len(self._row) + 1)  # the last one stands for unknown tools
        for concept, weight in weights.items():
            if concept in self._rows:
                every[self._rows[concept]] += weight
        sums: Floats = every[rows_of(self._row, ids)]
        return sums


class OperationTable(ConceptTable):
    """What every record states as its tasks; of one that states none, what its words name.

    A description also names operations that a tool serves, follows or leaves to others: on requests
    with wishes, tools of the task filled .76, .78 and .89 of the places with this, .72, .77 and .87
    before. ``stating`` are the ids of those whose own record states tasks.

    It is derived from ``table``, which has annotated the words of the same ``tools`` already.
    """

    def __init__(self, table: ConceptTable, tools: Sequence[Tool], stating: Container[str]) -> None:
        self.annotator, self._parents, self._row = table.annotator, table._parents, table._row
        states = np.array([tool.id in stating for tool in tools], dtype=bool)
        rows = defaultdict(list, {c: list(of[~states[of]]) for c, of in table._rows.items()})
        for row in np.flatnonzero(states).tolist():
            for concept in self.widened(f"{OPERATION}{task}" for task in tools[row].tasks):
                rows[concept].append(row)
        self._rows = {c: np.array(sorted(of), dtype=np.int32) for c, of in rows.items() if of}


ConceptChoice = Callable[[ConceptTable, Sequence[str]], Iterable[str]]


def everything(table: ConceptTable, concepts: Sequence[str]) -> Iterable[str]:
    """All concepts that the query names."""
    return concepts


def operations(table: ConceptTable, concepts: Sequence[str]) -> Iterable[str]:
    """Those that are something to do."""
    return [c for c in concepts if c.startswith(OPERATION)]


def wider(table: ConceptTable, concepts: Sequence[str]) -> Iterable[str]:
    """What is wider than a concept that the query names."""
    return sorted(table.widened(concepts) - set(concepts))


@dataclass(frozen=True)
class ConceptOverlap:
    """The share of the asked concepts, by rarity, that each candidate is about.

    ``covered`` gives the share of a text's letters that lie in concepts.
    """

    table: ConceptTable
    choose: ConceptChoice
    name: str
    covered: Callable[[str], float]

    def values(self, state: State) -> Floats:
        """One number from 0 to 1 a candidate; 0 where the query names none."""
        concepts = self.table.annotator.concepts(state.query.text)
        rarity = {c: self.table.rarity(c) for c in self.choose(self.table, concepts)}
        total = sum(rarity.values()) or 1.0
        return self.table.summed(rarity, [c.tool.id for c in state.candidates]) / total

    def trust(self, state: State, values: Floats) -> float:
        """How much of the request the concepts cover: of what they leave out they know nothing."""
        return trust_of(self.covered(state.query.text), 1.0)
