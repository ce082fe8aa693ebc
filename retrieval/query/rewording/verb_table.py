"""Verbs and nouns of operations: the file beside the concepts that says which mean the same."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from retrieval.catalog import stems_of

IMAGE = "image"
"""Object of a verb that is done to what any word for images names."""

DIRECT = "direct "
"""Before an object that counts only where it is the direct one: "label images", not "in images"."""

Stems = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """An operation with its usual words, and what it is done to.

    ``like`` are the verbs of its kind. ``objects`` are kinds of concepts, concepts, plain words
    or IMAGE, with DIRECT before those that the direct object must name.
    """

    operation: str
    verb: str
    gerund: str
    noun: str | None
    like: frozenset[str]
    objects: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verbs:
    """What a verb or noun may stand for, by the stems of its words, the likeliest first.

    ``leads`` may stand before the verb of a request: after any other word it may be a noun.
    ``images`` are words for objects that are images, whatever they show; ``software`` are words
    for what is looked for: "find a tool" detects nothing.
    """

    verbs: Mapping[Stems, Sequence[Verb]]
    nouns: Mapping[Stems, Sequence[Verb]]
    leads: frozenset[str]
    images: frozenset[str]
    software: frozenset[str]


def read_verbs(path: Path) -> Verbs:
    """The verbs of a file beside the concepts."""
    data = json.loads(path.read_text("utf-8"))
    verbs: defaultdict[Stems, list[Verb]] = defaultdict(list)
    nouns: defaultdict[Stems, list[Verb]] = defaultdict(list)
    for entry in data["operations"]:
        verb = _verb(entry)
        for like in dict.fromkeys((*entry["like"], entry["verb"])):
            verbs[stems_of(like)].append(verb)
        for name in entry.get("names", ()):
            nouns[stems_of(name)].append(verb)
    words = {name: frozenset(data[name]) for name in ("leads", "images", "software")}
    return Verbs(verbs=verbs, nouns=nouns, **words)


def _verb(entry: Mapping[str, Any]) -> Verb:
    return Verb(
        operation=entry["operation"],
        verb=entry["verb"],
        gerund=entry["gerund"],
        noun=entry.get("noun"),
        like=frozenset(entry["like"]),
        objects=frozenset(entry["of"]),
    )
