"""Judged queries in the shape of ToolRet's instances, over the tools of a catalog.

One JSON object a line: ``query``, ``labels`` (a list of ``{"id", "relevance"}``, or the same as
text), and where given ``id`` and ``instruction`` (Shi and others, ToolRet, 2025).
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8 as BOM
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field, StringConstraints, ValidationError

from retrieval.catalog import Catalog, RefusedLine
from retrieval.core import BadInput
from retrieval.evaluation.beir import HIGHEST_GRADE, Judged, first_error


def _parsed(value: object) -> object:
    try:
        return json.loads(value) if isinstance(value, str) else value
    except RecursionError:
        raise ValueError("brackets are nested too deeply") from None


class _Label(BaseModel):
    id: str
    relevance: Annotated[int, Field(ge=0, le=HIGHEST_GRADE)] = 1


class _Instance(BaseModel):
    id: str | None = None
    query: Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]
    instruction: str = ""
    labels: Annotated[list[_Label], BeforeValidator(_parsed), Field(min_length=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Instances:
    """What a file judges: the queries with their grades, what each is to be found for, the rest."""

    judged: Judged
    instructions: Mapping[str, str]
    refused: tuple[RefusedLine, ...]


def read_instances(path: Path, catalog: Catalog, *, instructed: bool = False) -> Instances:
    """The queries of a file, each label a tool of the catalog with its grade.

    A bad line costs only itself, a label of an unknown tool only that label; both are told by
    line and reason. ``instructed`` puts the instruction after the query's own words. Raises
    BadInput where nothing is left.
    """
    reading = _Reading(frozenset(r.id for r in catalog.records), instructed)
    try:
        with path.open("rb") as handle:
            for number, line in enumerate(handle, start=1):
                if line.strip():
                    reading.take(number, line.removeprefix(BOM) if number == 1 else line)
    except OSError as exc:
        raise BadInput(f"--judged: {path.name} could not be read ({exc.strerror})") from exc
    if not reading.queries:
        first = next((f"line {r.line}: {r.reason}" for r in reading.refused), "the file is empty")
        raise BadInput(f"--judged: {path.name}: no query left; {first}")
    judged = Judged(
        catalog=catalog,
        queries=reading.queries,
        types=dict.fromkeys(reading.queries, "all"),
        qrels=reading.qrels,
    )
    instructions = reading.instructions
    return Instances(judged=judged, instructions=instructions, refused=tuple(reading.refused))


class _Reading:
    def __init__(self, ids: frozenset[str], instructed: bool) -> None:
        self._ids, self._instructed = ids, instructed
        self.queries: dict[str, str] = {}
        self.instructions: dict[str, str] = {}
        self.qrels: dict[str, dict[str, int]] = {}
        self.refused: list[RefusedLine] = []

    def take(self, number: int, line: bytes) -> None:
        try:
            one = _Instance.model_validate(json.loads(line.decode("utf-8")))
        except ValidationError as exc:
            self._refuse(number, first_error(exc))
        except UnicodeDecodeError:
            self._refuse(number, "not UTF-8; save the file as UTF-8")
        except (ValueError, RecursionError):
            self._refuse(number, "not a JSON object")
        else:
            self._add(number, one)

    def _add(self, number: int, one: _Instance) -> None:
        id = one.id or f"line {number}"
        if id in self.queries:
            self._refuse(number, f"id: {id!r} was there before")
            return
        grades = self._grades(number, one.labels)
        if not any(grades.values()):
            self._refuse(number, "labels: no relevant tool of the catalog is among them")
            return
        self.queries[id] = (
            f"{one.query} {one.instruction}".strip() if self._instructed else one.query
        )
        self.instructions[id], self.qrels[id] = one.instruction, grades

    def _grades(self, number: int, labels: Sequence[_Label]) -> dict[str, int]:
        """The highest grade of each known tool."""
        grades: dict[str, int] = {}
        for label in labels:
            if label.id in self._ids:
                grades[label.id] = max(label.relevance, grades.get(label.id, 0))
            else:
                self._refuse(number, f"labels: no tool {label.id!r} in the catalog; it is left out")
        return grades

    def _refuse(self, number: int, reason: str) -> None:
        self.refused.append(RefusedLine(line=number, reason=reason))
