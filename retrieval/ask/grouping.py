"""How the words of a question join its constraints: *not*, *and*, *or*, and which binds tighter.

A negation denies the next name of its clause, in Japanese (and where none follows) the one before.
Between names that share a verb *and* and *or* bind tightest (``write NIfTI or NRRD``), then between
clauses *and* before *or*; a comma before a joining word that differs from an earlier one binds
loosest (``A or B, and C``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from retrieval.ask.cues import Cue
from retrieval.ask.marked_text import Marked
from retrieval.ask.verbs import COMMAS

Role = Literal[
    "subject", "excluded", "requires", "required_by", "near", "reads_output", "writes_input"
]
Operator = Literal["and", "or"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A constraint: one of these relations to one of these nodes, or a position beside a tool.

    A soft limit is dropped where no tool would be left. One of the kind ``any`` holds where all of
    one of ``either`` hold; its options are those of all of them. One of the kind ``is`` names the
    tools themselves. One of the kind ``states`` holds where a record states the field at all. With
    ``only`` a record may state none but these values under their relations.
    """

    kind: Role | Literal["has", "any", "is", "states"] = "has"
    options: tuple[tuple[str, str], ...]
    negated: bool = False
    soft: bool = False
    either: tuple[tuple[Limit, ...], ...] = ()
    only: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A place of the text, in characters, and the limits that it sets if it is not denied."""

    start: int
    end: int
    limits: tuple[Limit, ...]
    split: Operator = "and"

    @property
    def relation(self) -> str:
        """What the item constrains; items of one relation may share a verb."""
        return f"{self.limits[0].kind} {self.limits[0].options[0][0]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Join:
    """How two neighbouring items are joined; a higher level binds looser."""

    operator: Operator
    level: int


VERBS = (
    "predicate",
    "accepts",
    "produces",
    "requires",
    "converts",
    "uses",
    "platform",
    "language",
    "interface",
    "supports",
)
"""Kinds of cues that begin a clause of their own."""
EITHER_OR, NAMES_AND, NAMES_OR, CLAUSES_AND, CLAUSES_OR, COMMA_AND, COMMA_OR, PREFIX = range(8)
"""Levels, tightest first.

