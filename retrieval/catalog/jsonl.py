"""Reading of JSONL files, the format of concepts and of biological relations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from retrieval.core import BadInput

Item = TypeVar("Item")


def read_lines(path: Path, what: str, make: Callable[[str], Item]) -> tuple[Item, ...]:
    """The value of ``make`` for each line that is not blank, in the order of the file.

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
    """Raise BadInput when an id occurs twice, or when a link leads to an unknown id.

    All ids are collected before links are checked, so a link may point to a later line.
    """
    rows = [(id_, tuple(targets)) for id_, targets in linked]
    ids: set[str] = set()
    for id_, _ in rows:
        if id_ in ids:
            raise BadInput(f"{what}: {id_} is there twice")
        ids.add(id_)
    for id_, targets in rows:
        if lost := [target for target in targets if target not in ids]:
            raise BadInput(f"{what}: {id_} is linked to unknown {lost}")
