"""How many heaps the C library keeps for the threads of this process."""

from __future__ import annotations

import ctypes
import sys

ARENA_MAX = -8
"""The name of the limit in glibc's malloc.h."""

HEAPS = 2
"""One thread at a time runs Python, so that few heaps hold nobody up."""


def share_heaps() -> None:
    """Let all threads share HEAPS heaps; no effect where the C library has no such limit.

    glibc gives every thread a heap and keeps what was freed in each, some 20 MB a thread that
    ever searched. To be called before there are many threads: the limit is read once.
    """
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(ARENA_MAX, HEAPS)
