"""What a text wishes of the languages, hosts, systems and tools that it names, by their clauses.

"Our scripts are all Python" wants it, "no MATLAB licence left" rules it out, and "the masks came
out of FreeSurfer" wishes nothing. The model knows of a name no more than its kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from retrieval.core import Wish
from retrieval.query.clauses.model import NO_WISH, ClauseModel
from retrieval.query.clauses.told_clauses import Clause, Concepts, clauses_of
from retrieval.query.clauses.windows import Span, is_phrased, stretches
from retrieval.query.clauses.words import clause_words
from retrieval.query.file_words import conversion_goal, conversion_of
from retrieval.query.grammar import HAN, Phrase, Strength, words_of
from retrieval.query.mentions import EITHER, Mention, Reading
from retrieval.query.phrase_search import ORDINARY

SURE = 0.92
"""Probability from which a name wishes something where the grammar reads no wish; .9 wishes what
somebody writes with: "that we write in R"."""

TURNED = 0.7
"""Probability from which what the grammar reads as wanted is ruled out. Of 800 clauses of an author
left out .7 reads four in a hundred more that rule a name out than .8, and turns one in two hundred
that want it."""

DROPPED, DROPPED_FRAMED = 0.6, 0.95
"""Probability of no wish from which what the grammar reads as wanted is no wish: "the masks were
drawn in ITK-SNAP". A name before a word for software, "Fiji plugin", wishes more often. Of 163
names that are wished by three writers kept apart these drop one, and of 95 that belong to the story
36; with the model before and .95 for all it was none and eight."""

_DRAWN_BEFORE = re.compile(
    r"\b(?:masks?|labels?|label ?maps?|segmentations?|contours?|outlines?|delineations?|rois?"
    r"|annotations?|outputs?|predictions?|results?)(?: (?:drawn|made|done|created|saved|edited"
    r"|exported|written|computed))?\s+$",
    re.IGNORECASE,
)
"""What ends before a program's name that only tells where something comes from."""

HAN_WORD = re.compile(f"[{HAN}]")
"""A character of Chinese."""

PLACE = "{}name"
"""Stands for a name of a kind in the clauses that the model learns from and reads."""


@dataclass(frozen=True, slots=True)
class Named:
    """A language, host, system or tool that a text names, and where."""

    kind: str
    value: str
    start: int
    end: int


def with_names(
    reading: Reading, mentions: Sequence[Mention], model: ClauseModel, concepts: Concepts
) -> tuple[Mention, ...]:
    """The wishes of a text, those of what it names as their clauses mean them, in its order."""
    mentions = [m for m in mentions if not is_origin(reading.text, m)]
    revised_mentions = list(mentions)
    clauses = clauses_of(reading.text, concepts)
    # The model has learned no Chinese.
    for name in names_in(reading) if not HAN_WORD.search(reading.text) else ():
        own = [m for m in revised_mentions if m.start < name.end and name.start < m.end]
        doubted = [
            m
            for m in own
            if _is_doubted(m.wish)
            and m.wish.value == name.value
            and not _stands_for_another(m, mentions)
        ]
        if own and not doubted:
            continue
        chances = _chances(reading.text, name, model, [m for m in mentions if m not in own])
        revised_mentions = [m for m in revised_mentions if m not in doubted]
        own_text = "".join(reading.text[c.start : c.end] for c in clauses if _holds(c, name))
        others = [c for c in clauses if not _holds(c, name)]
        is_asked = any(c.asks or c.is_task for c in others)
        for m in doubted:
            # "MRI data, 3D Slicer": a clause that says nothing else tells no story.
            is_story = is_asked and own_text.strip() != m.wish.text
            revised_mentions.extend(_as_meant(m, name, chances, is_story=is_story))
        if not own and not _is_said_otherwise(reading, name):
            revised_mentions.extend(_added(reading, name, chances))
    return tuple(sorted(revised_mentions, key=lambda mention: mention.start))


def is_origin(text: str, mention: Mention) -> bool:
    """Whether a program is named as where what is to be converted was drawn or computed.

    "Convert the masks from ITK-SNAP into RTSTRUCT" looks for a converter, in whatever program.
    """
    wish = mention.wish
    if wish.kind not in ("host", "tool") or wish.strength != "wanted":
        return False
    goal = conversion_of(text) or conversion_goal(text)
    return goal is not None and bool(_DRAWN_BEFORE.search(text[: mention.start]))


def _holds(clause: Clause, name: Named) -> bool:
    return clause.start < name.end <= clause.end


def names_in(reading: Reading) -> Iterator[Named]:
    """Every language, host, system and tool that a text names, in its order."""
    at = 0
    while at < len(reading.words):
        size, kind, value = _name_at(reading, at)
        if size:
            yield Named(kind, value, reading.spans[at][0], reading.spans[at + size - 1][1])
        at += max(size, 1)


