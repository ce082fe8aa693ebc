"""Which records state a task, and how far up in their lists of tasks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_

from retrieval.explain.stated import Records, StatedFacts

FIRST_TASKS = 4
"""Tasks that a record names first and that say what it is for; what comes later are steps of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRecords:
    """Sets of records by a task that they state; ``stating`` any.

    ``first`` is by one of their first tasks and what is wider than it, ``named`` by any task of
    theirs, ``narrower`` by what is wider than one.
    """

    stating: Records
    first: Mapping[str, Records]
    named: Mapping[str, Records]
    narrower: Mapping[str, Records]

    @classmethod
    def of(cls, stated: StatedFacts) -> TaskRecords:
        """The sets of these records."""
        first, named = defaultdict[str, Records](int), defaultdict[str, Records](int)
        stating = 0
        for row, tool in enumerate(stated.tools):
            tasks = [f"operation:{task}" for task in tool.tasks]
            stating |= bool(tasks) << row
            for task in set(tasks):
                named[task] |= 1 << row
            firsts = tasks[:FIRST_TASKS]
            for task in set(firsts).union(*map(stated.wider, firsts)):
                first[task] |= 1 << row
        narrower = defaultdict[str, Records](int)
        for task, records in named.items():
            for one in stated.wider(task):
                narrower[one] |= records
        return cls(stating=stating, first=dict(first), named=dict(named), narrower=dict(narrower))


def any_of(records: Mapping[str, Records], concepts: Iterable[str]) -> Records:
    """The records of any of these concepts."""
    return reduce(or_, (records.get(concept, 0) for concept in concepts), 0)
