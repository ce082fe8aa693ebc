"""Typed text with control tags to a Query, once, and the tools that it may return."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace

from retrieval.catalog import dimension_of, format_of, modality_of
from retrieval.core import (
    EVERYTHING,
    BadInput,
    Dimension,
    Filters,
    Format,
    Modality,
    Query,
    ScanInfo,
    Selection,
    Tool,
    format_token,
)
from retrieval.query.filter_table import FilterTable, folded_name
from retrieval.query.require import parse_required, parse_wanted

MAX_TEXT = 250_000
"""Characters a query may have before its tags are taken out: all of them are looked through for
tags, so that a longer text costs every visitor time. The names of a whole catalog have 20,000."""

SEARCHED_TEXT = 5_000
"""Characters of clean text that are searched with; the rest is cut."""

MAX_TOP_K = 50
"""The longest list a search may ask for."""

MOST_EXCLUDED, LONGEST_NAME = 2_000, 300
"""Exclusions of a query, and characters of a name; a saved answer holds as many."""

_TAG = re.compile(
    r"\[\s{0,8}(?:(?P<exclude>EXCLUDE)\s{0,8}:(?P<names>[^\[\]]*)"
    r"|REQUIRE\s{0,8}:(?P<require>[^\[\]]*)|WISH\s{0,8}:(?P<wish>[^\[\]]*)"
    r"|(?P<no_rerank>NO_RERANK)|(?P<refine>REFINE))\s{0,8}\]",
    re.IGNORECASE,
)
_TASK = re.compile(r"task:[a-z][a-z0-9_-]{1,40}")
_NESTING = 8
_LINE = re.compile(r"^[ \t]*OriginalFormats?[ \t]*:(?P<formats>[^\r\n]{0,200})$", re.I | re.M)
_WORD = re.compile(r"(?<!\S)format:(?P<code>[\w.+-]{1,40})(?=[\s,;]|$)", re.I)


def parse_query(
    raw: str,
    *,
    scans: Sequence[ScanInfo] = (),
    tokens: Iterable[str] = (),
    muted_tokens: Iterable[str] = (),
    excluded: Iterable[str] = (),
    rerank: bool = True,
    refine: bool = False,
    filters: Filters | None = None,
    off: Iterable[str] = (),
    top_k: int | None = None,
    liked: Iterable[str] = (),
    disliked: Iterable[str] = (),
    required: Iterable[str] = (),
    wanted: Iterable[str] = (),
) -> Query:
    """The query of a text and the toggles beside it; a toggle sets what its tag would set.

    Tags are ``[EXCLUDE:a|b]``, ``[REQUIRE:kind=value|kind=value]``, ``[WISH:kind=value]``,
    ``[NO_RERANK]`` and ``[REFINE]`` in any place, case and number; ``required`` and ``wanted``
    are such pairs as well. Other bracketed text stays text. Raises BadInput for text over
    MAX_TEXT characters, a token outside the closed vocabularies, a requirement outside the
    grammar, exclusions beyond MOST_EXCLUDED and LONGEST_NAME, and a top_k outside 1 to MAX_TOP_K.
    Tokens that stand in the text (``format:CT``)
    count as tokens, and a kind of image among them is that of the scans that do not state theirs.
    """
    if len(raw) > MAX_TEXT:
        raise BadInput(f"The text has {len(raw):,} characters; shorten it to {MAX_TEXT:,} or less.")
    if top_k is not None and not 1 <= top_k <= MAX_TOP_K:
        raise BadInput(f"top_k: {top_k} tools were asked for; choose from 1 to {MAX_TOP_K}.")
    rest, tokens_in_text = written_tokens(raw)
    stated = tuple(dict.fromkeys((*tokens_in_text, *(_token(t) for t in tokens))))
    text, names, pairs, wishes, tags = _without_tags(_readable(rest))
    return Query(
        raw=raw,
        text=" ".join(text.split())[:SEARCHED_TEXT],
        scans=_with_kind(tuple(scans), stated),
        tokens=stated,
        muted_tokens=frozenset(muted_tokens),
        excluded=_excluded((*names, *map(str.strip, excluded))),
        rerank=rerank and "no_rerank" not in tags,
        refine=refine or "refine" in tags,
        filters=filters or Filters(),
        off=frozenset(off),
        top_k=top_k,
        liked=tuple(dict.fromkeys(liked)),
        disliked=tuple(dict.fromkeys(disliked)),
        wishes=(*parse_required((*pairs, *required)), *parse_wanted((*wishes, *wanted))),
    )


def cut_note(raw: str) -> str:
    """The note on a text of which only the beginning is searched; empty for a shorter one."""
    if len(raw) <= SEARCHED_TEXT or len(clean_text(raw)) <= SEARCHED_TEXT:
        return ""
    return f"The text is longer than what is searched with: its first {SEARCHED_TEXT:,} characters."


def clean_text(raw: str) -> str:
    """The text as typed less its tags and tokens, with single blanks; of any length."""
    return " ".join(_without_tags(_readable(written_tokens(raw)[0]))[0].split())


def _excluded(names: Iterable[str]) -> tuple[str, ...]:
    """The names that leave something out, once each; a saved answer holds as many and as long."""
    excluded = tuple(dict.fromkeys(name for name in names if name))
    if len(excluded) > MOST_EXCLUDED:
        raise BadInput(f"exclude: {len(excluded):,} names; give {MOST_EXCLUDED:,} or fewer")
    longest = max(map(len, excluded), default=0)
    if longest > LONGEST_NAME:
        raise BadInput(f"exclude: a name has {longest:,} characters; give {LONGEST_NAME} or fewer")
    return excluded


def _with_kind(scans: tuple[ScanInfo, ...], tokens: Sequence[str]) -> tuple[ScanInfo, ...]:
    """The scans, of the one kind of image that a token and no scan states where they state none."""
    if all(scan.modality for scan in scans):
        return scans
    own = {token for scan in scans for token in scan.tokens}
    kinds = [m for m in Modality if format_token(m) in tokens and format_token(m) not in own]
    if len(kinds) != 1:
        return scans
    return tuple(replace(scan, modality=scan.modality or kinds[0]) for scan in scans)


def written_tokens(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without such facts, and their tokens in order, once each.

    What names no format, modality or dimension this app knows stays in the text.
    """
    tokens: list[str] = []

    def line(match: re.Match[str]) -> str:
        formats = [format_of(word) for word in re.split(r"[\s,;]+", match["formats"]) if word]
        if not formats or None in formats:
            return match.group()
        tokens.extend(format_token(code) for code in formats if code)
        return ""

    def word(match: re.Match[str]) -> str:
        spelled = match["code"].replace("_", " ")
        code = format_of(spelled) or modality_of(spelled) or dimension_of(spelled)
        if code is None:
            return match.group()
        tokens.append(format_token(code))
        return ""

    rest = _WORD.sub(word, _LINE.sub(line, text))
    return rest if tokens else text, tuple(dict.fromkeys(tokens))