def _name_at(reading: Reading, at: int) -> tuple[int, str, str]:
    """Words, kind and value of the name that begins at a word; no words where none does."""
    size = reading.names.longest(reading.words, at)
    bare = reading.grammar.name(reading.words, at)
    if bare is not None and len(bare[0]) >= size and reading.is_meant(at, len(bare[0]), bare[1]):
        return len(bare[0]), bare[1].kind, bare[1].value
    name = reading.words[at : at + size]
    if not size or reading.names.is_ordinary(name):
        return 0, "", ""
    return size, "tool", reading.names.called(name)


def masked(text: str, name: Named) -> tuple[str, tuple[Span, ...]]:
    """A text with a name hidden behind PLACE, and the stretches of it that hold the name."""
    place = PLACE.format(name.kind)
    # "Fijiplugin" is read as two words.
    gap = " " if text[name.end : name.end + 1].isalpha() and text[name.end - 1].isascii() else ""
    hidden = text[: name.start] + place + gap + text[name.end :]
    end = name.start + len(place)
    return hidden, tuple((a, b) for a, b in stretches(hidden) if a <= name.start and end <= b)


def _chances(
    text: str, name: Named, model: ClauseModel, others: Iterable[Mention]
) -> Mapping[str, float]:
    """How probably the clauses of a name want it, rule it out, or wish nothing of it.

    Empty where no clause says anything, but for the words of ``others``: "deconvolution python"
    and "deconvolution command line python" wish what they name.
    """
    bare = text
    for m in others:
        bare = bare[: m.start] + " " * (m.end - m.start) + bare[m.end :]
    if not is_phrased(*masked(bare, name)):
        return {}
    hidden, spans = masked(text, name)
    chances = model.chances(hidden, spans)
    means = dict(zip(model.classes, map(float, chances.mean(axis=0)), strict=True))
    own = chances[min(range(len(spans)), key=lambda n: spans[n][1] - spans[n][0])]
    alone = dict(zip(model.classes, map(float, own), strict=True))
    if alone["unwanted"] < alone["wanted"]:
        # "I have Python, and I do not want to write it again": what its neighbours deny.
        means["unwanted"] = 0.0
    return means


def _is_doubted(wish: Wish) -> bool:
    """The grammar is seldom wrong where it reads a choice, or that something is ruled out."""
    return wish.strength != "unwanted" and EITHER not in wish.value


def _stands_for_another(mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether another of its kind is ruled out right behind a wish: "R instead of Python"."""
    return any(
        m.wish.kind == mention.wish.kind
        and m.wish.strength == "unwanted"
        and m.start - 1 == mention.end
        for m in mentions
    )


def _as_meant(
    mention: Mention, name: Named, chances: Mapping[str, float], *, is_story: bool
) -> Iterator[Mention]:
    """A wish as its clause means it; none where the clause wishes nothing.

    One is likely to tell a story where another asks: "how can I count the dots in Fiji?" wishes it.
    """
    dropped = DROPPED if mention.end <= name.end and is_story else DROPPED_FRAMED
    if chances.get("unwanted", 0.0) >= TURNED:
        yield replace(mention, wish=replace(mention.wish, strength="unwanted"))
    elif chances.get(NO_WISH, 0.0) < dropped:
        yield mention


def _is_said_otherwise(reading: Reading, name: Named) -> bool:
    """Whether the words beside a name say that it wishes nothing: "why not Fiji"."""
    starts = [start for start, _ in reading.spans]
    at = starts.index(name.start)
    if reading.is_neutral(at):
        return True
    stop = next((n for n, start in enumerate(starts) if start >= name.end), len(starts))
    if reading.grammar.cue("neutral after", reading.words, stop):  # "but Python is ok"
        return True
    if reading.describes(at, stop, Phrase(kind=name.kind, value=name.value)):  # "Lymph Node"
        return True
    is_far_end = reading.next_word(stop) in clause_words().ends and not reading.ends(stop)
    return name.kind == "host" and is_far_end  # "OMERO client"


def _added(reading: Reading, name: Named, chances: Mapping[str, float]) -> Iterator[Mention]:
    """The wish of a name in which the grammar reads none."""
    typed = reading.text[name.start : name.end]
    is_word = typed.rpartition("'")[2] in ORDINARY or reading.names.is_word(words_of(typed))
    strengths: tuple[Strength, Strength] = ("wanted", "unwanted")
    for strength in strengths:
        # A tool that is named stands first anyway (stage ``names``).
        is_read = chances.get(strength, 0.0) >= SURE and (name.kind, strength) != (
            "tool",
            "wanted",
        )
        if is_read and not is_word:
            wish = Wish(kind=name.kind, value=name.value, text=typed, strength=strength)
            yield Mention(wish=wish, start=name.start, end=name.end)
