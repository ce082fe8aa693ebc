"""Names of tools and suites, as they are said in a sentence."""

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
        """How many words the longest name has that stands at this place; 0 for none."""
        sizes = range(min(self._most, len(words) - at), 0, -1)
        return next((n for n in sizes if tuple(words[at : at + n]) in self._by_name), 0)

    def tools(self, name: Words) -> tuple[Tool, ...]:
        """The tool of this name, or all of the suite of this name, by id."""
        return self._by_name[name]
