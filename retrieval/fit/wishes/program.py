"""Whether a record is of a program that is named, needs it, or does its work by it."""

from __future__ import annotations

import re
from functools import lru_cache

from retrieval.core import Tool
from retrieval.fit.verdict import field
from retrieval.fit.wishes.interface import Stated, folded, program

TELLING = 5
"""Letters from which on a name in capitals is one tool's alone: HD-BET is not the BET of FSL."""

LIKE = re.compile(
    r"\b(?:like|alternativ\w*|similar|comparable|equivalent|replacements?|substitut\w*|ersatz|wie"
    r"|comme|como|come|ähnlich|semblable|similaire|parecido|semelhante|simile)\b",
    re.IGNORECASE,
)
"""Words of a wish for the like of a tool, which need not do without it."""


_STANDS_IN = "(?:alternative|replacement|substitute)"
"""Words of a record that calls its tool an alternative to another."""


def stated_program(tool: Tool, value: str) -> Stated:
    """Whether a record is the tool that is named, has its name in its own, or needs it.

    A workflow is written in the language of the tool that runs it: MCMICRO is one of Nextflow.
    """
    name = folded(value)
    own = {folded(one) for one in (tool.id, tool.name, tool.suite or "")}
    telling = len(name) >= TELLING or not value.isupper()
    if name in own or (telling and _part_of_name(value).search(tool.name)):
        return True, field("name", [tool.name])
    if languages := [one for one in tool.languages if folded(one) == name]:
        return True, field("languages", languages)
    needs = [one for one in tool.requires_tool if folded(one) == name]
    homes = {program(one) for one in tool.platforms}
    if "plugin" in tool.interfaces or homes == {program(value)}:
        needs += [one for one in tool.platforms if program(one) == program(value)]
    # Where no requirement is stated, what is compared are the tool's own names.
    own_names = field("name", [tool.name, *([tool.suite] if tool.suite else ())])
    if not needs and (said := _works_by(value).search(tool.description)):
        return None, field("description", [said.group()])
    return bool(needs), field("requires_tool", needs or tool.requires_tool) or own_names


@lru_cache(maxsize=256)
def _works_by(value: str) -> re.Pattern[str]:
    """Finds words of a record that do its work, or a part of it, by another tool."""
    name = re.escape(value.rstrip("0123456789") or value)
    cues = (
        r"through|via|using|uses?|(?<!works )(?<!work )with|combining|bundles|built on|based on"
        "|on top of|(?:methods|programs) (?:of|from)"
    )
    listed = r"(?:[A-Z][\w.-]*,? (?:and |or )?){0,4}"
    return re.compile(rf"\b(?i:{cues}) (?:the )?{listed}{name}\d?\b")


@lru_cache(maxsize=256)
def _part_of_name(value: str) -> re.Pattern[str]:
    """Finds a tool's name in that of another: elastix in ITKElastix, ANTs in ANTsPy."""
    as_part = re.escape(value[:1].upper() + value[1:])
    return re.compile(rf"(?:(?<![A-Za-z]){re.escape(value)}|(?<=[A-Za-z]){as_part})(?![a-z])")


def is_alternative(tool: Tool, value: str) -> bool:
    """Whether a record calls its tool an alternative to another one, which it may need as well."""
    name = re.escape(value)
    says = re.compile(rf"\b(?:{name} {_STANDS_IN}|{_STANDS_IN} (?:to|for) {name})\b", re.IGNORECASE)
    return any(map(says.search, (*tool.keywords, tool.description)))
