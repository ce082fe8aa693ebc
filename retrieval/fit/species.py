"""Whose body a tool is made for, where its record says so, and whose a request means.

No header of a scan states a species, and no field of a record: the name, the keywords and the
first part of the description say it, and the domain of preclinical tools. A tool for mice is no
match for a scan that states nothing, and one for patients none for a request about mice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from retrieval.catalog import modality_lineage
from retrieval.core import Fit, Tool
from retrieval.fit.kinds import RADIOLOGY
from retrieval.fit.verdict import judged

FACT = "species"
PEOPLE, ANIMALS = "people", "animals"

_FIRST_PART = re.compile(r"[.:;]\s")


@cache
def _table() -> Mapping[str, Any]:
    text = files("retrieval.fit").joinpath("species.json").read_text("utf-8")
    table: Mapping[str, Any] = json.loads(text)
    return table


@cache
def _patterns() -> Mapping[str, tuple[tuple[str, ...], re.Pattern[str]]]:
    """The words for each species, case-folded, and what finds one of them as a word."""
    patterns = {}
    for name, words in {**_table()["animals"], PEOPLE: _table()["people"]}.items():
        ways = map(_way, words)
        folded = tuple(map(str.casefold, words))
        patterns[name] = (folded, re.compile("|".join(ways), re.IGNORECASE))
    return patterns


def _way(word: str) -> str:
    """The pattern of one word for a species.

    "Non-human" names no people, nor does a project, and a guinea pig is no pig. CAT and CoW are
    abbreviations, and a cat scan is no cat's.
    """
    if word > "\u3400":  # Chinese has no blanks between words.
        return word
    way = re.escape(word)
    if word in _table()["lower case"]:
        way = f"(?-i:[{word[0]}{word[0].upper()}]{way[1:]})(?! scans?\\b)"
    return rf"(?<!\bnon[- ])(?<!\bguinea )\b{way}\b(?! connectome)"


def species_words(text: str) -> dict[str, str]:
    """The species that a text names, each with the first words for it as typed; people last."""
    # To look for the letters first takes a hundredth of the time: most texts name no species.
    folded = text.casefold()
    matches = (
        (name, pattern.search(text))
        for name, (words, pattern) in _patterns().items()
        if any(map(folded.__contains__, words))
    )
    words_by_species = {name: match.group() for name, match in matches if match}
    # "Small animals" holds the word for all of them.
    narrower = words_by_species.keys() - {ANIMALS, PEOPLE}
    return {
        name: typed for name, typed in words_by_species.items() if name != ANIMALS or not narrower
    }


@lru_cache(maxsize=4096)
def species_in(text: str) -> tuple[str, ...]:
    """The species that a text names, in the order of the table; people last."""
    return tuple(species_words(text))


def made_for(tool: Tool) -> tuple[str, ...]:
    """Whose bodies a tool is made for, people last; empty where its record names nobody.

    Only tools for the images of radiology count: a microscope's are mostly of animals.
    """
    if not any(modality_lineage(modality)[-1] in RADIOLOGY for modality in tool.modalities):
        return ()
    first = _FIRST_PART.split(tool.description, maxsplit=1)[0]
    species = species_in(". ".join((tool.name, first, *tool.keywords)))
    return species or (tuple(_table()["domains"].get(tool.domain, ())) if tool.domain else ())


def species_fit(tool: Tool, text: str) -> Fit | None:
    """The verdict on whose body a tool is for; None where there is nothing to compare.

    It passes where the request names one that the tool is for, and fails where it names others
    alone. A tool for animals is unknown where nobody is named, and one that states nobody where
    the request names animals; without a name on either side people are meant.
    """
    served, requested = made_for(tool), species_in(text)
    animals = [one for one in requested if one != PEOPLE]
    if not served:
        is_radiology = any(modality_lineage(m)[-1] in RADIOLOGY for m in tool.modalities)
        requested_names = ", ".join(requested)
        return judged(FACT, None, requested_names, None) if animals and is_radiology else None
    if PEOPLE in served and not animals:
        return judged(FACT, True, PEOPLE, _stated(served)) if requested else None
    holds = _reaches(requested, served) if requested else None
    return judged(FACT, holds, ", ".join(requested) or None, _stated(served))


def _stated(served: Iterable[str]) -> str:
    return f"description: {', '.join(served)}"


def _reaches(requested: Sequence[str], served: Sequence[str]) -> bool:
    """Whether a tool for rodents takes mice, or a request for rodents is served by one for mice."""
    wider = _table()["wider"]
    reached = {*requested, *(w for one in requested for w in wider.get(one, ()))}
    return not reached.isdisjoint(served) or any(
        w in requested for one in served for w in wider.get(one, ())
    )
