"""The page's one broad boundary: whatever goes wrong in a handler ends in words on the page."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import TypeVar

from retrieval import RetrievalError

logger = logging.getLogger(__name__)
T = TypeVar("T")


def guarded(what: str, views: Iterator[T], ended: Callable[[str | None], T]) -> Iterator[T]:
    """``views`` in order; where they break off, one more that says so.

    ``ended`` gets the reason of a refusal or of what is missing. A defect is logged under
    ``what`` and has no reason to show: ``ended`` gets None.
    """
    try:
        yield from views
    except RetrievalError as exc:
        yield ended(str(exc))
    except Exception:
        logger.exception("%s failed", what)
        yield ended(None)


def attempted(what: str, work: Callable[[], T], ended: Callable[[str | None], T]) -> T:
    """What ``work`` returns, or what ``ended`` makes of its failing, as `guarded` does."""
    return next(guarded(what, (call() for call in (work,)), ended))
