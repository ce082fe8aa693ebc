"""Damage to files, for tests of what is made again."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

FLIPS = (0.0, 0.5, 1.0)
"""Where a byte is flipped: at the start, in the middle, at the end."""


def flip(path: Path, place: float) -> None:
    """Change one bit of one byte at a place between 0 and 1."""
    data = bytearray(path.read_bytes())
    data[round((len(data) - 1) * place)] ^= 0x10
    path.write_bytes(bytes(data))


def cut(path: Path) -> None:
    """Leave the first half of a file."""
    os.truncate(path, path.stat().st_size // 2)


WAYS: dict[str, Callable[[Path], None]] = {
    "start": lambda path: flip(path, FLIPS[0]),
    "middle": lambda path: flip(path, FLIPS[1]),
    "end": lambda path: flip(path, FLIPS[2]),
    "cut off": cut,
    "missing": Path.unlink,
}
"""Each way in which a cached file comes to harm."""
