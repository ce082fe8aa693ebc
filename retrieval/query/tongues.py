"""Whether a text is in another language than English, by the words of its grammar."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

FEW = 2
"""Different words of one grammar that a text has at least: "de novo" and "en face" have one."""

_WORD = re.compile(r"[^\W\d_]+")

_CHOICE, _ASKED = frozenset("不没"), "吗"
"""Chinese words that deny, and the one that asks."""

NASAL = ("ção", "ções", "ão", "ões", "agem", "agens")
"""Ends of words that Portuguese alone has, of the six languages."""

INFINITIVE = re.compile(r"\w{3}(?:[^e\W]ar|[^a\W]ir)$")
"""Ends of Portuguese infinitives that hardly an English word has."""

ACCENT = re.compile("[áâãàéêíóôõúç]", re.IGNORECASE)
"""Letters of Portuguese; other languages have some of them, so words tell those apart."""


@cache
def _grammars() -> Mapping[str, frozenset[str]]:
    """The words of the grammar of each language, of English those that no other one has.

    "in" is German as well, "i" Italian.
    """
    path = Path(__file__).with_name("function_words.json")
    texts = json.loads(path.read_text("utf-8"))
    return {language: frozenset(text.split()) for language, text in texts.items()}


@cache
def _unread_grammars() -> Mapping[str, frozenset[str]]:
    """The same of languages that are not read, by their English names; their letters are usual.

    Words of the field stand among those of the grammar, which short requests have none of: "longen
    segmenteren".
    """
    texts = json.loads(Path(__file__).with_name("unread_words.json").read_text("utf-8"))
    return {language: frozenset(text.split()) for language, text in texts.items()}


@cache
def _foreign_grammar() -> frozenset[str]:
    return frozenset[str]().union(*(g for language, g in _grammars().items() if language != "en"))


@cache
def grammar_words() -> frozenset[str]:
    """The words of grammar of every language that is read."""
    return _foreign_grammar() | _grammars()["en"]


def is_grammar(words: str) -> bool:
    """Whether words of another language are of its grammar alone, and name nothing."""
    return _foreign_grammar().issuperset(_WORD.findall(words.casefold()))


def is_foreign(text: str) -> bool:
    """Whether FEW words of one grammar are there, and more of them than of the English one.

    Of 32,571 requests that were meant to be English 24 are: each is in another language. So are 115
    of 200 requests in five of these languages, nearly all that are sentences.
    """
    return bool(tongues_of(text))


def may_be_foreign(text: str) -> bool:
    """Whether a word of another grammar is there, and none that English alone has."""
    words = set(_WORD.findall(text.casefold()))
    return not words.isdisjoint(_foreign_grammar()) and words.isdisjoint(_grammars()["en"])


def tongues_of(text: str) -> tuple[str, ...]:
    """The languages of a foreign text, by their codes: those with most words of their grammar.

    Most often one; empty for a text that is not foreign.
    """
    words = set(_WORD.findall(text.casefold()))
    counts = {language: len(words & grammar) for language, grammar in _grammars().items()}
    english, most = counts.pop("en"), max(counts.values())
    if most < max(FEW, english + 1):
        return ()
    return tuple(language for language, count in counts.items() if count == most)


def unread_tongue(text: str) -> str:
    """The English name of the language of a text that is not read; empty where it may be read.

    FEW different words of its grammar are there, and more of them than of any that is read.
    """
    words = set(_WORD.findall(text.casefold()))
    unread = {language: len(words & grammar) for language, grammar in _unread_grammars().items()}
    language = max(unread, key=lambda name: unread[name])
    most_read = max(len(words & grammar) for grammar in _grammars().values())
    return language if unread[language] >= max(FEW, most_read + 1) else ""


def without_choices(words: tuple[str, ...]) -> tuple[str, ...]:
    """Words of Chinese, one a character, in which a question denies nothing.

    "有没有" (is there) and "能不能" (can it) say a verb, deny it and so ask for it: what denies
    becomes the word that asks.
    """
    return tuple(
        _ASKED if w in _CHOICE and words[n - 1 : n] == words[n + 1 : n + 2] != () else w
        for n, w in enumerate(words)
    )
