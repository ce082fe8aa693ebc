"""Loads a catalog file; a bad line is refused with its reason and the other lines are loaded."""

from __future__ import annotations

import hashlib
import json
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from retrieval.catalog.importers import LINKS, Draft, Row, importer_of, read_rows, shown, slug
from retrieval.catalog.name_letters import name_remarks
from retrieval.catalog.record import Record
from retrieval.core import BadInput, Tool

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

CATALOG_SETTING = "SCANSCOUT_CATALOG"
REMEDY = "name a file with one record per line (JSON), or in a format of docs/large-catalogs.md"

OPTIONAL = {(name,) for name, field in Record.model_fields.items() if not field.is_required()}
"""Where the errors of values lie that a record can be without."""

NAMELESS = slug("")
"""The id that importers make for a row without a name."""

MAX_TOLD = 10_000
"""Refused lines, and notes, that are listed; further refused lines are counted in a last one."""

MAX_BAD = 1_000_000
"""Refused lines, beyond those listed, after which a file is no catalog."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedLine:
    """A record that was refused: its line, the reason, its id or name, and its number in the file.

    Both numbers begin with 1. A line that is no record has neither id nor number (0).
    """

    line: int
    reason: str
    id: str = ""
    record: int = 0

    @property
    def text(self) -> str:
        """The place, then the reason, for a list of refusals."""
        name = f" {self.id}" if self.id else ""
        # In a file with a record a line both numbers are one.
        number = f", record {self.record}" if self.record not in (0, self.line) else ""
        return f"line {self.line}{number}{name}: {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LineNote:
    """A remark on a record that was accepted: its line, its id and the text.

    The id is empty where the remark concerns the file.
    """

    line: int
    id: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Catalog:
    """The accepted records, by ascending id, and the lines that were not."""

    records: tuple[Record, ...]
    refused: tuple[RefusedLine, ...] = ()
    notes: tuple[LineNote, ...] = ()

    @cached_property
    def tools(self) -> tuple[Tool, ...]:
        """The records as the engine's type, links to unknown ids dropped."""
        ids = {r.id for r in self.records}
        tools = []
        for record in self.records:
            links = {name: getattr(record, name) for name in LINKS}
            valid = {n: [i for i in to if i in ids and i != record.id] for n, to in links.items()}
            tools.append(record.model_copy(update=valid).tool())
        return tuple(tools)

    @cached_property
    def fingerprints(self) -> dict[str, str]:
        """A hash over every field of a record, by id."""
        return {r.id: _sha256(_canonical(r)) for r in self.records}

    @cached_property
    def sha256(self) -> str:
        """A hash over the canonical records; the order of the lines does not matter."""
        return _sha256("\n".join(_canonical(r) for r in self.records))


