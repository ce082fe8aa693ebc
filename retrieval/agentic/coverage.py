"""A judge that needs no model: are the concepts of the query among the first tools?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from msgspec.structs import replace

from retrieval.agentic.judge import log_judgment
from retrieval.catalog import Meaning, kind_of
from retrieval.core import Candidate, StageResult, State, Verdict, ranked

NO_CONCEPT = "the query names no concept that is known here"


@dataclass(frozen=True)
class CoverageJudge:
    """Not enough when one of the query's concepts is in none of the first ``shown`` tools.

    An operation counts only in a tool that also states half of the query's other concepts.
    Each next query names one missing concept together with the query's modality and anatomy.
    """

    meaning: Meaning
    shown: int = 5
    queries: int = 3
    name: str = "coverage"

    def run(self, state: State) -> StageResult:
        """A verdict with its reason; *unknown* for a query in which no concept is found."""
        concepts = self.meaning.of_query(state.query)
        first_candidates = state.candidates[: self.shown]
        verdict = self._verdict(concepts, first_candidates, state.query.english_text)
        note = f"{verdict.reason}; next: {' | '.join(verdict.queries)}"
        result = StageResult(
            name=self.name,
            state=state,
            note=note if verdict.queries else verdict.reason,
            verdict=verdict,
            listed=False,
            metrics={"shown": len(first_candidates)},
        )
        log_judgment(result, state.round)
        return result

    def _verdict(
        self, concepts: Sequence[str], candidates: Sequence[Candidate], text: str
    ) -> Verdict:
        if not concepts:
            return Verdict(enough="unknown", reason=NO_CONCEPT)
        covered = [self._covered(concepts, self.meaning.of_tool(one.tool)) for one in candidates]
        missing = [c for c in concepts if not any(c in one for one in covered)]
        if not missing:
            return Verdict(enough="enough", reason=self._together(concepts, candidates, covered))
        return Verdict(
            enough="not enough",
            reason=self._uncovered(missing, candidates),
            missing=tuple(self.meaning.label(c) for c in missing),
            queries=self._queries(concepts, missing, text),
        )

    def _covered(self, concepts: Sequence[str], stated: frozenset[str]) -> frozenset[str]:
        """The concepts that a tool covers; an operation only beside half of the others."""
        setting = [c for c in concepts if kind_of(c) != "operation"]
        fits = 2 * sum(c in stated for c in setting) >= len(setting)
        return frozenset(c for c in concepts if c in stated and (fits or kind_of(c) != "operation"))

    def _together(
        self,
        concepts: Sequence[str],
        candidates: Sequence[Candidate],
        covered: Sequence[frozenset[str]],
    ) -> str:
        """The fewest tools that cover all concepts, earlier ones first, and what each lacks."""
        pairs = tuple(zip(candidates, covered, strict=True))
        groups = chain.from_iterable(combinations(pairs, n + 1) for n in range(len(pairs)))
        fewest = next(g for g in groups if {*concepts} <= frozenset().union(*(c for _, c in g)))
        scope = f"all that was understood ({self._joined_labels(concepts)})"
        if len(fewest) == 1:
            return f"{fewest[0][0].tool.name} covers {scope}"
        lacks = "; ".join(
            f"{one.tool.name} lacks {self._joined_labels([c for c in concepts if c not in stated])}"
            for one, stated in fewest
        )
        among = f"none of the first {len(candidates)} tools alone covers {scope}"
        return f"{among}; it takes {len(fewest)} of them: {lacks}"

    def _uncovered(self, missing: Sequence[str], candidates: Sequence[Candidate]) -> str:
        """What no tool states, and which operations are stated for other things only."""
        if not candidates:
            return f"no tool to cover {self._joined_labels(missing)}"
        stated = frozenset().union(*(self.meaning.of_tool(one.tool) for one in candidates))
        apart = [c for c in missing if c in stated]
        nowhere = [c for c in missing if c not in stated]
        first = "the first tool" if len(candidates) == 1 else f"the first {len(candidates)} tools"
        parts = [f"not stated by {first}: {self._joined_labels(nowhere)}"] if nowhere else []
        if apart:
            parts.append(f"stated by {first} for other things only: {self._joined_labels(apart)}")
        return "; ".join(parts)

    def _joined_labels(self, concepts: Sequence[str]) -> str:
        return ", ".join(dict.fromkeys(self.meaning.label(c) for c in concepts))

    def _queries(
        self, concepts: Sequence[str], missing: Sequence[str], text: str
    ) -> tuple[str, ...]:
        """One query per missing concept, then all concepts in their own words."""
        steps = [c for c in missing if kind_of(c) == "operation"]
        made_for = [c for c in concepts if kind_of(c) != "operation"]
        others = [c for c in missing if c not in steps]
        queries = [self._words((step, *made_for)) for step in steps]
        queries += [self._words((other, *(c for c in concepts if c != other))) for other in others]
        everything, alone = self._words(concepts), self._words(missing)
        offered = (*queries[: self.queries - 1], everything, alone)
        usable = (query for query in offered if query != text.casefold())
        return tuple(dict.fromkeys(usable))[: self.queries] or (everything,)

    def _words(self, concepts: Sequence[str]) -> str:
        return " ".join(dict.fromkeys(self.meaning.label(c) for c in concepts))


@dataclass(frozen=True)
class CoverageScorer:
    """How many of the query's concepts a tool covers, as a share of 1."""

    meaning: Meaning
    name: str = "concepts"

    def run(self, state: State) -> StageResult:
        """Every candidate with its share; 0 for all when no concept is found in the query."""
        concepts = self.meaning.of_query(state.query)

        def share(candidate: Candidate) -> float:
            stated = self.meaning.of_tool(candidate.tool)
            return sum(c in stated for c in concepts) / max(1, len(concepts))

        candidates = ranked(c.scored(state.path, share(c)) for c in state.candidates)
        note = ", ".join(self.meaning.label(c) for c in concepts) or NO_CONCEPT
        after = replace(state, candidates=candidates)
        return StageResult(name=self.name, state=after, note=note)
