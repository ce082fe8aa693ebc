"""The line that says what the list on the page does not take into account; pure."""

from __future__ import annotations

from dataclasses import replace

from components.data import Data, Form, Shown

SETTINGS = "Settings have changed. Press Find tools to apply them."
SCAN = "The scan has changed since this list was made. Press Find tools to search with it."
BOTH = "The scan and settings have changed since this list was made. Press Find tools."
READING = "A scan is being read. This list and its verdicts do not take it into account."


def staleness(form: Form, data: Data, shown: Shown) -> str:
    """A line when the list was made with other settings or another scan; the text is the box's."""
    if shown.answer is None:
        return ""
    settings = replace(form, text=shown.form.text) != shown.form
    scan = data.scan_facts != shown.scan_facts
    words = {(True, False): SETTINGS, (False, True): SCAN, (True, True): BOTH}
    return _line(words[settings, scan]) if settings or scan else ""


def while_reading(shown: Shown) -> str:
    """The same while files are read, when what they are is not known."""
    return "" if shown.answer is None else _line(READING)


def _line(words: str) -> str:
    return f"<p class='stale' role='status'>{words}</p>"
