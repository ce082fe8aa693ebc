"""Which parts of a request are a list ("lungs, airways and vessels"), of which one will do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from retrieval.explain.lacking import ALONE, LIST, PAIR, Need
from retrieval.explain.request_parts import Part

LISTED = 3
"""So many things parted by commas or "and" are a list, of which one will do; of two each is
judged. By the count alone, without separators, 9 of 452 gaps were lost ("femoral cartilage
thickness, knee") and 8 of 1,927 served requests raised an alarm."""

WIDEST = 60
"""Characters between two neighbours of a list; a longer stretch is a clause of its own."""

_AND = (
    r"\b(?:and|or|und|oder|sowie|et|ou|y|o|u|e|ed|od|as well as|plus)\b"
    r"|[/&+和或与及跟やとか]|または|および"
)
_INTO = r"\b(?:in|on|of|from|with|by|at|within|inside|under|per|de|d|im|am|von|en|em|sur|su|nel)\b"
_WORD = r"[a-z0-9à-ÿœ-]+"
_GAP = re.compile(
    rf"(?!.*{_INTO})(?:\s+{_WORD}){{0,2}}\s*(?:[,;，；、·]\s*(?P<late>{_AND})?|(?P<and>{_AND}))"
    rf"(?:\s*{_WORD}){{0,3}}\s*",
    re.IGNORECASE,
)
"""What parts the neighbours of a list: at most two words after the first ("lung nodule candidates
and"), three before the next ("and the left main"), and none that puts one into the other."""

_OR = frozenset({"or", "oder", "ou", "o", "または", "或", "/"})
"""What says itself that one of two will do: 4 alarms fewer in 1,927, no gap lost."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Parts that a text lists one after the other; where it is a ``choice`` one will do."""

    parts: tuple[Part, ...]
    choice: bool


def listed(text: str, needs: Sequence[Need]) -> tuple[Need, ...]:
    """The needs with the names of the lists that their parts are in.

    Two organs that nothing lists (the lung of a fetus) are each needed: 3 more of 452 gaps and no
    alarm; of three, one is mostly where the others lie.
    """
    group = {need.part: need.group for need in needs}
    chain_of = {
        part: f"{LIST if chain.choice else PAIR} {number}"
        for number, chain in enumerate(chains(text, tuple(group), group.__getitem__))
        for part in chain.parts
    }
    organs = [n.part for n in needs if n.group == "anatomy" and n.part not in chain_of]
    if len(organs) == 2:
        chain_of |= {part: f"{ALONE} {part.value}" for part in organs}
    return tuple(replace(need, chain=chain_of.get(need.part, "")) for need in needs)


def chains(text: str, parts: Sequence[Part], group: Callable[[Part], str]) -> Iterator[Chain]:
    """The parts that a text joins by commas or "and".

    Those of different groups need an "and" among their separators: commas alone also part the
    words of a request in note form ("tibia, mouse, micro-CT").
    """
    for kind in ("task", "object", "modality"):
        alike = sorted((p for p in parts if p.kind == kind), key=lambda p: p.start)
        run: list[Part] = []
        joins: list[str] = []
        for part in alike:
            join = _join(text[run[-1].end : part.start]) if run else None
            if run and join is None:
                yield from _chain(run, joins, group)
                run, joins = [], []
            run.append(part)
            joins += [join] if join else []
        yield from _chain(run, joins, group)


def _join(gap: str) -> str | None:
    """What joins two neighbours: "and", a comma, nothing inside of one name; None if apart."""
    if not gap.strip(" -"):
        return ""
    match = _GAP.fullmatch(gap) if len(gap) <= WIDEST else None
    if match is None:
        return None
    return (match["and"] or match["late"] or ",").lower()


def _chain(
    run: Sequence[Part], joins: Sequence[str], group: Callable[[Part], str]
) -> Iterator[Chain]:
    is_mixed = len({group(part) for part in run}) > 1
    if joins and (not is_mixed or set(joins) != {","}):
        # A word beside a concept ("lung lobes and fissures") is mostly near to it.
        is_near = len({bool(part.concept) for part in run}) > 1
        choice = is_near or len(joins) + 1 >= LISTED or not _OR.isdisjoint(joins)
        yield Chain(tuple(run), choice)
