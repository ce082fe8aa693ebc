"""Whose body a tool is made for, where its record says so, and whose a request means.

No header of a scan states a species. A record states it in a field; where that is empty, the name,
the keywords and the first part of the description may, and the domain of preclinical tools. A tool
for mice is no match for a scan that states nothing, and one for patients none for mice.
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
from retrieval.fit.verdict import field, judged

FACT = "species"
PEOPLE, ANIMALS, ANY = "people", "animals", "any species"

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


@cache
def _pointing_device() -> re.Pattern[str]:
    """What a mouse is that one clicks with: no animal."""
    return re.compile("|".join(_table()["pointing device"]), re.IGNORECASE)


def species_words(text: str) -> dict[str, str]:
    """The species that a text names, each with the first words for it as typed; people last."""
    text = _pointing_device().sub(" ", text)
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


def species_names(codes: Iterable[str]) -> tuple[str, ...]:
    """The species of a record's field in words, people last."""
    names = (_table()["codes"].get(code, code) for code in codes)
    return tuple(sorted(names, key=PEOPLE.__eq__))


def made_for(tool: Tool) -> tuple[str, ...]:
    """Whose bodies a tool is made for, people last; empty where its record names nobody.

    The words of a record count where its field is empty or leaves open which animals it means.
    Only tools for the images of radiology count: a microscope's are mostly of animals.
    """
    if not any(modality_lineage(modality)[-1] in RADIOLOGY for modality in tool.modalities):
        return ()
    stated = species_names(tool.species)
    if stated and ANIMALS not in stated:
        return stated
    first = _FIRST_PART.split(tool.description, maxsplit=1)[0]
    species = species_in(". ".join((tool.name, first, *tool.keywords)))
    if stated:
        animals = [one for one in species if one != PEOPLE] or [ANIMALS]
        return tuple(dict.fromkeys((*animals, *(one for one in stated if one != ANIMALS))))
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
    stated = field("species" if tool.species else "description", served)
    if not animals and not {PEOPLE, ANY}.isdisjoint(served):
        return judged(FACT, True, PEOPLE, stated) if requested else None
    holds = _reaches(requested, served) if requested else None
    return judged(FACT, holds, ", ".join(requested) or None, stated)


def _reaches(requested: Sequence[str], served: Sequence[str]) -> bool:
    """Whether a tool for rodents takes mice, or a request for rodents is served by one for mice."""
    if ANY in served:
        return True
    wider = _table()["wider"]
    reached = {*requested, *(w for one in requested for w in wider.get(one, ()))}
    return not reached.isdisjoint(served) or any(
        w in requested for one in served for w in wider.get(one, ())
    )
