"""How far an embedding is, as a bar on stderr; stdout is for the answer alone."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tqdm import tqdm

from retrieval.dense import Progress


@contextmanager
def bar(label: str, shown: bool | None = None) -> Iterator[Progress]:
    """A function that takes (done, total) texts and draws a bar on stderr.

    Without ``shown`` the bar is drawn on a terminal only.
    """
    hidden = not sys.stderr.isatty() if shown is None else not shown
    with tqdm(
        desc=f"embedding ({label})", unit=" texts", file=sys.stderr, disable=hidden, leave=True
    ) as drawn:

        def report(done: int, total: int) -> None:
            if drawn.total is None:
                drawn.reset(total)
                drawn.initial = done
            drawn.update(done - drawn.n)

        yield report
