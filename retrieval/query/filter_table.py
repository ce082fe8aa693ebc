"""Which records have a value or a name, so that a rule of a query need not ask every record."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from retrieval.catalog import places, remember
from retrieval.core import Filters, Tool

FIELDS: dict[str, Callable[[Tool], Iterable[str | None]]] = {
    "licenses": lambda tool: (tool.license,),
    "modalities": lambda tool: tool.modalities,
    "formats": lambda tool: (*tool.formats_in, *tool.formats_out),
    "dimensions": lambda tool: tool.dimensions,
    "interfaces": lambda tool: tool.interfaces,
    "domains": lambda tool: (tool.domain,),
    "gpu": lambda tool: (tool.gpu,),
}
"""What a tool states of each field of `Filters`, as ``Filters.admits`` reads it."""

Rows = NDArray[np.int32]


def folded_name(text: str) -> str:
    """A name as exclusions compare it: one spelling for each letter, blank and case.

    A name copied from a page or a file has other blanks, or marks apart from their letters.
    """
    return " ".join(unicodedata.normalize("NFKC", text).split()).casefold()


class FilterTable:
    """The rows of a catalog by field and value: 4 bytes per value that a record states."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._tools = tools
        self._positions = places([tool.id for tool in tools])
        self._ids = np.array([tool.id for tool in tools], dtype=object)
        self._rows = {name: _by_value(map(stated, tools)) for name, stated in FIELDS.items()}

    def admitted(self, filters: Filters) -> frozenset[str]:
        """Ids of the tools that state one value of every field that is set."""
        mask = np.ones(len(self._ids), dtype=bool)
        for name, rows in self._rows.items():
            values = getattr(filters, name)
            if values:
                stating = np.zeros(len(mask), dtype=bool)
                for value in values & rows.keys():
                    stating[rows[value]] = True
                mask &= stating
        keep = frozenset(self._ids[mask].tolist())
        remember(keep, self._positions, mask)
        return keep

    @cached_property
    def ids_by_name(self) -> Mapping[str, Sequence[str]]:
        """The tools of each id and name, folded; made for the first exclusion."""
        return _ids_by((folded_name(name), t.id) for t in self._tools for name in {t.id, t.name})

    @cached_property
    def ids_by_suite(self) -> Mapping[str, Sequence[str]]:
        """The tools of each suite, folded."""
        return _ids_by((folded_name(tool.suite), tool.id) for tool in self._tools if tool.suite)

    def excluded(self, names: Iterable[str], suites: Iterable[str]) -> frozenset[str]:
        """Ids of the tools with one of these ids or names, or of these suites, all folded."""
        of_names = (self.ids_by_name.get(name, ()) for name in names)
        of_suites = (self.ids_by_suite.get(suite, ()) for suite in suites)
        return frozenset(chain.from_iterable((*of_names, *of_suites)))


def _ids_by(pairs: Iterable[tuple[str, str]]) -> Mapping[str, Sequence[str]]:
    ids: defaultdict[str, list[str]] = defaultdict(list)
    for name, id_ in pairs:
        ids[name].append(id_)
    return ids


def _by_value(stated: Iterable[Iterable[str | None]]) -> dict[str | None, Rows]:
    rows: defaultdict[str | None, list[int]] = defaultdict(list)
    for row, values in enumerate(stated):
        for value in values:
            rows[value].append(row)
    return {value: np.array(where, dtype=np.int32) for value, where in rows.items()}
