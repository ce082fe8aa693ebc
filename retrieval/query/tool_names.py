"""Tools by the words of their names, and which of those are ordinary words."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property

from retrieval.core import Tool
from retrieval.query.grammar import Words, words_of

LOWER = re.compile(r"(?<![\w-])[a-z][a-z0-9]+(?![\w-])")

ORDINARY = 3
"""Descriptions with a word in lower case from which on it is an ordinary word: a suite's own
documentation writes its name small once or twice, "registration" is in dozens."""

BUILT_ON = 2
"""Records that are of a program, or need it, from which on its name says with what to do a task;
below, it asks for the tool itself."""

COMMON = 0.05
"""Share of the tools that read a format whose name is then no tool's: DICOM, TIFF. Formats that
few read are named after the software they are from (AFNI, FreeSurfer)."""


DIGITS = "0123456789"

SHORTEST = 2
"""Letters from which on a name without its number may be more than an abbreviation."""


def folded(name: str) -> str:
    """A name without what writers spell differently: its case, blanks and hyphens."""
    return "".join(c for c in name.casefold() if c.isalnum())


def _called(tools: Sequence[Tool]) -> str:
    """The name of one tool, or the suite of several."""
    if len(tools) == 1:
        return tools[0].name
    return next((t.suite for t in tools if t.suite), tools[0].name)


class Names:
    """Tools by the words of their name, id or suite."""

    def __init__(self, tools: Sequence[Tool], words: Callable[[str], Words] = words_of) -> None:
        by_name: defaultdict[Words, dict[str, Tool]] = defaultdict(dict)
        self._tools = sorted(tools, key=lambda t: t.id)
        for tool in self._tools:
            for name in (tool.name, tool.id, tool.suite or ""):
                by_name[words(name)][tool.id] = tool
        self._by_name = {name: tuple(matches.values()) for name, matches in by_name.items() if name}
        self._most: dict[str, int] = {}
        for row in self._by_name:
            self._most[row[0]] = max(len(row), self._most.get(row[0], 0))

    def longest(self, words: Sequence[str], at: int) -> int:
        """Number of words of the longest name that begins at this word; 0 for none."""
        most = self._most.get(words[at], 0) if at < len(words) else 0
        sizes = range(min(most, len(words) - at), 0, -1)
        return next((n for n in sizes if tuple(words[at : at + n]) in self._by_name), 0)

    def tools(self, name: Words) -> tuple[Tool, ...]:
        """The tools of this name or suite, ascending by id. Raises KeyError for other names."""
        return self._by_name[name]

    def program(self, words: Sequence[str], at: int) -> tuple[int, str] | None:
        """The program that others are of, or are built on, whose name begins at a word.

        Number of words and its name; None for other words. A number at its end may be left out
        ("MRtrix") or be another one ("SPM12").
        """
        size = self.longest(words, at)
        name = tuple(words[at : at + size]) or (words[at].rstrip(DIGITS),)
        if name not in self._programs:
            return None
        return max(size, 1), self._programs[name]

    @cached_property
    def _programs(self) -> dict[Words, str]:
        """What programs are called that at least ``BUILT_ON`` records are of, or need."""
        built = Counter(
            one
            for tool in self._tools
            for one in {folded(one) for one in (tool.suite or "", *tool.requires_tool)}
        )
        programs: dict[Words, str] = {}
        for name, tools in self._by_name.items():
            called = _called(tools)
            ids = {
                folded(called),
                *(tool.id for tool in tools if folded(tool.name) == folded(called)),
            }
            if max(built[folded(one)] for one in ids) < BUILT_ON or self.is_ordinary(name):
                continue
            programs[name] = called
            bare = (*name[:-1], name[-1].rstrip(DIGITS))
            if len(bare[-1]) > SHORTEST and bare not in self._by_name:
                programs.setdefault(bare, called)
        return programs

    def called(self, name: Words) -> str:
        """What the tool or suite of a name is called. Raises KeyError for other names."""
        return _called(self.tools(name))

    def is_ordinary(self, name: Words) -> bool:
        """Whether every word of a name may mean something else than the tool.

        Words of the closed vocabularies may ("registration", "DICOM"), and those that the name
        has with a capital and descriptions of other tools have without ("warp").
        """
        tools, several = self.tools(name), len(name) > 1
        own = {tool.id for tool in tools}
        small = {word for t in tools for word in LOWER.findall(f"{t.name} {t.suite or ''}")}
        return all(
            word in self._terms
            or (not several and word not in small and len(self._lower[word] - own) >= ORDINARY)
            for word in name
        )

    def is_word(self, name: Words) -> bool:
        """Whether a name is one word that descriptions of other tools write in lower case.

        "send a command at five" names no program that is called at.
        """
        if len(name) > 1 or name not in self._by_name:
            return False
        own = {tool.id for tool in self._by_name[name]}
        return len(self._lower[name[0]] - own) >= ORDINARY

    @cached_property
    def _terms(self) -> frozenset[str]:
        """The words of tasks, kinds of image, dimensions, body parts, fields and common formats."""
        terms = {
            str(term)
            for t in self._tools
            for many in (t.tasks, t.modalities, t.dimensions, t.anatomy, (t.domain,))
            for term in many
            if term
        }
        formats = Counter(str(f) for t in self._tools for f in t.formats_in)
        terms.update(f for f, count in formats.items() if count >= COMMON * len(self._tools))
        return frozenset(word for term in terms for word in words_of(term))

    @cached_property
    def _lower(self) -> defaultdict[str, set[str]]:
        """The ids of the tools whose descriptions have a word in lower case."""
        rows: defaultdict[str, set[str]] = defaultdict(set)
        for tool in self._tools:
            for word in LOWER.findall(tool.description):
                rows[word].add(tool.id)
        return rows
