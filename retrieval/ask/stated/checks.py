"""What a record leaves open: parts of a check that it does not state, and tools that are silent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from retrieval.ask.grouping import Limit
from retrieval.ask.records import ANY_SPECIES
from retrieval.ask.sets import ToolSets, relations_of, value_name
from retrieval.ask.stated.lists import SYSTEMS
from retrieval.ask.stated.measures import INSTALLS
from retrieval.ask.stated.needs import NEEDS, SPEAKING, without
from retrieval.graph import FactBase

COUNTED = {
    "gpu_is": ("gpu_is",),
    NEEDS: SPEAKING,
    "needs_gpu_memory": ("needs_gpu_memory",),
    "needs_memory": ("needs_memory",),
    "needs_python": ("needs_python",),
    "maintenance_is": ("last_released", "last_changed"),
}
"""Needs that every tool has an answer to, with the relations that state one: where none does, the
tool may belong to the set as well, so that the answer counts such tools."""

CLOSED = frozenset({"gpu_is", "license_is", "weights_license_is", "maintenance_is", INSTALLS})
"""Relations whose values need no words of what is not among them: few ones, or commands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmet:
    """Names of a check that a record does not state.

    Under the relation of ``other`` it states other values; of ``blank`` it states nothing. What
    the question denies and a record states is in ``contrary``.
    """

    other: tuple[str, ...] = ()
    blank: tuple[str, ...] = ()
    contrary: tuple[str, ...] = ()


def in_place_of(limit: Limit) -> tuple[str, ...]:
    """The relations under which a record says something in place of a limit."""
    return SPEAKING if limit.options[0][0] == NEEDS else relations_of(limit)


def of_any_species(limit: Limit) -> Limit:
    """The limit, which a tool that is made for any species fulfils too."""
    named = any(relation == "for_species" for relation, _ in limit.options)
    if not named or limit.negated:
        return limit
    return replace(limit, options=(*limit.options, ("for_species", f"species:{ANY_SPECIES}")))


def unmet(
    base: FactBase, sets: ToolSets, subject: str, limits: Sequence[Limit], soft: Sequence[Limit]
) -> Unmet:
    """Which limits one tool does not fulfil by its record, by what it states in their place.

    Of ``soft`` ones, which no field holds, a mention in its description is enough. A negated one
    is no fact of a record either: where it holds, the record names other values or none.
    """
    other: list[str] = []
    blank = [base.label(x.options[0][1]) for x in soft if subject not in sets.all_of([x])]
    for limit in limits:
        relations = in_place_of(limit)
        holds = subject in sets.all_of([limit], certain=True)
        if limit.kind == "any" or CLOSED.issuperset(relations) or holds != limit.negated:
            continue
        if limit.only and subject in sets.all_of([replace(limit, only=())], certain=True):
            continue  # The record names it beside other values, which are listed.
        name = value_name(base, limit.options[0][1])
        states = _states_alike(base, subject, limit, relations)
        # What is written in Python may need it though no need of it is stated.
        uses = limit.options[0][0] == NEEDS and any(
            base.has((subject, *option)) for option in without(base, limit).options
        )
        (other if states and not uses else blank).append(name)
    return Unmet(other=tuple(dict.fromkeys(other)), blank=tuple(dict.fromkeys(blank)))


def contrary(base: FactBase, subjects: Sequence[str], limits: Sequence[Limit]) -> tuple[str, ...]:
    """The names that a question denies of tools though the record of one of them states them."""
    names = (
        base.label(node)
        for limit in limits
        if limit.negated
        for relation, node in limit.options
        if relation != INSTALLS
        for stated in [relation if limit.kind == "has" else "requires_tool"]
        if any(base.has((subject, stated, node)) for subject in subjects)
    )
    return tuple(dict.fromkeys(names))


def _states_alike(base: FactBase, subject: str, limit: Limit, relations: Sequence[str]) -> bool:
    """Whether a record states values of the kind that is asked for.

    Who is asked about Windows and knows of Neurodesk alone, a collection, knows of no system.
    """
    values = {node for r in relations for node in base.tails(subject, r, stated=True)}
    asked = {node for _, node in limit.options}
    return bool(values & SYSTEMS if asked & SYSTEMS else values)


def left_open(base: FactBase, sets: ToolSets, limits: Sequence[Limit]) -> int | None:
    """Tools that fulfil all but one need of COUNTED and state nothing of it; None without one."""
    needs = [one for one in limits if not one.negated and one.options[0][0] in COUNTED]
    if len(needs) != 1:
        return None
    rest = [limit for limit in limits if limit is not needs[0]]
    speaking = COUNTED[needs[0].options[0][0]]
    return sum(not any(base.tails(t, r) for r in speaking) for t in sets.all_of(rest))
