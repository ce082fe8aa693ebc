"""Whether any tool of the catalog fits a task: a calibrated model over cosines and shares."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from retrieval.catalog import Annotator, lower_bound
from retrieval.core import EVERYTHING, Encoder, Query, Selection, StageUnavailable, Vectors
from retrieval.dense import VectorStore
from retrieval.explain.field_evidence import FieldEvidence
from retrieval.graph import GraphStore

NEAREST, TERMS, EVERYDAY = 20, 5, 3
"""How many tools, catalog terms and everyday tasks are averaged over."""

TOGETHER = 3
"""Concepts of a text that one tool must have for the full value of ``together``."""

SERVED = 0.6
"""With a tool this near (cosine) a task is served, however everyday: no contrast, no refusal."""

LIKE_SERVED = 0.67
"""Cosine with a request that a record was judged to serve from which a text is one of the field. Of
730 labelled texts that nothing serves, 360 of them English, the nearest has .65 (a passport photo);
of 407 that the catalog is for, 92 have as much."""

REMEMBERED = 1024

SIGNALS = ("nearby", "terms", "coverage", "everyday", "words", "together")
"""Inputs of the logistic model; ``near``, the best cosine, is reported beside them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeModel:
    """A logistic model over SIGNALS; below 0 nothing fits."""

    weights: Mapping[str, float]
    bias: float

    def score(self, signals: Mapping[str, float]) -> float:
        """Distance of the signals above the threshold, in log-odds; 0 is the threshold."""
        return self.bias + sum(self.weights[name] * signals[name] for name in SIGNALS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """The models of English texts and of those read word by word, for one encoder."""

    encoder: str
    english: ScopeModel
    foreign: ScopeModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Confidence:
    """The judgement of one query: the score (at least 0 is in scope) and its signals.

    ``named``: the text is a tool's name. ``near`` is the cosine of the nearest tool.
    ``other_data``: the text names a kind of data that no tool of the catalog is for.
    ``in_field``: it names a concept of the field alone, or is like a request that a record serves;
    what no record serves is then a gap.
    ``beyond_software``: it asks what no software answers, such as a price.
    """

    score: float
    signals: Mapping[str, float]
    near: float = 0.0
    named: bool = False
    other_data: bool = False
    in_field: bool = False
    beyond_software: bool = False

    @property
    def abstains(self) -> bool:
        """Whether nothing here fits; never for words of the field, or with a tool so near.

        Always for what no software answers, though it names an organ or a kind of image.
        """
        if self.beyond_software:
            return True
        doubtful = self.score < 0 or self.other_data
        return doubtful and not (self.named or self.in_field) and self.near < SERVED


@dataclass(frozen=True, slots=True, kw_only=True)
class OutOfScopeExamples:
    """Vectors of tasks outside any research catalog, with which a query is compared.

    ``vectors`` is float32 of shape (tasks, dimension) with rows of length 1.
    """

    encoder: str
    vectors: Vectors

    @classmethod
    def read(cls, path: Path, encoder: str) -> OutOfScopeExamples:
        """Half-precision rows as calibration wrote them, normalised again."""
        rows = np.load(path, allow_pickle=False).astype(np.float32)
        return cls(encoder=encoder, vectors=rows / np.linalg.norm(rows, axis=1, keepdims=True))


def read_calibration(path: Path) -> Calibration:
    """The weights that ``python -m benchmarks.calibrate`` wrote; 0 for a signal not named."""
    data = json.loads(path.read_text("utf-8"))
    english, foreign = (
        ScopeModel(
            weights={name: float(model["weights"].get(name, 0.0)) for name in SIGNALS},
            bias=float(model["bias"]),
        )
        for model in (data["english"], data["foreign"])
    )
    return Calibration(encoder=data["encoder"], english=english, foreign=foreign)


@dataclass(frozen=True)
class ScopeEstimator:
    """Judges a query against the catalog's vectors, terms and concepts.

    ``terms`` gives cosines of the catalog's terms with a vector, so many of the highest at least.
    ``coverage`` is the share of a text's letters that lie in a concept's name; ``words`` the
    largest share of its words, weighed by rarity, that one record holds; ``is_name`` whether it
    is a tool's name and nothing else, and ``asks_for_record`` whether people ask so for a record;
    ``served`` the cosine of the nearest request that a record was judged to serve.
    ``around`` gives the concepts below a concept and those just above it.
    """

    encoder: Encoder
    store: VectorStore
    terms: Callable[[Vectors, int], Vectors]
    calibration: Calibration
    everyday: OutOfScopeExamples
    coverage: Callable[[str], float]
    words: Callable[[str], float]
    annotator: Annotator
    graph: GraphStore | None = None
    is_name: Callable[[str], bool] = lambda text: False
    field_evidence: FieldEvidence | None = None
    asks_for_record: Callable[[str], bool] = lambda text: False
    served: Callable[[str], float] = lambda text: 0.0
    around: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def judge(self, query: Query, searched: str = "") -> Confidence | None:
        """The confidence of a query with text; None without one, or while the model loads.

        Where the text as typed is refused, the one that is ``searched`` in its place, without
        slips, may save it.
        """
        typed = self._judged(query)
        if typed is None or not typed.abstains or searched in ("", query.text):
            return typed
        reworded = self._judged(replace(query, text=searched))
        return typed if reworded is None or reworded.abstains else reworded

    def _judged(self, query: Query) -> Confidence | None:
        if not query.text or self.calibration.encoder != self.encoder.id:
            return None
        try:
            signals = self.signals(query.text, query.reading)
        except StageUnavailable:
            return None
        model = self.calibration.foreign if query.reading else self.calibration.english
        score = round(model.score(signals), 6)
        is_tool_name = self.is_name(query.text)
        near = signals.pop("near")
        other = self.unserved(query.text, "modality")
        words = self.field_evidence
        return Confidence(
            score=score,
            signals=signals,
            near=near,
            named=is_tool_name,
            other_data=other,
            in_field=(words is not None and words.names_field(query.text))
            or self.asks_for_record(query.text)
            or self.served(query.text) >= LIKE_SERVED,
        )

    def signals(
        self, text: str, reading: Sequence[str] = (), contrast: Vectors | None = None
    ) -> dict[str, float]:
        """``near`` and the SIGNALS of a text: cosines and shares.

        Of a text that was read word by word, since the encoder reads English, they are those of the
        reading; ``coverage`` is that of the text, whose unknown words the reading lacks.
        ``contrast``: other everyday vectors.
        """
        against = self.contrast if contrast is None else contrast
        in_english = " ".join(reading) or text
        values = self._nearness(in_english, against)
        values |= {"coverage": min(1.0, self.coverage(text)), "words": self.words(in_english)}
        return {name: round(v, 6) for name, v in values.items()}

    def _nearness(self, text: str, against: Vectors) -> dict[str, float]:
        vector = self.encoder.encode([text])[0]
        hits = self.store.search(vector, NEAREST)
        cosines = [score for _, score in hits] or [0.0]
        # How many of the text's concepts each of the nearest tools has.
        concepts = self.concepts(text, [tool for tool, _ in hits])
        shared = Counter(tool for having in concepts.values() for tool in having)
        return {
            "near": cosines[0],
            "nearby": sum(cosines) / len(cosines),
            "terms": _mean_of_top(self.terms(vector, TERMS), TERMS),
            "everyday": _mean_of_top(against @ vector, EVERYDAY),
            "together": min(max(shared.values(), default=0), TOGETHER) / TOGETHER,
        }

    @cached_property
    def contrast(self) -> Vectors:
        """The rows of ``everyday`` that no tool of this catalog is near to: float32, (n, dim)."""
        rows = self.everyday.vectors
        nearest = [self.store.search(row, 1) for row in rows]
        rows_apart = [n for n, hits in enumerate(nearest) if not hits or hits[0][1] < SERVED]
        return np.asarray(rows[rows_apart], dtype=np.float32)

    def concepts(self, text: str, tools: Iterable[str]) -> dict[str, frozenset[str]]:
        """The concepts that a text names, each with those of the tools that have it."""
        return self._having(self.annotator.concepts(text) if text else (), frozenset(tools))

    def unserved(self, text: str, kind: str, selection: Selection = EVERYTHING) -> bool:
        """Whether a text names concepts of a kind and no admitted tool has any of them."""
        concepts = [c for c in self.annotator.concepts(text) if c.startswith(f"{kind}:")]
        if not concepts or self.graph is None:
            return False
        related_concepts = (c for one in concepts for c in (one, *self.around.get(one, ())))
        if selection == EVERYTHING:
            return not any(map(self._has_tool, related_concepts))
        return not any(self.graph.having(tuple(related_concepts), selection).values())

    @cached_property
    def _has_tool(self) -> Callable[[str], bool]:
        """Whether any tool of the catalog has a concept; the same for every query."""
        return lru_cache(maxsize=REMEMBERED)(lambda concept: any(self._having((concept,)).values()))

    def _having(
        self, concepts: Sequence[str], keep: frozenset[str] | None = None
    ) -> dict[str, frozenset[str]]:
        if self.graph is None:
            return {concept: frozenset() for concept in concepts}
        return self.graph.having(concepts, Selection(keep=keep))


def _mean_of_top(values: Vectors, count: int) -> float:
    # In the order of size, since a sum in float32 depends on the order of addition.
    near = np.sort(values[values >= lower_bound(values, count)])[-count:]
    return float(near.mean()) if len(near) else 0.0
