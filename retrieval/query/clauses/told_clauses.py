"""The clauses of a text, which of them ask for something, and which tell what was done."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from retrieval.query.grammar import HAN

Concepts = Callable[[str], Collection[str]]
"""The concepts that a text names."""

TASK = "operation:"
"""How a concept begins that is something to do."""


RECENT = 8
"""Texts whose clauses are kept: the wishes and the searched words of a text ask for the same."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of a text between pauses.

    ``asks``: it has a word that asks; ``tells``: it has none, and a verb of the past; ``is_own``:
    it speaks of us or of something of ours; ``is_task``: it names something that is to be done.
    """

    start: int
    end: int
    asks: bool
    tells: bool
    is_own: bool
    is_task: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryWords:
    """The patterns of ``stories.json``, and where a text is cut into clauses."""

    cut: re.Pattern[str]
    asks: re.Pattern[str]
    past: re.Pattern[str]
    done: re.Pattern[str]
    after: re.Pattern[str]
    own: re.Pattern[str]
    ours: re.Pattern[str]
    first_person: re.Pattern[str]
    no_subject: re.Pattern[str]
    parts: re.Pattern[str]
    before_name: re.Pattern[str]
    data_or_choice: re.Pattern[str]
    from_: re.Pattern[str]
    to: re.Pattern[str]
    release: re.Pattern[str]


@cache
def words_of_stories() -> StoryWords:
    """The patterns, read once."""
    table: dict[str, Any] = json.loads(
        files("retrieval.query.clauses").joinpath("stories.json").read_text("utf-8")
    )

    def pattern(text: str) -> re.Pattern[str]:
        return re.compile(text, re.IGNORECASE)

    def worded(name: str) -> str:
        return rf"(?<!\w)(?:{'|'.join(table[name])})(?!\w)"

    past = worded("past verbs")
    for form in ("regular", "irregular"):
        past = past.replace(f"{{{form}}}", table[form])
    return StoryWords(
        cut=pattern(
            rf"[.!?;]+(?:\s+|$)|\n+|\s[-–—]\s|[,:]\s+|[,:](?=[{HAN}])|[，：。；！？]"
            r"|\s(?=(?:but|yet|though|whereas|while|aber|sondern|mais|pero|sino|ma|mas)\s)"
            r"|\s(?=(?:and|so|und|et|y|e)\s(?:(?:i|we|it|they|ich|wir|je|nous)\s)?"
            rf"{worded('asks')})"
            r"|\s(?=(?:i|we|ich|wir|je|nous)\s(?:need|want|would|wish|brauch\w+|möchte\w*|such\w+"
            r"|cherch\w+|voudr\w+|veux|voulons)\b)"
        ),
        asks=pattern(rf"{worded('asks')}|{'|'.join(table['asks in chinese'])}"),
        past=pattern(rf"{past}|{'|'.join(table['past in chinese'])}"),
        done=pattern(worded("done")),
        after=pattern(table["after"]),
        own=pattern(worded("own")),
        ours=pattern(worded("ours")),
        first_person=pattern(worded("first person")),
        no_subject=pattern(table["no subject"]),
        parts=pattern(worded("parts")),
        before_name=pattern(rf"(?<!\w){table['before name']}"),
        data_or_choice=pattern(table["data or choice"]),
        from_=pattern(rf"(?<!\w)(?:{'|'.join(table['from'])})\s+$"),
        to=pattern(rf"\s+(?:{'|'.join(table['to'])})\s+"),
        release=pattern(table["release"]),
    )


@lru_cache(maxsize=RECENT)
def clauses_of(text: str, concepts: Concepts) -> tuple[Clause, ...]:
    """The clauses of a text, in its order."""
    words, clauses, at = words_of_stories(), list[Clause](), 0
    cuts = [(match.start(), match.end()) for match in words.cut.finditer(text)]
    for start, end in (*cuts, (len(text), len(text))):
        part = text[at:start]
        if part.strip():
            asks = bool(words.asks.search(part))
            past = bool(words.past.search(part) or words.done.search(part))
            past = past or bool(words.after.match(part))
            is_task = (asks or not past) and any(c.startswith(TASK) for c in concepts(part))
            is_own = bool(words.own.search(part))
            clauses.append(Clause(at, start, asks, past and not asks, is_own, is_task))
        at = end
    return tuple(clauses)
