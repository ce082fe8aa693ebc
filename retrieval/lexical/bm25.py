"""BM25 as a source and as a scorer of given candidates."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from retrieval.catalog import admitted, places, task_token, trust_of, values_of
from retrieval.core import (
    Candidate,
    LazyTuple,
    Scorer,
    Selection,
    StageResult,
    StageUnavailable,
    State,
    Tool,
    Why,
    format_token,
    read_by,
)
from retrieval.lexical.grams import READER, Impacts
from retrieval.lexical.matches import Words, matching_words, words_of
from retrieval.lexical.tokenise import tokenise

K1, B = 1.2, 0.75

CACHED_TEXTS = 4
"""Texts whose scores are kept: several stages ask for the same."""

_LETTERS = re.compile(r"[^\W\d_]+")


def lexical_text(tool: Tool) -> str:
    """What BM25 indexes of a record: its words, and its facts as ``format:`` terms."""
    facts = (*tool.formats_in, *tool.modalities, *tool.dimensions)
    words = (tool.name, tool.name, tool.suite or "", tool.description, *tool.keywords, *tool.tasks)
    rest = (*tool.anatomy, *tool.modalities, tool.domain or "", *tool.asked_as)
    codes = (*map(format_token, facts), *map(task_token, tool.tasks))
    return " ".join(part for part in (*words, *rest, *codes) if part)


class Hit(NamedTuple):
    """A record that matches, its score, and all the terms that it holds."""

    tool: Tool
    score: float
    terms: frozenset[str]


class Bm25Index:
    """Lucene-style BM25 (Robertson, Zaragoza 2009) over records in the order given."""

    def __init__(self, tools: Sequence[Tool], k1: float = K1, b: float = B) -> None:
        self.tools = tuple(tools)
        self._row = places([tool.id for tool in self.tools])
        terms = [tokenise(lexical_text(tool)) for tool in self.tools]
        self._terms = [frozenset(doc) for doc in terms]
        self._impacts = Impacts(terms, k1, b)
        self._scores = lru_cache(maxsize=CACHED_TEXTS)(partial(_scores, self._impacts))

    def all_scores(self, text: str) -> NDArray[np.float32]:
        """The score of every record, (tools,) float32 in the order of ``tools``; 0 without a match.

        The array is cached for the last CACHED_TEXTS texts and read-only.
        """
        return self._scores(text)

    def search(self, text: str, k: int, selection: Selection) -> list[Hit]:
        """At most k records that match and are admitted, best first, ties by id.

        Scores are rounded to 6 decimals first, so that ties do not depend on the order of addition;
        a record whose rounded score is 0 does not match.
        """
        scores = np.round(self.all_scores(text).astype(np.float64), 6)
        scores[~admitted(self._row, selection)] = 0.0
        rows = np.flatnonzero(scores > 0)
        if len(rows) > k:
            floor = np.partition(scores[rows], -k)[-k]
            rows = rows[scores[rows] >= floor]
        pairs = zip(rows.tolist(), scores[rows].tolist(), strict=True)
        hits = [Hit(self.tools[row], score, self._terms[row]) for row, score in pairs]
        return sorted(hits, key=lambda hit: (-hit.score, hit.tool.id))[:k]

    def scores(self, text: str, ids: Sequence[str]) -> NDArray[np.float64]:
        """The scores of the records named, (ids,) float64; 0 for an id that is not held."""
        return values_of(self.all_scores(text), self._row, ids)

    def needed(self, text: str) -> float:
        """The score of a record that is surely meant by a text."""
        return self._impacts.needed(tokenise(text))

    def knows(self, word: str) -> bool:
        """Whether a description uses a word in this very form, whatever its case."""
        return word.casefold() in self.written

    def holds(self, word: str) -> bool:
        """Whether a record holds a word in any inflection, its name and keywords included."""
        return any(term in self._impacts.vocabulary for term in tokenise(word))

    @cached_property
    def written(self) -> Mapping[str, int]:
        """The words of all descriptions in lower case, with the number of records of each."""
        texts = (frozenset(_LETTERS.findall(tool.description.casefold())) for tool in self.tools)
        return Counter(word for words in texts for word in words)

    def best_share(self, text: str) -> float:
        """The largest share of a text's terms that one record holds; see ``shares``."""
        return float(self._shares(text).max(initial=0.0))

    def shares(self, text: str, ids: Sequence[str]) -> list[float]:
        """The share of a text's terms, weighed by rarity, that each of these records holds.

        A term that no record has weighs as much as one term can; 0 for a text without terms, and
        for an id that is not held.
        """
        shares: list[float] = values_of(self._shares(text), self._row, ids).tolist()
        return shares

    def _shares(self, text: str) -> NDArray[np.float64]:
        terms = dict.fromkeys(tokenise(text))
        postings = [self._impacts.rows(term) for term in terms]
        rarity = [math.log1p((len(self.tools) - len(r) + 0.5) / (len(r) + 0.5)) for r in postings]
        sums = np.zeros(len(self.tools))
        for rows, weight in zip(postings, rarity, strict=True):
            sums[rows] += weight
        return sums / sum(rarity) if terms else sums


