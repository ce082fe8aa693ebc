"""Sizes that one search may have otherwise than set: candidates, hops and nodes."""

from __future__ import annotations

from collections.abc import Mapping

from retrieval.core import BadInput
from retrieval.engine.snapshot import Mode, Snapshot

SIZES: Mapping[str, tuple[str, int, int]] = {
    "candidates": ("per_list", 1, 1000),
    "hops": ("graph_hops", 0, 3),
    "nodes": ("graph_nodes", 1, 2000),
}
"""By name the setting that it takes the place of, and the least and most that both may be."""


def checked_sizes(sizes: Mapping[str, int] | None) -> dict[str, int]:
    """The sizes in their order. Raises BadInput naming one that is unknown or out of range."""
    size_by_name = sizes or {}
    if unknown := sorted(size_by_name.keys() - SIZES.keys()):
        raise BadInput(f"sizes: unknown {unknown[0][:40]!r}; choose from {', '.join(SIZES)}")
    for name, size in size_by_name.items():
        _, least, most = SIZES[name]
        if not least <= size <= most:
            raise BadInput(f"{name}: {size} is out of range; choose from {least} to {most}")
    return {name: size_by_name[name] for name in SIZES if name in size_by_name}


def as_settings(sizes: Mapping[str, int]) -> dict[str, int]:
    """The sizes by the names of the settings that they take the place of."""
    return {SIZES[name][0]: size for name, size in sizes.items()}


def mode_of(snapshot: Snapshot, name: str, sizes: Mapping[str, int] | None = None) -> Mode:
    """A mode by name, with these sizes where some are given.

    Raises BadInput, naming the modes, when there is none of this name, and for sizes where the
    snapshot has one set of modes only.
    """
    if name not in snapshot.modes:
        raise BadInput(
            f"mode: unknown mode {name[:40]!r}; choose one of: {', '.join(snapshot.modes)}"
        )
    if not sizes:
        return snapshot.modes[name]
    if snapshot.resized is None:
        raise BadInput("sizes: this engine has those that it was opened with")
    return snapshot.resized(as_settings(sizes))[name]
