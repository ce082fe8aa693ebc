"""What each record lacks of a request, for the order of a list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from retrieval.core import LazyTuple, Vectors
from retrieval.explain.gaps import GapJudge
from retrieval.explain.lacking import LIST, PAIR, Need, common
from retrieval.explain.reasons.record_words import (
    beside_words,
    not_naming,
    part_words,
    shared_facts,
)
from retrieval.explain.reasons.task_records import TaskRecords, any_of
from retrieval.explain.request_parts import is_story
from retrieval.explain.stated import Records, group_of, mask_of
from retrieval.rerank import Shortfall

Rows = NDArray[np.int64]
"""Places of records in the catalog, shape (rows,)."""

SMALL = frozenset({"anatomy:tissue", "anatomy:cell", "anatomy:nucleus", "anatomy:neuron"})
"""Parts of every organ. Who names MAGNIFIED asks for tools for them without naming them."""

MAGNIFIED = frozenset({"modality:microscopy", "domain:pathology", "domain:microscopy"})

OUTLINE = "operation:segmentation"
"""Outlines an organ, as tasks do that are narrower."""

LISTED = 0.4
"""Share of the records naming something to do, of those that have it or what is near it among their
tasks, from which on the tasks of a record tell whether it does that. Below it (to count, to
preprocess) the tasks of 50 of 85 right tools were others, above it those of 20 of about 1,100."""

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
        absent = self._absent(needs, rows)
        values = [part_words(text, need.part, self.judge.labels) for need in needs]
        concepts = frozenset(m.concept for m in self.judge.mentions(text) if not m.negated)
        elsewhere = self._elsewhere(concepts, rows.tolist())
        parts_alone = self._parts_alone(concepts, rows.tolist())
        costs = np.round(paid.sum(axis=0), 4).tolist()
        operations = _operations(concepts)
        others = self._other_tasks(operations)
        masks = [
            mask_of(records, len(self._rows), rows).tolist()
            for records in (others, others & ~self._related(operations))
        ]
        is_listed = all(map(self._is_listed, operations))
        unrelated = masks[1] if is_listed else [False] * len(ids)
        against = self._against(needs, paid, rows)
        tools = [self.judge.stated.tools[row] for row in rows.tolist()]
        beside = [
            beside_words(
                tool, list(compress(values, speaking)), list(compress(values, unnamed)), other
            )
            for tool, speaking, unnamed, other in zip(
                tools, against.T.tolist(), (against & absent).T.tolist(), unrelated, strict=True
            )
        ]
        tasks = tuple(
            self.judge.labels.get(one, one.split(":", 1)[1]) for one in sorted(operations)
        )
        lacks = ((paid > 0) & absent).T.tolist()
        lists = (rows.tolist(), costs, lacks, elsewhere, parts_alone, *masks, beside)
        return tuple(
            Shortfall(
                cost=cost,
                states=self._states(needs, row),
                lacks=tuple(dict.fromkeys(compress(values, column))),
                elsewhere=organs or parts,
                is_part_alone=bool(parts),
                other_tasks=is_other,
                absent_tasks=tasks if is_unrelated else (),
                beside=beside,
            )
            for row, cost, column, organs, parts, is_other, is_unrelated, beside in zip(
                *lists, strict=True
            )
        )

    def _states(self, needs: Sequence[Need], row: int) -> Sequence[str]:
        """What a record states of the parts, in its own words; read on first access."""
        judge, parts = self.judge, [need.part for need in needs]
        tool, wider = judge.stated.tools[row], judge.stated.wider
        return LazyTuple(partial(shared_facts, tool, parts, wider, judge.english))

    def _absent(self, needs: Sequence[Need], rows: Rows) -> NDArray[np.bool_]:
        """Where a record does not name a part at all, shape (parts, rows)."""
        silent = (not_naming(need.part, self.judge.stated) for need in needs)
        return np.stack([mask_of(records, len(self._rows), rows) for records in silent])

    def _against(self, needs: Sequence[Need], paid: Vectors, rows: Rows) -> NDArray[np.bool_]:
        """Where a part speaks against a record beside wishes, shape (parts, rows).

        It lacks a part which alone would be a gap, and which other records state; or it names no
        kind of image where one is asked. Of tools for the task among the first five of seven sets
        with wishes .05 lack such a part, of the other tools .36.
        """
        stated = np.array([need.stating > 0 and need.kind != "word" for need in needs])
        lacking = (paid >= self.judge.costs.threshold) & stated[:, None]
        against: NDArray[np.bool_] = lacking | self._silent_on_images(needs, rows)
        return against

    def _silent_on_images(self, needs: Sequence[Need], rows: Rows) -> NDArray[np.bool_]:
        """Where a record names no kind of image and one is asked, shape (parts, rows).

        That a task is open to any image costs such a record little, and yet it states nothing: for
        "ultrasound simulation" a program that simulates molecules.
        """
        number, without = len(self._rows), self.judge.stated.without_modality
        silent = [
            need.general & without & ~need.stating if need.kind == "open modality" else 0
            for need in needs
        ]
        return np.stack([mask_of(records, number, rows) for records in silent])

    def _is_listed(self, operation: str) -> bool:
        """Whether the tasks of records tell who does it (LISTED)."""
        if operation not in self._listed:
            stating = self.judge.stated.stating(operation)
            listing = stating & self._related(frozenset((operation,)))
            share = listing.bit_count() / max(1, stating.bit_count())
            self._listed[operation] = share >= LISTED
        return self._listed[operation]

    @cached_property
    def _listed(self) -> dict[str, bool]:
        return {}

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
    def _task_records(self) -> TaskRecords:
        return TaskRecords.of(self.judge.stated)

    def _other_tasks(self, operations: frozenset[str]) -> Records:
        """Records that state first tasks, and none of those among a text's concepts."""
        first = self._task_records.first
        return self._task_records.stating & ~any_of(first, operations) if operations else 0

    def _related(self, operations: frozenset[str]) -> Records:
        """Records of which a task is one of a text's, or wider or narrower than one."""
        wider = operations.union(*map(self.judge.stated.wider, operations))
        named, narrower = self._task_records.named, self._task_records.narrower
        return any_of(named, wider) | any_of(narrower, operations)

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

    @cached_property
    def _named(self) -> Sequence[frozenset[str]]:
        """The body parts and findings that the name of each record names, by row."""
        stated, mentions = self.judge.stated, self.judge.mentions
        names = [{m.concept for m in mentions(tool.name)} for tool in stated.tools]
        return [frozenset(filter(stated.is_object, concepts)) for concepts in names]

    def _parts_alone(self, concepts: frozenset[str], rows: Sequence[int]) -> list[tuple[str, ...]]:
        """What each record outlines by its name where a text asks to outline whole organs.

        Empty for records of the organ itself, and where the text asks for something else or names
        a finding. A lesion of the liver, or a vein in it, is not the liver.
        """
        wider = self.judge.stated.wider
        is_outlined = any(OUTLINE in {c, *wider(c)} for c in _operations(concepts))
        objects = frozenset(filter(self.judge.stated.is_object, concepts))
        if not is_outlined or not objects or any(group_of(c) == "finding" for c in objects):
            return [()] * len(rows)
        named = [self._named[row] for row in rows]
        is_part = {
            one: all(
                group_of(c) == "finding" or (c not in objects and not objects.isdisjoint(wider(c)))
                for c in one
            )
            for one in set(named)
        }
        return [
            tuple(sorted(c.split(":", 1)[1] for c in one)) if one and is_part[one] else ()
            for one in named
        ]


def _operations(concepts: frozenset[str]) -> frozenset[str]:
    return frozenset(concept for concept in concepts if concept.startswith("operation:"))