EITHER_OR follows *either* (``A and either B or C``); PREFIX is a word before *tools*, which holds
for all that follows.
"""

POSTPOSED = frozenset({"ja"})
"""Languages whose negation follows what it denies."""


IMAGED = frozenset({"has applies_to", "has for_species"})
"""What an image shows."""

CONVERSION_ENDS = frozenset({"has converts_from", "has converts_to"})
"""The two ends of one conversion: "do not convert DICOM to NIfTI" denies both."""


def denied_items(marked: Marked, items: Sequence[Item]) -> list[bool]:
    """For each item whether a negation denies it; one negation may deny a list of names."""
    denied = [False] * len(items)
    negatives = [cue for cue in marked.cues if cue.kind == "negative"]
    for cue in negatives:
        target = _target(marked, cue, items)
        if target is None:
            continue
        denied[target] = True
        # The list goes on away from the negation: "no DICOM or NIfTI", "DICOM or NIfTI: no".
        step = 1 if items[target].end > cue.end else -1
        other = target + step
        while 0 <= other < len(items) and _shares(marked, items, min(other, other - step)):
            denied[other] = True
            other += step
        ends = target and {x.relation for x in items[target - 1 : target + 1]} == CONVERSION_ENDS
        if ends and marked.language == "de" and _shares(marked, items, target - 1):
            denied[target - 1] = True
    return denied


def _target(marked: Marked, cue: Cue, items: Sequence[Item]) -> int | None:
    """The item that a negation denies; None where a joining word parts it from both.

    A field has its negation inside: "state no licence", "a licence is not stated".
    """
    for n, item in enumerate(items):
        if item.limits[0].kind == "states" and item.start < cue.start and cue.end <= item.end:
            return n
    after = next((n for n, item in enumerate(items) if item.start >= cue.end), None)
    before = max((n for n, item in enumerate(items) if item.end <= cue.start), default=None)
    if marked.between("instead", cue.start, cue.end):
        # What is replaced stands after the word; who replaces a face in an image has no other one.
        before = None
        if after is not None and items[after].relation in IMAGED:
            return None
    if after is not None and _parted(marked, cue.end, items[after].start):
        after = None
    if before is not None and _parted(marked, items[before].end, cue.start):
        before = None
    first, second = (before, after) if marked.language in POSTPOSED else (after, before)
    return first if first is not None else second


def _parted(marked: Marked, start: int, end: int) -> bool:
    joined = marked.between("or", start, end) or marked.between("joins", start, end)
    return joined or not COMMAS.isdisjoint(marked.text[start:end])


def _shares(marked: Marked, items: Sequence[Item], n: int) -> bool:
    """Whether item ``n`` and the next stand in one list, or in one conversion, under one verb."""
    one, other = items[n], items[n + 1]
    opposed = marked.between("but", one.end, other.start)
    if {one.relation, other.relation} == CONVERSION_ENDS:
        # German has its negation between the ends: "DICOM nicht in NIfTI umwandeln".
        denied_apart = marked.language != "de" and marked.between("negative", one.end, other.start)
        between = marked.before("either_way", one.start, 4)
        parted = not between and _parted(marked, one.end, other.start)
        return not (opposed or denied_apart or parted)
    if opposed or _begins_clause(marked, one.end, other.start):
        return False
    if one.relation == other.relation:
        return _parted(marked, one.end, other.start)
    # *Open* is no name: it has a verb of its own, which may be part of the cue ("or are open").
    adjective = "has license_is" in (one.relation, other.relation)
    return marked.between("or", one.end, other.start) and not adjective


def _begins_clause(marked: Marked, start: int, end: int) -> bool:
    return any(marked.between(kind, start, end) for kind in (*VERBS, "negative", "gpu"))


def grouped(marked: Marked, items: Sequence[Item], denied: Sequence[bool]) -> list[Limit]:
    """The limits of items in the order of the text as one conjunction.

    The limits of denied items are negated already; alternatives of one relation become one limit.
    """
    if not items:
        return []
    joins = [_join(marked, items, denied, n) for n in range(len(items) - 1)]
    return list(_conjunction(items, joins))


def _join(marked: Marked, items: Sequence[Item], denied: Sequence[bool], n: int) -> _Join:
    """How item ``n`` and the next are joined."""
    start, end = items[n].end, items[n + 1].start
    operator = _joining_word(marked, items, n)
    if not operator and marked.between("tools", start, end):
        return _Join(operator="and", level=PREFIX)
    bare_comma = operator is None and not COMMAS.isdisjoint(marked.text[start:end])
    shared = items[n].relation == items[n + 1].relation
    shared = shared and not _begins_clause(marked, start, end)
    if bare_comma and (shared or marked.language == "en"):
        # A comma of a list stands for the joining word before its last member.
        later = (_joining_word(marked, items, m) for m in range(n + 1, len(items) - 1))
        operator = next((one for one in later if one), None)
    if operator == "or" and denied[n] and denied[n + 1] and _shares(marked, items, n):
        operator = "and"  # "no A or B" is neither.
    is_or = operator == "or"
    if is_or and not bare_comma and marked.between("either", items[0].end, start):
        return _Join(operator="or", level=EITHER_OR)
    if shared:
        return _Join(operator=operator or "and", level=NAMES_OR if is_or else NAMES_AND)
    level = CLAUSES_OR if is_or else CLAUSES_AND
    earlier = {_joining_word(marked, items, m) for m in range(n)} - {None, operator}
    if operator and earlier and not bare_comma and not COMMAS.isdisjoint(marked.text[start:end]):
        level = COMMA_OR if is_or else COMMA_AND
    return _Join(operator=operator or "and", level=level)


def _joining_word(marked: Marked, items: Sequence[Item], n: int) -> Operator | None:
    """The joining word between item ``n`` and the next; None where there is none."""
    start, end = items[n].end, items[n + 1].start
    # The second "soit" of "soit A soit B" joins as *or* does.
    again = marked.between("either", start, end) and marked.between("either", 0, start)
    if marked.between("or", start, end) or again or _are_years(marked, items[n : n + 2]):
        return "or"
    return "and" if marked.between("joins", start, end) else None


def _are_years(marked: Marked, items: Sequence[Item]) -> bool:
    """Whether items are two single years, which no release falls into both: "2023 and 2024"."""
    single = {year.start for year in marked.years if year.first == year.last}
    return single.issuperset(item.start for item in items)


def _conjunction(items: Sequence[Item], joins: Sequence[_Join]) -> Iterator[Limit]:
    if not joins:
        one = items[0]
        yield from [_alternatives([[x] for x in one.limits])] if one.split == "or" else one.limits
        return
    loosest = max(joins, key=lambda join: join.level)
    cuts = [n + 1 for n, join in enumerate(joins) if join.level == loosest.level]
    parts = [
        list(_conjunction(items[a:b], joins[a : b - 1]))
        for a, b in zip([0, *cuts], [*cuts, len(items)], strict=True)
    ]
    if loosest.operator == "or":
        yield _alternatives(parts)
    else:
        yield from (limit for part in parts for limit in part)


def _alternatives(parts: Sequence[Sequence[Limit]]) -> Limit:
    """One limit that holds where all limits of one part hold."""
    first = parts[0][0]
    options = tuple(dict.fromkeys(o for part in parts for limit in part for o in limit.options))
    alike = {(one.kind, one.options[0][0], one.soft) for part in parts for one in part}
    plain = all(len(part) == 1 and not part[0].negated for part in parts)
    if plain and len(alike) == 1 and first.kind != "any":
        return replace(first, options=options)
    return Limit(kind="any", options=options, either=tuple(tuple(part) for part in parts))
