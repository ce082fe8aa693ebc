"""Wishes that another part of a text turns: a tool that failed, a place where a container runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from retrieval.core import Wish
from retrieval.query.clauses.words import clause_words
from retrieval.query.grammar import words_of
from retrieval.query.mentions import EITHER, Mention, Reading

LONGEST = 4
"""Words of the longest phrase that asks for another tool."""

SHELL = "command line"
"""Value of the wishes that a place of work is read as."""


def with_others(reading: Reading, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The wishes of a text, less places of work, and with what was tried left out, in its order."""
    turned_mentions = _without_other(reading, _without_place(reading, mentions))
    return tuple(sorted(turned_mentions, key=lambda mention: mention.start))


def _without_place(reading: Reading, mentions: Sequence[Mention]) -> Sequence[Mention]:
    """The wishes without the command line that "on our HPC" says where a container runs there.

    A container that nobody names runs there as well: "has to run on the cluster" rules none out.
    """
    places = [m for m in mentions if _is_place(m)]
    others = {v for m in mentions if m not in places for v in m.wish.value.split(EITHER)}
    if "container" in others:
        for m in places:
            words = [n for n, (start, _) in enumerate(reading.spans) if m.start <= start < m.end]
            reading.needless.append((words[0], words[-1] + 1))
        return [m for m in mentions if m not in places]
    if SHELL in others:
        return mentions
    either = f"{SHELL}{EITHER}container"
    return [
        replace(m, wish=replace(m.wish, value=either))
        if m in places and m.wish.strength == "required"
        else m
        for m in mentions
    ]


def _is_place(mention: Mention) -> bool:
    """Whether a wish for a command line names where others run: "on our cluster"."""
    words = words_of(mention.wish.text)
    return mention.wish.value == SHELL and not clause_words().clusters.isdisjoint(words)


def _without_other(reading: Reading, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The wishes, with the one tool that is named left out where another is asked for.

    "Cellpose fails on our bacteria, what else is there?" names what was tried.
    """
    if not _asks_another(reading):
        return tuple(mentions)
    tools = [m for m in mentions if m.wish.kind in ("tool", "host")]
    if len(tools) == 1 and tools[0].wish.strength == "wanted":
        [one] = tools
        if clause_words().place.isdisjoint(words_of(one.wish.text)):
            other = replace(one, wish=replace(one.wish, strength="unwanted"))
            return tuple(other if m is one else m for m in mentions)
    if tools or len(names := dict(_tools_named(reading))) != 1:
        return tuple(mentions)
    [((kind, name), (at, end))] = names.items()
    first, last = reading.spans[at][0], reading.spans[end - 1][1]
    wish = Wish(kind=kind, value=name, text=reading.text[first:last], strength="unwanted")
    return (*mentions, Mention(wish=wish, start=first, end=last))


def _asks_another(reading: Reading) -> bool:
    """Whether a text asks for something else, and not for "something else than" what follows."""
    words, text_words = clause_words(), reading.words
    for at in range(len(text_words)):
        for size in range(min(LONGEST, len(text_words) - at), 0, -1):
            end = at + size
            if text_words[at:end] not in words.otherness:
                continue
            # One word alone has to end what is said: "others", and not "in others".
            is_whole = size > 1 or reading.ends(end)
            is_either = at > 0 and bool(reading.grammar.cue("joints", text_words, at - 1))
            return is_whole and not is_either and not _is_compared(reading, end)
    return False


def _is_compared(reading: Reading, at: int) -> bool:
    """Whether that to which something is another follows; "other ways to count" names none."""
    word = reading.next_word(at)
    if reading.ends(at) or word not in clause_words().compared:
        return False
    return word != "to" or reading.is_name(at + 1)


def _tools_named(reading: Reading) -> Iterator[tuple[tuple[str, str], tuple[int, int]]]:
    """The kind and name of each tool or host in a text, with its place."""
    at = 0
    while at < len(reading.words):
        size = reading.names.longest(reading.words, at)
        name = reading.words[at : at + size]
        host = reading.grammar.name(reading.words, at)
        if (
            host is not None
            and host[1].kind == "host"
            and reading.is_meant(at, len(host[0]), host[1])
        ):
            size = max(size, len(host[0]))
            yield ("host", host[1].value), (at, at + size)
        elif size and not reading.names.is_ordinary(name):
            yield ("tool", reading.names.called(name)), (at, at + size)
        at += max(size, 1)
