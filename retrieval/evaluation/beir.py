"""A BEIR folder as documents, queries and grades; what is malformed is named by file and line."""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, Field, StringConstraints, ValidationError

from retrieval.catalog import Catalog, Record
from retrieval.core import BadInput

COLUMNS = ("query-id", "corpus-id", "score")
NAMED = f"{', '.join(COLUMNS)} separated by tabs"
HIGHEST_GRADE = 1_000_000
"""The measures are computed in C, with grades of 32 bits; no data set comes near this."""


def _unicode(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError("the text holds half of a character (a lone surrogate)") from None
    return text


AnyText = Annotated[str, AfterValidator(_unicode)]
Text = Annotated[AnyText, StringConstraints(min_length=1, pattern=r"\S")]
RowModel = TypeVar("RowModel", bound="_Row")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A benchmark: documents as records with null facts, texts of queries, graded qrels."""

    catalog: Catalog
    queries: dict[str, str]
    types: dict[str, str]
    qrels: dict[str, dict[str, int]]


class _Row(BaseModel):
    id: Annotated[Text, Field(alias="_id")]


class _Document(_Row):
    title: AnyText | None = None
    text: AnyText | None = None


class _Query(_Row):
    text: Text
    metadata: dict[str, Any] | None = None


def read_beir(folder: Path) -> Judged:
    """Read ``corpus.jsonl``, ``queries.jsonl`` and ``qrels/test.tsv``.

    Only ``_id``, ``title`` and ``text`` of a document are read. Raises BadInput naming file, line
    and reason for the first thing that is wrong.
    """
    if not folder.is_dir():
        raise BadInput(f"--beir: {folder.name} is no folder; name one with corpus.jsonl in it")
    documents = _read_rows(folder / "corpus.jsonl", _Document)
    records = (
        Record.model_construct(
            **{**_EMPTY, "id": d.id, "name": d.title or d.id, "description": d.text or ""}
        )
        for d in documents.values()
    )
    queries = _read_rows(folder / "queries.jsonl", _Query)
    return Judged(
        catalog=Catalog(records=tuple(sorted(records, key=lambda r: r.id))),
        queries={q.id: q.text for q in queries.values()},
        types={q.id: str((q.metadata or {}).get("type", "all")) for q in queries.values()},
        qrels=_read_grades(folder / "qrels" / "test.tsv", queries, documents),
    )


_NOTHING = Record(id="x", name="x", description="x")
_EMPTY = {name: getattr(_NOTHING, name) for name in Record.model_fields}
"""The fields of a record that states nothing."""


def read_text_lines(path: Path, option: str) -> Iterator[tuple[int, str]]:
    """Number and text of every line that is not blank; a byte order mark is left out.

    Raises BadInput where the file cannot be read or a line is not UTF-8.
    """
    try:
        with path.open("rb") as handle:
            for number, line in enumerate(handle, start=1):
                try:
                    text = line.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError:
                    remedy = "save the file as UTF-8"
                    raise BadInput(
                        f"{option}: {path.name}, line {number} is not UTF-8; {remedy}"
                    ) from None
                if text.strip():
                    yield number, text
    except OSError as exc:
        raise BadInput(f"{option}: {path.name} could not be read ({exc.strerror})") from exc


def first_error(error: ValidationError) -> str:
    """The first thing wrong with a row, by field and without the value.

    At most 80 characters of the field's place; ``line`` for a fault of the row as a whole.
    """
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(map(str, first["loc"]))[:80] or "line"
    return f"{place}: {first['msg']}"


def _read_rows(path: Path, kind: type[RowModel]) -> dict[str, RowModel]:
    rows: dict[str, RowModel] = {}
    lines: dict[str, int] = {}
    for number, line in read_text_lines(path, "--beir"):
        place = f"--beir: {path.name}, line {number}"
        try:
            columns: Any = json.loads(line)
        except (ValueError, RecursionError):
            raise BadInput(f"{place} is not JSON; give one JSON object per line") from None
        if not isinstance(columns, dict):
            raise BadInput(f"{place} is not a JSON object with an _id")
        if "_id" not in columns:
            raise BadInput(f"{place} has no _id")
        try:
            row = kind.model_validate(columns)
        except ValidationError as exc:
            raise BadInput(f"{place}: {first_error(exc)}") from None
        if row.id in rows:
            raise BadInput(f"{place} has the same _id as line {lines[row.id]}; remove one of them")
        rows[row.id], lines[row.id] = row, number
    if not rows:
        raise BadInput(f"--beir: {path.name} is empty; give one JSON object per line")
    return rows


def _read_grades(
    path: Path, queries: Collection[str], documents: Collection[str]
) -> dict[str, dict[str, int]]:
    qrels: dict[str, dict[str, int]] = {}
    columns: dict[str, int] = {}
    for number, line in read_text_lines(path, "--beir"):
        place = f"--beir: {path.parent.name}/{path.name}, line {number}"
        cells = _cells(place, line)
        if not columns:
            if missing := [name for name in COLUMNS if name not in cells]:
                header = f"no column {missing[0]}; begin with {NAMED}"
                raise BadInput(f"{place} is no header: {header}")
            columns = {name: cells.index(name) for name in COLUMNS}
            continue
        if len(cells) <= max(columns.values()):
            raise BadInput(f"{place} has {len(cells)} of {len(columns)} columns: {NAMED}")
        query, document, score = (cells[columns[name]] for name in COLUMNS)
        # A grade of an unknown id would lower every measure without a message.
        if query not in queries:
            raise BadInput(f"{place}: its query-id is not in queries.jsonl")
        if document not in documents:
            raise BadInput(f"{place}: its corpus-id is not in corpus.jsonl")
        grade = _grade(place, score)
        if qrels.setdefault(query, {}).setdefault(document, grade) != grade:
            raise BadInput(f"{place} gives a pair of query and document a second grade")
    if not qrels:
        raise BadInput(f"--beir: {path.parent.name}/{path.name} holds no grade; give {NAMED}")
    return qrels


def _cells(place: str, line: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter="\t"))
    except csv.Error as exc:
        raise BadInput(f"{place} is no line of tab-separated columns ({exc})") from None


def _grade(place: str, score: str) -> int:
    try:
        grade = int(score)
    except ValueError:
        raise BadInput(f"{place}: score is no whole number") from None
    if abs(grade) > HIGHEST_GRADE:
        raise BadInput(f"{place}: score is outside -{HIGHEST_GRADE:,} to {HIGHEST_GRADE:,}")
    return grade
