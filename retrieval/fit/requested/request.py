"""What of a request bears on whether a tool fits the files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from retrieval.core import BodyPart, Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The parts of the body, the tasks and the format that a request names.

    ``parts``: for each thing that is named, the parts of the body that it lies in; ``tasks`` in
    the words of records; ``segments``: all of the tasks are kinds of segmentation; ``goal``: the
    format that the files are to become.
    """

    parts: tuple[frozenset[BodyPart], ...] = ()
    tasks: frozenset[str] = frozenset()
    segments: bool = False
    goal: str = ""


NO_REQUEST = Request()

ReadRequest = Callable[[Query], Request]


def nothing_requested(query: Query) -> Request:
    """No request: the files alone decide."""
    return NO_REQUEST
