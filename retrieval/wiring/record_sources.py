"""Where a record has a fact from: the address of the first source that lists its field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from retrieval.ask import FIELDS
from retrieval.catalog import Record
from retrieval.graph import ATTRIBUTES, FACTS

FIELD_OF: Mapping[str, str] = {
    **{relation: field for relation, _, field in (*FACTS, *ATTRIBUTES)},
    **FIELDS,
}
"""The field of a record by the relation that states it."""


class RecordSources:
    """Addresses by tool and relation, of the records that a catalog accepted."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._sources = {record.id: record.sources for record in records if record.sources}

    def __call__(self, tool: str, relation: str) -> str:
        """The address; empty where none is stated."""
        field = FIELD_OF.get(relation, relation)
        return next((s.url for s in self._sources.get(tool, ()) if field in s.facts), "")
