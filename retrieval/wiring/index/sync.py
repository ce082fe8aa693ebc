"""Bring the saved index in step with a catalog."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from tqdm import tqdm

from retrieval.catalog import Catalog, RefusedLine, catalog_terms, load_catalog
from retrieval.core import BadInput, Encoder, StageUnavailable
from retrieval.dense import (
    SHARD,
    Changes,
    IndexFolder,
    Loading,
    Progress,
    Stored,
    changes,
)
from retrieval.net import OutsideCalls
from retrieval.settings import Settings
from retrieval.wiring.index.indexes import HYBRID, PLAZA, folder_of
from retrieval.wiring.index.making import Making
from retrieval.wiring.index.stores import (
    Graphs,
    fallback,
    served_by_milvus,
    store_purposes,
    wants_milvus,
)
from retrieval.wiring.models import loading_encoder, plaza_encoder
from retrieval.wiring.parts import Notice
from retrieval.wiring.questions.store import save_schema


def sync(
    settings: Settings,
    encoder: Encoder | None = None,
    *,
    progress: bool | None = None,
    shard: int = SHARD,
) -> dict[str, Any]:
    """Counts of read, kept, added, updated and removed records, the refused lines and notes.

    Only new texts are embedded, by the encoder of the settings unless one is given; what a
    killed run embedded, ``shard`` texts at a time, is taken from its journal. ``progress``
    draws a bar on stderr; None does so on a terminal. A catalog without one usable record
    leaves the index as it is. ``rebuilt`` says why the index before could not be used, or is
    null; ``fallbacks`` which store of the settings could not be filled. Raises BadInput when
    the index folder cannot be written.
    """
    catalog = load_catalog(settings.catalog)
    remarks = {
        "refused": [asdict(line) for line in catalog.refused],
        "notes": [asdict(note) for note in catalog.notes],
    }
    if not catalog.records:
        nothing: dict[str, Any] = dict.fromkeys(("read", "kept", "added", "updated", "removed"), 0)
        nothing |= {"rebuilt": None, "fallbacks": []}
        reason = "no usable record; the index before is left as it is"
        refusal = asdict(RefusedLine(line=0, reason=reason))
        return {**nothing, **remarks, "refused": [*remarks["refused"], refusal]}
    first, second = encoder, encoder
    if first is None or second is None:
        first = loading = loading_encoder(settings)
        second, _ = plaza_encoder(settings, loading)
    syncing = _Sync(settings, catalog, shard, progress)
    try:
        done, rebuilt = syncing.bring(first, HYBRID, catalog_terms(catalog.tools))
        syncing.bring(second, PLAZA, ())
        syncing.save()
        fallbacks = syncing.fill()
    except OSError as exc:
        raise BadInput(
            f"the index could not be saved in {settings.index_dir} ({exc.strerror or exc}); "
            "the one before is as it was. Make room there or allow writing, or choose another "
            "folder with --index or SCANSCOUT_INDEX_DIR"
        ) from exc
    counts = {"read": len(catalog.records), **asdict(done)}
    return {**counts, "rebuilt": rebuilt, "fallbacks": fallbacks, **remarks}


@dataclass(frozen=True)
class _Sync:
    """One run: indexes are made one after the other, and become current together."""

    settings: Settings
    catalog: Catalog
    shard: int
    progress: bool | None

    @cached_property
    def making(self) -> Making:
        return Making(self.settings, self.catalog)

    def bring(
        self, encoder: Encoder, template: str, terms: tuple[str, ...]
    ) -> tuple[Changes, str | None]:
        """What changed, and why the index before was of no use, if so."""
        folder, catalog = folder_of(self.settings.index_dir, template), self.catalog
        before, problem = _before(folder)
        former = before.meta.fingerprints if before else {}
        done = changes(former, catalog.fingerprints)
        wanted = (encoder.id, template, catalog.sha256)
        meta = before.meta if before else None
        same = meta and (meta.model, meta.template, meta.catalog_sha256) == wanted
        if before and same and not done.any:
            self.making.fitting[template] = before
            return done, None
        if isinstance(encoder, Loading):
            encoder.wait()
            if encoder.problem:
                raise BadInput(encoder.problem)
        with bar(template, self.progress) as report:
            self.making.make(
                before, encoder, template, terms, shard=self.shard, strict=True, report=report
            )
        return done, problem

    def save(self) -> None:
        """Save the graph, make all indexes current at once, then remove what they replace."""
        root, graphs = self.settings.index_dir, Graphs(self.settings)
        with graphs.replaced(self.catalog, graphs.missing(self.catalog)):
            self.making.save()
            save_schema(self.catalog.tools, root / "graph")

    def fill(self) -> list[dict[str, str]]:
        """Fill the stores of the settings; what could not be, and why."""
        notices: list[Notice] = []
        try:
            if wants_milvus(self.settings):
                guard = OutsideCalls(store_purposes(self.settings))
                for template in (HYBRID, PLAZA):
                    stored = folder_of(self.settings.index_dir, template).load()
                    served_by_milvus(stored, self.settings, guard)
        except StageUnavailable as exc:
            notices.append(fallback("dense", "FAISS in memory", exc))
        return [dict(zip(("stage", "used", "reason"), n, strict=True)) for n in notices]


def _before(folder: IndexFolder) -> tuple[Stored | None, str | None]:
    """The index there is, or why there is none that can be read."""
    try:
        return folder.load(), None
    except StageUnavailable as exc:
        return None, str(exc).partition(";")[0] if folder.begun else None


@contextmanager
def bar(label: str, shown: bool | None = None) -> Iterator[Progress]:
    """A function that takes (done, total) texts and draws a bar on stderr, beside the answer.

    Without ``shown`` the bar is drawn on a terminal only.
    """
    hidden = not sys.stderr.isatty() if shown is None else not shown
    with tqdm(
        desc=f"embedding ({label})", unit=" texts", file=sys.stderr, disable=hidden, leave=True
    ) as drawn:

        def report(done: int, total: int) -> None:
            if drawn.total is None:
                drawn.reset(total)
                drawn.initial = done
            drawn.update(done - drawn.n)

        yield report
