"""Look-up of tools by their names, ids and suites inside a sentence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from retrieval.core import Tool
from retrieval.dialogue.rules import Words, words_of


class Names:
    """Tools by the words of their name, id or suite."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        by_name: defaultdict[Words, dict[str, Tool]] = defaultdict(dict)
        for tool in sorted(tools, key=lambda t: t.id):
            for name in (tool.name, tool.id, tool.suite or ""):
                by_name[words_of(name)][tool.id] = tool
        self._by_name = {name: tuple(matches.values()) for name, matches in by_name.items() if name}
        self._most = max(map(len, self._by_name), default=0)

    def longest(self, words: Sequence[str], at: int) -> int:
        """Number of words of the longest name that begins at this word; 0 for none."""
        sizes = range(min(self._most, len(words) - at), 0, -1)
        return next((n for n in sizes if tuple(words[at : at + n]) in self._by_name), 0)

    def tools(self, name: Words) -> tuple[Tool, ...]:
        """The tools of this name or suite, ascending by id. Raises KeyError for other names."""
        return self._by_name[name]
