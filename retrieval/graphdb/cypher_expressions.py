"""Expressions of a reading query: values, comparisons, and functions from an allow-list."""

from __future__ import annotations

from collections.abc import Mapping

from retrieval.graph import Refused
from retrieval.graphdb.cypher_patterns import Patterns

_FUNCTIONS = """
count collect sum avg min max size length lower upper toLower toUpper trim ltrim rtrim left
right substring replace split coalesce abs round floor ceil sqrt sign head last tail keys labels
label type id nodes relationships rels properties startNode endNode toString toInteger toFloat
starts_with ends_with contains regexp_matches list_contains list_sort any all none single exists
"""
FUNCTIONS = frozenset(_FUNCTIONS.split())
"""Allowed functions; none reads a file, opens a connection, or generates rows."""

_BY_FOLDED_NAME = {name.casefold(): name for name in FUNCTIONS}
MAX_DEPTH = 40


class Expressions(Patterns):
    """Recursive descent from OR down to single values; every method returns the text it parsed."""

    depth = 0
    dialect: Mapping[str, str]

    def _expression(self) -> str:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Refused("query: nested too deep; ask more simply")
        text = self._denied()
        while (word := self._peek().upper) in {"AND", "OR", "XOR"}:
            self._step()
            text += f" {word} {self._denied()}"
        self.depth -= 1
        return text

    def _denied(self) -> str:
        denials = 0
        while self._takes("NOT"):
            denials += 1
            if denials > MAX_DEPTH:
                raise Refused("query: nested too deep; ask more simply")
        return "NOT " * denials + self._compared()

    def _compared(self) -> str:
        text = self._summed()
        while True:
            token = self._peek()
            if token.kind == "sign" and token.text in {"=", "<>", "<", ">", "<=", ">=", "=~"}:
                text += f" {self._step().text} {self._summed()}"
            elif token.upper in {"IN", "CONTAINS"}:
                text += f" {self._step().upper} {self._summed()}"
            elif token.upper in {"STARTS", "ENDS"}:
                word = self._step().upper
                self._must("WITH")
                text += f" {word} WITH {self._summed()}"
            elif token.upper == "IS":
                self._step()
                word = "IS NOT NULL" if self._takes("NOT") else "IS NULL"
                self._must("NULL")
                text += f" {word}"
            else:
                return text

    def _summed(self) -> str:
        text = self._single_value()
        while self._peek().kind == "sign" and self._peek().text in {"+", "-", "*", "/", "%", "^"}:
            text += f" {self._step().text} {self._single_value()}"
        return text

    def _single_value(self) -> str:
        text = "-" if self._sign("-") else ""
        text += self._value()
        while True:
            if self._sign("."):
                text += f".{self._any_name()}"
                if self._peek().text == "(" and self._peek().kind == "sign":
                    raise Refused("query: functions of a library or plugin are not taken")
            elif self._sign("["):
                text += f"[{self._expression()}]"
                self._must_sign("]")
            elif self._peek().text == ":" and self._peek(1).kind in {"word", "quoted"}:
                text += self._labels()
            else:
                return text

    def _value(self) -> str:
        token = self._peek()
        if token.kind == "string":
            # The lexer refuses backslashes, so a text holds one kind of quote at most.
            quote = "'" if "'" not in token.text else '"'
            return f"{quote}{self._step().text}{quote}"
        if token.kind in {"number", "parameter"}:
            return self._step().text
        if token.upper in {"TRUE", "FALSE", "NULL"}:
            return self._step().upper
        if token.upper == "CASE":
            return self._cased()
        if token.kind == "sign":
            return self._bracketed()
        if token.upper == "EXISTS" and self._peek(1).text == "{":
            return self._existing()
        if self._peek(1).text == "(" and self._peek(1).kind == "sign" and token.kind == "word":
            return self._called()
        return self._name()

    def _bracketed(self) -> str:
        if self._peek().text == "(":
            return self._pattern_or_group()
        if self._sign("["):
            return f"[{self._until(']', self._expression)}]"
        if self._peek().text == "{":
            return self._properties().strip()
        raise self._misplaced("expected a value")

    def _pattern_or_group(self) -> str:
        """``(a)-[:x]->(b)`` as a condition, or an expression in brackets."""
        # Both begin with a bracket, so a pattern is tried first; without an edge it was a group.
        before = (self._at, self._hops_left)
        try:
            text = self._chain()
            if self._hops_left < before[1]:
                return text
        except Refused:
            pass
        self._at, self._hops_left = before
        self._must_sign("(")
        inner = self._expression()
        self._must_sign(")")
        return f"({inner})"

    def _existing(self) -> str:
        self._step()
        self._must_sign("{")
        self._takes("MATCH")
        text = self._matched()
        if self._takes("WHERE"):
            text += f" WHERE {self._expression()}"
        self._must_sign("}")
        return f"EXISTS {{ MATCH {text} }}"

    def _called(self) -> str:
        name = self._step().text
        function = _BY_FOLDED_NAME.get(name.casefold())
        if function is None:
            raise Refused(f"query: the function {name[:30]!r} is not on the list of those taken")
        self._must_sign("(")
        if function == "count" and self._sign("*"):
            self._must_sign(")")
            return "count(*)"
        text = "DISTINCT " if self._takes("DISTINCT") else ""
        arguments = self._until(")", self._expression)
        return f"{self.dialect.get(function, function)}({text}{arguments})"

    def _cased(self) -> str:
        self._step()
        text = "CASE" if self._peek().upper == "WHEN" else f"CASE {self._expression()}"
        while self._takes("WHEN"):
            text += f" WHEN {self._expression()}"
            self._must("THEN")
            text += f" THEN {self._expression()}"
        if self._takes("ELSE"):
            text += f" ELSE {self._expression()}"
        self._must("END")
        return f"{text} END"
