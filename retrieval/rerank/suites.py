"""Room for other suites: of one suite only the best members stand among the first places."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from retrieval.core import Candidate, StageResult, StageUnavailable, State

MEMBERS = 3
"""Members of one suite among the first places; a fourth rarely answers another question."""

PLACES = 8
"""As many as the page shows at first."""


@dataclass(frozen=True, slots=True)
class SuiteSpread:
    """Moves the members beyond MEMBERS of one suite behind PLACES; a suite that is named stays."""

    name: str = "suites"

    def run(self, state: State) -> StageResult:
        """The same candidates; those moved take the score of the place they come to."""
        if self.name in state.query.off:
            raise StageUnavailable("switched off for this search")
        text = state.query.text.casefold()
        first, moved, members = list[Candidate](), list[Candidate](), Counter[str]()
        for candidate in state.candidates:
            suite = candidate.tool.suite
            members[suite or ""] += 1
            named = suite is None or suite.casefold() in text
            crowded = not named and members[suite or ""] > MEMBERS
            (moved if crowded and len(first) < PLACES else first).append(candidate)
        order = [*first[:PLACES], *moved, *first[PLACES:]]
        scores = [candidate.score for candidate in state.candidates]
        spread = tuple(c.scored(state.path, s) for c, s in zip(order, scores, strict=True))
        note = f"{len(moved)} further members of a suite moved down"
        result = replace(state, candidates=spread) if moved else state
        return StageResult(name=self.name, state=result, note=note, listed=bool(moved))
