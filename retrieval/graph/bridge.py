"""From the format a file has to one a tool reads: the shortest chain of converters."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import networkx as nx

from retrieval.core.types import Tool

CONVERTS = "conversion"

Chain = tuple[tuple[str, str, str], ...]
"""Steps of a conversion: format before, tool id, format after."""


class FormatBridge:
    """Formats joined by the tools whose task is conversion; steps tie by tool id."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._graph = nx.DiGraph()
        self._paths: dict[str, dict[str, list[str]]] = {}
        for tool in sorted(tools, key=lambda t: t.id):
            if CONVERTS in tool.tasks:
                self._join(tool)

    def _join(self, tool: Tool) -> None:
        for before in sorted(tool.formats_in):
            for after in sorted(tool.formats_out):
                if before != after and not self._graph.has_edge(str(before), str(after)):
                    self._graph.add_edge(str(before), str(after), tool=tool.id)

    def chain(self, have: str, wanted: Sequence[str]) -> Chain | None:
        """The shortest chain to any wanted format, empty when it is had, None when impossible.

        Chains of equal length are taken in the order of the format they end in.
        """
        if have in wanted:
            return ()
        if have not in self._graph:
            return None
        if have not in self._paths:
            self._paths[have] = nx.single_source_shortest_path(self._graph, have)
        paths = self._paths[have]
        ends = sorted((len(paths[w]), w) for w in map(str, wanted) if w in paths)
        if not ends:
            return None
        path = paths[ends[0][1]]
        pairs = itertools.pairwise(path)
        return tuple((a, self._graph.edges[a, b]["tool"], b) for a, b in pairs)
