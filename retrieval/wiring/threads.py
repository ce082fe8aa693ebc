"""How many threads the number libraries take for one query."""

from __future__ import annotations

import faiss
from threadpoolctl import threadpool_limits


def one_thread() -> None:
    """One thread a product: queries are small, and threads that wait for each other cost more.

    Several queries still run side by side, and a bulk of texts is encoded in parallel batches.
    """
    threadpool_limits(limits=1, user_api="blas")
    faiss.omp_set_num_threads(1)
