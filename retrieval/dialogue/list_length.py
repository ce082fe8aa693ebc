"""Remarks on the length of the list: "only the first three", "show 30 tools", "nur die besten 5".

Such a remark is a number with words of counting and nothing else; any other word makes it a
remark about something else ("three channels").
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from retrieval.dialogue.rules import table_of, words_of

MOST_TOOLS, DEFAULT_TOOLS = 50, 15


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthWords:
    """Words of remarks on the length: those that carry the sense, and those beside them.

    ``patterns`` match whole remarks in writing without blanks; their group is the number.
    """

    numbers: Mapping[str, int]
    limits: frozenset[str]
    ranks: frozenset[str]
    things: frozenset[str]
    more: frozenset[str]
    beside: frozenset[str]
    ignored: re.Pattern[str]
    patterns: tuple[re.Pattern[str], ...]


@cache
def length_words() -> LengthWords:
    """The words of remarks on the length, read once."""
    table = table_of("list_length")
    numbers = {word: n for n, words in table["numbers"].items() for word in words.split()}
    # Longer numbers first, so that the one of two signs is not read by its first sign.
    any_number = "|".join(sorted(map(re.escape, numbers), key=len, reverse=True))
    written = [p.replace("<number>", rf"([0-9]{{1,3}}|{any_number})") for p in table["patterns"]]
    phrases = "|".join(map(re.escape, table["ignored phrases"]))
    return LengthWords(
        numbers={word: int(n) for word, n in numbers.items()},
        **{name: frozenset(table[name].split()) for name in ("limits", "ranks", "things", "more")},
        beside=frozenset(table["beside"].split()),
        ignored=re.compile(rf"\b(?:{phrases})\b"),
        patterns=tuple(re.compile(one) for one in written),
    )


def length_in(remark: str, length: int | None) -> int | None:
    """The length of the list that a whole remark names, within bounds; None for any other remark.

    ``length`` is that of the list now, to which "five more" adds.
    """
    number = _number(remark, length or DEFAULT_TOOLS)
    return None if number is None else max(1, min(MOST_TOOLS, number))


def tools_in_words(number: int) -> str:
    """A number of tools in words: "1 tool", "3 tools"."""
    return f"{number} {'tool' if number == 1 else 'tools'}"


def _number(remark: str, length: int) -> int | None:
    table, folded = length_words(), remark.casefold().strip(" \t\n.!?,;:。！？、")
    for pattern in table.patterns:
        if match := pattern.fullmatch(folded):
            return _value(next(filter(None, match.groups())))
    words = words_of(table.ignored.sub(" ", folded))
    limits = len(table.ignored.findall(folded)) + len(table.limits.intersection(words))
    numbers = [_value(word) for word in words if _value(word) is not None]
    ranks = table.ranks.intersection(words)
    known = table.limits | table.ranks | table.things | table.more | table.beside
    if not all(word in known or _value(word) is not None for word in words):
        return None
    if not numbers and limits and ranks and not table.more.intersection(words):
        return 1
    senses = limits or ranks or table.things.intersection(words) or table.more.intersection(words)
    # "The first one" is a tool; "only the first one" is a list.
    if len(numbers) != 1 or not senses or numbers[0] is None or (numbers[0] == 1 and not limits):
        return None
    return numbers[0] + (length if table.more.intersection(words) else 0)


def _value(word: str) -> int | None:
    """The number that a word writes, in digits or in words."""
    return int(word) if word.isascii() and word.isdigit() else length_words().numbers.get(word)
