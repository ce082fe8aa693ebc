"""The direction of a conversion, and formats that are read by what does not convert them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from retrieval.ask.grouping import Item, Limit
from retrieval.ask.linker import SPACELESS, words_at
from retrieval.ask.stated.conversions import FROM, SIDES, Ways
from retrieval.ask.stated.shared_names import AFTER

if TYPE_CHECKING:
    from retrieval.ask.marked_text import Marked


def ways_of(marked: Marked) -> Ways:
    """Whether a conversion is asked for *between* two formats, or in *both directions*.

    A tool that is named has to convert in both; of all tools those are asked for that do in one.
    """
    formats = [span[0] for span, kind in marked.meanings if kind == "format"]
    between = len(formats) == 2 and (
        marked.before("either_way", formats[0].start, 4)
        or (marked.language in SPACELESS and marked.after("either_way", formats[1].end, 1))
    )
    of_tool = any(kind == "tool" for _, kind in marked.meanings)
    if marked.has("both_ways") or (between and of_tool):
        return "both"
    return "either" if between else ""


def read_apart(marked: Marked, at: int, end: int) -> str:
    """The verb of a format that another verb does not convert: ``read DICOM but cannot convert``.

    Empty for any other format: what is read *and* converted is an end of the conversion.
    """
    verbs = [c for c in marked.cues if c.kind in SIDES and c.end <= at]
    later = marked.after("converts", end, len(marked.text))
    if not (verbs and later and marked.between("negative", end, later.start)):
        return ""
    parted = any(marked.between(kind, end, later.start) for kind in ("but", "joins"))
    return verbs[-1].kind if parted else ""


def converted_again(marked: Marked) -> Iterator[Item]:
    """The formats that were read before, where a pronoun stands for them: ``cannot convert it``."""
    for span, kind in marked.meanings:
        at, end = span[0].start, span[0].end
        if kind != "format" or not read_apart(marked, at, end):
            continue
        verb = marked.after("converts", end, len(marked.text))
        words = words_at(marked.text[verb.end :]) if verb else []
        if verb and words and words[0][0].casefold() in AFTER.get(marked.language, ()):
            options = tuple((FROM, node) for node in marked.nodes(span, "format"))
            start, stop = verb.end + words[0][1], verb.end + words[0][2]
            yield Item(start=start, end=stop, limits=(Limit(options=options),))
