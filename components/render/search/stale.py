"""The line that says what the list on the page does not take into account; pure."""

from __future__ import annotations

from dataclasses import replace

from components.data import Data, Form, Shown

SETTINGS = "Settings have changed. Press Find tools to apply them."
SCAN = "The scan has changed since this list was made. Press Find tools to search with it."
BOTH = "The scan and settings have changed since this list was made. Press Find tools."
READING = "A scan is being read. This list and its verdicts do not take it into account."


def staleness(form: Form, data: Data, on_page: Shown) -> str:
    """A line when the list was made with other settings or another scan; the text is the box's."""
    if on_page.answer is None:
        return ""
    settings = replace(form, text=on_page.form.text) != on_page.form
    scan = data.scan_facts != on_page.scan_facts
    words = {(True, False): SETTINGS, (False, True): SCAN, (True, True): BOTH}
    return _line(words[settings, scan]) if settings or scan else ""


def while_reading(on_page: Shown) -> str:
    """The same while files are read, when what they are is not known."""
    return "" if on_page.answer is None else _line(READING)


def _line(words: str) -> str:
    return f"<p class='stale' role='status'>{words}</p>"
