"""Programs that are sold and in no catalog of open tools: "alternative to Imaris".

What such a program is for is a fact of its makers' pages; the words in ``outside_programs.json``
say it in those of the field, to search with.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from retrieval.core import Tool
from retrieval.query.grammar import Words, words_of

SOFTWARE = frozenset({"software", "program", "tool", "app", "viewer"})
"""Words beside a name that ask for the program itself."""


@cache
def _programs() -> Mapping[Words, Tool]:
    """An entry a program, by the words of its name; what it is for is its only keyword."""
    text = files("retrieval.query.rewording").joinpath("outside_programs.json").read_text("utf-8")
    return {
        words_of(name): Tool(id=f"outside {name}", name=name, description="", keywords=(purpose,))
        for purpose, names in json.loads(text).items()
        for name in names
    }


def outside_programs(tools: Sequence[Tool]) -> Mapping[Words, Tool]:
    """The programs that none of these tools is called after, by the words of their names."""
    known = {words_of(name) for tool in tools for name in (tool.name, tool.suite or "")}
    return {name: program for name, program in _programs().items() if name not in known}


def purpose_of(text: str, programs: Mapping[Words, Tool]) -> str:
    """What the program is for that a text names and nothing else; empty for other texts."""
    words = words_of(text)
    own = tuple(word for word in words if word not in SOFTWARE)
    program = programs.get(words) or programs.get(own)
    return program.keywords[0] if program else ""


def outside_note(raw: str, text: str) -> str:
    """The note on a program that a typed text names and whose purpose is searched for; or empty."""
    searched = [(name, one) for name, one in _programs().items() if one.keywords[0] in text]
    if not searched:
        return ""
    words = f" {' '.join(words_of(raw))} "
    names = [one.name for name, one in searched if f" {' '.join(name)} " in words]
    if not names:
        return ""
    return f"{max(names, key=len)} is not in the catalog; tools for what it does are searched for."
