"""The set that a question asks for, in words and as one piece of evidence over all its members."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.ask.grouping import Limit
from retrieval.core import Fact
from retrieval.graph import FactBase

MOST_VALUES = 4
"""Values of one constraint that are written out; a task may stand for dozens of narrower ones."""


def formula(base: FactBase, limits: Sequence[Limit]) -> str:
    """The constraints with *and*, *or*, *not* and brackets, as they are worked out."""
    return " and ".join(_one(base, limit, bracket=len(limits) > 1) for limit in limits)


def _one(base: FactBase, limit: Limit, *, bracket: bool) -> str:
    if limit.kind == "any":
        parts = (f"({formula(base, p)})" if len(p) > 1 else formula(base, p) for p in limit.either)
        text = " or ".join(parts)
        return f"({text})" if bracket else text
    relations = dict.fromkeys(relation for relation, _ in limit.options if relation)
    names = list(dict.fromkeys(base.label(node) for _, node in limit.options))
    more = f" and {len(names) - MOST_VALUES} more" if len(names) > MOST_VALUES else ""
    verb = "/".join(relations) or limit.kind
    text = f"{verb.replace('_', ' ')} {' | '.join(names[:MOST_VALUES])}{more}"
    return f"not ({text})" if limit.negated else text


def unstated(base: FactBase, nodes: Sequence[str], limits: Sequence[Limit]) -> tuple[str, ...]:
    """Those that fulfil a negated constraint only because they state nothing under its relation."""
    relations = {r for limit in limits if limit.negated and limit.kind == "has"
                 for r, _ in limit.options}  # fmt: skip
    return tuple(
        node for node in nodes if any(not base.tails(node, relation) for relation in relations)
    )


def set_fact(base: FactBase, nodes: Sequence[str], limits: Sequence[Limit]) -> Fact:
    """All members of a set as one fact; it says how the set was read from the question."""
    tools = sum(item.kind == "tool" for item in base.items.values())
    asked = formula(base, limits)
    silent = len(unstated(base, nodes, limits))
    note = f"; {silent} of them state nothing about what is ruled out" if silent else ""
    return Fact(
        id=f"set | {asked}",
        text=f"{len(nodes)} of {tools} records: {asked}{note}",
        kind="record",
        nodes=tuple(nodes),
        source=f"{base.source}: question",
    )
