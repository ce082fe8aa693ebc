"""Parser primitives over tokens, names, and the patterns of MATCH."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from retrieval.graph import Refused
from retrieval.graphdb.lexer import END, Token

_RESERVED = """
ADD ALL ALTER AND AS ASC ATTACH BEGIN BY CALL CASE CHECKPOINT COMMENT COMMIT CONSTRAINT CONTAINS
COPY CREATE CYPHER DELETE DESC DETACH DISTINCT DROP ELSE END ENDS EXISTS EXPLAIN EXPORT
EXTENSION FALSE FINISH FOREACH FROM GRANT IMPORT IN INDEX INSERT INSTALL INTO IS LIMIT LOAD
MATCH MERGE NOT NULL ON OPTIONAL OR ORDER PROFILE REMOVE RENAME RETURN REVOKE ROLLBACK SET SHOW
SKIP START STARTS TERMINATE THEN TO TRANSACTIONS TRUE UNINSTALL UNION UNWIND USE USING WHEN
WHERE WITH XOR YIELD
"""
RESERVED = frozenset(_RESERVED.split())
"""Words that are names only in quotes or after a dot or a colon."""


MAX_TRIES = 300
"""Most brackets that are tried both as a pattern and as a group, which bounds backtracking."""


class Patterns(ABC):
    """A cursor over tokens; every edge of a pattern counts against the hops."""

    def __init__(self, tokens: Sequence[Token], hops: int, patterns: int) -> None:
        self._tokens, self._at = tokens, 0
        self._hops_left, self._most_hops = hops, hops
        self._patterns_left, self._most_patterns = patterns, patterns
        self._tries = 0

    @abstractmethod
    def _expression(self) -> str:
        """The text of one expression."""

    def _peek(self, ahead: int = 0) -> Token:
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else END

    def _step(self) -> Token:
        token = self._peek()
        self._at += 1
        return token

    def _takes(self, word: str) -> bool:
        if self._peek().upper != word:
            return False
        self._at += 1
        return True

    def _sign(self, text: str) -> bool:
        token = self._peek()
        if token.kind != "sign" or token.text != text:
            return False
        self._at += 1
        return True

    def _must(self, word: str) -> None:
        if not self._takes(word):
            raise self._misplaced(f"expected {word}")

    def _must_sign(self, text: str) -> None:
        if not self._sign(text):
            raise self._misplaced(f"expected {text!r}")

    def _until(self, end: str, part: Callable[[], str]) -> str:
        """Parts with commas between, up to a sign that is taken too."""
        parts: list[str] = []
        while not self._sign(end):
            if parts:
                self._must_sign(",")
            parts.append(part())
        return ", ".join(parts)

    def _misplaced(self, expectation: str) -> Refused:
        here = self._peek().text[:30] or "the end"
        return Refused(f"query: {here!r} has no place there; {expectation}")

    def _name(self) -> str:
        """A variable; a reserved word is none."""
        token = self._peek()
        if token.kind == "quoted" or (token.kind == "word" and token.upper not in RESERVED):
            self._step()
            return f"`{token.text}`"
        raise self._misplaced("expected a name")

    def _any_name(self) -> str:
        """A property, label or type: behind a dot or a colon every word is a name."""
        if self._peek().kind in {"word", "quoted"}:
            return f"`{self._step().text}`"
        raise self._misplaced("expected a name")

    def _whole_number(self) -> int:
        token = self._step()
        if token.kind != "number" or not token.text.isdigit() or len(token.text) > 9:
            raise Refused("query: SKIP, LIMIT and hops take whole numbers")
        return int(token.text)

    def _matched(self) -> str:
        parts = [self._path()]
        while self._sign(","):
            parts.append(self._path())
        return ", ".join(parts)

    def _path(self) -> str:
        self._patterns_left -= 1
        if self._patterns_left < 0:
            raise Refused(f"query: more than {self._most_patterns} patterns; ask for less at once")
        path_prefix = ""
        if self._peek(1).text == "=" and self._peek(1).kind == "sign":
            path_prefix = f"{self._name()} = "
            self._must_sign("=")
        return path_prefix + self._chain()

    def _chain(self) -> str:
        self._tries += 1
        if self._tries > MAX_TRIES:
            raise Refused("query: too many brackets; ask more simply")
        text = self._node()
        while self._peek().kind == "sign" and self._peek().text in {"-", "<"}:
            text += self._edge() + self._node()
        return text

    def _node(self) -> str:
        self._must_sign("(")
        text = "" if self._peek().kind == "sign" else self._name()
        text += self._labels()
        text += self._properties()
        self._must_sign(")")
        return f"({text})"

    def _labels(self) -> str:
        text = ""
        while self._sign(":"):
            text += f":{self._any_name()}"
            while self._sign("|"):
                self._sign(":")
                text += f"|{self._any_name()}"
        return text

    def _properties(self) -> str:
        if not self._sign("{"):
            return ""
        return f" {{{self._until('}', self._property)}}}"

    def _property(self) -> str:
        key = self._any_name()
        self._must_sign(":")
        return f"{key}: {self._expression()}"

    def _edge(self) -> str:
        start = "<-" if self._sign("<") else "-"
        self._must_sign("-")
        inner = self._edge_body() if self._sign("[") else ""
        hops = 1 if "*" not in inner else 0
        self._spend(hops)
        self._must_sign("-")
        end = "->" if self._sign(">") else "-"
        return f"{start}{inner}{end}"

    def _edge_body(self) -> str:
        text = "" if self._peek().kind == "sign" else self._name()
        text += self._labels()
        if self._sign("*"):
            text += self._repeated()
        text += self._properties()
        self._must_sign("]")
        return f"[{text}]"

    def _repeated(self) -> str:
        """``*1..3``; refused without an upper bound."""
        kind = next((w for w in ("SHORTEST", "TRAIL", "ACYCLIC") if self._takes(w)), "")
        kind = f" {kind} " if kind else ""
        has_number = self._peek().kind == "number"
        low = self._whole_number() if has_number else 1
        if has_number and not self._sign(".."):
            self._spend(low)
            return f"*{kind}{low}..{low}"
        if not has_number:
            self._sign("..")
        if self._peek().kind != "number":
            raise Refused("query: a path of any length is not taken; give it an end, such as *1..3")
        high = self._whole_number()
        self._spend(max(low, high))
        return f"*{kind}{low}..{high}"

    def _spend(self, hops: int) -> None:
        self._hops_left -= hops
        if self._hops_left < 0:
            raise Refused(f"query: more than {self._most_hops} hops in all; ask for shorter paths")
