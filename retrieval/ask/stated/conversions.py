"""Conversions between formats: stated pairs, and two tools in sequence.

A tool that reads one format and writes another need not turn the one into the other, so both ends
of a conversion become one constraint, which stated pairs alone fulfil.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from retrieval.core import Step

if TYPE_CHECKING:
    from retrieval.ask.grouping import Limit
    from retrieval.ask.sets import ToolSets
    from retrieval.graph import FactBase

CONVERSION = "operation:conversion"
FROM, TO, PAIR = "converts_from", "converts_to", "converts"
SIDES = {"accepts": FROM, "produces": TO}
"""The relation that a verb stands for in a question about conversions."""

Ways = Literal["", "either", "both"]
"""One direction, either of both (*between* two formats), or *both directions* in one tool."""

NO_IMAGE = " (metadata)"
"""The end of a pair that carries no more than a header; nothing goes on from there."""


Direction = tuple[str, str, tuple[str, ...]]
"""The formats before and after a conversion, and tools that state it."""


def read_to_convert(limit: Limit) -> Limit:
    """A limit on what is read, which a stated conversion from that format fulfils too."""
    reads = tuple((FROM, node) for relation, node in limit.options if relation == "accepts")
    return replace(limit, options=(*limit.options, *reads)) if reads else limit


MOST_CONVERTING = 12
"""Further tools that are told to convert from a format which their records do not list as read."""


def converting(
    sets: ToolSets, limits: Sequence[Limit], holders: Container[str]
) -> dict[str, tuple[Step, ...]]:
    """Tools that only a conversion puts into a set of what reads a format, with that evidence.

    A record lists as read what a tool opens; what it converts from stands in another field.
    """
    reads = [x for x in limits if x.options[0][0] == "accepts" and not (x.negated or x.only)]
    if not reads:
        return {}
    wider = sets.all_of([read_to_convert(x) if x in reads else x for x in limits])
    more = [(tool, steps[:1]) for tool, steps in wider.items() if tool not in holders]
    return dict(sorted(more)[:MOST_CONVERTING])


def paired(base: FactBase, limits: Sequence[Limit], ways: Ways = "") -> list[Limit]:
    """The limits, with those on the two ends of a conversion joined to limits on pairs.

    "Into what FSL reads" is an end, too: one of the formats that FSL accepts. By ``ways`` the
    opposite pair is an alternative, or has to be stated as well.
    """
    converts = any(limit.options[0][0] in (FROM, TO) for limit in limits)
    joined = [_into_inputs(base, limit) if converts else limit for limit in limits]
    first, second = (
        [limit for limit in joined if limit.options[0][0] == side] for side in (FROM, TO)
    )
    # "Do not convert DICOM to NIfTI" denies both ends, and by that the pair alone.
    both = [
        limit
        for one in first
        for other in second
        if one.negated == other.negated
        for limit in _ways(base, one, other, ways)
    ]
    joined_signs = {limit.negated for limit in both}
    ends = [limit for limit in (*first, *second) if limit.negated in joined_signs]
    return [*both, *(limit for limit in joined if limit not in ends)]


def _ways(base: FactBase, one: Limit, other: Limit, ways: Ways) -> tuple[Limit, ...]:
    """The limit on the pairs of two ends, and on the opposite pairs where these are asked for."""
    there = tuple(_pairs(base, one, other))
    back = tuple(_pairs(base, other, one)) if ways else ()
    if ways == "both":
        return replace(one, options=there), replace(one, options=back)
    return (replace(one, options=(*there, *back)),)


def directions(
    base: FactBase, limits: Iterable[Limit], nodes: Iterable[str]
) -> Iterator[Direction]:
    """Each direction of conversions *between* two formats with those of the nodes that state it."""
    for limit in limits:
        pairs: dict[tuple[str, str], list[str]] = {}
        for relation, node in limit.options:
            if relation == PAIR and not limit.negated:
                pairs.setdefault(_ends(node), []).append(node)
        if any(ends[::-1] in pairs for ends in pairs):
            for (before, after), stated in pairs.items():
                tools = [n for n in nodes if any(base.has((n, PAIR, pair)) for pair in stated)]
                yield before, after, tuple(tools)


def _into_inputs(base: FactBase, limit: Limit) -> Limit:
    if limit.kind != "writes_input":
        return limit
    formats = dict.fromkeys(f for _, tool in limit.options for f in base.tails(tool, "accepts"))
    ends = tuple((TO, name) for name in formats)
    return replace(limit, kind="has", options=ends) if ends else limit


def _pairs(base: FactBase, one: Limit, other: Limit) -> Iterator[tuple[str, str]]:
    """The stated pairs between the formats of two limits; a bare name for one that is not."""
    for _, before in one.options:
        for _, after in other.options:
            name = f"conversion:{_code(before)} to {_code(after)}"
            tools = base.heads(FROM, before, stated=True)
            stated = {n for t in tools for n in base.tails(t, PAIR) if n.startswith(f"{name} (")}
            yield from ((PAIR, node) for node in sorted(stated) or [name])


def two_steps(base: FactBase, limits: Iterable[Limit]) -> Iterator[tuple[Step, ...]]:
    """Two tools in sequence for a pair that none converts alone, with the same kind of data."""
    pair_nodes = dict.fromkeys(
        node for limit in limits if not limit.negated for r, node in limit.options if r == PAIR
    )
    for before, after in dict.fromkeys(_ends(node) for node in pair_nodes):
        start, end = f"format:{before}", f"format:{after}"
        for one in base.heads(FROM, start, stated=True):
            for middle, what in _reached(base, one, before):
                for other in base.heads(FROM, f"format:{middle}", stated=True):
                    last = f"conversion:{middle} to {after}{what}"
                    if other != one and middle != after and base.has((other, PAIR, last)):
                        yield (
                            (one, FROM, start),
                            (one, TO, f"format:{middle}"),
                            (other, FROM, f"format:{middle}"),
                            (other, TO, end),
                        )


def _reached(base: FactBase, tool: str, before: str) -> Iterator[tuple[str, str]]:
    """Format and kind of data of what a tool makes of a format."""
    for node in base.tails(tool, PAIR):
        what = f" ({node.partition(' (')[2]}"
        if _ends(node)[0] == before and what != NO_IMAGE:
            yield _ends(node)[1], what


def _ends(node: str) -> tuple[str, str]:
    before, _, after = _code(node).partition(" (")[0].partition(" to ")
    return before, after


def _code(node: str) -> str:
    return node.partition(":")[2]
