"""Whose body a tool is made for, where its record says an animal's, and whose a request means.

No header of a scan states a species, and no field of a record: the name, the keywords and the
first part of the description say it. A tool for mice is no match for a scan that states nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from retrieval.catalog import modality_lineage
from retrieval.core import Fit, Tool
from retrieval.fit.kinds import RADIOLOGY
from retrieval.fit.verdict import judged

FACT = "species"
PEOPLE = "people"

_FIRST_PART = re.compile(r"[.:;]\s")


@cache
def _table() -> Mapping[str, Any]:
    text = files("retrieval.fit").joinpath("species.json").read_text("utf-8")
    table: Mapping[str, Any] = json.loads(text)
    return table


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    rows = {**_table()["animals"], PEOPLE: _table()["people"]}
    return {name: _any_of(words) for name, words in rows.items()}


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    # Chinese has no blanks between words.
    ways = [w if w > "\u3400" else rf"\b{re.escape(w)}\b" for w in words]
    return re.compile("|".join(ways), re.IGNORECASE)


def species_words(text: str) -> dict[str, str]:
    """The species that a text names, each with the first words for it as typed; people last."""
    matches = ((name, pattern.search(text)) for name, pattern in _patterns().items())
    return {name: match.group() for name, match in matches if match}


@lru_cache(maxsize=4096)
def species_in(text: str) -> tuple[str, ...]:
    """The species that a text names, in the order of the table; people last."""
    return tuple(species_words(text))


def made_for(tool: Tool) -> tuple[str, ...]:
    """The animals that a tool is made for; empty where its record names none, or people too.

    Only tools for the images of radiology count: a microscope's are mostly of animals.
    """
    if not any(modality_lineage(modality)[-1] in RADIOLOGY for modality in tool.modalities):
        return ()
    first = _FIRST_PART.split(tool.description, maxsplit=1)[0]
    named = species_in(". ".join((tool.name, first, *tool.keywords)))
    return () if PEOPLE in named else named


def species_fit(tool: Tool, text: str) -> Fit | None:
    """The verdict on a tool for animals; None for every other tool.

    It passes where the request names such an animal, fails where it names people or other
    animals alone, and is unknown where it names nobody.
    """
    animals = made_for(tool)
    if not animals:
        return None
    asked = species_in(text)
    wider = _table()["wider"]
    # A tool for rodents takes mice, and a request for rodents is served by a tool for mice.
    reached = {*asked, *(w for one in asked for w in wider.get(one, ()))}
    served = not reached.isdisjoint(animals)
    served = served or any(w in asked for one in animals for w in wider.get(one, ()))
    holds = served if asked else None
    stated = f"description: {', '.join(animals)}"
    return judged(FACT, holds, ", ".join(asked) or None, stated)
