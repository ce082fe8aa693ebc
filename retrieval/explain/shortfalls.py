"""What each record lacks of a request, for the order of a list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress

import numpy as np

from retrieval.explain.gaps import GapJudge
from retrieval.explain.lacking import LIST, PAIR, Need, common
from retrieval.explain.request_parts import is_story
from retrieval.rerank import Shortfall

SMALL = frozenset({"anatomy:tissue", "anatomy:cell", "anatomy:nucleus", "anatomy:neuron"})
"""Parts of every organ. Who names MAGNIFIED asks for tools for them without naming them."""

MAGNIFIED = frozenset({"modality:microscopy", "domain:pathology", "domain:microscopy"})

FIRST_TASKS = 4
"""Tasks that a record names first and that say what it is for; what comes later are steps of it."""

READY_MADE = "operation:model inference"
"""To run a model that exists: what it looks for is a matter of the model that a user chooses."""


@dataclass(frozen=True)
class ShortfallReader:
    """Reads the parts of a text and says what records lack of them.

    Of a letter nothing: its words are seldom all meant (of 42 letters none gained).
    """

    judge: GapJudge

    def __call__(self, text: str, ids: Sequence[str]) -> tuple[Shortfall, ...]:
        """One per id, in their order; none where the text names no part."""
        needs = () if is_story(text) else self._weighed(self.judge.needs(text))
        if not needs:
            return ()
        rows = np.array([self._rows[tool_id] for tool_id in ids], dtype=np.int64)
        paid = self.judge.costs.paid(needs, rows, len(self._rows))
        values = [need.part.value for need in needs]
        concepts = frozenset(m.concept for m in self.judge.mentions(text) if not m.negated)
        elsewhere = self._elsewhere(concepts, rows.tolist())
        costs = np.round(paid.sum(axis=0), 4).tolist()
        others = self._other_tasks(concepts, rows.tolist())
        unrelated = self._states_none(concepts, rows.tolist())
        columns = zip(costs, paid.T.tolist(), elsewhere, others, unrelated, strict=True)
        return tuple(
            Shortfall(
                cost=cost,
                lacks=tuple(compress(values, column)) if cost else (),
                elsewhere=organs,
                other_tasks=is_other,
                states_no_such_task=is_other and is_unrelated,
            )
            for cost, column, organs, is_other, is_unrelated in columns
        )

    def _weighed(self, needs: Sequence[Need]) -> tuple[Need, ...]:
        """The needs as an order takes them: by what a tool can have.

        Two things that no record states together ("breasts and heart chambers on CT") are served
        by one tool each; and who runs any ready-made model states no finding of it.
        """
        pairs = {need.chain for need in needs if need.chain.startswith(PAIR)}
        images = [need.stating for need in needs if need.part.kind == "modality"]
        apart = {
            name
            for name in pairs
            if not common([*images, *(need.stating for need in needs if need.chain == name)])
        }
        model_records = [need.stating for need in needs if need.part.concept == READY_MADE]
        models = common([*model_records, self.judge.stated.without_finding]) if model_records else 0
        return tuple(
            replace(
                need,
                chain=f"{LIST} {need.chain}" if need.chain in apart else need.chain,
                free=need.free | models if need.part.kind == "object" else need.free,
            )
            for need in needs
        )

    @cached_property
    def _rows(self) -> Mapping[str, int]:
        return {tool.id: row for row, tool in enumerate(self.judge.stated.tools)}

    @cached_property
    def _tasks(self) -> Sequence[frozenset[str]]:
        """The first tasks of each record and what is wider, by row."""
        firsts = (
            [f"operation:{task}" for task in tool.tasks[:FIRST_TASKS]]
            for tool in self.judge.stated.tools
        )
        return [frozenset(tasks).union(*map(self.judge.stated.wider, tasks)) for tasks in firsts]

    def _other_tasks(self, concepts: frozenset[str], rows: Sequence[int]) -> list[bool]:
        """Whether each record states first tasks, and none of those among a text's concepts."""
        operations = _operations(concepts)
        firsts = (self._tasks[row] for row in rows)
        return [bool(operations and tasks) and operations.isdisjoint(tasks) for tasks in firsts]

    @cached_property
    def _all_tasks(self) -> Sequence[tuple[frozenset[str], frozenset[str]]]:
        """Every task of each record, and what is wider than one of them, by row."""
        wider = self.judge.stated.wider
        stated = [
            frozenset(f"operation:{t}" for t in tool.tasks) for tool in self.judge.stated.tools
        ]
        return [(tasks, frozenset[str]().union(*map(wider, tasks))) for tasks in stated]

    def _states_none(self, concepts: frozenset[str], rows: Sequence[int]) -> list[bool]:
        """Whether no task of each record is one of a text's, or wider or narrower than one."""
        operations = _operations(concepts)
        related = operations.union(*map(self.judge.stated.wider, operations))
        stated = (self._all_tasks[row] for row in rows)
        return [
            related.isdisjoint(tasks) and operations.isdisjoint(wider) for tasks, wider in stated
        ]

    @cached_property
    def _organs(self) -> Sequence[frozenset[str]]:
        """The body parts that each record states, by row; equal sets are one object."""
        sets: dict[frozenset[str], frozenset[str]] = {}
        by_row = (
            frozenset(f"anatomy:{part}" for part in tool.anatomy)
            for tool in self.judge.stated.tools
        )
        return [sets.setdefault(organs, organs) for organs in by_row]

    def _elsewhere(self, concepts: frozenset[str], rows: Sequence[int]) -> list[tuple[str, ...]]:
        """The body parts of each record where a text names none, and nothing that they lie in.

        Empty for the other records. Only what these rows state is looked at: to go through the
        sets of all records of 10,000 took a millisecond.
        """
        wider = self.judge.stated.wider
        near = concepts.union(*map(wider, concepts))
        near |= frozenset() if near.isdisjoint(MAGNIFIED) else SMALL
        names: dict[frozenset[str], tuple[str, ...]] = {frozenset(): ()}
        stated = [self._organs[row] for row in rows]
        for organs in set(stated) - names.keys():
            served = not near.isdisjoint(organs) or any(
                not concepts.isdisjoint(wider(organ)) for organ in organs
            )
            names[organs] = () if served else tuple(sorted(o.split(":", 1)[1] for o in organs))
        return [names[organs] for organs in stated]


def _operations(concepts: frozenset[str]) -> frozenset[str]:
    return frozenset(concept for concept in concepts if concept.startswith("operation:"))
