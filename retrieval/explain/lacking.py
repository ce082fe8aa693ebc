"""What it costs a record to lack parts of a request; a gap is a cost that no record escapes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain, product
from math import prod
from operator import and_, itemgetter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.core import Vectors
from retrieval.explain.request_parts import Part
from retrieval.explain.stated import Records, mask_of

FEW, SOME = 5, 0.03
"""Up to so many records, or so large a share of them, have a word that is seldom."""

COUNTED = 9
"""Parts of which each combination has a counter, 20,000 of them: a tenth of the time of sorting
out the codes of 10,000 records."""

PARTS = 30
"""Parts of a text that are judged; a combination of what records have of them is one number."""

MOST = 24
"""Choices of one part of each kind that are weighed one by one; of more, each record the best."""

LIST, PAIR, ALONE = "list", "pair", "alone"
"""How the names of lists begin: one of a list will do, each of a pair is judged with the other
parts; what is alone is needed itself."""

EVEN = (1.0, 1.0, 1.0, 1.0)

Having = NDArray[np.int64]
"""A row for each combination of what a record has of the parts; see ``having_of``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """A part of a request with the records that state it.

    ``general`` records state something wider alone, or nothing of the kind where the task is open
    to anything; ``free`` ones do it whatever the image shows. ``kind`` is a key of the costs.
    ``chain`` names the list of the text that it is in.
    """

    part: Part
    kind: str
    stating: Records
    general: Records = 0
    free: Records = 0
    chain: str = ""

    @property
    def group(self) -> str:
        """Parts of one group are mostly alternatives ("CT or MRI"); each word stands alone."""
        return f"word {self.part.value}" if self.kind == "word" else self.kind.split()[-1]

    def weighed_in(self, together: bool) -> str:
        """The name of the group that it is weighed in.

        In a story, whose parts of a group are not needed ``together``, a thing that no record has
        stands alone: nothing else in the text makes up for it.
        """
        if together:
            return self.chain or self.group
        is_absent = self.part.kind == "object" and not (self.stating | self.general | self.free)
        return f"{ALONE} {self.part.value}" if is_absent else self.group


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """Costs by kind of a part, 0 to 1.

    ``lacking``: of a record that does not state it. ``general``: of one that states something
    wider, where no record, few or many state the part itself. ``rarity`` weighs words and tasks by
    the records that have them: none, few, some, many. From ``threshold``, which lies
    above every cost of something wider, a cost is a gap: what states a wider thing is none alone.
    """

    threshold: float
    lacking: Mapping[str, float]
    general: Mapping[str, Sequence[float]]
    rarity: Mapping[str, Sequence[float]]

    def of(self, need: Need, number: int) -> float:
        """The cost of a record, one of ``number``, that has nothing of a part."""
        records = need.stating.bit_count()
        seldom = (records > 0) + (records > FEW) + (records > SOME * number)
        return self.lacking[need.kind] * self.rarity.get(need.kind, EVEN)[seldom]

    @property
    def of_other_common_task(self) -> float:
        """What it costs to do another common task: who outlines a thing finds and counts it."""
        costs = (c for kind, c in self.general.items() if kind.endswith("common task"))
        return float(np.float32(max(map(max, costs), default=0.0)))  # as costs are summed up

    def table(self, needs: Sequence[Need], number: int) -> Vectors:
        """The cost of each part that a record states, states in general or lacks: (parts, 3)."""
        return np.array([self._row(need, number) for need in needs], dtype=np.float32)

    def paid(self, needs: Sequence[Need], rows: NDArray[np.int64], number: int) -> Vectors:
        """What the records of these rows pay for each part, shape (parts, rows).

        Of a list, of which one part will do, only its cheapest is paid.
        """
        having = np.stack([_having(need, number, rows) for need in needs])
        paid = np.take_along_axis(self.table(needs, number), having, axis=1)
        for name in {need.chain for need in needs if need.chain.startswith(LIST)}:
            places = [place for place, need in enumerate(needs) if need.chain == name]
            paid[places] = np.where(
                np.arange(len(places))[:, None] == paid[places].argmin(axis=0), paid[places], 0.0
            )
        return paid

    def _row(self, need: Need, number: int) -> tuple[float, float, float]:
        cost, records = self.of(need, number), need.stating.bit_count()
        general = self.general.get(need.kind, EVEN)[(records > 0) + (records > FEW)]
        return 0.0, min(cost, general), cost

    def worst(
        self, needs: Sequence[Need], having: Having, number: int, together: bool = True
    ) -> tuple[float, tuple[Need, ...]]:
        """The parts, one of each group, that cost the nearest record most, and that cost.

        Not ``together``: the parts of a group are alternatives, of which a record needs one.
        """
        groups: dict[str, list[int]] = {}
        for place, need in enumerate(needs):
            groups.setdefault(need.weighed_in(together), []).append(place)
        places = np.arange(len(needs))
        costs = self.table(needs, number)[places, having]
        lists = prod(map(len, groups.values())) > MOST or not together
        list_groups = [group for name, group in groups.items() if lists or name.startswith(LIST)]
        ground = sum((costs[:, group].min(axis=1) for group in list_groups), np.zeros(len(costs)))
        apart = [group for group in groups.values() if group not in list_groups]
        choices = [
            (float((ground + costs[:, choice].sum(axis=1)).min()), choice)
            for choice in map(list, product(*apart))
        ]
        cost, choice = max(choices, key=itemgetter(0))
        return cost, tuple(needs[place] for place in (*choice, *chain.from_iterable(list_groups)))

    def fewest(self, needs: Sequence[Need], number: int) -> tuple[Need, ...]:
        """What no record states at all; else the fewest parts that none states together."""
        dear = sorted(needs, key=lambda need: -self.of(need, number))
        absent = [n for n in needs if not n.stating and self.of(n, number) * 2 >= self.threshold]
        if absent:
            return tuple(absent)
        needs_left = list(dear)
        for need in reversed(dear):
            rest = [other for other in needs_left if other is not need]
            if rest and not common(other.stating for other in rest):
                needs_left = rest
        return tuple(need for need in needs if need in needs_left)


def having_of(needs: Sequence[Need], number: int) -> Having:
    """What the records have of the parts, each combination once: int64 of (combinations, parts).

    0 where a record states a part, 1 where it states something wider, 2 where it lacks it. No
    record lacks everything.
    """
    codes = np.zeros(number, dtype=np.int64)
    for place, need in enumerate(needs):
        codes += _having(need, number) * 3**place
    if not number:
        codes = np.array([3 ** len(needs) - 1])
    elif len(needs) <= COUNTED:
        codes = np.flatnonzero(np.bincount(codes))
    else:
        codes = np.unique(codes)
    return codes[:, None] // 3 ** np.arange(len(needs)) % 3


def _having(need: Need, number: int, rows: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """What each record, or each of these rows, has of a part, int64: see ``having_of``."""
    states = 2 - mask_of(need.general, number, rows).astype(np.int64)
    states[mask_of(need.stating | need.free, number, rows)] = 0
    return states


def common(sets: Iterable[Records]) -> Records:
    """The records that all of these sets have; no set has none."""
    return reduce(and_, sets, -1)


def read_costs(path: Path) -> Costs:
    """The costs of a JSON file with the fields of ``Costs``; others are notes."""
    data = json.loads(path.read_text("utf-8"))
    return Costs(**{name: data[name] for name in ("threshold", "lacking", "general", "rarity")})
