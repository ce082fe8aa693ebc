"""A question of several parts: each is solved, later ones with the results of earlier ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from retrieval.ask.clauses import Clause, clauses_of
from retrieval.ask.cues import language_of
from retrieval.ask.reading import Reading
from retrieval.ask.solve import Solution, Solver
from retrieval.graph import FactBase

MOST_NAMED = 12
"""Tools of one part that a later one is asked about by name."""

Reads = Callable[[str, str], Reading]
"""A text and its language to a reading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One thing that was asked, in its own words, and its solution."""

    text: str
    solution: Solution


@dataclass(frozen=True)
class Compound:
    """Solves a question part by part; one that cannot be split is one part."""

    base: FactBase
    solver: Solver

    def solve(self, question: str, read: Reads) -> tuple[Part, ...]:
        """The parts in order; together they hold at most the solver's ``max_facts`` facts.

        A question that cannot be split, or of which a part asks nothing, is one part.
        """
        language = language_of(question)
        clauses = clauses_of(question, language)
        parts = self._parts(clauses, lambda text: read(text, language)) if len(clauses) > 1 else ()
        if len(parts) > 1:
            return _with_fair_shares(parts, self.solver.max_facts)
        return (Part(text=question, solution=self.solver.solve(read(question, language))),)

    def _parts(self, clauses: Sequence[Clause], read: Callable[[str], Reading]) -> Sequence[Part]:
        """The parts up to an unanswered one that the next refers to; none if one asks nothing."""
        parts: list[Part] = []
        for n, clause in enumerate(clauses):
            solution = self._solution(clause, parts, read)
            if solution is None or solution.trouble == "nothing asked":
                return ()
            parts.append(Part(text=clause.text, solution=solution))
            if solution.trouble and any(later.back for later in clauses[n + 1 : n + 2]):
                break
        return parts

    def _solution(
        self, clause: Clause, before: Sequence[Part], read: Callable[[str], Reading]
    ) -> Solution | None:
        """The solution of a clause; None where it refers back to nothing."""
        if not clause.back:
            return self.solver.solve(read(clause.text))
        last = before[-1].solution
        linked = last.reading.linked
        subjects = last.reading.subjects or [n for n in linked if self.base.kind(n) == "tool"]
        if clause.back == "it" and subjects:
            return self.solver.solve(read(clause.about(self._named(subjects))))
        if last.reading.form != "select" or not last.nodes:
            return None
        solution = self.solver.among(read(clause.plain()), last)
        if solution.trouble == "nothing asked" and clause.back == "it":
            return self.solver.solve(read(clause.about(self._named(last.nodes))))
        return solution

    def _named(self, nodes: Sequence[str]) -> str:
        return ", ".join(self.base.label(node) for node in nodes[:MOST_NAMED])


def _with_fair_shares(parts: Sequence[Part], most: int) -> tuple[Part, ...]:
    """The parts with facts cut to equal shares of ``most``; unused room goes to the others."""
    takes = [min(len(part.solution.facts), most // len(parts)) for part in parts]
    left = most - sum(takes)
    for n, part in enumerate(parts):
        more = min(left, len(part.solution.facts) - takes[n])
        takes[n], left = takes[n] + more, left - more
    return tuple(
        replace(part, solution=replace(part.solution, facts=part.solution.facts[:take]))
        for part, take in zip(parts, takes, strict=True)
    )
