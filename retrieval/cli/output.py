"""Writing to stdout: one line of JSON, or text."""

from __future__ import annotations

import argparse
import errno
import json
import os
import re
import sys
from collections.abc import Callable
from typing import Any

from retrieval.core import RetrievalError

_HIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
"""Control characters but tab and line end, and marks that change the order of letters (UAX 9): a
terminal obeys them, so that a title could read as another one."""


class UnwritableOutput(RetrievalError):
    """Nothing can be written to stdout."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the answer cannot be written to stdout: {reason}")


def visible(text: str) -> str:
    """The text with each such character as its escape, which JSON reads as the character."""
    return _HIDDEN.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def write_line(text: str) -> None:
    """Write a text and a line end; no character of it moves or hides others.

    A character that the encoding of stdout lacks is written as its escape in JSON. Raises
    UnwritableOutput where stdout is full or closed, BrokenPipeError where its reader has left.
    """
    if sys.stdout is None:
        raise UnwritableOutput(os.strerror(errno.EBADF))
    line, encoding = visible(text) + "\n", sys.stdout.encoding or "utf-8"
    lacking = (one for one in set(line) if not one.encode(encoding, "ignore"))
    try:
        sys.stdout.write(line.translate({ord(one): json.dumps(one)[1:-1] for one in lacking}))
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as exc:
        raise UnwritableOutput(exc.strerror or "") from None


def write_json(data: Any) -> None:  # noqa: ANN401 - any JSON
    """Write one line of JSON, other scripts than Latin as they are."""
    write_line(json.dumps(data, ensure_ascii=False))


def write_result(args: argparse.Namespace, data: Any, text: Callable[[], str]) -> None:  # noqa: ANN401
    """Write JSON with ``--json``, else the text, which is composed only then."""
    if args.json:
        write_json(data)
    else:
        write_line(text())
