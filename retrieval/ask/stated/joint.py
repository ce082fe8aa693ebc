"""What a question asks of several named tools at once: what both state, or which is newer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from retrieval.ask.cues import Cue
    from retrieval.ask.marked_text import Marked
    from retrieval.core import Step
    from retrieval.graph import FactBase

Joint = Literal["", "all", "any", "same", "order"]
"""All of the tools, at least one of them, whether they are alike, and their order in time."""

DATES = ("last_released", "last_changed")
CHANGES = ("maintained", "unmaintained")
"""Kinds of cues for work on a tool, which a commit shows as a release does."""


def joint_of(
    marked: Marked, subjects: Collection[str], fields: Sequence[str], either: bool
) -> Joint:
    """What is asked of the subjects together; ``fields`` are the kinds of cues that name a field.

    ``either``: *or* stands between them.
    """
    if len(subjects) < 2 or marked.has("better"):
        return ""
    if marked.has("order"):
        return "order"
    if not marked.has(*fields):
        return ""
    if marked.has("same", "compare"):
        return "same"
    if marked.has("both", "common"):
        return "all"
    return "any" if either else ""


def without_amounts(cues: Sequence[Cue], kinds: Collection[str]) -> tuple[Cue, ...]:
    """The cues, of which an amount that is read as one of these kinds asks for nothing else."""
    read = [(c.start, c.end) for c in cues if c.kind in kinds]
    return tuple(c for c in cues if c.kind != "amount" or (c.start, c.end) not in read)


def unread_likeness(marked: Marked) -> tuple[str, ...]:
    """*The same* field, which two tools of the catalog have alike: VTK is none of its tools."""
    cues = (c for c in marked.cues if c.kind == "same")
    fields = [c.start for c in marked.cues if c.kind in ("license", "language", "platform")]
    return tuple(
        marked.text[c.start : c.end] for c in cues if any(0 <= at - c.end <= 2 for at in fields)
    )


def values_of(base: FactBase, subject: str, relation: str) -> tuple[str, ...]:
    """What a record states under a relation, else what it mentions."""
    return tuple(base.tails(subject, relation, stated=True) or base.tails(subject, relation))


def shared_first(steps: Sequence[Step], subjects: Collection[str]) -> list[Step]:
    """The steps, those first whose value all subjects have, so that a cut leaves them."""
    heads: dict[tuple[str, str], set[str]] = {}
    for head, relation, tail in steps:
        heads.setdefault((relation, tail), set()).add(head)
    return sorted(steps, key=lambda step: len(heads[step[1:]]) < len(subjects))


def dates_of(base: FactBase, subjects: Sequence[str], changes: bool) -> tuple[str, dict[str, str]]:
    """The relation that dates tools, and the date of each that states one.

    With ``changes``, or where not all state a release, the later one of release and change counts.
    """

    def latest(subject: str, relations: Sequence[str]) -> str:
        labels = (base.label(v) for r in relations for v in base.tails(subject, r, stated=True))
        return max(labels, default="")

    released = {one: latest(one, DATES[:1]) for one in subjects}
    if all(released.values()) and not changes:
        return DATES[0], released
    dated = {one: latest(one, DATES) for one in subjects}
    return DATES[1], {one: day for one, day in dated.items() if day}
