"""Answers of called endpoints, written as fast as those of the page.

Gradio writes the events of the page with orjson and those of ``/call`` with the standard library:
2.9 ms against .4 for an answer of 150 kB, during which no other thread runs. ``gradio.routes``
has no setting for it, so the ``json`` that it names is replaced by one with another ``dumps``.
"""

from __future__ import annotations

import json
from typing import Any

import orjson
from gradio import routes

LINE_ENDS = {ord(mark): f"\\u{ord(mark):04x}" for mark in "\x85\u2028\u2029"}
"""Marks at which some readers of event streams end a line; JSON holds them in texts alone, where
the escape means the same. All others that end lines are escaped by JSON itself."""


class EventJson:
    """The standard library's ``json`` but for ``dumps``; a number that is none becomes null."""

    @staticmethod
    def dumps(value: object) -> str:
        """The value as JSON in UTF-8 without blanks, on one line for every reader."""
        try:
            text = orjson.dumps(value).decode()
        except TypeError:  # a key that is no text, or an integer beyond 64 bits
            return json.dumps(value)
        return text.translate(LINE_ENDS) if any(chr(mark) in text for mark in LINE_ENDS) else text

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as the module's own
        return getattr(json, name)


def write_answers_fast() -> None:
    """Let Gradio write every later event of ``/call`` with orjson."""
    routes.json = EventJson()  # type: ignore[assignment, attr-defined]
