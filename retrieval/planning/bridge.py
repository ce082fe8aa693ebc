"""The shortest chain of converters from the format of a file to one that a tool reads."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence

from retrieval.core import Tool

CONVERTS = "conversion"
COMMAND = "command line"

TABLES = frozenset({"CSV", "TSV", "JSON"})
"""Formats without image data; no chain may pass through them, since the image would be lost."""

Chain = tuple[tuple[str, str, str], ...]
"""Steps of a conversion: format before, tool id, format after."""


class FormatBridge:
    """A graph of formats whose edges are the tools with the task conversion.

    Of several tools for one edge the one with the fewest tasks is used, of these one with a
    command line, then the first by id.
    """

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._steps: defaultdict[str, dict[str, str]] = defaultdict(dict)
        self._paths: dict[str, dict[str, list[str]]] = {}
        converters = [tool for tool in tools if CONVERTS in tool.tasks]
        converters.sort(key=lambda t: (len(t.tasks), COMMAND not in t.interfaces, t.id))
        for tool in converters:
            sources = sorted({*tool.formats_in} - TABLES)
            for before, after in itertools.product(sources, sorted(tool.formats_out)):
                if before != after:
                    self._steps[str(before)].setdefault(str(after), tool.id)

    def chain(self, have: str, wanted: Sequence[str]) -> Chain | None:
        """The shortest chain to any wanted format; empty when none is needed, None without one.

        Of chains of equal length the one whose last format comes first alphabetically is used.
        Shortest paths from a format are computed once (breadth-first) and kept.
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
        """The shortest path to every reachable format, breadth-first."""
        paths = {have: [have]}
        for before in (order := [have]):
            for after in self._steps.get(before, ()):
                if after not in paths:
                    paths[after] = [*paths[before], after]
                    order.append(after)
        return paths
