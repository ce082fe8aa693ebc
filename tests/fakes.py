"""Parts that implement the real ports and are fed a script; nothing here is patched in."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from msgspec.structs import replace

from retrieval.catalog.vocabulary import catalog_terms
from retrieval.core.codes import BodyPart, Conversion, Dimension, Format, Modality
from retrieval.core.deadline import Deadline
from retrieval.core.errors import StageUnavailable
from retrieval.core.stage import StageResult, Verdict
from retrieval.core.types import Candidate, Query, State, Tool, ranked
from retrieval.dense.refresh import refreshed
from retrieval.dense.templates import TEMPLATES
from retrieval.engine.engine import Engine
from retrieval.engine.snapshot import Snapshot
from retrieval.graph.build import build_graph
from retrieval.graph.store import NetworkxStore
from retrieval.lexical.bm25 import Bm25Index
from retrieval.planning.bridge import FormatBridge
from retrieval.query.terms.index import TermIndex
from retrieval.wiring.explaining import score_scale
from retrieval.wiring.modes import all_modes, modes_with
from retrieval.wiring.parts import Parts, Sizes


def words_of(text: str) -> list[str]:
    return re.findall(r"\w[\w:.+-]*", text.casefold())


def _direction(word: str, dim: int) -> np.ndarray:
    seed = int.from_bytes(hashlib.sha256(word.encode("utf-8", "replace")).digest()[:8], "big")
    row = np.random.default_rng(seed).standard_normal(dim)
    return row / np.linalg.norm(row)


class HashingEncoder:
    """A text is the normalised sum of its words' fixed directions; ``texts`` is what was asked."""

    def __init__(self, dim: int = 64, id: str = "hashing") -> None:
        self.id, self.dim = id, dim
        self.texts: list[str] = []

    def encode(self, texts: Sequence[str], batch_size: int = 32) -> np.ndarray:
        self.texts.extend(texts)
        rows = [self._row(text) for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(rows), self.dim)

    def encode_tokens(self, texts: Sequence[str]) -> list[np.ndarray]:
        found = ([_direction(w, self.dim) for w in words_of(t) or [""]] for t in texts)
        return [np.array(rows, dtype=np.float32) for rows in found]

    def _row(self, text: str) -> np.ndarray:
        total = sum(_direction(word, self.dim) for word in words_of(text) or [""])
        return total / max(float(np.linalg.norm(total)), 1e-12)


class ScriptedModel:
    """Answers prompts from a list; an exception in the list is raised instead.

    Every answer is metered as ``tokens`` in and out; ``prompts`` and ``images`` are what came.
    """

    id = "scripted"

    def __init__(self, *answers: str | Exception, tokens: tuple[int, int] = (100, 10)) -> None:
        self._answers, self._tokens = list(answers), tokens
        self.prompts: list[str] = []
        self.images: list[tuple[bytes, ...]] = []

    def complete(
        self,
        prompt: str,
        *,
        schema: dict | None = None,
        images: Sequence[bytes] = (),
        seconds: float | None = None,
        meter: Callable[[int, int], None] | None = None,
    ) -> str:
        self.prompts.append(prompt)
        self.images.append(tuple(images))
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        if meter is not None:
            meter(*self._tokens)
        return answer


def make_tool(id: str, **facts: object) -> Tool:
    told = {"name": id, "description": f"what {id} does", **facts}
    return Tool(id=id, **told)  # type: ignore[arg-type]


def make_pairs(*pairs: str, what: str = "image") -> tuple[Conversion, ...]:
    """Conversions from pairs such as ``DICOM > NIfTI``."""
    ends = (pair.split(" > ") for pair in pairs)
    source = "https://example.org/manual"
    return tuple(Conversion(Format(a), Format(b), what, source) for a, b in ends)


def make_candidate(id: str, score: float = 0.0, **facts: object) -> Candidate:
    return Candidate(tool=make_tool(id, **facts), score=score)


def make_query(text: str = "segment lungs", **fields: object) -> Query:
    return Query(raw=text, text=text, **fields)  # type: ignore[arg-type]


def make_state(text: str = "segment lungs", *candidates: Candidate, **fields: object) -> State:
    known = {name: fields.pop(name) for name in ("selection", "deadline", "path") if name in fields}
    return State(query=make_query(text, **fields), candidates=candidates, **known)  # type: ignore[arg-type]


def ids(result: StageResult | Sequence[Candidate]) -> list[str]:
    found = result.state.candidates if isinstance(result, StageResult) else result
    return [c.tool.id for c in found]


def parts_of(result: StageResult) -> dict[str, StageResult]:
    return {node.name: node for node in result.walk()}


@dataclass
class Gives:
    """A source: these tools with falling scores, less what the selection refuses."""

    name: str
    found: str
    top: float = 1.0
    asked: list[str] = field(default_factory=list)

    def run(self, state: State) -> StageResult:
        self.asked.append(state.query.text)
        admitted = [t for t in self.found.split() if state.selection.admits(t)]
        listed = ranked(
            make_candidate(t).scored(state.path, self.top - n / 10) for n, t in enumerate(admitted)
        )
        return StageResult(name=self.name, state=replace(state, candidates=listed))


@dataclass
class Skips:
    name: str
    reason: str = "not installed; install it"

    def run(self, state: State) -> StageResult:
        raise StageUnavailable(self.reason)


@dataclass
class Breaks:
    name: str
    error: Exception = field(default_factory=lambda: RuntimeError("a defect"))

    def run(self, state: State) -> StageResult:
        raise self.error