def _canonical(record: Record) -> str:
    return json.dumps(record.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


@dataclass
class _Reading:
    """The state of a load; its size is bounded by the records and by MAX_TOLD."""

    records: dict[str, Record] = field(default_factory=dict)
    refused: list[RefusedLine] = field(default_factory=list)
    notes: list[LineNote] = field(default_factory=list)
    rows: int = 0
    more: int = 0

    def take(self, row: Row) -> None:
        """Add the record of a row, or its refusal."""
        if row.remark:
            self._note(LineNote(line=row.line, id="", text=row.remark))
            return
        if row.fields is None:
            self._refuse(row.line, row.reason)
            return
        self.rows += 1
        draft = importer_of(row).draft(row.fields)
        names = (source.get(key) for key in ("id", "name") for source in (draft.fields, row.fields))
        name = shown(next((one for one in names if isinstance(one, str) and one != NAMELESS), ""))
        # An importer that rejects a row leaves its fields empty and says why.
        if draft.notes and not draft.fields:
            self._refuse(row.line, draft.notes[0], name, self.rows)
            return
        record = _record_of(draft)
        if isinstance(record, str):
            self._refuse(row.line, record, name, self.rows)
            return
        if record.id in self.records:
            reason = f"a second record with the id {record.id}"
            self._refuse(row.line, reason, name, self.rows)
            return
        self.records[record.id] = record
        named = (("name", record.name), ("suite", record.suite or ""))
        remarks = [f"{field}: {text}" for field, value in named for text in name_remarks(value)]
        for text in (*draft.notes, *remarks):
            self._note(LineNote(line=row.line, id=record.id, text=text))

    def _note(self, note: LineNote) -> None:
        if len(self.notes) < MAX_TOLD:
            self.notes.append(note)

    def _refuse(self, line: int, reason: str, name: str = "", record: int = 0) -> None:
        if len(self.refused) < MAX_TOLD:
            self.refused.append(RefusedLine(line=line, reason=reason, id=name, record=record))
            return
        self.more += 1
        last = f"and {self.more:,} more up to this line"
        if self.more > MAX_BAD:
            last += "; the rest of the file was not read"
        self.refused[MAX_TOLD:] = [RefusedLine(line=line, reason=last)]


def load_catalog(path: Path, setting: str = CATALOG_SETTING) -> Catalog:
    """Read a catalog in any format of the importers' table, decided row by row.

    Bad lines do not raise: they are in ``refused``, in file order, the records ascend by id.
    Raises BadInput naming ``setting``, which gave the path, when the file cannot be opened.
    """
    reading = _Reading()
    try:
        # A pipe or a device would be read without end.
        if not stat.S_ISREG(path.stat().st_mode):
            kind = "a folder" if path.is_dir() else "not a file"
            raise BadInput(f"{setting}: {path.name or path} is {kind}; {REMEDY}")
        with path.open("rb") as handle:
            for row in read_rows(handle):
                reading.take(row)
                if reading.more > MAX_BAD:
                    break
    except OSError as exc:
        reason = f"{path.name[:80]} could not be read ({exc.strerror})"
        raise BadInput(f"{setting}: {reason}; {REMEDY}") from exc
    return Catalog(
        records=tuple(reading.records[id_] for id_ in sorted(reading.records)),
        refused=tuple(reading.refused),
        notes=tuple(reading.notes),
    )


def check_usable(catalog: Catalog, path: Path, setting: str = CATALOG_SETTING) -> None:
    """Raise BadInput where a catalog holds no record, with the first reason there is."""
    if catalog.records:
        return
    first = next((f" ({refusal.text})" for refusal in catalog.refused), "")
    raise BadInput(f"{setting}: {path.name} holds no usable record{first}; {REMEDY}")


def _record_of(draft: Draft) -> Record | str:
    """The record of a draft, or why it has none.

    Optional values that are wrong are left out and noted in ``draft``: of a list or an object the
    wrong items alone.
    """
    try:
        return Record.model_validate(draft.fields)
    except ValidationError as exc:
        errors = exc.errors(include_url=False, include_input=False)
    if vital := next((error for error in errors if error["loc"][:1] not in OPTIONAL), None):
        return _message(vital)
    parts = {error["loc"][:2]: error for error in reversed(errors)}
    for error in reversed(parts.values()):
        draft.note(f"{_message(error)}; left out")
    return Record.model_validate(_without(draft.fields, frozenset(parts)))


def _without(fields: Mapping[str, Any], parts: frozenset[tuple[int | str, ...]]) -> dict[str, Any]:
    """The fields without those at ``parts``: a field, or an item of a list or an object."""
    remaining: dict[str, Any] = {}
    names = {part[0] for part in parts}
    for name, value in fields.items():
        if name not in names:
            remaining[name] = value
        elif (name,) in parts or not isinstance(value, list | dict):
            continue
        elif isinstance(value, list):
            remaining[name] = [v for n, v in enumerate(value) if (name, n) not in parts]
        else:
            remaining[name] = {k: v for k, v in value.items() if (name, k) not in parts}
    return remaining


def _message(first: ErrorDetails) -> str:
    place = ".".join(str(part) for part in first["loc"])[:80]
    wrong, limits = first["msg"].removeprefix("Value error, "), first.get("ctx", {})
    if first["type"] == "too_long":
        # Pydantic's own message calls the characters of a text items.
        length, most = limits["actual_length"], limits["max_length"]
        wrong = f"a length of {length or 'more'} is over {most:,}"
    return "".join(c if c.isprintable() else "?" for c in f"{place or 'record'}: {wrong}")[:200]
