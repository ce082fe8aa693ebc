"""The engine: runs a query through a mode of the current snapshot and explains the answer."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from retrieval.core import (
    BadInput,
    Candidate,
    Deadline,
    Query,
    StageResult,
    State,
    Status,
    Tool,
    Wish,
    boundary,
)
from retrieval.dialogue import FollowUp, check_length
from retrieval.engine.answer import REASONS, Answer, Insight, Setting
from retrieval.engine.insight import no_calls
from retrieval.engine.questions import without_open_question
from retrieval.engine.search import Search
from retrieval.engine.sizes import as_settings, checked_sizes, mode_of
from retrieval.engine.snapshot import Mode, Snapshot
from retrieval.engine.source import FixedSnapshot, SnapshotSource
from retrieval.explain import (
    Explained,
    Neighbours,
    Similar,
    Wanted,
    WhatIf,
    compared,
    fate_of,
    like,
    named_tool,
    whole_lists,
    without,
)
from retrieval.llm import Budget, Outgoing
from retrieval.query import parse_query, with_wishes_in_text
from retrieval.scans import Refusal

if TYPE_CHECKING:
    from retrieval.scans import Upload

__all__ = ["REASONS", "Answer", "Engine", "Insight", "Mode", "Snapshot"]


class Engine:
    """The library's front: queries run on the snapshot that is current when they begin."""

    def __init__(
        self,
        source: SnapshotSource | Snapshot,
        *,
        reader: Callable[..., Upload] | None = None,
        seconds: float = 60.0,
        floor: float = 0.0,
        budget: Callable[[], Budget] = Budget,
        language_model: str = "",
        settings: Mapping[str, Setting] | None = None,
    ) -> None:
        self._source = FixedSnapshot(source) if isinstance(source, Snapshot) else source
        self._reader = reader
        self._seconds, self._floor, self._budget = seconds, floor, budget
        self.language_model = language_model
        self.settings: Mapping[str, Setting] = settings or {}
        self.watchers: list[Callable[[Answer], None]] = []
        """Called with every finished answer."""

    def load(self) -> None:
        """Begin to load in the background; nothing when that was begun."""
        self._source.load()

    def wait(self, seconds: float | None = None) -> bool:
        """Load, and return when every stage is ready or the time is over; whether all are."""
        return self._source.wait(seconds)

    @property
    def ready(self) -> bool:
        """Whether background loading is over."""
        return self._source.ready

    @property
    def catalog(self) -> Mapping[str, Tool]:
        """Every tool by id."""
        return self._source.outline.tools

    @property
    def catalog_sha256(self) -> str:
        """The hash of the canonical records."""
        return self._source.outline.catalog_sha256

    def state(self) -> dict[str, Any]:
        """Hashes of catalog and vectors, and by stage whether it is up or why not."""
        now = self._source.outline
        stages = now.stages if isinstance(now, Snapshot) else {}
        return {
            "catalog_sha256": now.catalog_sha256,
            "indexes": dict(now.indexes) if isinstance(now, Snapshot) else {},
            "stages": {name: why or "up" for name, why in stages.items()},
        }

    def current(self) -> Snapshot:
        """The snapshot on which a query that begins now would run."""
        return self._source.current()

    def preview(
        self,
        query: Query,
        mode: str,
        images: Sequence[bytes] = (),
        sizes: Mapping[str, int] | None = None,
    ) -> Outgoing | None:
        """The first request that a query would send to the language model; nothing is sent."""
        return self._source.preview(query, mode, images, checked_sizes(sizes))

    @property
    def modes(self) -> tuple[str, ...]:
        """Names of the modes."""
        return tuple(self._source.outline.modes)

    def deadline(self) -> Deadline:
        """When the time is used up of a query that begins now."""
        return Deadline.after(self._seconds)

    def check(self, mode: str) -> None:
        """Raise BadInput, naming the modes, when there is none of this name."""
        mode_of(self.current(), mode)

    def read_scans(self, paths: Sequence[Path], **how: Any) -> Upload:  # noqa: ANN401
        """What the files are, in closed codes; nothing of them is changed or kept.

        Raises BadInput where the engine was given no reader.
        """
        if self._reader is None:
            raise BadInput("files: this engine reads none")
        return self._reader(paths, **how)

    def stream(
        self,
        text: str | Query,
        mode: str = "hybrid",
        *,
        refused: Iterable[Refusal] = (),
        images: Iterable[bytes] = (),
        budget: Budget | None = None,
        deadline: Deadline | None = None,
        watched: bool = True,
        counted: bool = True,
        sizes: Mapping[str, int] | None = None,
        **how: Any,  # noqa: ANN401
    ) -> Iterator[Answer]:
        """Answers that grow stage by stage; the last one is done.

        Where nobody is to see those before it (``watched`` false) they are spared their lists.
        The watchers of answers see the last one where it is somebody's search (``counted``).

        ``how`` is what parse_query takes; ``images`` (PNG) go with a language model's prompt and
        nowhere else; ``deadline`` is one that several searches share; ``sizes`` take the place of
        those that are set. Raises BadInput for an unknown mode, bad toggles or sizes, or an empty
        text without a scan, a token or a refused file.
        """
        loading, snapshot = not self.ready, self.current()
        start, called = perf_counter(), snapshot.outside.count
        changed, refusals = checked_sizes(sizes), tuple(refused)
        search_mode = mode_of(snapshot, mode, changed)
        query = text if isinstance(text, Query) else parse_query(text, **how)
        query = snapshot.wishes.read(without_open_question(query, snapshot))
        if not (query.text or query.scans or query.tokens or refusals):
            raise BadInput("text: nothing to look for; type a task or add a scan")
        state = State(
            query=query,
            selection=snapshot.selection(query),
            deadline=deadline or self.deadline(),
            budget=budget or self._budget(),
            images=tuple(images),
            watched=watched,
        )
        empty = replace(
            self._empty(snapshot, search_mode, state),
            loading=loading,
            refused=refusals,
            settings={**self.settings, **as_settings(changed)},
            sizes=changed,
        )
        search = Search(
            snapshot=snapshot,
            pipeline=search_mode.pipeline,
            state=state,
            empty=empty,
            start=start,
            called=called,
        )
        answer: Answer | None = None
        for answer in search.answers():
            yield answer
        if answer is not None:
            yield self._finished(search.complete(answer), counted)

    def _empty(self, snapshot: Snapshot, mode: Mode, state: State) -> Answer:
        """The answer to a query before its first stage."""
        return Answer(
            mode=mode.facts,
            query=state.query,
            result=StageResult(name=mode.name, state=state),
            catalog_sha256=snapshot.catalog_sha256,
            total_ms=0.0,
            load_ms=self._source.load_ms,
            done=False,
            floor=self._floor,
            unmatched=snapshot.unmatched(state.query),
            settings=self.settings,
        )

    def _finished(self, answer: Answer, counted: bool) -> Answer:
        """The answer, once its watchers have seen it; one that fails ends nothing."""
        for watcher in self.watchers if counted else ():
            with boundary("a watcher of answers", []):
                watcher(answer)
        return answer

    def wishes(self, text: str, muted: Iterable[str] = ()) -> tuple[Wish, ...]:
        """The wishes about software in a text, without those that are switched off."""
        return self.current().wishes.read(parse_query(text, muted_tokens=muted)).wishes

    def follow_up(self, previous: Query, text: str, listed: Sequence[Tool] = ()) -> FollowUp:
        """The previous query as a remark changes it, and what was understood of the remark.

        Questions about ``listed`` tools are answered by their records. Raises BadInput if too long.
        """
        check_length(text)
        remark, previous = parse_query(text), with_wishes_in_text(previous)
        dialogue = self.current().dialogue
        words = f"{previous.text} {remark.text}".strip()
        change = FollowUp(query=replace(previous, raw=words, text=words))
        faults: list[tuple[Status, str]] = []
        if dialogue is not None:
            with boundary("a remark", faults):
                change = dialogue.follow_up(previous, remark.text, listed)
        notes = (f"the remark was added as typed: {reason}" for _, reason in faults)
        query = replace(
            change.query,
            excluded=tuple(dict.fromkeys((*change.query.excluded, *remark.excluded))),
            rerank=change.query.rerank and remark.rerank,
            refine=remark.refine,
            wishes=tuple(dict.fromkeys((*change.query.wishes, *remark.wishes))),
        )
        lines = (*change.understood, *notes)
        return FollowUp(query=query, understood=lines, talk=change.talk and query == previous)

    def run(self, text: str | Query, mode: str = "hybrid", **how: Any) -> Answer:  # noqa: ANN401
        """The last answer of ``stream``."""
        return deque(self.stream(text, mode, watched=False, **how), maxlen=1)[0]

    def explain(self, answer: Answer, tool: str) -> Explained:
        """What became of a tool (id or name) in an answer, and at which stage."""
        snapshot, query = self.current(), answer.query
        pipeline = mode_of(snapshot, answer.mode.name, answer.sizes).pipeline

        def uncut_lists() -> dict[str, Sequence[Candidate]]:
            selection = snapshot.selection(query)
            state = State(
                query=query, selection=selection, deadline=self.deadline(), budget=no_calls()
            )
            return whole_lists(pipeline, state, len(snapshot.tools))

        return fate_of(tool, answer.result, query, snapshot.tools, uncut_lists)

    def what_if(self, answer: Answer, lever: str) -> WhatIf:
        """The same search with one lever off, and every tool's rank before and after.

        Levers are tokens, graph, fit, rerank, expansion and the names of stages. Raises BadInput
        for another.
        """
        query = without(answer.query, lever, [n.name for n in answer.result.walk()])
        how: dict[str, Any] = {"sizes": answer.sizes, "budget": no_calls(), "counted": False}
        after = self.run(query, answer.mode.name, **how)
        return compared(lever, answer.mode.name, answer.candidates, after.candidates)

    def similar(self, tool: str, wanted: Wanted | None = None, limit: int = 10) -> Similar:
        """Tools like one (id or name) that satisfy what is wanted, itself never among them.

        Raises BadInput for a tool that is not in the catalog.
        """
        snapshot = self.current()
        record = named_tool(tool, snapshot.tools)
        if record is None:
            near = like(tool, snapshot.tools.values())
            hint = f"; did you mean {', '.join(near)}?" if near else ""
            raise BadInput(f"tool: {tool[:60]!r} is not in the catalog{hint}")
        neighbours = snapshot.neighbours or Neighbours(snapshot.tools)
        return neighbours.of(record, wanted or Wanted(), limit)
