"""Three searches to start with."""

from __future__ import annotations

from components.render.markup import button

TEXTS = (
    "segment lungs in a chest CT",
    "register brain MRI to a template",
    "count nuclei in fluorescence microscopy",
)


def examples() -> str:
    """A row of buttons; a click fills the box and searches."""
    shown = "".join(button(text, "example", text, css="btn btn-try") for text in TEXTS)
    return f"<div class='try'><span>Try:</span>{shown}</div>"
