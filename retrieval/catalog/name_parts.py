"""Words of a text that look like a concept and are a part of another name: the COVID-19 variant."""

from __future__ import annotations

import re
from collections.abc import Callable

from retrieval.catalog.annotate import Mention

LOOSE = ("method:", "data:")
"""Kinds of concepts that give way to any name inside their words."""

VARIETIES = ("data:genetic variant", "operation:strain typing")
"""Concepts of which a word alone also says which kind of an organism: *variant*, *strain*."""

INFECTIOUS = ("disease:", "anatomy:virus")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_OF = r"\s(?:of|de|du|da|do|del|von|des)(?:\s(?:the|a|an|la|el|o|dem|der))?\s"
_NAME = r"[A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*"
_JOIN = r"[\s-]*[の的]?\s*"
_OF_IT = re.compile(_OF, re.IGNORECASE)
_BEFORE = re.compile(rf"(?<![A-Za-z0-9])({_NAME}){_JOIN}$")
_AFTER = re.compile(rf"(?i:{_OF})({_NAME})(?![A-Za-z0-9])")
_CAPITALS = re.compile(r"[A-Z].*[A-Z0-9]")


def is_part_of_name(
    text: str,
    before: Mention | None,
    this: Mention,
    after: Mention | None,
    is_known: Callable[[str], bool],
) -> bool:
    """Whether words are part of a disease's name: the COVID-19 variant is none of a gene.

    So are words after it, and before it with *of*, that are only a part of the concept's own name.
    Of VARIETIES this holds beside any name that is not known: *MERS strain*, *variante du MERS*.
    """
    concept = this.concept
    if not concept.startswith((*LOOSE, *VARIETIES)) or _is_whole(text[this.start : this.end], this):
        return False
    if concept in VARIETIES and (name := _beside(text, this)) and not is_known(name):
        return True
    if before and before.concept.startswith(INFECTIOUS):
        return not text[before.end : this.start].strip(" -")
    of_it = after.start if after and after.concept.startswith(INFECTIOUS) else this.end
    return _OF_IT.fullmatch(text[this.end : of_it]) is not None


def _is_whole(spoken: str, this: Mention) -> bool:
    """Whether the words are the concept's own name: two characters of Chinese make a word."""
    words = len(spoken) // 2 if _CJK.search(spoken) else len(re.findall(r"[^\W_]+", spoken))
    return words >= len(this.concept.partition(":")[2].split())


def _beside(text: str, this: Mention) -> str:
    """The name beside the words; a capital alone makes none where a sentence begins."""
    name = _BEFORE.search(text[: this.start])
    if name and (name.start(1) or _CAPITALS.match(name[1])):
        return name[1]
    name = _AFTER.match(text, this.end)
    return name[1] if name else ""
