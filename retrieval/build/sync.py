"""Bring the saved index in step with a catalog."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from retrieval.build.indexes import HYBRID, PLAZA, folder_of
from retrieval.build.models import loading_encoder, plaza_encoder
from retrieval.catalog import Catalog, catalog_terms, load_catalog
from retrieval.core.errors import BadInput, StageUnavailable
from retrieval.core.ports import Encoder
from retrieval.dense import Changes, IndexFolder, Loading, Stored, changes, refreshed
from retrieval.settings import Settings, quiet_libraries


def sync(settings: Settings, encoder: Encoder | None = None) -> dict[str, Any]:
    """Counts of read, kept, added, updated and removed records, the refused lines and notes.

    Only new texts are embedded, by the encoder of the settings unless one is given. A catalog
    without one usable record leaves the index as it is. ``rebuilt`` says why the index before
    could not be used, or is null. Raises BadInput when the index folder cannot be written.
    """
    quiet_libraries()
    catalog = load_catalog(settings.catalog)
    told = {
        "refused": [asdict(line) for line in catalog.refused],
        "notes": [asdict(note) for note in catalog.notes],
    }
    if not catalog.records:
        nothing = {"read": 0, "kept": 0, "added": 0, "updated": 0, "removed": 0, "rebuilt": None}
        reason = {"line": 0, "reason": "no usable record; the index before is left as it is"}
        return {**nothing, **told, "refused": [*told["refused"], reason]}
    first, second = encoder, encoder
    if first is None or second is None:
        first = loading = loading_encoder(settings)
        second, _ = plaza_encoder(settings, loading)
    folders = {name: folder_of(settings.index_dir, name) for name in (HYBRID, PLAZA)}
    try:
        terms = catalog_terms(catalog.tools)
        done, rebuilt = _bring(folders[HYBRID], catalog, first, HYBRID, terms)
        _bring(folders[PLAZA], catalog, second, PLAZA, ())
    except OSError as exc:
        raise BadInput(_unwritten(settings, exc)) from exc
    return {"read": len(catalog.records), **asdict(done), "rebuilt": rebuilt, **told}


def _bring(
    folder: IndexFolder, catalog: Catalog, encoder: Encoder, template: str, terms: tuple[str, ...]
) -> tuple[Changes, str | None]:
    """What changed, and why the index before was of no use, if so."""
    before, problem = _before(folder)
    had = before.meta.fingerprints if before else {}
    done = changes(had, catalog.fingerprints)
    if before and not done.any and _same(before, catalog, encoder, template):
        folder.clean()
        return done, None
    if isinstance(encoder, Loading):
        encoder.wait()
        if encoder.problem:
            raise BadInput(encoder.problem)
    folder.save(
        refreshed(
            before,
            catalog.tools,
            encoder,
            template,
            catalog_sha256=catalog.sha256,
            fingerprints=catalog.fingerprints,
            terms=terms,
        )
    )
    return done, problem


def _same(before: Stored, catalog: Catalog, encoder: Encoder, template: str) -> bool:
    had = (before.meta.model, before.meta.template, before.meta.catalog_sha256)
    return had == (encoder.id, template, catalog.sha256)


def _before(folder: IndexFolder) -> tuple[Stored | None, str | None]:
    """The index there is, or why there is none that can be read."""
    try:
        return folder.load(), None
    except StageUnavailable as exc:
        return None, str(exc).partition(";")[0] if folder.begun else None


def _unwritten(settings: Settings, error: OSError) -> str:
    return (
        f"the index could not be saved in {settings.index_dir} ({error.strerror or error}); "
        "the one before is as it was. Make room there or allow writing, or choose another "
        "folder with --index or SCANSCOUT_INDEX_DIR"
    )
