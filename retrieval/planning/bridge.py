"""From the format a file has to one a tool reads: the shortest chain of converters."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence

from retrieval.core import Tool

CONVERTS = "conversion"
COMMAND = "command line"

TABLES = frozenset({"CSV", "TSV", "JSON"})
"""Formats that hold no image; no chain leads from them."""

Chain = tuple[tuple[str, str, str], ...]
"""Steps of a conversion: format before, tool id, format after."""


class FormatBridge:
    """Formats joined by the tools whose task is conversion.

    Where several tools take the same step the one that does little else is named, of those one
    that runs on the command line, then the first by id.
    """

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._steps: defaultdict[str, dict[str, str]] = defaultdict(dict)
        self._paths: dict[str, dict[str, list[str]]] = {}
        for tool in sorted((t for t in tools if CONVERTS in t.tasks), key=_preference):
            sources = sorted({*tool.formats_in} - TABLES)
            for before, after in itertools.product(sources, sorted(tool.formats_out)):
                if before != after:
                    self._steps[str(before)].setdefault(str(after), tool.id)

    def chain(self, have: str, wanted: Sequence[str]) -> Chain | None:
        """The shortest chain to any wanted format, empty when it is had, None when impossible.

        Chains of equal length are taken in the order of the format they end in.
        """
        if have in wanted:
            return ()
        if have not in self._paths:
            self._paths[have] = self._from(have)
        paths = self._paths[have]
        ends = sorted((len(paths[w]), w) for w in map(str, wanted) if w in paths)
        if not ends:
            return None
        path = paths[ends[0][1]]
        return tuple((a, self._steps[a][b], b) for a, b in itertools.pairwise(path))

    def _from(self, have: str) -> dict[str, list[str]]:
        """The shortest path to every format that can be reached."""
        paths = {have: [have]}
        for before in (order := [have]):
            for after in self._steps.get(before, ()):
                if after not in paths:
                    paths[after] = [*paths[before], after]
                    order.append(after)
        return paths


def _preference(tool: Tool) -> tuple[int, bool, str]:
    """Dedicated converters first, those of the command line before others of their kind."""
    return len(tool.tasks), COMMAND not in tool.interfaces, tool.id
