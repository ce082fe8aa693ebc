"""The sets of tools that constraints stand for, and each set in words and as one fact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from retrieval.ask.cues import Year
from retrieval.ask.grouping import Item, Limit
from retrieval.ask.stated.conversions import CONVERSION
from retrieval.ask.stated.dates import DATES, placed
from retrieval.ask.stated.lists import states_no_other
from retrieval.ask.stated.measures import INSTALLS
from retrieval.core import Fact, Step
from retrieval.graph import FactBase

MOST_VALUES = 4
"""Values of one constraint that are written out; a task may stand for dozens of narrower ones."""

DATED = "last_released"

Holders = dict[str, tuple[Step, ...]]
"""Tools of a set, each with the edges that put it there."""


class ToolSets:
    """Set operations over the tools of one base of facts."""

    def __init__(self, base: FactBase) -> None:
        self.base = base

    def all_of(self, limits: Sequence[Limit], *, certain: bool = False) -> Holders:
        """Tools that fulfil every limit, each with its edges, the most specific first.

        Limits by another tool precede, then those with the fewest holders; soft limits are last.
        """
        # The limit with the fewest holders says most, so its edges come first as evidence.
        positive = sorted(
            (
                (limit.soft, limit.kind == "has", len(holders), n, holders)
                for n, limit in enumerate(one for one in limits if not one.negated)
                for holders in [self.holders(limit, certain=certain)]
            ),
            key=lambda row: row[:4],
        )
        sets = [holders for *_, holders in positive]
        if not sets:
            tools = [i.id for i in self.base.items.values() if i.kind == "tool"]
            sets = [dict.fromkeys(tools, ())]
        tools_left = [t for t in sets[0] if all(t in other for other in sets[1:])]
        for limit in (one for one in limits if one.negated):
            # The same set as without the negation, so that a set and its complement are all tools.
            without = self.holders(limit)
            tools_left = [tool for tool in tools_left if tool not in without]
        return {
            t: tuple(dict.fromkeys(s for holders in sets for s in holders[t])) for t in tools_left
        }

    @staticmethod
    def only_replaced(limits: Sequence[Limit]) -> bool:
        """Whether nothing is asked of a tool but that it is not a named one.

        Nearly every tool of the catalog is that, and what stands in for another no record states.
        """
        return any(x.kind == "is" for x in limits) and all(x.negated for x in limits)

    def holders(self, limit: Limit, *, certain: bool = False) -> Holders:
        """The tools that fulfil one limit; mentions count only where no record states it.

        With ``certain`` they never count. At most two edges per tool are returned as evidence.
        """
        if limit.kind == "any":
            either: Holders = {}
            for part in limit.either:
                for tool, steps in self.all_of(part, certain=certain).items():
                    either[tool] = tuple(dict.fromkeys((*either.get(tool, ()), *steps)))[:2]
            return either
        stated = self._find_holders(limit, True)
        if limit.only:
            alone = (t for t in stated if states_no_other(self.base, t, limit))
            return {tool: stated[tool] for tool in alone}
        return stated if stated or certain else self._find_holders(limit, False)

    def _find_holders(self, limit: Limit, stated: bool) -> Holders:
        steps_by_tool: dict[str, dict[Step, None]] = {}
        for relation, node in limit.options:
            for tool, step in self._reach(limit.kind, relation, node, stated):
                steps_by_tool.setdefault(tool, {})[step] = None
        return {tool: tuple(steps)[:2] for tool, steps in steps_by_tool.items()}

    def _reach(
        self, kind: str, relation: str, node: str, stated: bool
    ) -> Iterator[tuple[str, Step]]:
        if kind in ("has", "requires"):
            name = "requires_tool" if kind == "requires" else relation
            for tool in self.base.heads(name, node, stated=stated and kind == "has"):
                yield tool, (tool, name, node)
        elif kind == "required_by":
            for tool in self.base.tails(node, "requires_tool"):
                yield tool, (node, "requires_tool", tool)
        elif kind == "states":
            yield from self._stating(relation)
        elif kind == "near":
            for tool in self.base.tails(node, relation):
                yield tool, (node, relation, tool)
            for tool in self.base.heads(relation, node):
                yield tool, (tool, relation, node)
        else:
            yield from self._through(kind, node, stated)

    def _stating(self, relation: str) -> Iterator[tuple[str, Step]]:
        """Tools that state anything under a relation; the first value is evidence."""
        for tool in (item.id for item in self.base.items.values() if item.kind == "tool"):
            for value in self.base.tails(tool, relation, stated=True)[:1]:
                yield tool, (tool, relation, value)

    def _through(self, kind: str, node: str, stated: bool) -> Iterator[tuple[str, Step]]:
        """Tools that write what a tool reads, or read what it writes; both edges are evidence.

        Of the kind ``is`` it is the tool itself, which is ruled out and so no evidence.
        """
        if kind == "is":
            yield node, (node, kind, node)
            return
        node_side, tool_side = (
            ("accepts", "produces") if kind == "writes_input" else ("produces", "accepts")
        )
        for shared in self.base.tails(node, node_side, stated=stated):
            for tool in self.base.heads(tool_side, shared, stated=stated):
                if tool != node:
                    yield tool, (tool, tool_side, shared)
                    yield tool, (node, node_side, shared)


def formula(base: FactBase, limits: Sequence[Limit]) -> str:
    """The constraints with *and*, *or*, *not* and brackets, as they are worked out."""
    return " and ".join(_one(base, limit, bracket=len(limits) > 1) for limit in limits)


def _one(base: FactBase, limit: Limit, *, bracket: bool) -> str:
    if limit.kind == "any":
        parts = (f"({formula(base, p)})" if len(p) > 1 else formula(base, p) for p in limit.either)
        text = " or ".join(parts)
        if limit.negated:
            return f"not {text if text.startswith('(') else f'({text})'}"
        return f"({text})" if bracket else text
    relations = dict.fromkeys(relation for relation, _ in limit.options if relation)
    if limit.kind == "states":
        text = f"states {'/'.join(relations).replace('_', ' ')}"
        return f"not ({text})" if limit.negated else text
    names = list(dict.fromkeys(value_name(base, node) for _, node in limit.options))
    verb = ("/".join(relations) or limit.kind).replace("_", " ")
    if DATED in relations and len(names) > 1:
        # Dozens of dates are the span of a year that the question names, not alternatives.
        text = f"{verb} {min(names)} to {max(names)}"
    elif INSTALLS in relations:
        text = f"{verb} one of {len(names)} commands"
    else:
        more = f" and {len(names) - MOST_VALUES} more" if len(names) > MOST_VALUES else ""
        text = f"{verb} {' | '.join(names[:MOST_VALUES])}{more}"
    text += " and nothing else" if limit.only else ""
    return f"not ({text})" if limit.negated else text


def value_name(base: FactBase, node: str) -> str:
    """The label of a value; of one that no record states, such as a pair of formats, its code."""
    return base.label(node) if node in base else node.partition(":")[2] or node


def relations_of(limit: Limit) -> tuple[str, ...]:
    """The relations under which a record would state a limit."""
    named = (relation for relation, _ in limit.options)
    return ("requires_tool",) if limit.kind == "requires" else tuple(dict.fromkeys(named))


def is_denial(limit: Limit) -> bool:
    """Whether a limit rules out what a record may state, or may be silent about."""
    return limit.negated and limit.kind in ("has", "requires")


def unstated(base: FactBase, nodes: Sequence[str], limits: Sequence[Limit]) -> tuple[str, ...]:
    """Those that fulfil a negated constraint only because they state nothing under its relations.

    One that states something under any of the relations of a constraint is not silent about it.
    """
    denied = [relations_of(limit) for limit in limits if is_denial(limit)]
    return tuple(
        node
        for node in nodes
        if any(not any(base.tails(node, r) for r in relations) for relations in denied)
    )


def set_fact(base: FactBase, nodes: Sequence[str], limits: Sequence[Limit]) -> Fact:
    """All members of a set as one fact; it says how the set was read from the question."""
    tools = sum(item.kind == "tool" for item in base.items.values())
    rule = formula(base, limits) or "all"
    silent = len(unstated(base, nodes, limits))
    note = f"; {silent} of them state nothing about what is ruled out" if silent else ""
    return Fact(
        id=f"set | {rule}",
        text=f"{len(nodes)} of {tools} records: {rule}{note}",
        kind="record",
        nodes=tuple(nodes),
        source=f"{base.source}: question",
    )


def named(base: FactBase, limits: Sequence[Limit]) -> tuple[str, ...]:
    """The names in constraints as the base writes them, but for the one that *convert* implies."""
    nodes = [x.options[0][1] for x in limits if x.options[0] != ("performs", CONVERSION)]
    return tuple(dict.fromkeys(base.label(node) for node in nodes))


def dated_items(base: FactBase, years: Sequence[Year]) -> Iterator[Item]:
    """The constraints of each year: the stated dates of its span.

    A change is dated by the later one of release and commit, so that none after the span may be
    stated. Where no record states a date of the span, the option is the year, to which nothing
    leads.
    """
    for year in years:
        kinds = ("date", "change") if year.changed else ("date",)
        nodes = sorted((i.label, i.kind, i.id) for i in base.items.values() if i.kind in kinds)
        spans = [(placed(label, year), DATES[kind], node) for label, kind, node in nodes]
        inside = tuple((relation, node) for place, relation, node in spans if place == 0)
        inside = inside or ((DATED, f"date:{year.first or year.last}"),)
        later = tuple((relation, node) for place, relation, node in spans if place > 0)
        limits = [Limit(options=inside)]
        if later and year.changed:
            limits.append(Limit(options=later, negated=True))
        yield Item(start=year.start, end=year.end, limits=tuple(limits))
