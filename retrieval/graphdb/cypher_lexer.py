"""Cypher as tokens; whatever has no place in a plain reading query is refused here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from retrieval.graph import Refused

MAX_QUERY = 4000
"""Characters of one query."""

TokenKind = Literal["word", "quoted", "string", "number", "parameter", "sign", "end"]

_TOKEN = re.compile(
    r"""
    (?P<space>[ \t\r\n]+)
  | (?P<string>'[^'\\]*'|"[^"\\]*")
  | (?P<quoted>`[^`\\]+`)
  | (?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)
  | (?P<parameter>\$[A-Za-z_][A-Za-z0-9_]*)
  | (?P<word>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<sign><>|<=|>=|=~|\.\.|[()\[\]{},.:|=<>+*/%^&!;-])
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A piece of a query; ``text`` of a string or a quoted name is without its quotes."""

    kind: TokenKind
    text: str

    @property
    def upper(self) -> str:
        """The text in capitals, empty for anything but a bare word."""
        return self.text.upper() if self.kind == "word" else ""


END = Token(kind="end", text="")


def tokens_of(query: str) -> list[Token]:
    """The tokens of a query. Raises Refused for comments, escapes and foreign letters.

    Comments and escapes could hide words from the parser that a store would read.
    """
    if len(query) > MAX_QUERY:
        raise Refused(f"query: longer than {MAX_QUERY} characters; ask for less at once")
    tokens: list[Token] = []
    at = 0
    while at < len(query):
        match = _TOKEN.match(query, at)
        if match is None or query[at : at + 2] in {"//", "/*"}:
            raise Refused(f"query: {_why(query, at)}")
        at = match.end()
        kind = match.lastgroup
        if kind != "space":
            text = match.group()
            text = text[1:-1] if kind in {"string", "quoted"} else text
            tokens.append(Token(kind=kind, text=text))  # type: ignore[arg-type]
    return tokens


def _why(query: str, at: int) -> str:
    sign = query[at]
    if query[at : at + 2] in {"//", "/*"}:
        return "comments are not taken; leave them out"
    if sign in "'\"`":
        return "a quoted text is not closed, or holds a backslash; write it without escapes"
    if sign == "\\":
        return "escapes are not taken; write the letters themselves"
    if not sign.isascii():
        return "letters outside ASCII may stand only inside quotes"
    return f"the sign {sign!r} has no place in a reading query"
