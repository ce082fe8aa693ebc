"""Searches to start with, each with a scan."""

from __future__ import annotations

from collections.abc import Sequence

from components.render.markup import button


def examples(labels: Sequence[str]) -> str:
    """A row of buttons; a click fills the box, adds the scan and searches."""
    shown = "".join(button(label, "example", label, css="btn btn-try") for label in labels)
    return f"<div class='try'><span>Try with a sample scan:</span>{shown}</div>"
