"""The closed codes that spellings name (spellings.json), and the terms of a catalog."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import TypeVar

from retrieval.core import Dimension, Format, Modality, Tool

MAX_TERMS = 20_000
_WORD = re.compile(r"[^\W\d_][\w-]{2,39}")

Code = TypeVar("Code", bound=StrEnum)


@cache
def _table(kind: str) -> dict[str, str]:
    text = files("retrieval.catalog").joinpath("spellings.json").read_text("utf-8")
    table: dict[str, str] = json.loads(text)[kind]
    return table


@cache
def _codes(closed: type[Code]) -> dict[str, Code]:
    """Codes by their own names and by the spellings of the table, which win."""
    spelled = {key: closed(code) for key, code in _table(closed.__name__.casefold()).items()}
    return {code.value.casefold(): code for code in closed} | spelled


def _key(text: str) -> str:
    return " ".join(text.casefold().split()).removeprefix("*").removeprefix(".")


def format_of(text: str) -> Format | None:
    """The format one spelling names (``.nii.gz``, ``dcm``, ``OME-TIFF``), or None."""
    return _codes(Format).get(_key(text))


def modality_of(text: str) -> Modality | None:
    """The modality one spelling names (``MR``, ``PT``, ``ultrasound``), or None."""
    return _codes(Modality).get(_key(text))


def dimension_of(text: str | int) -> Dimension | None:
    """The dimension a word or a count of axes names; ``12 bit`` names none."""
    key = _key(str(text))
    if key in {"2", "3", "4"}:
        key += "d"
    return _codes(Dimension).get(key)


@cache
def modality_lineage(modality: Modality) -> tuple[Modality, ...]:
    """The modality and every wider one, narrowest first."""
    chain = [modality]
    while (wider := _table("modality_parent").get(chain[-1])) is not None:
        chain.append(Modality(wider))
    return tuple(chain)


def catalog_terms(tools: Iterable[Tool], limit: int = MAX_TERMS) -> tuple[str, ...]:
    """Names, keywords, tasks and the words of descriptions, case-folded, in alphabetical order.

    Above the limit the terms that occur in most records stay, ties alphabetically (S1-09).
    """
    record_counts: Counter[str] = Counter()
    for tool in tools:
        phrases = {p.casefold() for p in (tool.name, *tool.keywords, *tool.tasks) if len(p) < 60}
        words = {w.casefold() for w in _WORD.findall(tool.description)}
        record_counts.update(phrases | words)
    terms = sorted(record_counts, key=lambda term: (-record_counts[term], term))[:limit]
    return tuple(sorted(terms))


def task_token(task: str) -> str:
    """``task:quality_control``: the relation of files to each other as a search token."""
    return f"task:{task}".replace(" ", "_")
