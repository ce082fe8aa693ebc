"""When memory is looked through for garbage, and when it goes back to the system."""

from __future__ import annotations

import ctypes
import gc
import sys

NEW_OBJECTS, YOUNG, MIDDLE = 20_000, 20, 50
"""Collections of each generation: after so many new objects, and so many of the one before.

A search makes tens of thousands of objects and no cycle: looking through them after every 700, as
Python does, takes 1.2 ms of a search's 21. Few outlive their answer, so that of 64 searches one
met a collection after 20,000."""


def collect_rarely() -> None:
    """Look for garbage after NEW_OBJECTS, in the whole process."""
    gc.set_threshold(NEW_OBJECTS, YOUNG, MIDDLE)


def return_free_memory() -> None:
    """Give the free pages of every heap back; no effect where the C library has no such call.

    glibc returns by itself only what is free at the end of a heap. A preparation reads a catalog
    and two indexes beside those in use: of what it frees, 100 MB stay as holes between blocks
    that live on, and the next preparation, which allocates in another order, adds to them.
    """
    if sys.platform != "linux":
        return
    malloc_trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if malloc_trim is not None:
        malloc_trim(ctypes.c_size_t(0))
