"""One row of a catalog file, before its format is determined."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MAX_LINE = 1_000_000
"""Bytes of one line or one record; a longer one is skipped and never fully in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The fields of one line or element, or the reason why there are none.

    A remark concerns the file as such; no record is lost by it.
    """

    line: int
    fields: Mapping[str, Any] | None = None
    reason: str = ""
    remark: str = ""
    sheet: bool = False
