"""Named modes over one snapshot: run, streamed, told."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from retrieval.agents import Clarification, clarify
from retrieval.core.deadline import Deadline
from retrieval.core.errors import BadInput
from retrieval.core.stage import Stage, StageResult, progress
from retrieval.core.types import RETRIEVAL, Candidate, Query, State, Tool, select
from retrieval.query import parse_query, with_tokens

if TYPE_CHECKING:
    from retrieval.scans import Upload

logger = logging.getLogger("retriever.pipeline")

REASONS = (
    "no_suitable_tool",
    "no_modality_match",
    "no_task_match",
    "no_dimension_match",
    "invalid_files",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """A pipeline under a name; ``notices`` tell where it runs on something else than it names."""

    name: str
    pipeline: Stage
    encoder: str
    notices: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Everything one query reads; never changed, only replaced as a whole."""

    tools: Mapping[str, Tool]
    modes: Mapping[str, Mode]
    catalog_sha256: str
    refused_lines: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What is known of one query so far; ``done`` when it is all there will be."""

    mode: Mode
    query: Query
    result: StageResult
    catalog_sha256: str
    total_ms: float
    load_ms: float = 0.0
    done: bool = True
    floor: float = 0.0
    refused: tuple[Any, ...] = field(default=())
    outside: tuple[tuple[str, str], ...] = ()

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The final list, best first."""
        return self.result.state.candidates

    @property
    def low_confidence(self) -> bool:
        """Whether even the nearest tool is further from the words than the floor."""
        cosines = [s for c in self.candidates for n, s in c.scores.items() if _is_cosine(n)]
        return bool(self.query.text) and bool(cosines) and max(cosines) < self.floor

    @property
    def clarification(self) -> Clarification | None:
        """A question with options, when the query asks for one or the answer is doubtful."""
        if not self.done or not (self.query.refine or self.low_confidence):
            return None
        return clarify(self.query, self.candidates)

    @property
    def reason(self) -> str | None:
        """One of REASONS when the answer is not what was hoped for, else None."""
        if self.refused and not self.query.scans and not self.query.text:
            return "invalid_files"
        if not self.candidates:
            return "no_suitable_tool"
        for fact in ("modality", "dimension"):
            verdicts = [f.verdict for c in self.candidates for f in c.fit or () if f.fact == fact]
            if verdicts and all(v == "fail" for v in verdicts):
                return f"no_{fact}_match"
        return None


def _is_cosine(stage: str) -> bool:
    """Whether a score tells how near a tool is to the text as typed, not to a broader one."""
    if "/query " in stage:
        return False
    return stage.rsplit("/", 1)[-1] in {"dense", "similarity", "vector search"}


class Engine:
    """The library's front: queries run on the snapshot that is current when they begin."""

    def __init__(
        self,
        snapshot: Snapshot,
        *,
        reader: Callable[..., Upload],
        seconds: float = 60.0,
        floor: float = 0.0,
    ) -> None:
        self._snapshot = snapshot
        self._reader = reader
        self._seconds, self._floor = seconds, floor
        self._ready = threading.Event()
        self._before_query: Callable[[], None] = lambda: None
        self.load_ms = 0.0
        self.notices: tuple[str, ...] = ()
        self.outside: Sequence[tuple[str, str]] = ()

    def swap(self, snapshot: Snapshot, *, ready: bool) -> None:
        """Make another snapshot current; queries under way keep theirs."""
        self._snapshot = snapshot
        if ready:
            self._ready.set()

    def watch(self, before_query: Callable[[], None]) -> None:
        """Call this before every query, to see whether catalog or index changed."""
        self._before_query = before_query

    def wait(self, seconds: float | None = None) -> bool:
        """Return when every stage is ready, or the time is over; whether all are."""
        return self._ready.wait(seconds)

    def settle(self) -> None:
        """Say that nothing more will get ready."""
        self._ready.set()

    @property
    def ready(self) -> bool:
        """Whether background loading is over."""
        return self._ready.is_set()

    @property
    def catalog(self) -> Mapping[str, Tool]:
        """Every tool by id."""
        return self._snapshot.tools

    @property
    def catalog_sha256(self) -> str:
        """The hash of the canonical records."""
        return self._snapshot.catalog_sha256

    @property
    def modes(self) -> tuple[str, ...]:
        """Names of the modes."""
        return tuple(self._snapshot.modes)

    def check(self, mode: str) -> None:
        """Raise BadInput, naming the modes, when there is none of this name."""
        _mode(self._snapshot, mode)

    def read_scans(self, paths: Sequence[Path], **how: Any) -> Upload:  # noqa: ANN401
        """What the files are, in closed codes; nothing of them is changed or kept."""
        return self._reader(paths, **how)

    def stream(
        self,
        text: str | Query,
        mode: str = "hybrid",
        *,
        refused: Iterable[Any] = (),
        **how: Any,  # noqa: ANN401
    ) -> Iterator[Answer]:
        """Answers that grow stage by stage; the last one is done.

        ``how`` is what parse_query takes. Raises BadInput for an unknown mode, bad toggles,
        or an empty text without a scan, a token or a refused file.
        """
        self._before_query()
        snapshot, start, called = self._snapshot, perf_counter(), len(self.outside)
        chosen = _mode(snapshot, mode)
        query = text if isinstance(text, Query) else parse_query(text, **how)
        told = tuple(refused)
        if not (query.text or query.scans or query.tokens or told):
            raise BadInput("text: nothing to look for; type a task or add a scan")
        state = State(
            query=query,
            selection=select(snapshot.tools.values(), query),
            deadline=Deadline.after(self._seconds),
        )
        answer: Answer | None = None
        for part in progress(chosen.pipeline, state, root=True):
            answer = Answer(
                mode=chosen,
                query=with_tokens(part.state.query) if "tokens" not in query.off else query,
                result=part,
                catalog_sha256=snapshot.catalog_sha256,
                total_ms=(perf_counter() - start) * 1000,
                load_ms=self.load_ms,
                done=False,
                floor=self._floor,
                refused=told,
                outside=tuple(self.outside[called:]),
            )
            yield answer
        if answer is not None:
            _log(answer)
            yield replace(answer, done=True, total_ms=(perf_counter() - start) * 1000)

    def run(self, text: str | Query, mode: str = "hybrid", **how: Any) -> Answer:  # noqa: ANN401
        """The last answer of ``stream``."""
        return deque(self.stream(text, mode, **how), maxlen=1)[0]


def _mode(snapshot: Snapshot, name: str) -> Mode:
    if name not in snapshot.modes:
        raise BadInput(
            f"mode: unknown mode {name[:40]!r}; choose one of: {', '.join(snapshot.modes)}"
        )
    return snapshot.modes[name]


def _log(answer: Answer) -> None:
    found = answer.candidates
    scores = [c.scores.get(RETRIEVAL, c.score) for c in found]
    mean = sum(scores) / len(scores) if scores else 0.0
    logger.info("Final candidates: %d, avg_score=%.2f", len(found), mean)
    logger.debug("query=%r", answer.query.text)
    if len(found) < 8:
        logger.info("Fewer than 8 candidates: %d", len(found))
