"""The line that says what the list on the page does not take into account; pure."""

from __future__ import annotations

from dataclasses import replace

from components.data import Data, Form, Shown
from components.render.markup import esc, shortened

SETTINGS = "Settings have changed. Press Find tools to apply them."
SCAN = "The scan has changed since this list was made. Press Find tools to search with it."
BOTH = "The scan and settings have changed since this list was made. Press Find tools."
TASTE = "Your taste has changed since this list was made. Press Find tools to search with it."
LONGEST_TEXT = 80
"""Characters of the words of an earlier search that are told."""
READING = "A scan is being read. This list and its verdicts do not take it into account."


def staleness(form: Form, data: Data, on_page: Shown) -> str:
    """A line when the list was made with other settings, another scan or a taste since erased.

    The text is the box's; a tool that is chosen weighs in the next list, and not in this one.
    """
    words = _changes(form, data, on_page)
    return _line(words) if words else ""


def _changes(form: Form, data: Data, on_page: Shown) -> str:
    if on_page.answer is None:
        return ""
    settings = replace(form, text=on_page.form.text) != on_page.form
    scan = data.scan_facts != on_page.scan_facts
    words = {(True, False): SETTINGS, (False, True): SCAN, (True, True): BOTH}
    if settings or scan:
        return words[settings, scan]
    return TASTE if data.taste.lacks(on_page.taste) else ""


def after_refusal(form: Form, data: Data, on_page: Shown) -> str:
    """The same where a search did not run: the list that stays tells which words it is of."""
    typed = on_page.form.text.strip()
    if on_page.answer is None or form.text.strip() == typed:
        return staleness(form, data, on_page)
    name = f"“{shortened(typed, LONGEST_TEXT)}”" if typed else "the scan alone"
    earlier = f"This list is of the search before: {name}. {_changes(form, data, on_page)}"
    return _line(esc(earlier.strip()))


def while_reading(on_page: Shown) -> str:
    """The same while files are read, when what they are is not known."""
    return "" if on_page.answer is None else _line(READING)


def _line(words: str) -> str:
    return f"<p class='stale' role='status'>{words}</p>"
