"""Catalogs as CSV: the first line names the columns, a cell may list several values."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping

from retrieval.catalog.importers.licence import licence_of
from retrieval.catalog.importers.values import (
    CLOSED_FIELDS,
    LICENCES,
    LINKS,
    MAX_LINE,
    Draft,
    Row,
    canonical,
    codes,
    listed,
    shown,
    slug,
    spellings,
)

_PLAIN = (
    *("id", "name", "description", "url", "repo", "docs_url", "demo_url", "domain", "gpu"),
    *("citation", "suite", "last_release", "checked_on"),
)
_SPELLED = {"languages": "language", "interfaces": "interface", "platforms": "platform"}
"""Lists of words whose usual spelling a table has."""

MOST_LINES = 200
"""Lines of one row. A quote that nothing closes would take the rest of the file; a description has
at most 20,000 characters."""

MOST_NAMED = 10
"""Columns that a refusal names."""

_LISTS = ("keywords", "tasks", *LINKS)
FIELDS = frozenset((*_PLAIN, *_SPELLED, *_LISTS, *LICENCES, *CLOSED_FIELDS))
"""Fields of a record that a column may fill."""


def _field(column: str) -> str:
    """The field that a column fills, empty for an unknown column."""
    return column if column in FIELDS else spellings("column").get(column) or ""


def is_sheet(head: bytes) -> bool:
    """Whether the first line names the columns of a catalog."""
    first = head.removeprefix(b"\xef\xbb\xbf").splitlines()[:1]
    names = _header(first[0].decode("utf-8", "replace"))[1] if first else []
    return {"name", "description"} <= {_field(name) for name in names}


def missing_columns(head: bytes) -> str:
    """What the header of a table lacks to be a catalog, with what it has; empty for no table.

    A table is lines of the same number of cells, two or more, that are no JSON and no markup.
    """
    lines = head.decode("utf-8-sig", "replace").splitlines()[:2]
    mark, names = _header(lines[0]) if lines else (",", [])
    rows = list(csv.reader(lines, delimiter=mark)) if all(len(x) < 10_000 for x in lines) else []
    is_table = len(rows) == 2 and len(rows[0]) == len(rows[1]) > 1 and all(names)
    if not is_table or re.search(r"[\x00-\x08{}\[\]<>]", lines[0]):
        return ""
    fields = {_field(name) for name in names}
    missing = " and none for the ".join(n for n in ("name", "description") if n not in fields)
    columns = ", ".join(repr(shown(name)) for name in names[:MOST_NAMED])
    return f"no column for the {missing}; the columns are {columns}"


def _header(line: str) -> tuple[str, list[str]]:
    """The separator and the column names, lower-case and joined by underscores."""
    mark = max(",;\t", key=line.count)
    cells = next(csv.reader([line], delimiter=mark), []) if len(line) < 10_000 else []
    return mark, [re.sub(r"[\s-]+", "_", cell.strip().casefold()) for cell in cells]


def sheet_rows(lines: Iterator[tuple[int, bytes]]) -> Iterator[Row]:
    """Every row below the header, a cell by the field that its column names."""
    _, first = next(lines)
    if b"\r" in first.rstrip(b"\r\n"):
        yield Row(line=1, reason="its lines end in CR alone; save it with LF or CRLF line ends")
        return
    mark, names = _header(first.decode("utf-8-sig", "replace"))
    for name in (n for n in names if n and not _field(n)):
        yield Row(line=1, remark=f"the column {shown(name)!r} is not known and is left out")
    feed = _Feed(lines)
    reader = csv.reader(feed, delimiter=mark, strict=True)
    while True:
        feed.begin_row()
        try:
            cells = next(reader, None)
        except csv.Error as exc:
            yield Row(line=feed.first, reason=f"not a CSV row: {exc}")
            feed.give_back()
            reader = csv.reader(feed, delimiter=mark, strict=True)
            continue
        yield from feed.refused
        feed.refused.clear()
        if cells is None:
            return
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) > len(names):
            reason = f"has {len(cells)} cells for {len(names)} columns"
            yield Row(line=feed.first, reason=reason)
            continue
        filled = [(_field(n), c) for n, c in zip(names, cells, strict=False) if c.strip()]
        # Of two columns for one field the first that says something counts.
        yield Row(line=feed.first, fields=dict(reversed(filled)), sheet=True)


class _Feed:
    """Lines as text; those that cannot be text are set aside with their reason.

    A row ends after MOST_LINES of them. ``refused`` are those set aside.
    """

    def __init__(self, lines: Iterable[tuple[int, bytes]]) -> None:
        self._lines = iter(lines)
        self._row: list[tuple[int, str]] = []
        self._again: list[tuple[int, str]] = []
        self.refused: list[Row] = []

    @property
    def first(self) -> int:
        """The line on which the row that is being read began, 0 before it."""
        return self._row[0][0] if self._row else 0

    def begin_row(self) -> None:
        """From the next line on another row is read."""
        self._row.clear()

    def give_back(self) -> None:
        """Let every line of the row but its first be read again, as those of other rows."""
        self._again, self._row = [*self._row[1:], *self._again], self._row[:1]

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if len(self._row) >= MOST_LINES:
            raise StopIteration
        if self._again:
            self._row.append(self._again.pop(0))
            return self._row[-1][1]
        for line, raw in self._lines:
            try:
                if len(raw) <= MAX_LINE:
                    self._row.append((line, raw.decode("utf-8").replace("\r\n", "\n")))
                    return self._row[-1][1]
                reason = f"longer than {MAX_LINE:,} bytes"
            except UnicodeDecodeError:
                reason = "not UTF-8 text"
            self.refused.append(Row(line=line, reason=reason))
        raise StopIteration


def owns(row: Row) -> bool:
    """Whether a row comes from a sheet."""
    return row.sheet


def draft(entry: Mapping[str, str]) -> Draft:
    """The record of a row; an empty cell is an unknown fact."""
    record = Draft()
    for name, cell in entry.items():
        text = cell.strip()
        if not name or not text:
            continue
        if name in CLOSED_FIELDS:
            record.fields[name] = codes(record, name, text)
        elif name in LICENCES:
            record.fields[name] = licence_of(record, text, name)
        elif name in _LISTS:
            record.fields[name] = listed(text)
        elif name in _SPELLED:
            record.fields[name] = canonical(_SPELLED[name], listed(text))
        else:
            record.fields[name] = text
    record.fields.setdefault("id", slug(str(record.fields.get("name", ""))))
    return record
