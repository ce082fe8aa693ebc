"""Which tools of the catalog a query may return."""

from __future__ import annotations

from collections.abc import Iterable

from retrieval.core import EVERYTHING, Filters, Query, Selection, Tool


def select(tools: Iterable[Tool], query: Query) -> Selection:
    """The selection of a query's filters and exclusions (ids or names, case-folded)."""
    if not query.excluded and query.filters == Filters():
        return EVERYTHING
    listed = tuple(tools)
    names = {name.strip().casefold() for name in query.excluded}
    drop = (t.id for t in listed if t.id.casefold() in names or t.name.casefold() in names)
    if query.filters == Filters():
        return Selection(drop=frozenset(drop))
    admitted = frozenset(t.id for t in listed if query.filters.admits(t))
    return Selection(keep=admitted, drop=frozenset(drop))
