"""From a reading to its solution: the nodes that answer, each with its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from retrieval.ask.conversions import two_steps
from retrieval.ask.formula import set_fact, unstated
from retrieval.ask.grouping import Limit
from retrieval.ask.reading import Reading
from retrieval.core import Fact, Step
from retrieval.graph import FactBase

MAX_FACTS = 40
"""Triples of one context."""

Trouble = Literal["", "unread", "nothing asked", "nothing stated", "nothing matches"]
Holders = dict[str, tuple[Step, ...]]
"""Tools of a set, each with the edges that put it there."""

LEAST_DEMANDS = 3
"""With fewer constraints, a tool that fails in one has little to do with the question."""

NO_COMMON = frozenset({"same_domain", "last_released", "license_is"})
FOUND_BY = "question"


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """The nodes that answer a reading and the facts for them, or ``trouble``: why none do.

    ``holds`` answers a yes-no question. ``among``: the nodes are a subset of another solution's.
    ``silent``: so many state nothing about what a negation rules out.
    """

    reading: Reading
    nodes: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    holds: bool | None = None
    trouble: Trouble = ""
    among: bool = False
    silent: int = 0


class Solver:
    """Answers readings from one base of facts; nodes are ordered by label, then id."""

    def __init__(self, base: FactBase, max_facts: int = MAX_FACTS) -> None:
        self.base, self.max_facts = base, max_facts

    def solve(self, reading: Reading) -> Solution:
        """The solution; a reading with unknown words gives facts as context and no answer."""
        if not (reading.limits or reading.subjects):
            trouble: Trouble = "unread" if reading.unread else "nothing asked"
            return Solution(reading=reading, trouble=trouble)
        forms = {
            "select": self._select,
            "attribute": self._attribute,
            "check": self._check,
            "common": self._common,
        }
        solution = forms[reading.form](reading)
        return replace(solution, trouble="unread") if reading.unread else solution

    def among(self, reading: Reading, before: Solution) -> Solution:
        """Which tools of an earlier solution fulfil this reading too, each with its evidence.

        Where none does, the facts are those stated of them under the same relations.
        """
        if reading.unread or not reading.limits:
            trouble: Trouble = "unread" if reading.unread else "nothing asked"
            return Solution(reading=reading, trouble=trouble, among=True)
        limits = [limit for limit in reading.limits if not limit.soft] or list(reading.limits)
        holders = self._all(limits)
        nodes = tuple(node for node in before.nodes if node in holders)
        facts = self._context(nodes, holders)
        if not nodes:
            steps = dict.fromkeys(s for one in before.nodes for s in self._instead(one, limits))
            facts = tuple(self.base.fact(step, FOUND_BY) for step in steps)
        facts = facts or tuple(f for f in before.facts if not nodes or set(nodes) & set(f.nodes))
        return Solution(
            reading=reading,
            nodes=nodes,
            facts=facts[: self.max_facts],
            holds=bool(nodes),
            among=True,
        )

    def _facts(self, steps: Sequence[Step]) -> tuple[Fact, ...]:
        return tuple(self.base.fact(step, FOUND_BY) for step in steps[: self.max_facts])

    def _ordered(self, nodes: Sequence[str]) -> tuple[str, ...]:
        return tuple(sorted(nodes, key=lambda n: (self.base.label(n).casefold(), n)))

    def _select(self, reading: Reading) -> Solution:
        hard = [limit for limit in reading.limits if not limit.soft]
        soft = [limit for limit in reading.limits if limit.soft]
        holders = self._all(hard) if hard else None
        for limit in soft:
            narrowed = self._all([*hard, limit])
            if narrowed or not hard:
                hard, holders = [*hard, limit], narrowed
        if not holders:
            return self._chained(reading)
        nodes = self._ordered(list(holders))
        facts = self._context(nodes, holders)
        covered = {step[0] for fact in facts for step in fact.steps}
        # Triples tell a small set by one constraint; of other sets one fact tells the whole.
        if len(hard) > 1 or hard[0].negated or hard[0].kind == "any" or len(nodes) > len(covered):
            facts = (set_fact(self.base, nodes, hard), *facts)[: self.max_facts]
        silent = unstated(self.base, nodes, hard)
        return Solution(reading=reading, nodes=nodes, facts=facts, silent=len(silent))

    def _all(self, limits: Sequence[Limit], *, certain: bool = False) -> Holders:
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

    def holders(self, limit: Limit, *, certain: bool = False) -> Holders:
        """The tools that fulfil one limit; mentions count only where no record states it.

        With ``certain`` they never count. At most two edges per tool are returned as evidence.
        """
        if limit.kind == "any":
            either: Holders = {}
            for part in limit.either:
                for tool, steps in self._all(part, certain=certain).items():
                    either[tool] = tuple(dict.fromkeys((*either.get(tool, ()), *steps)))[:2]
            return either
        stated = self._find_holders(limit, True)
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
        if kind == "has":
            for tool in self.base.heads(relation, node, stated=stated):
                yield tool, (tool, relation, node)
        elif kind == "requires":
            for tool in self.base.heads("requires_tool", node):
                yield tool, (tool, "requires_tool", node)
        elif kind == "required_by":
            for tool in self.base.tails(node, "requires_tool"):
                yield tool, (node, "requires_tool", tool)
        elif kind == "near":
            for tool in self.base.tails(node, relation):
                yield tool, (node, relation, tool)
            for tool in self.base.heads(relation, node):
                yield tool, (tool, relation, node)
        else:
            yield from self._through(kind, node, stated)

    def _through(self, kind: str, node: str, stated: bool) -> Iterator[tuple[str, Step]]:
        """Tools that write what a tool reads, or read what it writes; both edges are evidence."""
        theirs, ours = (
            ("accepts", "produces") if kind == "writes_input" else ("produces", "accepts")
        )
        for shared in self.base.tails(node, theirs, stated=stated):
            for tool in self.base.heads(ours, shared, stated=stated):
                if tool != node:
                    yield tool, (tool, ours, shared)
                    yield tool, (node, theirs, shared)

    def _context(self, nodes: Sequence[str], holders: Holders) -> tuple[Fact, ...]:
        """One fact for every node, then a second for each, up to ``max_facts``."""
        steps: dict[Step, None] = {}
        deepest = max((len(evidence) for evidence in holders.values()), default=0)
        for depth in range(deepest):
            for node in nodes:
                if depth < len(holders[node]):
                    steps.setdefault(holders[node][depth])
        return self._facts(list(steps))

    def _chained(self, reading: Reading) -> Solution:
        """Two converters in sequence, where no single tool converts."""
        paths = list(two_steps(self.base, reading.limits))
        if not paths:
            # Facts of the tools that fail one constraint only; the smallest set of tools says most.
            hard = [limit for limit in reading.limits if not limit.soft]
            several = hard if len(hard) >= LEAST_DEMANDS else []
            left = [self._all([one for one in hard if one is not limit]) for limit in several]
            holders = min((one for one in left if one), key=len, default={})
            facts = self._context(self._ordered(list(holders)), holders)
            return Solution(reading=reading, facts=facts, trouble="nothing matches")
        nodes = tuple(dict.fromkeys(s[0] for path in paths for s in path))
        facts = tuple(self.base.path(path, "conversion") for path in paths)
        # A path has four edges, so a quarter as many paths hold as many triples.
        return Solution(reading=reading, nodes=nodes, facts=facts[: self.max_facts // 4])

    def _attribute(self, reading: Reading) -> Solution:
        steps: list[Step] = []
        for subject in reading.subjects:
            for relation in reading.relations:
                tails = self.base.tails(subject, relation, stated=True)
                tails = tails or self.base.tails(subject, relation)
                steps.extend((subject, relation, tail) for tail in tails)
        if not steps:
            return Solution(reading=reading, trouble="nothing stated")
        nodes = tuple(dict.fromkeys(tail for _, _, tail in steps))
        facts = self._facts(steps)
        return Solution(reading=reading, nodes=nodes, facts=facts)

    def _check(self, reading: Reading) -> Solution:
        """Whether subjects fulfil the limits; where none does, facts under the same relations."""
        hard = [limit for limit in reading.limits if not limit.soft] or list(reading.limits)
        holders = self._all(hard, certain=True)
        yes = [subject for subject in reading.subjects if subject in holders]
        if yes:
            steps = [step for subject in yes for step in holders[subject]]
        else:
            steps = [s for one in reading.subjects for s in self._instead(one, hard)]
        facts = self._facts(steps)
        if not facts:
            return Solution(reading=reading, trouble="nothing stated")
        return Solution(reading=reading, nodes=tuple(yes), facts=facts, holds=bool(yes))

    def _instead(self, subject: str, limits: Sequence[Limit]) -> Iterator[Step]:
        for relation in dict.fromkeys(r for limit in limits for r, _ in limit.options):
            for tail in self.base.tails(subject, relation, stated=True):
                yield subject, relation, tail

    def _common(self, reading: Reading) -> Solution:
        """Edges between the subjects, then shared neighbours, rarest first (by degree, then id)."""
        one, *others = reading.subjects
        steps = [
            (one, relation, other) if away else (other, relation, one)
            for other in others
            for relation, away, end in self.base.around(one)
            if end == other and relation not in NO_COMMON
        ]
        shared = [
            (relation, tail)
            for relation, away, tail in self.base.around(one)
            if away and relation not in NO_COMMON
            if all(self.base.has((other, relation, tail)) for other in others)
        ]
        shared.sort(key=lambda pair: (self.base.degree(pair[1]), pair))
        for relation, tail in shared[: self.max_facts // max(2, len(reading.subjects))]:
            steps.extend((subject, relation, tail) for subject in reading.subjects)
        if not steps:
            return Solution(reading=reading, trouble="nothing stated")
        facts = self._facts(steps)
        return Solution(reading=reading, nodes=tuple(t for _, t in shared), facts=facts)
