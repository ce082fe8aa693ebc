"""A catalog file as rows, each with its line: JSONL, one JSON document, or a sheet.

What kind of file it is shows in its first bytes. No more than MAX_LINE bytes of one record
are in memory, so a line of any length is skipped and reported.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO, NoReturn

import yaml

from retrieval.catalog.importers.document import elements, opens_list
from retrieval.catalog.importers.sheet import is_sheet, missing_columns, sheet_rows
from retrieval.catalog.importers.values import MAX_LINE, Row

MAX_VALUES = 20_000
"""Upper limit of the values in one record; validation takes time for every wrong one."""

WRAPPERS = ("@graph", "list", "tools", "itemListElement", "candidates")
"""Keys below which a document keeps its records (JSON-LD, bio.tools, our own export)."""

_HEAD = 65_536
_CITATION = re.compile(rb"^cff-version\s*:", re.MULTILINE)


def read_rows(handle: BinaryIO) -> Iterator[Row]:
    """Every row of a catalog in file order; blank lines are skipped.

    Raises OSError when reading fails; what is wrong inside the file becomes the reason of a row.
    """
    head = handle.read(_HEAD)
    handle.seek(0)
    if _CITATION.search(head):
        yield _citation_row(handle.read(MAX_LINE + 1))
        return
    if _is_document(head):
        line = 1
        for line, raw in elements(handle, WRAPPERS, MAX_LINE):
            yield from _rows(line, raw)
        if handle.read(1):
            reason = "the file is not read further; write one record a line (JSONL)"
            yield Row(line=line, reason=reason)
        return
    lines = _lines(handle)
    if is_sheet(head):
        yield from sheet_rows(lines)
        return
    if reason := missing_columns(head):
        yield Row(line=1, reason=reason)
        return
    yield from (row for at, raw in lines for row in _rows(at, raw))


def _citation_row(raw: bytes) -> Row:
    """The one row of a CITATION.cff, its dates as texts."""
    if len(raw) > MAX_LINE:
        return Row(line=1, reason=f"longer than {MAX_LINE:,} bytes")
    try:
        # The base loader makes texts of everything, so no date or number changes its spelling.
        value = yaml.load(raw, yaml.BaseLoader)
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError):
        return Row(line=1, reason="not a CITATION.cff: no YAML")
    if not isinstance(value, dict) or _exceeds(value, MAX_VALUES):
        return Row(line=1, reason=f"not one citation of at most {MAX_VALUES:,} values")
    return Row(line=1, fields=value)


def _lines(handle: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Numbered lines; one longer than MAX_LINE is cut, but stays longer than MAX_LINE."""
    number = 0
    while line := handle.readline(MAX_LINE + 1):
        number += 1
        end = line
        while not end.endswith(b"\n") and (end := handle.readline(MAX_LINE)):
            line = line if len(line) > MAX_LINE else line + end
        yield number, line


def _is_document(head: bytes) -> bool:
    """Whether a file is one JSON text rather than JSONL."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith(b"["):
        return text[1:].lstrip()[:1] in {b"{", b"]"}
    if not text.startswith(b"{"):
        return False
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    try:
        if isinstance(json.loads(lines[0]), dict):
            return False
    except (ValueError, RecursionError):
        pass
    if opens_list(text, WRAPPERS):
        return True
    return len(lines) > 1 and not lines[0].endswith(b"}") and not lines[1].startswith(b"{")


def _rows(line: int, raw: bytes) -> Iterator[Row]:
    parsed = _parsed(raw)
    if isinstance(parsed, str):
        if parsed:
            yield Row(line=line, reason=parsed)
        return
    wrapped = next((parsed[k] for k in WRAPPERS if isinstance(parsed.get(k), list)), None)
    for item in [parsed] if wrapped is None or "name" in parsed else wrapped:
        if not isinstance(item, dict):
            yield Row(line=line, reason="not a JSON object")
        elif _exceeds(item, MAX_VALUES):
            yield Row(line=line, reason=f"holds more than {MAX_VALUES:,} values")
        else:
            yield Row(line=line, fields=item)


def _parsed(raw: bytes) -> dict[str, Any] | str:
    """The object of one line, or the reason why there is none; an empty text for a blank line."""
    if len(raw) > MAX_LINE:
        return f"longer than {MAX_LINE:,} bytes"
    try:
        text = raw.decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        return "not UTF-8 text"
    if not text:
        return ""
    try:
        value = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return "not a JSON object"
    return value if isinstance(value, dict) else "not a JSON object"


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _exceeds(value: object, limit: int) -> bool:
    """Whether a JSON value holds more than ``limit`` values, counted at every depth."""
    count, waiting = 0, [value]
    while waiting and count <= limit:
        inner = waiting.pop()
        if isinstance(inner, dict):
            inner = list(inner.values())
        if isinstance(inner, list):
            waiting.extend(inner)
            count += len(inner)
    return count > limit
