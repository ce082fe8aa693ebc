"""Fields that hold lists: whether a record states a value there beside others, or alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from retrieval.ask.grouping import Limit
    from retrieval.graph import FactBase

LISTS = frozenset(
    {"runs_on", "accepts", "produces", "written_in", "has_interface", "images", "applies_to",
     "works_in", "performs", "for_species", "has_license", "member_of"}
)  # fmt: skip
"""Relations of which a record states a list, so that *only* says that it has no other member."""

SYSTEMS = frozenset({"platform:Linux", "platform:Windows", "platform:macOS"})
"""Operating systems; beside these a record names hosts and collections, such as Neurodesk."""


def alone(base: FactBase, limit: Limit) -> Limit:
    """A limit on the values of one field, as the only ones that the record states there."""
    allowed = tuple(o for o in limit.options if o[0] in LISTS and o[1] in base)
    return replace(limit, only=allowed) if allowed else limit


def otherwise(base: FactBase, limit: Limit) -> Limit:
    """The opposite of a need: a record that states another value beside, or in place of it."""
    relations = dict.fromkeys(relation for relation, _ in limit.only)
    options = tuple(
        (relation, node) for relation in relations for node in _others(base, limit, relation)
    )
    return replace(limit, options=options, only=())


def _others(base: FactBase, limit: Limit, relation: str) -> Iterator[str]:
    """The values under a relation that a limit on its own does not allow."""
    allowed = {node for name, node in limit.only if name == relation}
    kinds = {base.kind(node) for node in allowed}
    systems = allowed <= SYSTEMS
    for item in base.items.values():
        other = item.kind in kinds and item.id not in allowed
        if other and (not systems or item.id in SYSTEMS) and base.heads(relation, item.id):
            yield item.id


def states_no_other(base: FactBase, tool: str, limit: Limit) -> bool:
    """Whether a record states nothing else where a limit allows its own values only.

    Of operating systems other systems count, and not the hosts that a tool runs in as well.
    """
    allowed = {node for _, node in limit.only}
    relations = {relation for relation, _ in limit.only}
    # What is converted from is read, too.
    relations |= {"converts_from"} if "accepts" in relations else set()
    stated = {node for r in relations for node in base.tails(tool, r, stated=True)}
    others = stated - allowed
    return not (others & SYSTEMS if allowed <= SYSTEMS else others)
