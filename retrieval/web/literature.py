"""Several scientific sources at once, fused to one list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from msgspec.structs import replace

from retrieval.core import (
    Candidate,
    Combinator,
    Fuse,
    Lists,
    Page,
    Stage,
    StageResult,
    State,
    begun,
    reciprocal_rank_fusion,
)
from retrieval.web.merge import name_of, together, works
from retrieval.web.stage import as_candidate


@dataclass(frozen=True)
class Literature(Combinator):
    """Asks every source in a thread of its own, then fuses their lists by reciprocal rank.

    ``extra`` are further sources with another text, such as a DOI.
    """

    name: str
    sources: Sequence[Stage]
    limit: int = 20
    extra: Sequence[tuple[Stage, str]] = ()

    def stream(self, state: State) -> Iterator[StageResult]:
        """A fused list after every source; ``state.pages`` holds each work once."""
        first = [_Ahead(stage.name, stage, state) for stage in self.sources]
        second = [
            _Ahead(
                f"{stage.name}, by number",
                stage,
                replace(state, query=replace(state.query, text=text)),
            )
            for stage, text in self.extra
        ]
        stages = (*second, *first)
        shelf = _Shelf(stages)
        fuse = Fuse(self.name, stages, combine=shelf.fused, limit=self.limit)
        for part in fuse.stream(state):
            pages = tuple(shelf.works[c.tool.id] for c in part.state.candidates) if part.ran else ()
            yield replace(part, state=replace(part.state, pages=pages))


class _Ahead:
    """A stage that starts when this object is created; ``run`` waits for its result."""

    def __init__(self, name: str, stage: Stage, state: State) -> None:
        self.name = name
        placed = replace(state, path=f"{state.path}/{name}".lstrip("/"))

        def timed() -> StageResult:
            start = perf_counter()
            result = stage.run(placed)
            took = {"answered_ms": round((perf_counter() - start) * 1000, 3)}
            return replace(result, metrics={**result.metrics, **took})

        self._future = begun(timed, f"web {name}")

    @property
    def pages(self) -> tuple[Page, ...]:
        """Its pages; none while it still runs."""
        if not self._future.done() or self._future.exception() is not None:
            return ()
        return self._future.result().state.pages

    def run(self, state: State) -> StageResult:
        """The result of the stage, or the exception that it raised."""
        return self._future.result()


@dataclass(slots=True)
class _Shelf:
    """The works of one search by the key under which each is listed."""

    sources: Sequence[_Ahead]
    works: dict[str, Page] = field(default_factory=dict)

    def fused(self, stage: str, lists: Lists) -> tuple[Candidate, ...]:
        """The lists with every work under one key, by reciprocal rank."""
        pages_of = {source.name: source.pages for source in self.sources}
        path_pages = [
            (path, page) for path, _ in lists for page in pages_of[path.rsplit("/", 1)[-1]]
        ]
        pages = [page for _, page in path_pages]
        rows: dict[str, list[Candidate]] = {path: [] for path, _ in lists}
        placed: dict[int, Candidate] = {}
        for group in works(pages):
            same = [pages[place] for place in group]
            key = name_of(same)
            self.works[key] = together(same)
            placed |= dict.fromkeys(group, as_candidate(self.works[key], key))
        for place, (path, _) in enumerate(path_pages):
            if placed[place].tool.id not in {c.tool.id for c in rows[path]}:
                rows[path].append(placed[place])
        return reciprocal_rank_fusion(stage, list(rows.items()))
