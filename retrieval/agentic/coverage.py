"""A judge that needs no model: are the concepts of the query among the first tools?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from retrieval.catalog import Meaning, kind_of
from retrieval.core import Candidate, StageResult, State, Verdict, ranked

STRATEGY = "one query for each thing that the first tools do not cover, then the task as a whole"
NO_CONCEPT = "the query names no concept that is known here"


@dataclass(frozen=True)
class CoverageJudge:
    """Not enough when one of the query's concepts is in none of the first ``shown`` tools.

    A step of the work counts where the same tool is made for half of what it is to be done on.
    The next queries name what is missing beside the modality and anatomy that were asked for.
    """

    meaning: Meaning
    shown: int = 5
    queries: int = 3
    name: str = "coverage"

    def run(self, state: State) -> StageResult:
        """A verdict with its reason; *unknown* for a query in which no concept is found."""
        asked = self.meaning.asked(state.query)
        shown = state.candidates[: self.shown]
        verdict = self._verdict(asked, shown, state.query.english_text)
        told = f"{verdict.reason}; next: {' | '.join(verdict.queries)}"
        return StageResult(
            name=self.name,
            state=state,
            note=told if verdict.queries else verdict.reason,
            verdict=verdict,
            listed=False,
            metrics={"shown": len(shown)},
        )

    def _verdict(self, asked: Sequence[str], shown: Sequence[Candidate], text: str) -> Verdict:
        if not asked:
            return Verdict(enough="unknown", reason=NO_CONCEPT)
        told = [self.meaning.of_tool(one.tool) for one in shown]
        setting = [c for c in asked if kind_of(c) != "operation"]
        missing = [c for c in asked if not any(_serves(c, setting, concepts) for concepts in told)]
        labels = tuple(self.meaning.label(c) for c in missing)
        if not missing:
            reason = f"the first {len(shown)} tools cover all that was asked for"
            return Verdict(enough="enough", reason=reason)
        reason = f"none of the first {len(shown)} tools covers: {', '.join(labels)}"
        queries = self._queries(asked, missing, text)
        return Verdict(enough="not enough", reason=reason, missing=labels, queries=queries)

    def _queries(self, asked: Sequence[str], missing: Sequence[str], text: str) -> tuple[str, ...]:
        """One query a missing concept, then all concepts in their own words."""
        steps = [c for c in missing if kind_of(c) == "operation"]
        made_for = [c for c in asked if kind_of(c) != "operation"]
        others = [c for c in missing if c not in steps]
        made = [self._words((step, *made_for)) for step in steps]
        made += [self._words((other, *(c for c in asked if c != other))) for other in others]
        whole = self._words(asked)
        alone = self._words(missing)
        kept = (q for q in (*made[: self.queries - 1], whole, alone) if q != text.casefold())
        return tuple(dict.fromkeys(kept))[: self.queries] or (whole,)

    def _words(self, concepts: Sequence[str]) -> str:
        return " ".join(dict.fromkeys(self.meaning.label(c) for c in concepts))


def _serves(concept: str, setting: Sequence[str], told: frozenset[str]) -> bool:
    """Whether a tool covers a concept; a step of the work, with half of what it is done on."""
    if concept not in told:
        return False
    return kind_of(concept) != "operation" or 2 * sum(c in told for c in setting) >= len(setting)


@dataclass(frozen=True)
class CoverageScorer:
    """How many of the query's concepts a tool covers, as a share of 1."""

    meaning: Meaning
    name: str = "concepts"

    def run(self, state: State) -> StageResult:
        """Every candidate with its share; 0 for all when no concept is found in the query."""
        asked = self.meaning.asked(state.query)
        found = ranked(c.scored(state.path, self._share(asked, c)) for c in state.candidates)
        note = ", ".join(self.meaning.label(c) for c in asked) or NO_CONCEPT
        after = replace(state, candidates=found)
        return StageResult(name=self.name, state=after, note=note)

    def _share(self, asked: Sequence[str], candidate: Candidate) -> float:
        if not asked:
            return 0.0
        told = self.meaning.of_tool(candidate.tool)
        return sum(c in told for c in asked) / len(asked)
