"""Whether anything in the catalog fits a task at all, from how near it comes to the words."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from retrieval.catalog import Annotator
from retrieval.core import EVERYTHING, Encoder, Query, Selection, StageUnavailable, Vectors
from retrieval.dense import VectorStore
from retrieval.graph import GraphStore

NEAREST, TERMS, EVERYDAY = 20, 5, 3
"""How many tools, catalog terms and everyday tasks are averaged over."""

TOGETHER = 3
"""One tool with so many of the concepts that a text names is as good as one with more."""

SERVED = 0.6
"""With a tool this near (cosine) a task is served, however everyday: no contrast, no refusal."""

BEYOND_LATIN = 0x0370
REMEMBERED = 1024

SIGNALS = ("nearby", "terms", "coverage", "everyday", "words", "together")
"""What is weighed; ``near``, the best cosine, is told beside them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """A logistic model over SIGNALS for one encoder; below 0 nothing fits."""

    encoder: str
    weights: Mapping[str, float]
    bias: float

    def score(self, signals: Mapping[str, float]) -> float:
        """How far above the threshold the signals are; 0 is the threshold."""
        return self.bias + sum(self.weights[name] * signals[name] for name in SIGNALS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Confidence:
    """What was judged of one query: the score (at least 0 is in scope) and its signals.

    ``named``: the text is a tool's name. ``near`` is the cosine of the nearest tool.
    ``other_data``: the text names a kind of data that no tool of the catalog is for.
    """

    score: float
    signals: Mapping[str, float]
    near: float = 0.0
    named: bool = False
    other_data: bool = False

    @property
    def abstains(self) -> bool:
        """Whether nothing here fits; never for a tool's own name, or with a tool so near."""
        doubtful = self.score < 0 or self.other_data
        return doubtful and not self.named and self.near < SERVED


@dataclass(frozen=True, slots=True, kw_only=True)
class Everyday:
    """Vectors of everyday tasks that are nobody's research: what a query is held against."""

    encoder: str
    vectors: Vectors

    @classmethod
    def read(cls, path: Path, encoder: str) -> Everyday:
        """Half-precision rows as calibration wrote them, normalised again."""
        rows = np.load(path, allow_pickle=False).astype(np.float32)
        return cls(encoder=encoder, vectors=rows / np.linalg.norm(rows, axis=1, keepdims=True))


def read_calibration(path: Path) -> Calibration:
    """The weights that ``python -m benchmarks.calibrate`` wrote; 0 for a signal not named."""
    told = json.loads(path.read_text("utf-8"))
    weights = {name: float(told["weights"].get(name, 0.0)) for name in SIGNALS}
    return Calibration(encoder=told["encoder"], weights=weights, bias=float(told["bias"]))


@dataclass(frozen=True)
class Honesty:
    """Judges a query against the catalog's vectors, terms and concepts.

    ``terms`` gives the cosines of the catalog's terms with a vector.
    ``coverage`` is the share of a text's letters that lie in a concept's name; ``words`` the
    largest share of its words, weighed by rarity, that one record holds; ``is_name`` whether it
    is a tool's name and nothing else. ``around`` gives the concepts below a concept and those
    just above it.
    """

    encoder: Encoder
    store: VectorStore
    terms: Callable[[Vectors], Vectors]
    calibration: Calibration
    everyday: Everyday
    coverage: Callable[[str], float]
    words: Callable[[str], float]
    annotator: Annotator
    graph: GraphStore | None = None
    is_name: Callable[[str], bool] = lambda text: False
    around: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def judge(self, query: Query) -> Confidence | None:
        """The confidence of a query with text; None without one, or while the model loads."""
        if not query.text or self.calibration.encoder != self.encoder.id:
            return None
        try:
            signals = self.signals(query.text, query.reading)
        except StageUnavailable:
            return None
        score = round(self.calibration.score(signals), 6)
        named = self.is_name(query.text)
        near = signals.pop("near")
        other = self.unserved(query.text, "modality")
        return Confidence(score=score, signals=signals, near=near, named=named, other_data=other)

    def signals(
        self, text: str, reading: Sequence[str] = (), contrast: Vectors | None = None
    ) -> dict[str, float]:
        """``near`` and the SIGNALS of a text, read in English where needed; cosines and shares.

        The reading counts as far as it covers the text, and wholly for a text in no Latin
        letters, which the encoder cannot read. ``contrast``: other everyday vectors.
        """
        share = min(1.0, self.coverage(text))
        against = self.contrast if contrast is None else contrast
        told = self._nearness(text, against)
        if reading:
            trust = self.trust(text)
            meant = self._nearness(" ".join(reading), against)
            told = {name: v + trust * (meant[name] - v) for name, v in told.items()}
        in_english = " ".join(reading) if reading and _beyond_latin(text) else text
        told |= {"coverage": share, "words": self.words(in_english)}
        return {name: round(v, 6) for name, v in told.items()}

    def trust(self, text: str) -> float:
        """How far the reading of a text in another language stands for it, 0 to 1."""
        return 1.0 if _beyond_latin(text) else min(1.0, self.coverage(text))

    def _nearness(self, text: str, against: Vectors) -> dict[str, float]:
        vector = self.encoder.encode([text])[0]
        hits = self.store.search(vector, NEAREST)
        cosines = [score for _, score in hits] or [0.0]
        return {
            "near": cosines[0],
            "nearby": sum(cosines) / len(cosines),
            "terms": _mean_of_top(self.terms(vector), TERMS),
            "everyday": _mean_of_top(against @ vector, EVERYDAY),
            "together": self._together(text, [tool for tool, _ in hits]),
        }

    def _together(self, text: str, tools: Sequence[str]) -> float:
        """How many of the text's concepts the tool that has most of them has, 1 for TOGETHER."""
        held = Counter(t for having in self.concepts(text, tools).values() for t in having)
        return min(max(held.values(), default=0), TOGETHER) / TOGETHER

    @cached_property
    def contrast(self) -> Vectors:
        """The everyday tasks that no tool of this catalog is near to."""
        rows = self.everyday.vectors
        nearest = [self.store.search(row, 1) for row in rows]
        kept = [n for n, hits in enumerate(nearest) if not hits or hits[0][1] < SERVED]
        return np.asarray(rows[kept], dtype=np.float32)

    def concepts(self, text: str, tools: Iterable[str]) -> dict[str, frozenset[str]]:
        """The concepts that a text names, each with those of the tools that have it."""
        asked = Selection(keep=frozenset(tools))
        found = self.annotator.concepts(text) if text else ()
        return {concept: self._having(concept, asked) for concept in found}

    def unserved(self, text: str, kind: str, selection: Selection = EVERYTHING) -> bool:
        """Whether a text names concepts of a kind and no admitted tool has any of them."""
        found = [c for c in self.annotator.concepts(text) if c.startswith(f"{kind}:")]
        if not found or self.graph is None:
            return False
        wanted = (c for one in found for c in (one, *self.around.get(one, ())))
        if selection == EVERYTHING:
            return not any(map(self._held, wanted))
        return not any(self._having(c, selection, limit=1) for c in wanted)

    @cached_property
    def _held(self) -> Callable[[str], bool]:
        """Whether any tool of the catalog has a concept; the same for every query."""
        return lru_cache(maxsize=REMEMBERED)(
            lambda concept: bool(self._having(concept, EVERYTHING, limit=1))
        )

    def _having(
        self, concept: str, selection: Selection, limit: int | None = None
    ) -> frozenset[str]:
        if self.graph is None:
            return frozenset()
        room = limit or len(selection.keep or ()) or 1
        return frozenset(r.id for r in self.graph.expand([(concept, 1.0)], 1, room, selection))


def _mean_of_top(values: Vectors, count: int) -> float:
    top = values if len(values) <= count else np.partition(values, -count)[-count:]
    return float(top.mean()) if len(top) else 0.0


def _beyond_latin(text: str) -> bool:
    """Whether most letters are of a script without words in Latin letters (CJK and the like)."""
    letters = [c for c in text if c.isalpha()]
    return sum(ord(c) >= BEYOND_LATIN for c in letters) * 2 > len(letters)
