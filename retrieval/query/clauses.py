"""Wishes of clauses that speak of software in other words than a phrase of the grammar.

"So buttons please" and "the doctors refuse anything that looks like DOS" name a thing of software
in a clause that says nothing of images: all its other words are light ones, of people, of what
they want or allow, and of their computers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from retrieval.core import Wish
from retrieval.query.clause_words import clause_words
from retrieval.query.grammar import Phrase, Strength, Words, words_of
from retrieval.query.mentions import Mention, Reading

STRANGE = 1
"""Words of a clause that may be of any kind: with two, it may well speak of the images."""

LONGEST = 3
"""Words of the longest noun of software."""

GAP = chr(0xE000)
"""Stands in a text where a wish stood; a character that nobody types."""

ACTS = frozenset({"read", "show", "see", "look", "open", "load", "check", "call", "run"})
"""Light words that say what to do where no other does."""

_PAUSES = re.compile(r"(\s*[,.;:!?]+\s+|\s[-–—]\s|\s*[，。；]\s*)")
_PARTED = re.compile(
    r"(\s(?:and|but|so|because|since|that|which|und|aber|weil|et|mais|y|pero|e|ma|mas)\s)"
)


def with_clauses(reading: Reading, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The wishes of a text with those of its clauses, in its order.

    A clause with a wish that was read already has no other one.
    """
    read = _without_other(reading, _without_place(mentions))
    named = [
        mention
        for start, stop in _clauses(reading)
        if not _overlaps(read, reading.spans[start][0], reading.spans[stop - 1][1])
        for mention in _of_clause(reading, start, stop)
    ]
    return tuple(sorted([*read, *named], key=lambda mention: mention.start))


def without_left_over(text: str) -> str:
    """A text less the clauses of which a wish at GAP leaves light words alone.

    "And my boss [will not let me install it]", "[Windows] here": they would find wrong tools.
    """
    pieces = _PAUSES.split(text)
    rest = ["".join(_content_of(_PARTED.split(piece))) for piece in pieces[::2]]
    pauses = ["", *pieces[1::2]]
    joined = "".join(f"{p}{r}" for p, r in zip(pauses, rest, strict=True) if r.strip())
    # Brackets whose wish is gone hold nothing.
    joined = re.sub(rf"\([\s{GAP},/]*\)", " ", joined).strip(" ,;:!?")
    return (joined or text).replace(GAP, " ")


def _content_of(clauses: Sequence[str]) -> Iterator[str]:
    """Clauses with the word that parts each from the one before, less what a wish leaves over."""
    joints = ["", *clauses[1::2]]
    for joint, clause in zip(joints, clauses[::2], strict=True):
        words = words_of(clause)
        is_light = clause_words().light.issuperset(words) and ACTS.isdisjoint(words)
        if GAP not in clause or not is_light:
            yield f"{joint}{clause}"


def _overlaps(mentions: Iterable[Mention], start: int, end: int) -> bool:
    return any(m.start < end and m.end > start for m in mentions)


def _clauses(reading: Reading) -> Iterator[tuple[int, int]]:
    """The first word of each clause and the one behind its last."""
    start, number, words = 0, len(reading.words), clause_words()
    for at in range(1, number + 1):
        # "Anything that looks like DOS" stays whole: only what is of images is parted from it.
        parts = at == number or (
            reading.words[at] in words.parting
            and not words.light.issuperset(reading.words[start:at])
        )
        if parts or reading.is_pause(at - 1, at):
            yield start, at
            start = at


def _of_clause(reading: Reading, start: int, stop: int) -> Iterator[Mention]:
    """The wish of a clause that names a thing of software and nothing of images."""
    words, read = clause_words(), reading.words
    for at in range(start, stop):
        for size in range(min(LONGEST, stop - at), 0, -1):
            for phrase in words.nouns.get(read[at : at + size], ()):
                end = _before_task(reading, at + size, stop)
                strength = _strength(reading, start, at, at + size, end, phrase)
                if strength is None:
                    continue
                first, last = reading.spans[start][0], reading.spans[end - 1][1]
                text = reading.text[first:last]
                wish = Wish(kind=phrase.kind, value=phrase.value, text=text, strength=strength)
                yield Mention(wish=wish, start=first, end=last)
                return


def _before_task(reading: Reading, at: int, stop: int) -> int:
    """Where a clause ends before what it is for: "open it in a tab to annotate slides"."""
    words = clause_words()
    strange = next((n for n in range(at, stop) if reading.words[n] not in words.light), stop)
    is_task = at < strange < stop and reading.words[strange - 1] in words.aims
    return strange - 1 if is_task else stop


def _strength(
    reading: Reading, start: int, at: int, end: int, stop: int, phrase: Phrase
) -> Strength | None:
    """How strongly a clause wishes the noun in it; None where it wishes nothing of the kind."""
    words, cue = clause_words(), reading.grammar.cue
    before, behind = reading.words[start:at], reading.words[end:stop]
    if any(cue("neutral", before, n) for n in range(len(before))):
        return None
    rest = (*before, *behind)
    strange = [word for word in rest if word not in words.light]
    # "No cost function": what follows a noun at once may make another thing of it.
    is_attribute = bool(behind) and behind[0] not in words.light
    denied = reading.cued("unwanted", before) or reading.plainly_out(end) > 0
    if len(strange) > STRANGE or is_attribute or (words.people.isdisjoint(rest) and not denied):
        return None
    if phrase.negated and not denied:
        return None
    # "Not restricted to academic users" restricts nothing.
    required = reading.cued("required", _until_denied(reading, before) if denied else rest)
    if denied and not phrase.negated:
        return "wanted" if phrase.strength == "unwanted" else "unwanted"
    return "required" if required and phrase.strength == "wanted" else phrase.strength


def _until_denied(reading: Reading, words: Words) -> Words:
    """The words before the first that denies."""
    cue = reading.grammar.cue
    return words[: next((n for n in range(len(words)) if cue("unwanted", words, n)), len(words))]


def _without_place(mentions: Sequence[Mention]) -> Sequence[Mention]:
    """The wishes without the command line that "on our HPC" says where a container runs there."""
    if all(m.wish.value != "container" for m in mentions):
        return mentions
    places = clause_words().clusters
    return [
        m
        for m in mentions
        if m.wish.value != "command line" or places.isdisjoint(words_of(m.wish.text))
    ]


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
    words, read = clause_words(), reading.words
    for at in range(len(read)):
        for size in range(min(LONGEST + 1, len(read) - at), 0, -1):
            end = at + size
            if read[at:end] not in words.otherness:
                continue
            # One word alone has to end what is said: "others", and not "in others".
            is_whole = size > 1 or reading.ends(end)
            is_either = at > 0 and bool(reading.grammar.cue("joints", read, at - 1))
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
