"""What a tool needs its input to be, in words."""

from __future__ import annotations

from collections.abc import Iterator

from retrieval.core import Needs

LABEL = "label map"
"""The word for data of the code ``label``; all other codes are words."""


def input_needs(needs: Needs) -> tuple[str, ...]:
    """Each need as ``name: value``, in a fixed order; nothing for what the record leaves empty."""
    return tuple(_stated(needs))


def _stated(needs: Needs) -> Iterator[str]:
    if needs.data:
        # All of them are necessary, so they are one need.
        yield f"data: {' and '.join(LABEL if part == 'label' else part for part in needs.data)}"
    if needs.orientation:
        slices = "" if needs.orientation.isupper() else " slices"
        yield f"orientation: {needs.orientation}{slices}"
    if needs.units:
        yield f"units: {needs.units}"
    if needs.channels:
        yield f"channels: {needs.channels}"
    if needs.min_slices:
        yield f"slices: {needs.min_slices} or more"
    if needs.max_spacing_mm:
        yield f"spacing: {needs.max_spacing_mm:g} mm or less"
    for sequence in needs.sequences:
        yield f"sequence: {sequence}"
