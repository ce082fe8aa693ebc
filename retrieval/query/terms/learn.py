"""Terms learned from use: what the tools that a visitor chose for such requests have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from retrieval.core import Encoder, StageResult, StageUnavailable, State, Term, Tool, read_by
from retrieval.query.terms.expand import NO_TERMS, uninflected
from retrieval.query.terms.index import TermIndex

LEARNED = "learned_terms"
"""The stage's figure: how many terms it added to what is searched."""

SIMILAR = 0.4
"""A chosen tool is for a similar request where one of its keywords has this cosine with it."""

RELATED = 0.25
"""A shared keyword below it says nothing of the request: *python*, *slicer extension*."""

AGREEING = 2
"""Chosen tools that state a keyword; what one alone states may be its own."""

MOST = 3
"""Terms learned for one request; typed words and near terms remain the larger part."""


@dataclass(frozen=True)
class LearnTerms:
    """Adds keywords that several chosen tools share, where these tools are for such a request.

    Nothing but the ids of the chosen tools is remembered, so that the likeness of two requests is
    that of this one to the keywords of the tools chosen before. Without a choice nothing changes.
    """

    encoder: Encoder
    index: TermIndex | None
    tools: Mapping[str, Tool]
    absent: str = NO_TERMS
    name: str = "learned"

    def run(self, state: State) -> StageResult:
        """The state with the terms after those of the expansion; the note gives their reasons."""
        query = state.query
        if not {"taste", self.name}.isdisjoint(query.off):
            raise StageUnavailable("switched off for this search")
        liked = [self.tools[id] for id in query.liked if id in self.tools]
        if not liked:
            return StageResult(name=self.name, state=state, note="no taste is kept", listed=False)
        if self.index is None:
            raise StageUnavailable(self.absent or NO_TERMS)
        if not query.text:
            raise StageUnavailable("no text to expand")
        shared = self._shared(read_by(state, "sentence encoder", query.text), self.index, liked)
        present = {uninflected(term.term) for term in query.expansion}
        new = [(term, n) for term, n in shared if uninflected(term.term) not in present][:MOST]
        note = ", ".join(f"{term.term} ({n} of your choices)" for term, n in new)
        terms = (*query.expansion, *(term for term, _ in new))
        return StageResult(
            name=self.name,
            state=replace(state, query=replace(query, expansion=terms)),
            note=note or "your choices share no term that is near this request",
            listed=False,
            metrics={LEARNED: len(new), "expansion_terms": len(terms)},
        )

    def _shared(self, text: str, index: TermIndex, liked: Sequence[Tool]) -> list[tuple[Term, int]]:
        """Terms with the number of tools that state them: most tools first, then nearest."""
        cosines, rows = index.cosines(self.encoder.encode([text])[0]), index.rows
        stated: Counter[str] = Counter()
        for tool in liked:
            keywords = {word.casefold() for word in tool.keywords}
            near = {word: float(cosines[rows[word]]) for word in keywords if word in rows}
            if max(near.values(), default=-1.0) >= SIMILAR:
                stated.update(word for word, cosine in near.items() if cosine >= RELATED)
        typed = set(uninflected(text).split())
        terms = [
            (Term(term=word, similarity=round(float(cosines[rows[word]]), 6)), n)
            for word, n in stated.items()
            if n >= AGREEING and not set(uninflected(word).split()) <= typed
        ]
        return sorted(terms, key=lambda pair: (-pair[1], -pair[0].similarity, pair[0].term))