def _scores(impacts: Impacts, text: str) -> NDArray[np.float32]:
    scores = impacts.scores(tokenise(text))
    scores.setflags(write=False)
    return scores


@dataclass(frozen=True)
class Bm25Source:
    """The k records that match the words best."""

    index: Bm25Index
    k: int = 50
    name: str = "bm25"
    text: Callable[[State], str] = attrgetter("query.worded_text")

    def run(self, state: State) -> StageResult:
        """Candidates with BM25 scores, best first, ties by id; none when no word is known.

        Each names up to eight of the words that matched. Raises StageUnavailable where the visitor
        switched the stage off, and without a text.
        """
        if self.name in state.query.off:
            raise StageUnavailable("switched off for this search")
        text = self.text(state)
        if not text:
            raise StageUnavailable("nothing to look for: no text and no token")
        hits = self.index.search(
            read_by(state, READER, text), state.depth or self.k, state.selection
        )
        path, words = state.path, words_of(text)
        candidates = tuple(
            Candidate(
                tool=tool,
                score=score,
                scores={path: score},
                # Of the index only the terms of one record: what keeps a candidate keeps these.
                why=LazyTuple(partial(_matched, path, words, terms, tool, score)),
            )
            for tool, score, terms in hits
        )
        note = "" if candidates else "no record holds a word of the query"
        return StageResult(
            name=self.name,
            state=replace(state, candidates=candidates),
            note=note,
            metrics={"hits": len(candidates)},
        )


def _matched(
    path: str, words: Words, terms: frozenset[str], tool: Tool, score: float
) -> tuple[Why, ...]:
    """The words of a text that a record holds, as a reason."""
    matches = matching_words(words, terms, lexical_text(tool))
    return (Why(kind="words", stage=path, text=", ".join(matches), value=score),)


@dataclass(frozen=True)
class Bm25Signal:
    """BM25 of a text of one's own choice, as numbers."""

    index: Bm25Index
    text: Callable[[State], str]
    name: str = "core words"

    def values(self, state: State) -> NDArray[np.float64]:
        """One BM25 score per candidate, (candidates,) float64; 0 for a record outside the index.

        Scores are not normalised: they grow with the number of words that match.
        """
        ids = [c.tool.id for c in state.candidates]
        text = read_by(state, READER, self.text(state))
        return self.index.scores(text, ids)

    def trust(self, state: State, values: NDArray[np.float64]) -> float:
        """How much of the text's words, by rarity, the best candidate has."""
        return trust_of(float(values.max(initial=0.0)), self.index.needed(self.text(state)))


@dataclass(frozen=True)
class Bm25Scorer(Scorer):
    """BM25 scores for the candidates that are there; nothing is found or lost."""

    index: Bm25Index
    name: str = "words"
    text: Callable[[State], str] = attrgetter("query.worded_text")

    def values(self, state: State) -> NDArray[np.float64]:
        """One score a candidate."""
        text = read_by(state, READER, self.text(state))
        return self.index.scores(text, [c.tool.id for c in state.candidates])
