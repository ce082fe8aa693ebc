"""Writing to stdout: one line of JSON, or text."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any


def write_line(text: str) -> None:
    """Write a text and a line end."""
    sys.stdout.write(text + "\n")


def write_json(data: Any) -> None:  # noqa: ANN401 - any JSON
    """Write one line of JSON, other scripts than Latin as they are."""
    write_line(json.dumps(data, ensure_ascii=False))


def write_result(args: argparse.Namespace, data: Any, text: Callable[[], str]) -> None:  # noqa: ANN401
    """Write JSON with ``--json``, else the text, which is composed only then."""
    if args.json:
        write_json(data)
    else:
        write_line(text())
