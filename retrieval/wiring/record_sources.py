"""Where a record has a fact from: the address of the first source that lists its field."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from retrieval.ask import FIELDS
from retrieval.graph import ATTRIBUTES, FACTS

FIELD_OF: Mapping[str, str] = {
    **{relation: field for relation, _, field in (*FACTS, *ATTRIBUTES)},
    **FIELDS,
}
"""The field of a record by the relation that states it."""


class RecordSources:
    """Addresses by tool and relation; the catalog is read at the first look-up.

    Catalogs in another format than records, one in JSON per line, name no sources of facts.
    """

    def __init__(self, catalog: Path) -> None:
        self._catalog = catalog

    def __call__(self, tool: str, relation: str) -> str:
        """The address; empty where none is stated."""
        return self._addresses.get((tool, FIELD_OF.get(relation, relation)), "")

    @cached_property
    def _addresses(self) -> Mapping[tuple[str, str], str]:
        addresses: dict[tuple[str, str], str] = {}
        try:
            # Line by line: all records as objects at once take several times their text.
            with self._catalog.open(encoding="utf-8") as lines:
                for line in filter(str.strip, lines):
                    for key, address in _stated(json.loads(line)):
                        addresses.setdefault(key, address)
        except (OSError, ValueError):
            return {}
        return addresses


def _stated(row: object) -> Iterator[tuple[tuple[str, str], str]]:
    """Tool and field with the address of each source of a record that lists the field."""
    if not isinstance(row, dict):
        return
    sources = row.get("sources")
    for source in sources if isinstance(sources, list) else ():
        for field in source.get("facts", ()):
            yield (str(row.get("id")), field), str(source.get("url", ""))
