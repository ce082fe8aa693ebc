"""A saved search run again: the same ranks, or what changed since."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from msgspec.structs import replace

from retrieval.core import BadInput, Query, Wish
from retrieval.engine import Answer, Engine, Limit
from retrieval.export.schema import SearchJson, read_search
from retrieval.export.serialise import search_json
from retrieval.query import parse_query

MAX_BYTES = 8_000_000
"""The largest file that is read; an export of fifty tools has a twentieth of it."""

QUERY_KEYS = (
    *("text", "tokens", "excluded", "rerank", "refine", "reading", "expansion", "filters"),
    *("off", "muted_tokens", "top_k", "scans", "liked", "disliked", "understood"),
)
"""Keys of an export's query that can change ranks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """One thing that differs between then and now, each as a short text; None where absent."""

    what: str
    was: str | None
    now: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """A tool's rank then and now; None where it is not in the list."""

    id: str
    was: int | None
    now: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """Whether the ranks are the same, what changed since, and every tool's two ranks.

    ``answer`` is that of the search run here, ``limits`` are those that it reached.
    """

    same: bool
    changed: tuple[Changed, ...]
    ranks: tuple[Rank, ...]
    limits: tuple[Limit, ...] = ()
    answer: Answer | None = None

    @property
    def moved(self) -> tuple[Rank, ...]:
        """Those whose rank is another."""
        return tuple(rank for rank in self.ranks if rank.was != rank.now)


def replay_bytes(engine: Engine, data: bytes) -> Replayed:
    """``replay_of`` a file's content. Raises BadInput for what is no export of a search."""
    return replay_of(engine, saved_in(data))


def saved_in(data: bytes) -> Mapping[str, Any]:
    """The saved search of a file's content. Raises BadInput for what is no export of a search."""
    if len(data) > MAX_BYTES:
        raise BadInput(f"file: it has {len(data):,} bytes; an export has {MAX_BYTES:,} at most")
    try:
        saved = json.loads(data)
    except (ValueError, RecursionError) as exc:
        raise BadInput("file: this is no JSON; choose a file saved with the JSON button") from exc
    if not isinstance(saved, dict):
        raise BadInput("file: this is no saved search; choose a file saved with the JSON button")
    read_search(saved)
    return saved


def replay_of(engine: Engine, saved: Mapping[str, Any]) -> Replayed:
    """Run a saved search again on the engine's catalog and settings, with the sizes of its own.

    Changes are listed even where the ranks are the same. Raises BadInput, naming the field,
    for what is no export of a search, and for a mode or token that does not exist here.
    """
    saved_search = read_search(saved)
    sizes = saved_search.metadata.sizes
    answer = engine.run(
        query_of(saved_search),
        saved_search.metadata.mode,
        refused=saved_search.refused,
        sizes=sizes,
    )
    now = search_json(answer)
    ranks = tuple(_ranks(saved_search, now))
    same = all(rank.was == rank.now for rank in ranks)
    changed = tuple(_changed(saved_search, now))
    return Replayed(same=same, changed=changed, ranks=ranks, limits=answer.limits, answer=answer)


def query_of(saved: SearchJson) -> Query:
    """The query of a saved search; every value in it is checked as if it were typed."""
    values = saved.query
    # Words of wishes that left the text are read again, as if they were typed.
    words = dict.fromkeys(wish.text for wish in values.understood if not wish.searched)
    tagged = [wish for wish in values.understood if not wish.text]
    required = [_pair(wish) for wish in tagged if wish.strength != "wanted"]
    query = parse_query(
        " ".join(filter(None, (values.text, *words))),
        scans=[scan.info for scan in values.scans],
        tokens=values.tokens,
        muted_tokens=values.muted_tokens,
        excluded=values.excluded,
        rerank=values.rerank,
        refine=values.refine,
        filters=values.filters.filters,
        off=values.off,
        top_k=values.top_k,
        liked=values.liked,
        disliked=values.disliked,
        required=required,
        wanted=[_pair(wish) for wish in tagged if wish.strength == "wanted"],
    )
    return replace(query, raw=values.raw or values.text)


def _pair(wish: Wish) -> str:
    """A wish as the option or tag that states it."""
    return f"{wish.kind}={'none' if wish.strength == 'unwanted' else wish.value}"


def _ranks(saved_search: SearchJson, now: SearchJson) -> Iterator[Rank]:
    """Both ranks of every tool; where a file's rank is not the place, the one that differs."""
    has = {one.id: n for n, one in enumerate(now.candidates, 1)}
    former: dict[str, int] = {}
    for n, one in enumerate(saved_search.candidates, 1):
        ranks = (one.rank or n, n)
        former[one.id] = next((rank for rank in ranks if rank != has.get(one.id)), n)
    for id in dict.fromkeys((*former, *has)):
        yield Rank(id=id, was=former.get(id), now=has.get(id))


def _changed(saved_search: SearchJson, now: SearchJson) -> Iterator[Changed]:
    for what in ("catalog_sha256", "encoder", "version"):
        yield from _differs(what, getattr(saved_search.metadata, what), getattr(now.metadata, what))
    yield from _settings(saved_search.metadata.settings, now.metadata.settings or {})
    then, here = (one.query.json_data() for one in (saved_search, now))
    for key in QUERY_KEYS:
        if key in saved_search.query.model_fields_set:
            yield from _differs(f"query.{key}", then[key], here[key])
    # Stages that ran then and do not run here, or the other way round.
    ran, runs = ({one.name: one.status for one in saved.stages} for saved in (saved_search, now))
    for name in dict.fromkeys((*ran, *runs)):
        yield from _differs(f"stage {name}", ran.get(name), runs.get(name))


def _settings(
    saved_settings: Mapping[str, Any] | None, now: Mapping[str, Any]
) -> Iterator[Changed]:
    if saved_settings is None:
        yield Changed(
            what="settings", was=None, now="the file does not tell those it was made with"
        )
        return
    for name in sorted({*saved_settings, *now}):
        yield from _differs(f"settings.{name}", saved_settings.get(name), now.get(name))


def _differs(what: str, saved_value: object, now: object) -> Iterator[Changed]:
    if saved_value != now:
        yield Changed(what=what, was=_short(saved_value), now=_short(now))


def _short(value: object) -> str | None:
    """A value as a text of one line."""
    if value is None or isinstance(value, str):
        return None if value is None else value[:200]
    return json.dumps(value, ensure_ascii=False)[:200]


def replay_json(replayed: Replayed) -> dict[str, Any]:
    """``same``, ``changed`` [{what, was, now}], ``ranks`` [{id, was, now}] and ``limits``."""
    return {
        "same": replayed.same,
        "changed": [asdict(one) for one in replayed.changed],
        "ranks": [asdict(one) for one in replayed.ranks],
        "limits": [asdict(one) for one in replayed.limits],
    }
