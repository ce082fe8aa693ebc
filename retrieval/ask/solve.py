"""From a reading to its solution: the nodes that answer, each with its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from retrieval.ask.grouping import Limit
from retrieval.ask.reading import Reading
from retrieval.ask.records import INSTEAD, suite_citation
from retrieval.ask.sets import Holders, ToolSets, named, set_fact, unstated
from retrieval.ask.stated.checks import (
    Unmet,
    contrary,
    in_place_of,
    left_open,
    of_any_species,
    unmet,
)
from retrieval.ask.stated.compared import COMPARED, NO_COMMON, SIDE_BY_SIDE
from retrieval.ask.stated.conversions import converting, read_to_convert, two_steps
from retrieval.ask.stated.joint import shared_first
from retrieval.ask.stated.ranks import Rank, Ranking, ranking, steps_of
from retrieval.ask.stated.structure import Trouble
from retrieval.core import Fact, Step
from retrieval.graph import FactBase

MAX_FACTS = 40
"""Triples of one context."""

LEAST_DEMANDS = 3
"""With fewer constraints, a tool that fails in one has little to do with the question."""

FOUND_BY = "question"


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """The nodes that answer a reading and the facts for them, or ``trouble``: why none do.

    ``holds`` answers a yes-no question. ``among``: the nodes are a subset of another solution's.
    ``silent``: so many state nothing about what a negation rules out; they are the last nodes.
    ``open_need``: so many further tools state nothing about a need that is asked. ``dropped``:
    names of the question that no record states together with the rest. ``unmet``: names of a check
    that the record of its one tool does not state. ``converting``: further tools that state a
    conversion from what is to be read. ``ranking``: the order that a superlative asks for.
    """

    reading: Reading
    nodes: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    holds: bool | None = None
    trouble: Trouble = ""
    among: bool = False
    silent: int = 0
    open_need: int | None = None
    unmet: Unmet = field(default_factory=Unmet)
    dropped: tuple[str, ...] = ()
    converting: tuple[str, ...] = ()
    ranking: Ranking | None = None


class Solver:
    """Answers readings from one base of facts; nodes are ordered by label, then id."""

    def __init__(self, base: FactBase, max_facts: int = MAX_FACTS) -> None:
        self.base, self.max_facts, self.sets = base, max_facts, ToolSets(base)

    def solve(self, reading: Reading) -> Solution:
        """The solution; a reading with unknown words gives facts as context and no answer."""
        if reading.whole and not reading.trouble:
            return self._whole(reading)
        if reading.rank and not reading.trouble:
            return self._ranked(reading, reading.rank)
        if not (reading.limits or reading.subjects):
            return Solution(reading=reading, trouble=reading.trouble or "nothing asked")
        forms = {
            "select": self._select,
            "attribute": self._attribute,
            "check": self._check,
            "common": self._common,
            "choice": self._choice,
            "compare": self._compare,
        }
        solution = forms[reading.form](reading)
        return replace(solution, trouble=reading.trouble) if reading.trouble else solution

    def among(self, reading: Reading, before: Solution) -> Solution:
        """Which tools of an earlier solution fulfil this reading too, each with its evidence.

        Where none does, the facts are those stated of them under the same relations.
        """
        if reading.trouble or not reading.limits:
            trouble = reading.trouble or "nothing asked"
            return Solution(reading=reading, trouble=trouble, among=True)
        limits = [limit for limit in reading.limits if not limit.soft] or list(reading.limits)
        holders = self.sets.all_of(limits)
        nodes = tuple(node for node in before.nodes if node in holders)
        facts = self._context(nodes, holders)
        if not nodes:
            steps = dict.fromkeys(s for one in before.nodes for s in self._instead(one, limits))
            facts = tuple(self.base.fact(step, FOUND_BY) for step in steps)
        facts = facts or tuple(f for f in before.facts if not nodes or set(nodes) & set(f.nodes))
        facts = facts[: self.max_facts]
        return Solution(reading=reading, nodes=nodes, facts=facts, holds=bool(nodes), among=True)

    def _whole(self, reading: Reading) -> Solution:
        nodes = self._ordered([i.id for i in self.base.items.values() if i.kind == "tool"])
        return Solution(reading=reading, nodes=nodes, facts=(set_fact(self.base, nodes, ()),))

    def _ranked(self, reading: Reading, rank: Rank) -> Solution:
        """The tools that come first in what a superlative asks for, among those of the limits."""
        order = ranking(self.base, list(self.sets.all_of(reading.limits)), rank)
        if not order.rows:
            return Solution(reading=reading, trouble="nothing matches")
        nodes = tuple(tool for tool, _ in order.rows)
        states = tuple((relation, "") for relation in rank.relations)
        limits = (*reading.limits, Limit(kind="states", options=states))
        steps = [step for tool in nodes for step in steps_of(self.base, tool, rank)]
        facts = (set_fact(self.base, order.compared, limits), *self._facts(steps))
        return Solution(reading=reading, nodes=nodes, facts=facts[: self.max_facts], ranking=order)

    def _facts(self, steps: Sequence[Step]) -> tuple[Fact, ...]:
        return tuple(self.base.fact(step, FOUND_BY) for step in steps[: self.max_facts])

    def _ordered(self, nodes: Sequence[str]) -> tuple[str, ...]:
        return tuple(sorted(nodes, key=lambda n: (self.base.label(n).casefold(), n)))

    def _select(self, reading: Reading) -> Solution:
        hard = [limit for limit in reading.limits if not limit.soft]
        soft = [limit for limit in reading.limits if limit.soft]
        if self.sets.only_replaced(reading.limits):
            return Solution(reading=reading, trouble="no replacement")
        dropped: list[Limit] = []
        holders = self.sets.all_of(hard) if hard else None
        for limit in soft:
            narrowed = self.sets.all_of([*hard, limit])
            if narrowed or not hard:
                hard, holders = [*hard, limit], narrowed
            else:
                dropped.append(limit)
        if not holders:
            return self._chained(reading)
        nodes = self._ordered(list(holders))
        facts = self._context(nodes, holders)
        covered = {step[0] for fact in facts for step in fact.steps}
        # Triples tell a small set by one constraint; of other sets one fact tells the whole.
        if len(hard) > 1 or hard[0].negated or hard[0].kind == "any" or len(nodes) > len(covered):
            facts = (set_fact(self.base, nodes, hard), *facts)[: self.max_facts]
        silent = unstated(self.base, nodes, hard)
        more = converting(self.sets, hard, holders)
        facts = (*facts[: self.max_facts - len(more)], *self._context(list(more), more))
        return Solution(
            reading=reading,
            nodes=(*(n for n in nodes if n not in frozenset(silent)), *silent),
            facts=facts,
            silent=len(silent),
            open_need=left_open(self.base, self.sets, hard),
            dropped=named(self.base, dropped),
            converting=self._ordered(list(more)),
        )

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
            near_matches = [
                self.sets.all_of([one for one in hard if one is not limit]) for limit in several
            ]
            holders = min((one for one in near_matches if one), key=len, default={})
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
        if not steps and "cite_as" in reading.relations:
            steps = [
                step for subject in reading.subjects for step in suite_citation(self.base, subject)
            ]
            if steps:
                nodes = tuple(dict.fromkeys(tail for _, _, tail in steps))
                return Solution(reading=reading, nodes=nodes, facts=self._facts(steps), holds=False)
        if not steps:
            others = (r for one in reading.relations for r in INSTEAD.get(one, ()))
            instead = tuple(dict.fromkeys(others))
            if not instead:
                return Solution(reading=reading, trouble="nothing stated")
            return replace(self._attribute(replace(reading, relations=instead)), holds=False)
        if reading.joint:
            steps = shared_first(steps, reading.subjects)
        nodes = tuple(dict.fromkeys(tail for _, _, tail in steps))
        facts = self._facts(steps)
        return Solution(reading=reading, nodes=nodes, facts=facts)

    def _choice(self, reading: Reading) -> Solution:
        """Which subjects fulfil the limits, with what the records state to choose between them."""
        holders = self.sets.all_of(reading.limits)
        yes = tuple(subject for subject in reading.subjects if subject in holders)
        steps = [step for subject in yes for step in holders[subject]]
        steps += [
            (subject, relation, tail)
            for relation in COMPARED
            for subject in reading.subjects
            for tail in self.base.tails(subject, relation, stated=True)
        ]
        if not steps:
            return Solution(reading=reading, trouble="nothing stated")
        facts = self._facts(list(dict.fromkeys(steps)))
        return Solution(reading=reading, nodes=yes, facts=facts, among=True)

    def _compare(self, reading: Reading) -> Solution:
        """Each relation of SIDE_BY_SIDE for every subject; one that would be cut is left out."""
        steps: list[Step] = []
        for relation in SIDE_BY_SIDE:
            row = [
                (subject, relation, tail)
                for subject in reading.subjects
                for tail in self.base.tails(subject, relation, stated=True)
            ]
            steps += row if len(steps) + len(row) <= self.max_facts else []
        if not steps:
            return Solution(reading=reading, trouble="nothing stated")
        nodes = tuple(dict.fromkeys(tail for _, _, tail in steps))
        return Solution(reading=reading, nodes=nodes, facts=self._facts(steps))

    def _check(self, reading: Reading) -> Solution:
        """Whether subjects fulfil the limits; where none does, facts under the same relations."""
        hard = [limit for limit in reading.limits if not limit.soft] or list(reading.limits)
        hard = [read_to_convert(of_any_species(limit)) for limit in hard]
        holders = self.sets.all_of(hard, certain=True)
        # What a record does not name it does not deny, so that no negation is answered with yes.
        denied = any(limit.negated for limit in hard)
        yes = [one for one in reading.subjects if one in holders and not denied]
        if yes:
            steps = [step for subject in yes for step in holders[subject]]
        else:
            steps = [s for one in reading.subjects for s in self._instead(one, hard)]
        facts = self._facts(steps)
        if not facts:
            return Solution(reading=reading, trouble="nothing stated")
        if 0 < len(yes) < len(reading.subjects):
            return Solution(reading=reading, nodes=tuple(yes), facts=facts, among=True)
        alone = reading.subjects[0] if len(reading.subjects) == 1 else ""
        soft = [one for one in reading.limits if one.soft and one not in hard]
        lacking = unmet(self.base, self.sets, alone, hard, soft) if alone else Unmet()
        lacking = replace(lacking, contrary=contrary(self.base, reading.subjects, hard))
        return Solution(
            reading=reading, nodes=tuple(yes), facts=facts, holds=bool(yes), unmet=lacking
        )

    def _instead(self, subject: str, limits: Sequence[Limit]) -> Iterator[Step]:
        for relation in dict.fromkeys(r for limit in limits for r in in_place_of(limit)):
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
