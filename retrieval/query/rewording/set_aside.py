"""What a clause sets aside in words of its own: "the vessels are the surgeons' affair".

``denied`` knows phrases. Here the words of a whole clause tell, by a linear model that is learned
from requests of people who set subjects aside (``python -m benchmarks.train_asides``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from retrieval.catalog import Mention
from retrieval.query.clauses.model import ClauseModel, clause_model
from retrieval.query.clauses.windows import OF_ASIDES, WORD, Span, stretches

ASIDE = "aside"
"""Name of the class of stretches that set something aside."""

SURE = 0.6
"""Probability from which a stretch is left out of what is searched. Of 340 requests of two people
left out that set something aside, .5, .6 and .7 leave out .53, .51 and .47 whole, and 14, 13 and
11 of 600 requests lose words that they ask for. Phrases alone: .05, and 2."""

HIDDEN = "x"
"""Stands where a concept is named: how something is set aside does not depend on what it is."""


SUBJECTS = frozenset({"operation", "anatomy", "disease", "data"})
"""Kinds of concepts of which what is left must name one that is not IMAGE: "on MRI images" asks for
nothing."""

IMAGE = "data:image"


def without_set_aside(text: str, mentions_of: Callable[[str], Sequence[Mention]]) -> str:
    """The text less what it sets aside; as typed where it sets nothing aside."""
    taken, rest = set_aside(text, mentions_of), text
    for start, end in reversed(taken):
        rest = f"{rest[:start].rstrip()} {rest[end:].lstrip(' ,;')}"
    return " ".join(rest.split()) if taken else text


def set_aside(text: str, mentions_of: Callable[[str], Sequence[Mention]]) -> list[Span]:
    """The stretches of a text that set something aside; none where they are all that it names."""
    spans = list(stretches(text, OF_ASIDES))
    if len(spans) < 2:
        return []
    mentions = mentions_of(text)
    taken = surely_aside(hidden(text, mentions), spans, clause_model("asides"))
    left = (m for m in mentions if not lies_in(taken, m.start))
    is_enough = any(m.concept != IMAGE and m.concept.partition(":")[0] in SUBJECTS for m in left)
    return taken if is_enough else []


def lies_in(spans: Sequence[Span], place: int) -> bool:
    """Whether a place of a text is in one of its stretches."""
    return any(start <= place < end for start, end in spans)


def hidden(text: str, mentions: Sequence[Mention]) -> str:
    """The text with HIDDEN in place of every concept that it names; all else stays in its place."""
    letters = list(text)
    for mention in mentions:
        width = mention.end - mention.start
        letters[mention.start : mention.end] = HIDDEN.ljust(width)
    return "".join(letters)


def surely_aside(
    text: str, spans: Sequence[Span], model: ClauseModel, sure: float = SURE
) -> list[Span]:
    """The stretches of a text with hidden concepts that set something aside, in its order.

    The surest first, and of equally sure ones the longer; none overlaps another.
    """
    worded = [span for span in spans if WORD.search(text, *span)]
    if not worded:
        return []
    chances = model.chances(text, worded)[:, model.classes.index(ASIDE)].tolist()
    taken: list[Span] = []
    for chance, (start, end) in sorted(
        zip(chances, worded, strict=True), key=lambda one: (-one[0], one[1][0] - one[1][1], one[1])
    ):
        if chance < sure:
            break
        if all(end <= a or b <= start for a, b in taken):
            taken.append((start, end))
    return sorted(taken)
