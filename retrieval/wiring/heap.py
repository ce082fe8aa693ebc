"""Memory that the C library keeps after a catalog was prepared goes back to the system."""

from __future__ import annotations

import ctypes
import sys


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
