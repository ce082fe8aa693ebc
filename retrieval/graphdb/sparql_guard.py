"""SPARQL that only reads: words from an allow-list, no service, no other source, bounded rows."""

from __future__ import annotations

import re
from itertools import pairwise

from retrieval.graph import Refused
from retrieval.graphdb.cypher_guard import Bounds
from retrieval.graphdb.lexer import pieces_of

_WORDS = """
SELECT ASK DISTINCT REDUCED WHERE FILTER OPTIONAL UNION MINUS BIND AS VALUES UNDEF ORDER BY ASC DESC
GROUP HAVING LIMIT OFFSET PREFIX NOT EXISTS IN A TRUE FALSE SEPARATOR COUNT SUM MIN MAX AVG SAMPLE
GROUP_CONCAT STR LANG LANGMATCHES DATATYPE BOUND ABS CEIL FLOOR ROUND CONCAT STRLEN UCASE LCASE
ENCODE_FOR_URI CONTAINS STRSTARTS STRENDS STRBEFORE STRAFTER YEAR MONTH DAY COALESCE IF SAMETERM
ISIRI ISURI ISBLANK ISLITERAL ISNUMERIC REGEX SUBSTR
"""
ALLOWED = frozenset(_WORDS.split())
"""Bare words of a reading query; not FROM, SERVICE, GRAPH, LOAD, nor any of update."""

_IRI = r"<(?:[A-Za-z][A-Za-z0-9+.-]*:)?[A-Za-z0-9._~:/#@!$&'*+,;=%-]*>"
_TOKEN = re.compile(
    rf"""
    (?P<space>[ \t\r\n]+)
  | (?P<string>'[^'\\\r\n]*'|"[^"\\\r\n]*")
  | (?P<iri>{_IRI})
  | (?P<variable>[?$][A-Za-z_][A-Za-z0-9_]*)
  | (?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)
  | (?P<prefixed>(?:[A-Za-z][A-Za-z0-9_-]*)?:(?:[A-Za-z0-9_](?:[A-Za-z0-9_.%-]*[A-Za-z0-9_%-])?)?)
  | (?P<blank>_:[A-Za-z0-9]+)
  | (?P<tag>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
  | (?P<word>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<sign>\|\||&&|\^\^|!=|<=|>=|[(){{}}\[\].,;=<>!+*/|^?-])
    """,
    re.VERBOSE,
)
Piece = tuple[str, str]


_STARTS = frozenset({"PREFIX", "BASE", "SELECT", "ASK", "CONSTRUCT", "DESCRIBE"})
"""First words of SPARQL; no query in Cypher begins with one."""


def is_sparql(query: str) -> bool:
    """Whether a text begins as SPARQL does and not as Cypher."""
    word = re.match(r"\s*([A-Za-z]+)\b", query)
    return word is not None and word[1].upper() in _STARTS


def sparql_refusal(query: str) -> str:
    """Why a query may not run; empty where it may. The query is only parsed."""
    try:
        reading_sparql(query)
    except Refused as exc:
        return str(exc)
    return ""


def reading_sparql(query: str, bounds: Bounds | None = None) -> str:
    """The query as it may run, its rows bounded. Raises Refused for anything but reading.

    Words come from an allow-list; property paths of any length, calls of IRIs, and more than
    4 * ``bounds.patterns`` triples are refused. A LIMIT is added or lowered to ``bounds.rows``.
    """
    limits = bounds or Bounds()
    pieces = list(pieces_of(query, _TOKEN, ("#",)))
    if not pieces:
        raise Refused("query: there is nothing to run; write SELECT ... WHERE { ... }")
    for at, (kind, text) in enumerate(pieces):
        if kind == "word" and text.upper() not in ALLOWED:
            raise Refused(f"query: {text[:30]!r} is not taken; only SELECT and ASK that read are")
        called = at + 1 < len(pieces) and pieces[at + 1][1] == "("
        if kind == "iri" and called:
            raise Refused("query: functions of a library or service are not taken")
    _check_paths(pieces)
    start = [text.upper() for kind, text in pieces if kind == "word" and text.upper() != "PREFIX"]
    if not start or start[0] not in {"SELECT", "ASK"}:
        raise Refused("query: only SELECT and ASK are taken")
    most = limits.patterns * 4
    if sum(text in {".", ";"} for kind, text in pieces if kind == "sign") > most:
        raise Refused(f"query: more than {most} patterns; ask for less at once")
    return _bounded(pieces, limits.rows)


def _check_paths(pieces: list[Piece]) -> None:
    """A path of any length (``ex:p*``, ``ex:p+``) has no bound on its hops."""
    for (kind, text), (_, sign) in pairwise(pieces):
        if sign in {"*", "+"} and (kind in {"iri", "prefixed"} or text == "a"):
            raise Refused("query: a path of any length is not taken; write out its steps")
    for at, (_, text) in enumerate(pieces[:-1]):
        if text == ")" and pieces[at + 1][1] in {"*", "+"} and _group_of_path(pieces, at):
            raise Refused("query: a path of any length is not taken; write out its steps")


def _group_of_path(pieces: list[Piece], close: int) -> bool:
    """Whether a bracket that closes holds a path, which has no variable and no number in it."""
    depth = 0
    for at in range(close, -1, -1):
        depth += (pieces[at][1] == ")") - (pieces[at][1] == "(")
        if depth == 0:
            inner = pieces[at + 1 : close]
            return all(kind not in {"variable", "number", "string"} for kind, _ in inner)
    return True


def _bounded(pieces: list[Piece], rows: int) -> str:
    """The query rewritten with a LIMIT of at most ``rows`` outside all brackets."""
    depth, limited = 0, False
    texts = [text for _, text in pieces]
    for at, text in enumerate(texts):
        depth += text.count("{") - text.count("}") if pieces[at][0] == "sign" else 0
        if text.upper() == "LIMIT" and pieces[at][0] == "word" and at + 1 < len(texts):
            if not texts[at + 1].isdigit():
                raise Refused("query: LIMIT takes a whole number")
            # Nine digits exceed any limit on rows; further ones need no parsing.
            texts[at + 1] = str(min(int(texts[at + 1][:9]), rows))
            limited = limited or depth == 0
    first = next(
        text.upper() for kind, text in pieces if kind == "word" and text.upper() != "PREFIX"
    )
    if not limited and first == "SELECT":
        texts += ["LIMIT", str(rows)]
    return " ".join(texts)
