"""Values of one filter that a remark lists: "MIT or Apache", "a desktop program or a web page"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from retrieval.dialogue.rules import vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The values of one field that a remark has named, and its line; ``end``: the word after."""

    field: str
    values: frozenset[str]
    label: str
    end: int
    line: str = ""


def joined(before: Choice | None, after: Choice, between: Sequence[str]) -> Choice | None:
    """Both choices as one; None where the later one replaces the one before.

    They are joined where nothing but words of a list stand between them. Without an "or", the
    narrower of two stands for both: of "open source, MIT" it is MIT.
    """
    if before is None or before.field != after.field or not (before.values and after.values):
        return None
    table = vocabulary()
    if not table.alternatives.union(table.joints).issuperset(between):
        return None
    narrow, wide = sorted((before, after), key=lambda choice: len(choice.values))
    if narrow.values <= wide.values and table.alternatives.isdisjoint(between):
        return replace(narrow, end=after.end)
    subject, _, value = after.label.rpartition(": ")
    label = value if before.label.startswith(f"{subject}: ") else after.label
    values = before.values | after.values
    return replace(after, values=values, label=f"{before.label} or {label}")
