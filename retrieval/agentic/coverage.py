"""A judge that needs no model: are the concepts of the query among the first tools?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from retrieval.agentic.judge import log_judgment
from retrieval.catalog import Meaning, kind_of
from retrieval.core import Candidate, StageResult, State, Verdict, ranked

STRATEGY = "one query for each thing that the first tools do not cover, then the task as a whole"
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
        shown = state.candidates[: self.shown]
        verdict = self._verdict(concepts, shown, state.query.english_text)
        note = f"{verdict.reason}; next: {' | '.join(verdict.queries)}"
        result = StageResult(
            name=self.name,
            state=state,
            note=note if verdict.queries else verdict.reason,
            verdict=verdict,
            listed=False,
            metrics={"shown": len(shown)},
        )
        log_judgment(result, state.round)
        return result

    def _verdict(self, concepts: Sequence[str], shown: Sequence[Candidate], text: str) -> Verdict:
        if not concepts:
            return Verdict(enough="unknown", reason=NO_CONCEPT)
        stated_by = [self.meaning.of_tool(one.tool) for one in shown]
        setting = [c for c in concepts if kind_of(c) != "operation"]

        def covers(stated: frozenset[str], concept: str) -> bool:
            fits = kind_of(concept) != "operation"
            return concept in stated and (
                fits or 2 * sum(c in stated for c in setting) >= len(setting)
            )

        missing = [c for c in concepts if not any(covers(one, c) for one in stated_by)]
        labels = tuple(self.meaning.label(c) for c in missing)
        if not missing:
            reason = f"the first {len(shown)} tools cover all that was asked for"
            return Verdict(enough="enough", reason=reason)
        reason = f"none of the first {len(shown)} tools covers: {', '.join(labels)}"
        queries = self._queries(concepts, missing, text)
        return Verdict(enough="not enough", reason=reason, missing=labels, queries=queries)

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
