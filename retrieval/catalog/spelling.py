"""Maps spellings to closed codes; the spellings are in spellings.json."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from retrieval.core import Dimension, Format, Modality


@cache
def _table(kind: str) -> dict[str, str]:
    text = files("retrieval.catalog").joinpath("spellings.json").read_text("utf-8")
    table: dict[str, str] = json.loads(text)[kind]
    return table


def _key(text: str) -> str:
    return " ".join(text.casefold().split()).removeprefix("*").removeprefix(".")


@cache
def _formats() -> dict[str, Format]:
    spelled = {key: Format(value) for key, value in _table("format").items()}
    return {f.value.casefold(): f for f in Format} | spelled


@cache
def _modalities() -> dict[str, Modality]:
    spelled = {key: Modality(value) for key, value in _table("modality").items()}
    return {m.value.casefold(): m for m in Modality} | spelled


def format_of(text: str) -> Format | None:
    """The format one spelling names (``.nii.gz``, ``dcm``, ``OME-TIFF``), or None."""
    return _formats().get(_key(text))


def modality_of(text: str) -> Modality | None:
    """The modality one spelling names (``MR``, ``PT``, ``ultrasound``), or None."""
    return _modalities().get(_key(text))


def dimension_of(text: str | int) -> Dimension | None:
    """The dimension a word or a count of axes names; ``12 bit`` names none."""
    key = _key(str(text))
    if key in {"2", "3", "4"}:
        key += "d"
    code = _table("dimension").get(key)
    return Dimension(code) if code else None


def modality_lineage(modality: Modality) -> tuple[Modality, ...]:
    """The modality and every wider one, narrowest first."""
    chain = [modality]
    while (wider := _table("modality_parent").get(chain[-1])) is not None:
        chain.append(Modality(wider))
    return tuple(chain)
