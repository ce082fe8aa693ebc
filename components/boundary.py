"""The page's one broad boundary: every failure of a handler becomes a notice."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import TypeVar

from retrieval import RetrievalError

logger = logging.getLogger(__name__)
T = TypeVar("T")


def guarded(what: str, views: Iterator[T], ended: Callable[[str | None], T]) -> Iterator[T]:
    """``views`` in order; where they fail, one more view that ``ended`` makes of the failure.

    ``ended`` gets the reason of a refusal or of what is missing. A defect is logged under
    ``what`` and has no reason to show: ``ended`` gets None.
    """
    try:
        yield from views
    except RetrievalError as exc:
        yield ended(str(exc))
    # The page's one broad handler: a defect must not leave the page without an answer. Its type and
    # traceback are logged; Ctrl-C and the end of the generator are no Exception and pass.
    except Exception:
        logger.exception("%s failed", what)
        yield ended(None)


def attempted(what: str, work: Callable[[], T], ended: Callable[[str | None], T]) -> T:
    """What ``work`` returns, or what ``ended`` makes of its failing, as `guarded` does."""
    return next(guarded(what, (call() for call in (work,)), ended))
