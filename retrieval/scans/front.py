"""The room's front: paths in, uploads out; all reading happens in a child process with limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from retrieval.scans.child import Part, read_parts, read_subjects
from retrieval.scans.limits import Limits
from retrieval.scans.upload import Role, Upload


def read_scans(
    paths: Sequence[str | Path],
    *,
    roles: Sequence[str] = (),
    preview: bool = True,
    limits: Limits | None = None,
) -> Upload:
    """All paths (files, folders, zips) as one upload.

    ``roles`` overrides what the files are taken to be to each other; the first valid one counts.
    """
    part = Part(1, tuple(Path(path) for path in paths))
    upload = read_parts([part], preview=preview, limits=limits or Limits())[1]
    chosen = [Role(role) for role in roles if role in set(Role)]
    return replace(upload, role=chosen[0]) if chosen else upload


def read_each(
    paths: Sequence[str | Path], *, preview: bool = False, limits: Limits | None = None
) -> tuple[Upload, ...]:
    """Each path as an upload of its own, in order; refusals keep the position among all paths."""
    parts = [Part(k, (Path(path),)) for k, path in enumerate(paths, 1)]
    found = read_parts(parts, preview=preview, limits=limits or Limits())
    return tuple(found[part.first] for part in parts)


def read_cohort(paths: Sequence[str | Path], *, limits: Limits | None = None) -> tuple[Upload, ...]:
    """Folders and zips of many subjects: one upload a subject, by folder or BIDS label.

    Refusals keep the position of their path and of the file inside it.
    """
    part = Part(1, tuple(Path(path) for path in paths))
    bounds = limits or Limits(batch_s=20.0, batch_s_most=120.0)
    return read_subjects([part], preview=False, limits=bounds)[1]
