"""A small read-only grammar of Cypher; nothing outside it reaches a store.

The text that runs is generated from the parsed query, so a store sees nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from retrieval.graph import Refused
from retrieval.graphdb.cypher_expressions import Expressions
from retrieval.graphdb.lexer import tokens_of

CLAUSES = "MATCH, OPTIONAL MATCH, WHERE, WITH, UNWIND, RETURN, ORDER BY, SKIP, LIMIT, UNION"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The most that one query may ask of a store; ``hops`` counts all edges of its patterns."""

    hops: int = 6
    rows: int = 200
    seconds: float = 5.0
    patterns: int = 8


def reading_cypher(
    query: str, bounds: Bounds | None = None, dialect: Mapping[str, str] | None = None
) -> str:
    """The query rewritten with bounded rows. Raises Refused for anything but reading.

    ``dialect`` maps functions to the names that a store has for them.
    """
    return _Query(query, bounds or Bounds(), dialect or {}).rewritten()


def cypher_refusal(query: str, *, block_changes: bool = True) -> str:
    """Why a query may not run; empty where it may, and always with ``block_changes`` off.

    The query is only parsed. With ``block_changes`` off nothing at all is checked.
    """
    if not block_changes:
        return ""
    try:
        reading_cypher(query)
    except Refused as exc:
        return str(exc)
    return ""


class _Query(Expressions):
    """Clauses in order; every method returns the text that it parsed, rewritten."""

    def __init__(self, query: str, bounds: Bounds, dialect: Mapping[str, str]) -> None:
        super().__init__(tokens_of(query), bounds.hops, bounds.patterns)
        self.dialect = dialect
        self.rows = bounds.rows

    def rewritten(self) -> str:
        if self._peek().kind == "end":
            raise Refused("query: there is nothing to run; write MATCH ... RETURN ...")
        parts = [self._single()]
        while self._takes("UNION"):
            parts.append("UNION ALL" if self._takes("ALL") else "UNION")
            parts.append(self._single())
        self._sign(";")
        if self._peek().kind != "end":
            raise Refused(f"query: {self._peek().text[:30]!r} is not taken; one query of {CLAUSES}")
        return " ".join(parts)

    def _single(self) -> str:
        parts: list[str] = []
        while True:
            word = self._peek().upper
            if word == "RETURN":
                self._step()
                return " ".join([*parts, f"RETURN {self._projected(self.rows)}"])
            if word not in {"MATCH", "OPTIONAL", "WITH", "UNWIND"}:
                text = self._peek().text
                if self._peek().kind == "end":
                    raise Refused("query: it returns nothing; end it with RETURN")
                raise Refused(f"query: {text[:30]!r} is not taken; only {CLAUSES} are")
            self._step()
            parts.append(self._clause(word))

    def _clause(self, word: str) -> str:
        if word == "UNWIND":
            list_text = self._expression()
            self._must("AS")
            return f"UNWIND {list_text} AS {self._name()}"
        if word == "WITH":
            text = f"WITH {self._projected()}"
            return f"{text} WHERE {self._expression()}" if self._takes("WHERE") else text
        if word == "OPTIONAL":
            self._must("MATCH")
        text = f"{'OPTIONAL ' if word == 'OPTIONAL' else ''}MATCH {self._matched()}"
        return f"{text} WHERE {self._expression()}" if self._takes("WHERE") else text

    def _projected(self, most: int | None = None) -> str:
        """Items, order, skip and limit; at most ``most`` rows where that is given."""
        text = "DISTINCT " if self._takes("DISTINCT") else ""
        if self._sign("*"):
            text += "*"
        else:
            text += self._item()
            while self._sign(","):
                text += f", {self._item()}"
        if self._takes("ORDER"):
            self._must("BY")
            text += f" ORDER BY {self._orders()}"
        if self._takes("SKIP") or self._takes("OFFSET"):
            text += f" SKIP {self._whole_number()}"
        limit = self._whole_number() if self._takes("LIMIT") else None
        # Only RETURN is bounded: a limit on WITH would change which rows the query finds.
        if most is not None:
            limit = most if limit is None else min(limit, most)
        return text if limit is None else f"{text} LIMIT {limit}"

    def _item(self) -> str:
        text = self._expression()
        return f"{text} AS {self._name()}" if self._takes("AS") else text

    def _orders(self) -> str:
        parts = []
        while True:
            text = self._expression()
            if self._takes("DESC") or self._takes("DESCENDING"):
                text += " DESC"
            elif self._takes("ASC") or self._takes("ASCENDING"):
                text += " ASC"
            parts.append(text)
            if not self._sign(","):
                return ", ".join(parts)
