"""Which states are live: one file for every index of a folder, replaced by one rename.

``ROOT/CURRENT`` names the state of the index in ROOT itself in its first line (``-``: none), and
those of the folders below in further lines, ``plaza 331cb82ffc6dc273``; then the last line,
``sha256 ...``, holds digits of the hash of those before it. Earlier versions wrote one file per
index, ``ROOT/plaza/CURRENT``, of one line; it counts where the first file has no line for it.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from retrieval.storage import write_whole

POINTER = "CURRENT"
MAIN = ""
"""The index in the folder itself."""
NONE, CHECK = "-", "sha256"
NAME = re.compile(r"[0-9a-f]{16}")
MOST_BYTES = 1_000
"""Of a longer file nothing is believed: three lines are about 60 bytes."""


class Pointer:
    """The file of one index folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def live(self, part: str) -> str | None:
        """The name of the live state; None where there is none, or none that can be read."""
        names = _names(self.root / POINTER)
        if part in names:
            return names[part]
        return _names(self.root / part / POINTER).get(MAIN) if part else None

    def begun(self, part: str) -> bool:
        """Whether somebody made an index here, readable or not."""
        names = _names(self.root / POINTER)
        damaged = not names and os.path.lexists(self.root / POINTER)
        return damaged or part in names or bool(part and os.path.lexists(self._earlier(part)))

    def write(self, names: Mapping[str, str]) -> None:
        """Make these states live at once; those of other parts stay. Raises OSError."""
        every = {**_names(self.root / POINTER), **names}
        lines = [every.pop(MAIN, NONE), *(f"{part} {name}" for part, name in every.items())]
        if every:
            lines.append(f"{CHECK} {_digest(lines)}")
        write_whole(self.root / POINTER, "\n".join(lines).encode())
        for part in filter(None, names):
            self._earlier(part).unlink(missing_ok=True)

    def _earlier(self, part: str) -> Path:
        return self.root / part / POINTER


def _names(path: Path) -> dict[str, str]:
    """States by part; empty for a file that is not there or not what was written."""
    try:
        with path.open("rb") as handle:
            text = handle.read(MOST_BYTES).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return {}
    first, *others = text.strip().split("\n")
    if others and others.pop() != f"{CHECK} {_digest([first, *others])}":
        return {}
    pairs = [(MAIN, first), *(line.partition(" ")[::2] for line in others)]
    names = {part: name for part, name in pairs if name != NONE}
    return names if all(map(NAME.fullmatch, names.values())) else {}


def _digest(lines: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
