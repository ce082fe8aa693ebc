"""A question of several parts: each is solved, later ones in the light of those before."""

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
    """One thing that was asked, in its own words, and what the facts say to it."""

    text: str
    found: Solution


@dataclass(frozen=True)
class Compound:
    """Solves a question part by part; one that cannot be taken apart is one part."""

    base: FactBase
    solver: Solver

    def solve(self, question: str, read: Reads) -> tuple[Part, ...]:
        """The parts in order, their facts together no more than one question may have."""
        language = language_of(question)
        told = clauses_of(question, language)
        parts = self._parts(told, lambda text: read(text, language)) if len(told) > 1 else ()
        if len(parts) > 1:
            return _shared(parts, self.solver.max_facts)
        return (Part(text=question, found=self.solver.solve(read(question, language))),)

    def _parts(self, told: Sequence[Clause], read: Callable[[str], Reading]) -> Sequence[Part]:
        """The parts up to one that the next needs and nothing answers; none if one asks nothing."""
        parts: list[Part] = []
        for n, clause in enumerate(told):
            found = self._found(clause, parts, read)
            if found is None or found.trouble == "nothing asked":
                return ()
            parts.append(Part(text=clause.text, found=found))
            if found.trouble and any(later.back for later in told[n + 1 : n + 2]):
                break
        return parts

    def _found(
        self, clause: Clause, before: Sequence[Part], read: Callable[[str], Reading]
    ) -> Solution | None:
        """None where a clause looks back and there is nothing to look at."""
        if not clause.back:
            return self.solver.solve(read(clause.text))
        last = before[-1].found
        subjects = self._subjects(last)
        if clause.back == "it" and subjects:
            return self.solver.solve(read(clause.about(self._named(subjects))))
        if last.reading.form != "select" or not last.nodes:
            return None
        found = self.solver.among(read(clause.plain()), last)
        if found.trouble == "nothing asked" and clause.back == "it":
            return self.solver.solve(read(clause.about(self._named(last.nodes))))
        return found

    def _subjects(self, last: Solution) -> Sequence[str]:
        """The tools that a part was about, as its question names them."""
        named = [node for node in last.reading.linked if self.base.kind(node) == "tool"]
        return last.reading.subjects or named

    def _named(self, nodes: Sequence[str]) -> str:
        return ", ".join(self.base.label(node) for node in nodes[:MOST_NAMED])


def _shared(parts: Sequence[Part], most: int) -> tuple[Part, ...]:
    """The parts with their facts cut to a fair share; what one leaves goes to the others."""
    takes = [min(len(part.found.facts), most // len(parts)) for part in parts]
    left = most - sum(takes)
    for n, part in enumerate(parts):
        more = min(left, len(part.found.facts) - takes[n])
        takes[n], left = takes[n] + more, left - more
    return tuple(
        replace(part, found=replace(part.found, facts=part.found.facts[:take]))
        for part, take in zip(parts, takes, strict=True)
    )
