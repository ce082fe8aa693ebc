"""The rows of a graph query, and the interface of stores that run queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from retrieval.core import BadInput, Fact

MAX_CELL = 300
"""Most characters of one value."""

SHOWN_ROWS = 40
"""Most rows that become facts."""


class Refused(BadInput):
    """A query that may not run; the text gives the reason."""


class QueryFailed(BadInput):
    """A query that a store could not run; the text says what was wrong with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The result of one query: ``text`` as it ran, values as text, ids of the nodes among them.

    ``cut`` is true where a limit ended the rows.
    """

    language: str
    text: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    nodes: tuple[str, ...] = ()
    cut: bool = False

    def facts(self, source: str, first: int = 1) -> tuple[Fact, ...]:
        """Every row as a piece of evidence, numbered from ``first``."""
        texts = (
            "; ".join(f"{column}: {value}" for column, value in zip(self.columns, row, strict=True))
            for row in self.rows[:SHOWN_ROWS]
        )
        return tuple(
            Fact(id=f"{source} row {n}", text=text, kind="query", source=source, nodes=self.nodes)
            for n, text in enumerate(texts, start=first)
        )


class QueryStore(Protocol):
    """A graph that runs read-only queries in one language."""

    @property
    def language(self) -> str:
        """``Cypher`` or ``SPARQL``."""
        ...

    def schema(self) -> str:
        """The labels, relations and properties, as text for a prompt."""
        ...

    def run(self, query: str, parameters: Mapping[str, Any] | None = None) -> Rows:
        """The rows. Raises Refused, QueryFailed, or StageUnavailable (no server or package)."""
        ...


def rows_of(
    language: str,
    text: str,
    columns: Sequence[str],
    values: Sequence[Sequence[Any]],
    most: int,
) -> Rows:
    """Values of any store as text; nodes appear by name, their ids go to ``Rows.nodes``.

    At most ``most`` rows, MAX_CELL characters per value; ``cut`` is set once ``most`` is reached.
    """
    nodes: dict[str, None] = {}
    cells = tuple(tuple(_cell(value, nodes) for value in row) for row in values[:most])
    return Rows(
        language=language,
        text=text,
        columns=tuple(c if len(c) <= 40 else f"column {n}" for n, c in enumerate(columns, 1)),
        rows=cells,
        nodes=tuple(nodes),
        cut=len(values) >= most,
    )


def _cell(value: Any, nodes: dict[str, None]) -> str:  # noqa: ANN401 - whatever a store gives
    if isinstance(value, Mapping):
        return _entity(value, nodes)
    if isinstance(value, (list, tuple)):
        return ", ".join(_cell(item, nodes) for item in value)[:MAX_CELL]
    return ("" if value is None else str(value))[:MAX_CELL]


def _entity(value: Mapping[str, Any], nodes: dict[str, None]) -> str:
    if "_NODES" in value:
        return " - ".join(_entity(node, nodes) for node in value["_NODES"])[:MAX_CELL]
    if "id" in value:
        nodes[str(value["id"])] = None
    if "_SRC" in value:
        return str(value.get("_LABEL", ""))
    label = value.get("name") or value.get("id")
    if label is not None:
        return str(label)[:MAX_CELL]
    return ", ".join(f"{k}: {_cell(v, nodes)}" for k, v in value.items() if k[:1] != "_")[:MAX_CELL]