def _readable(raw: str) -> str:
    """The text without lone surrogates and control characters, in composed form."""
    valid = raw.encode("utf-8", "ignore").decode("utf-8")
    printable = "".join(" " if unicodedata.category(c) in {"Cc", "Cs"} else c for c in valid)
    return unicodedata.normalize("NFC", printable)


def _without_tags(text: str) -> tuple[str, list[str], list[str], list[str], set[str]]:
    names: list[str] = []
    pairs: list[str] = []
    wishes: list[str] = []
    tags: set[str] = set()

    def take(match: re.Match[str]) -> str:
        if match["exclude"]:
            names.extend(name.strip() for name in match["names"].split("|"))
        if match["require"]:
            pairs.extend(pair for pair in match["require"].split("|") if pair.strip())
        if match["wish"]:
            wishes.extend(pair for pair in match["wish"].split("|") if pair.strip())
        tags.update(key for key in ("no_rerank", "refine") if match[key])
        return " "

    # A tag round another shows once the inner one is gone; the limit bounds hostile nesting.
    for _ in range(_NESTING):
        text, count = _TAG.subn(take, text)
        if not count:
            break
    return text, names, pairs, wishes, tags


def tags_in(text: str) -> str:
    """The control tags of a text as they are typed, one blank between them."""
    return " ".join(match.group() for match in _TAG.finditer(text))


def without_tag(text: str, kind: str, name: str = "") -> str:
    """The text without its tags of a kind: ``no_rerank``, ``refine`` or ``exclude``.

    Of exclusions only ``name`` is taken out where one is given, in any case.
    """

    def rest(match: re.Match[str]) -> str:
        if not match[kind]:
            return match.group()
        names = [n.strip() for n in match["names"].split("|")] if kind == "exclude" and name else []
        remaining_names = [n for n in names if n and folded_name(n) != folded_name(name)]
        return f"[EXCLUDE:{'|'.join(remaining_names)}]" if remaining_names else ""

    return " ".join(_TAG.sub(rest, text).split()) if tags_in(text) else text


def _token(typed: str) -> str:
    """A token in the spelling of the closed vocabularies; ``task:`` ones come from file roles."""
    if _TASK.fullmatch(typed.strip()):
        return typed.strip()
    code = typed.strip().removeprefix("format:").replace("_", " ")
    member: Format | Modality | Dimension | None
    member = format_of(code) or modality_of(code) or dimension_of(code)
    if member is None:
        raise BadInput(
            f"tokens: {typed[:40]!r} is no format, modality or dimension this app knows; "
            "write for example format:DICOM, format:CT or format:3D."
        )
    return format_token(member)


def select(
    tools: Iterable[Tool],
    query: Query,
    left_out: Iterable[str] = (),
    table: FilterTable | None = None,
) -> Selection:
    """The selection of a query's filters and exclusions (ids or names, folded).

    ``left_out`` are names that the text leaves out; one may be that of a suite. ``table`` is one
    of the same tools; without it every tool is asked.
    """
    suites = {folded_name(name) for name in left_out}
    if not query.excluded and not suites and query.filters == Filters():
        return EVERYTHING
    names = {*suites, *map(folded_name, query.excluded)}
    if table is not None:
        keep = None if query.filters == Filters() else table.admitted(query.filters)
        return Selection(keep=keep, drop=table.excluded(names, suites))
    catalog = tuple(tools)
    drop = (
        t.id
        for t in (catalog if names else ())
        # One look-up after another: a set per tool would take three times as long.
        if folded_name(t.id) in names
        or folded_name(t.name) in names
        or (suites and folded_name(t.suite or "") in suites)
    )
    if query.filters == Filters():
        return Selection(drop=frozenset(drop))
    admitted = frozenset(t.id for t in catalog if query.filters.admits(t))
    return Selection(keep=admitted, drop=frozenset(drop))
