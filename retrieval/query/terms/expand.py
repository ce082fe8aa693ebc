"""Catalog terms near a query: a stage that adds them, and one that asks again with them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from msgspec.structs import replace

from retrieval.core import (
    Encoder,
    Query,
    StageResult,
    StageUnavailable,
    State,
    Term,
    Verdict,
    read_by,
)
from retrieval.query.terms.index import TermIndex

MOST_WORDS = 32
"""Words of a query that are compared with the terms; the rest is ignored."""

FORMS = 4
"""Forms of one word that a catalog writes: number, two tenses and the word itself."""

CACHED_FORMS = 4_096
"""Words and terms whose bare forms are cached: the terms near one text are near others as well."""

CATALOG_WORDS = 4
"""Words of the query that the first broader query keeps, of those that are catalog terms."""

_WORDS = re.compile(r"\w[\w-]+")
_INFLECTION = re.compile(r"(?<=\w{2})(?:ings?|i?es|e?s|ed|e|us|i|um|a|is|y)$")
_DOUBLED = re.compile(r"([bdgmnprt])\1$")

NO_TERMS = "the catalog terms are still being embedded; search again soon"
UNUSED = " (suggestions: searching with them measured no gain here)"


def expanded_text(query: Query) -> str:
    """Clean text, its English reading, expansion terms, tokens: for a source that uses them."""
    terms = (*query.reading, *(t.term for t in query.expansion))
    return " ".join(part for part in (query.text, *terms, *query.searched_tokens) if part)


@lru_cache(maxsize=CACHED_FORMS)
def uninflected(text: str) -> str:
    """Words without endings of number and tense: *lungs* is *lung*; *segmentation* stays."""
    words = (_INFLECTION.sub("", word) for word in _WORDS.findall(text.casefold()))
    return " ".join(sorted({_DOUBLED.sub(r"\1", word) for word in words}))


@dataclass(frozen=True)
class Expand:
    """Adds up to ``limit`` terms whose cosine with the query or one of its words is above a limit.

    Words of the query, in any case, number or tense, are not added (S1-11), and of two terms that
    differ in these alone the nearer one is. Where the mode does not search with the terms
    (``searched`` is false) the note says so. ``begin`` is called first, to begin in other threads
    what later stages need beside the vector of the query.
    """

    encoder: Encoder
    index: TermIndex | None
    threshold: float = 0.75
    limit: int = 10
    name: str = "expand"
    searched: bool = True
    absent: str = NO_TERMS
    begin: Callable[[State], None] = lambda state: None

    def run(self, state: State) -> StageResult:
        """The state with ``query.expansion`` filled; the note names terms and similarities."""
        if "expand" in state.query.off:
            raise StageUnavailable("switched off for this search")
        if self.index is None:
            raise StageUnavailable(self.absent or NO_TERMS)
        if not state.query.text:
            raise StageUnavailable("no text to expand")
        self.begin(state)
        terms = self._terms(read_by(state, "sentence encoder", state.query.text), self.index)
        note = ", ".join(f"{t.term} {t.similarity:.2f}" for t in terms) or "no term is near enough"
        note += "" if self.searched else UNUSED if terms else ""
        state = replace(state, query=replace(state.query, expansion=terms))
        return StageResult(
            name=self.name,
            state=state,
            note=note,
            listed=False,
            metrics={"expansion_terms": len(terms)},
        )

    def _terms(self, text: str, index: TermIndex) -> tuple[Term, ...]:
        """Terms near the text or near one of its words, under the larger cosine."""
        # A number is near no catalog term, so it is not worth a run of the encoder.
        words = [w for w in _WORDS.findall(text.casefold()) if not w.isdigit()][:MOST_WORDS]
        bases = {uninflected(word) for word in words}
        # Forms of typed words are dropped below, so the neighbours are taken with room for them.
        limit, encode = FORMS * self.limit + MOST_WORDS, self.encoder.encode
        near_text = index.near(encode([text])[0], self.threshold, limit)
        distinct = tuple(dict.fromkeys(words))
        best: dict[str, Term] = {}
        for near in [near_text, *index.near_words(distinct, self.threshold, limit, encode)]:
            for term in near:
                base = uninflected(term.term)
                if set(base.split()) <= bases:
                    continue
                best_term = best.get(base)
                if best_term is None or best_term.similarity < term.similarity:
                    best[base] = term
        return tuple(sorted(best.values(), key=lambda t: (-t.similarity, t.term))[: self.limit])


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
    absent: str = NO_TERMS

    def run(self, state: State) -> StageResult:
        """A verdict with one broader query, different in every round."""
        # A merged list is scored by rank; what counts is the best score a search itself gave.
        best = (max((c.score, *c.scores.values())) for c in state.candidates)
        good = sum(score >= self.floor for score in best)
        reason = f"{good} of at least {self.min_results} score {self.floor:g} or more"
        if good >= self.min_results:
            verdict = Verdict(enough="enough", reason=reason)
        else:
            text = read_by(state, "sentence encoder", state.query.text)
            query = self._broader(text, state.round)
            verdict = Verdict(enough="not enough", reason=reason, queries=(query,))
        note = f"{reason}; next: {verdict.queries[0]}" if verdict.queries else reason
        return StageResult(name=self.name, state=state, note=note, verdict=verdict, listed=False)

    def _broader(self, text: str, number: int) -> str:
        if self.index is None:
            raise StageUnavailable(self.absent or NO_TERMS)
        vector = self.encoder.encode([text])[0]
        near = [t.term for t in self.index.near(vector, -1.0, 40) if t.term.casefold() != text]
        words = _WORDS.findall(text.casefold())
        terms_of_catalog = set(self.index.terms)
        catalog_words = [w for w in words if w in terms_of_catalog][:CATALOG_WORDS]
        fresh = [t for t in near if t not in words]
        terms = [*catalog_words, *fresh[:5]] if number == 1 else fresh[:12]
        return " ".join(dict.fromkeys(terms)) or text
