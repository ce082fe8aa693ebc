"""A question that names nothing: "what can I do with this?" asks what an empty text asks.

It is made of words of grammar and of light words alone (``open_words.json``), in any language that
is read; what names the kind of data that a file beside it has ("with my CT scan") adds nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from retrieval.catalog import FUNCTION_WORDS, Mention, kind_of
from retrieval.query.tongues import grammar_words

_WORD = re.compile(r"[^\W\d_]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")

DATA = frozenset({"modality", "format"})
"""Kinds of concepts that a file states itself."""

GENERAL = frozenset({"data:image", "operation:image processing", "domain:radiology"})
"""Concepts that are said of every file."""

MOST_WORDS = 20
"""Words of an open question at most: a longer text tells something."""


def asks_openly(text: str, mentions: Sequence[Mention] = ()) -> bool:
    """Whether a text names nothing that could be looked for, beside the kind of its data.

    ``mentions`` are the concepts of the text.
    """
    if any(kind_of(m.concept) not in DATA and not _is_light(text, m) for m in mentions):
        return False
    letters = list(text)
    for mention in mentions:
        letters[mention.start : mention.end] = " " * (mention.end - mention.start)
    rest = "".join(letters)
    words = [word for part in _UNSPACED.split(rest) for word in _WORD.findall(part.casefold())]
    runs = _UNSPACED.findall(rest)
    if not words and not runs:
        return bool(mentions) and rest != text
    if len(words) > MOST_WORDS or any(not _is_open_run(run) for run in runs):
        return False
    return _open_words().issuperset(words)


def _is_light(text: str, mention: Mention) -> bool:
    words = _WORD.findall(text[mention.start : mention.end].casefold())
    return mention.concept in GENERAL or _open_words().issuperset(words)


def _is_open_run(run: str) -> bool:
    for characters in _open_characters():
        run = run.replace(characters, "")
    return not run


@cache
def _open_words() -> frozenset[str]:
    listed = " ".join(_table()["words"]).split()
    return grammar_words().union(listed, *FUNCTION_WORDS.values())


@cache
def _open_characters() -> tuple[str, ...]:
    """Words of writing without spaces, longest first."""
    return tuple(sorted(_table()["characters"], key=lambda one: (-len(one), one)))


@cache
def _table() -> dict[str, list[str]]:
    path = files("retrieval.query.questions").joinpath("open_words.json")
    table: dict[str, list[str]] = json.loads(path.read_text("utf-8"))
    return table
