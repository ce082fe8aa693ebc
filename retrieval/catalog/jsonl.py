"""Files of one JSON object a line, as concepts and biology are kept in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from retrieval.core import BadInput

Made = TypeVar("Made")


def read_lines(path: Path, what: str, make: Callable[[str], Made]) -> tuple[Made, ...]:
    """What ``make`` gives for each line that is not blank, in the order of the file.

    Raises BadInput, named by ``what``, for a file that cannot be read and for the line that
    ``make`` refuses (ValueError, KeyError, TypeError, AttributeError).
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as exc:
        raise BadInput(f"{what}: {path.name} could not be read ({exc.strerror})") from exc
    made: list[Made] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                made.append(make(line))
            except (ValueError, KeyError, TypeError, AttributeError) as exc:
                raise BadInput(f"{what}: line {number} is wrong ({exc})") from exc
    return tuple(made)


def check_ids(what: str, linked: Iterable[tuple[str, Iterable[str]]]) -> None:
    """Raise BadInput where an id is there twice, or is linked to one that is not there."""
    held = [(id_, tuple(targets)) for id_, targets in linked]
    known: set[str] = set()
    for id_, _ in held:
        if id_ in known:
            raise BadInput(f"{what}: {id_} is there twice")
        known.add(id_)
    for id_, targets in held:
        if lost := [target for target in targets if target not in known]:
            raise BadInput(f"{what}: {id_} is linked to unknown {lost}")
