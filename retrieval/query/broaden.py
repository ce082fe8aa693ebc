"""When a search found too little: a judge that asks again in broader words (S1-13, S1-14)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from retrieval.core import Encoder, StageResult, StageUnavailable, State, Verdict
from retrieval.query.expand import TermIndex

KEPT_WORDS = 4


@dataclass(frozen=True)
class FewResults:
    """Not enough when fewer than ``min_results`` candidates score at least ``floor``.

    The first retry adds the nearest catalog terms to the words that the catalog knows; the
    second asks for those terms and wider ones alone.
    """

    encoder: Encoder
    index: TermIndex | None
    floor: float
    min_results: int = 5
    name: str = "enough?"

    def run(self, state: State) -> StageResult:
        """A verdict with one broader query, different in every round."""
        # A merged list is scored by rank; what counts is the best score a search itself gave.
        best = (max((c.score, *c.scores.values())) for c in state.candidates)
        good = sum(score >= self.floor for score in best)
        reason = f"{good} of at least {self.min_results} score {self.floor:g} or more"
        if good >= self.min_results:
            verdict = Verdict(enough="enough", reason=reason)
        else:
            query = self._broader(state.query.text, state.round)
            verdict = Verdict(enough="not enough", reason=reason, queries=(query,))
        note = f"{reason}; next: {verdict.queries[0]}" if verdict.queries else reason
        return StageResult(name=self.name, state=state, note=note, verdict=verdict, listed=False)

    def _broader(self, text: str, number: int) -> str:
        if self.index is None:
            raise StageUnavailable("the catalog terms are still being embedded")
        vector = self.encoder.encode([text])[0]
        near = [t.term for t in self.index.near(vector, -1.0, 40) if t.term.casefold() != text]
        words = re.findall(r"\w[\w-]+", text.casefold())
        terms_of_catalog = set(self.index.terms)
        catalog_words = [w for w in words if w in terms_of_catalog][:KEPT_WORDS]
        fresh = [t for t in near if t not in words]
        terms = [*catalog_words, *fresh[:5]] if number == 1 else fresh[:12]
        return " ".join(dict.fromkeys(terms)) or text
