"""The message for a file that could not be written."""

from __future__ import annotations

import errno

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
"""No room on the disk, or none left of the user's share of it."""


def unwritten(what: str, error: OSError, setting: str) -> str:
    """``what`` could not be saved, why, and what to do; names no path, as a page shows it."""
    reason = "the disk is full" if error.errno in FULL else (error.strerror or "unknown error")
    return f"{what} could not be saved: {reason}; make room, or set {setting}, and start again"