@dataclass
class Does:
    """A stage that calls a function with the state and passes the candidates on."""

    name: str
    act: Callable[[State], object]

    def run(self, state: State) -> StageResult:
        self.act(state)
        return StageResult(name=self.name, state=state)


@dataclass
class Grows:
    """A streaming stage: one result a candidate."""

    name: str
    found: str

    def stream(self, state: State) -> Iterator[StageResult]:
        listed: tuple[Candidate, ...] = ()
        for n, tool_id in enumerate(self.found.split()):
            listed = (*listed, make_candidate(tool_id).scored(state.path, 1 - n / 10))
            yield StageResult(name=self.name, state=replace(state, candidates=listed))

    def run(self, state: State) -> StageResult:
        return list(self.stream(state))[-1]


@dataclass
class Says:
    """A judge with a list of verdicts; an exception in it is raised."""

    verdicts: list[Verdict | Exception]
    name: str = "judge"
    rounds: list[int] = field(default_factory=list)

    def run(self, state: State) -> StageResult:
        self.rounds.append(state.round)
        said = self.verdicts.pop(0)
        if isinstance(said, Exception):
            raise said
        return StageResult(name=self.name, state=state, verdict=said, note=said.reason)


SMALL = (
    make_tool(
        "lungmask",
        description="Segments the lungs on chest CT volumes.",
        modalities=(Modality.CT,),
        dimensions=(Dimension.D3,),
        formats_in=(Format.DICOM, Format.NIFTI),
        tasks=("segmentation",),
        anatomy=(BodyPart.LUNG,),
        license="MIT",
        url="https://example.org/lungmask",
        demo_url="https://example.org/demo",
        keywords=("lung lobes",),
        domain="radiology",
    ),
    make_tool(
        "brainer",
        description="Segments the brain on MRI volumes.",
        modalities=(Modality.MRI,),
        dimensions=(Dimension.D3,),
        formats_in=(Format.NIFTI,),
        tasks=("segmentation", "skull stripping"),
        license="Apache-2.0",
        requires_tool=("runner",),
        domain="radiology",
    ),
    make_tool("runner", description="Runs neural networks of any kind.", domain="general imaging"),
    make_tool(
        "nodules",
        description="Finds lung nodules on chest CT volumes.",
        modalities=(Modality.CT,),
        tasks=("detection",),
        requires_tool=("runner",),
        co_used_with=("lungmask",),
        domain="radiology",
    ),
    make_tool(
        "cells",
        description="Counts cells on fluorescence images.",
        modalities=(Modality.FLUORESCENCE,),
        dimensions=(Dimension.D2,),
        tasks=("counting",),
        domain="microscopy",
    ),
    make_tool("airways", description="Measures airways and lung lobes.", domain="radiology"),
    make_tool("converter", description="Converts DICOM series to NIfTI files."),
)


def small_parts(encoder: HashingEncoder | None = None, **parts: object) -> Parts:
    """The parts of an engine over SMALL, all of them real but the encoder."""
    used = encoder or HashingEncoder()
    terms = catalog_terms(SMALL)
    vectors = {
        template: refreshed(
            None, SMALL, used, template, catalog_sha256="s", fingerprints={}, terms=terms
        )
        for template in TEMPLATES
    }
    told = {
        "tools": {t.id: t for t in SMALL},
        "encoder": used,
        "bm25": Bm25Index(SMALL),
        "graph": NetworkxStore(build_graph(SMALL)),
        "bridge": FormatBridge(SMALL),
        "plaza_encoder": used,
        "vectors": vectors["biocortex"].store,
        "plaza_vectors": vectors["plaza"].store,
        "terms": TermIndex(terms, vectors["biocortex"].term_vectors),
        "tokens": lambda: AllTokens(used),
    }
    return Parts(**{**told, **parts})  # type: ignore[arg-type]


@dataclass
class AllTokens:
    """A TokenStore that encodes SMALL anew for every query: the plainest MaxSim."""

    encoder: HashingEncoder

    def scores(self, query_tokens: np.ndarray, ids: Sequence[str]) -> list[float]:
        texts = {t.id: t.description for t in SMALL}
        rows = self.encoder.encode_tokens([texts[i] for i in ids])
        return [float((query_tokens @ r.T).max(axis=1).mean()) for r in rows]


def small_snapshot(sizes: Sizes | None = None, **parts: object) -> Snapshot:
    made = small_parts(**parts)  # type: ignore[arg-type]
    return Snapshot(
        tools=made.tools,
        modes=all_modes(made, sizes or Sizes()),
        resized=partial(modes_with, made, sizes or Sizes(), ()),
        catalog_sha256="s",
        scale=score_scale(made),
    )


class CountdownDeadline(Deadline):
    """A deadline that comes after it was looked at so many times: no clock in the test."""

    __slots__ = ("looks",)

    def __init__(self, looks: int) -> None:
        super().__init__()
        object.__setattr__(self, "looks", looks)

    @property
    def passed(self) -> bool:
        object.__setattr__(self, "looks", self.looks - 1)
        return self.looks < 0


def small_engine(
    sizes: Sizes | None = None, floor: float = 0.0, seconds: float = 60.0, **parts: object
) -> Engine:
    """An engine over SMALL that needs no weights and no files."""

    snapshot = small_snapshot(sizes, **parts)  # type: ignore[arg-type]
    return Engine(snapshot, floor=floor, seconds=seconds)  # type: ignore[arg-type]
