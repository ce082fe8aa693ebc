"""Files of one JSON object a line, as concepts and biology are kept in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from retrieval.core import BadInput

Item = TypeVar("Item")


def read_lines(path: Path, what: str, make: Callable[[str], Item]) -> tuple[Item, ...]:
    """What ``make`` gives for each line that is not blank, in the order of the file.

    Raises BadInput, named by ``what``, for a file that cannot be read and for the line that
    ``make`` refuses (ValueError, KeyError, TypeError, AttributeError).
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as exc:
        raise BadInput(f"{what}: {path.name} could not be read ({exc.strerror})") from exc
    items: list[Item] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                items.append(make(line))
            except (ValueError, KeyError, TypeError, AttributeError) as exc:
                raise BadInput(f"{what}: line {number} is wrong ({exc})") from exc
    return tuple(items)


def check_ids(what: str, linked: Iterable[tuple[str, Iterable[str]]]) -> None:
    """Raise BadInput where an id is there twice, or is linked to one that is not there."""
    rows = [(id_, tuple(targets)) for id_, targets in linked]
    ids: set[str] = set()
    for id_, _ in rows:
        if id_ in ids:
            raise BadInput(f"{what}: {id_} is there twice")
        ids.add(id_)
    for id_, targets in rows:
        if lost := [target for target in targets if target not in ids]:
            raise BadInput(f"{what}: {id_} is linked to unknown {lost}")
