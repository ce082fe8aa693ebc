"""One row of a catalog file, before anybody asks what format it is in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MAX_LINE = 1_000_000
"""Bytes of one line or one record; a longer one is skipped without being held in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one line or element holds, or why it holds nothing.

    A remark is something to tell about the file that costs no record.
    """

    line: int
    fields: Mapping[str, Any] | None = None
    reason: str = ""
    remark: str = ""
    sheet: bool = False
