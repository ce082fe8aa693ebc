"""Whether the recipe of a tool makes the conversion that a request asks: from what, to what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from retrieval.catalog import format_of
from retrieval.core import Format, ScanInfo, Tool, codes
from retrieval.fit import holding
from retrieval.planning.bridge import CONVERTS, MAIN_TASKS
from retrieval.planning.goals import asked_conversion
from retrieval.planning.recipes import NoRecipe, RecipeRecord, Recipes
from retrieval.query import file_words

_ENDING = re.compile(r"\.(\w+(?:\.\w+)?)\b")
"""The ending of a file name, of one part or of two: ``.nii.gz``."""

NAMED = 2
"""Formats of each side that a reason names: with more it outgrows a line of the panel."""


def made_formats(record: RecipeRecord) -> tuple[Format, ...]:
    """The formats of what a recipe gives, by the names and endings in its outputs, once each."""
    outputs = list[Format]()
    for output in record.outputs:
        endings = (format_of(ending) for ending in _ENDING.findall(output))
        outputs += [one for one in endings if one]
        outputs += [Format(word.value) for word in file_words(output) if word.kind == "format"]
    return tuple(dict.fromkeys(outputs))


def why_no_recipe(
    recipes: Recipes, tool: Tool, scans: Sequence[ScanInfo] = (), request: str = ""
) -> NoRecipe | None:
    """Why no recipe of a tool is offered; None where nothing on record says it.

    Besides the reasons on record: its recipe is for the opposite of the conversion that the
    request asks.
    """
    record = recipes.by_tool.get(tool.id)
    pair = asked_conversion(request, scans)
    if record is None or pair is None or not is_opposite(record, tool, pair):
        return recipes.none.get(tool.id)
    makes = _listed(" and makes ", made_formats(record))
    reads = _listed("it reads ", read_formats(record, tool))
    return NoRecipe(
        tool=tool.id,
        reason=f"Its recipe is for another conversion: {reads}{makes}. "
        f"No source on record states one from {pair.before} to {pair.after}.",
        sources=record.sources,
        checked_on=record.checked_on,
    )


def read_formats(record: RecipeRecord, tool: Tool) -> tuple[Format, ...]:
    """The formats that a recipe takes: those it states, else those of its tool and of its words."""
    of_words = (format for left in record.left.values() for format in left.by_format)
    return record.reads or tuple(dict.fromkeys((*tool.formats_in, *of_words)))


def is_opposite(record: RecipeRecord, tool: Tool, pair: codes.Conversion) -> bool:
    """Whether a recipe converts, does not read what is to be converted, and makes it instead.

    One that reads the goal and names no format of what it makes counts too: a structure set
    becomes label maps.
    """
    reads, outputs = read_formats(record, tool), made_formats(record)
    if not is_conversion(record, tool) or not reads:
        return False
    if pair.before in reads or _is_among(pair.after, outputs):
        return False
    return pair.before in outputs or _is_among(pair.after, reads)


def is_conversion(record: RecipeRecord, tool: Tool) -> bool:
    """Whether a recipe converts: by the main tasks of its tool, or by its title."""
    return not CONVERTS.isdisjoint(tool.tasks[:MAIN_TASKS]) or "convert" in record.title.casefold()


def direction_note(record: RecipeRecord, tool: Tool, pair: codes.Conversion | None) -> str:
    """Says that a conversion as written makes another format than is asked for; else empty."""
    outputs = made_formats(record)
    if (
        pair is None
        or not outputs
        or not is_conversion(record, tool)
        or _is_among(pair.after, outputs)
    ):
        return ""
    return f"As written it makes {', '.join(outputs)}; you ask for {pair.after}."


def _is_among(goal: Format, formats: Iterable[Format]) -> bool:
    """Whether one of the formats is the goal, or one whose files hold the other."""
    return any(goal in holding(one) or one in holding(goal) for one in formats)


def _listed(words: str, formats: Sequence[Format]) -> str:
    """The formats behind words, the first few of many; empty for none."""
    few = ", ".join(formats[:NAMED])
    return f"{words}{few}{', ...' if len(formats) > NAMED else ''}" if formats else ""
