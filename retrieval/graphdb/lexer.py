"""Queries as tokens; whatever has no place in a plain reading query is refused here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from retrieval.graph import Refused

MAX_QUERY = 4000
"""Characters of one query."""

TokenKind = Literal["word", "quoted", "string", "number", "parameter", "sign", "end"]

_CYPHER = re.compile(
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
    """The tokens of a Cypher query, without white space and without END.

    Raises Refused for comments, escapes, letters outside ASCII that are not in quotes, and more
    than MAX_QUERY characters.
    """
    return [
        Token(kind=kind, text=text[1:-1] if kind in {"string", "quoted"} else text)  # type: ignore[arg-type]
        for kind, text in pieces_of(query, _CYPHER, ("//", "/*"))
    ]


def pieces_of(
    query: str, pattern: re.Pattern[str], comments: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Group name and text of each match of ``pattern`` in a row; ``space`` is left out.

    Raises Refused for anything between matches, and for comments and escapes: these could hide
    words from a guard that a store would read.
    """
    if len(query) > MAX_QUERY:
        raise Refused(f"query: longer than {MAX_QUERY} characters; ask for less at once")
    at = 0
    while at < len(query):
        match = pattern.match(query, at)
        is_comment = query.startswith(tuple(comments), at)
        if match is None or is_comment:
            reason = "comments are not taken; leave them out" if is_comment else _why(query[at])
            raise Refused(f"query: {reason}")
        at = match.end()
        if match.lastgroup != "space":
            yield str(match.lastgroup), match.group()


def _why(sign: str) -> str:
    if sign in "'\"`":
        return "a quoted text is not closed, or holds a backslash; write it without escapes"
    if sign == "\\":
        return "escapes are not taken; write the letters themselves"
    if not sign.isascii():
        return "letters outside ASCII may stand only inside quotes"
    return f"the sign {sign!r} has no place in a reading query"
