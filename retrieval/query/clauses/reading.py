"""The wishes that the model reads in clauses where the grammar has no phrase for them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from retrieval.core import Wish
from retrieval.query.clauses.model import NO_WISH, ClauseModel, Floats
from retrieval.query.clauses.needless import needless_spans
from retrieval.query.clauses.windows import Span, is_phrased, stretches
from retrieval.query.grammar import Strength
from retrieval.query.mentions import Mention, Reading

SURE = 0.85
"""Probability from which a clause states a wish. Of 619 wishes of six authors whose clauses and
requests were not learned from, .7, .85 and .9 read .71, .67 and .65 with 133, 123 and 120 that are
not labelled; what nine authors before them taught reads .59 with 135. Of 60 requests that wish
nothing .7 makes wishes up in three, .85 in two."""

LETTER, SURE_IN_LETTERS = 25, 0.95
"""Words of the longest request that is no letter, and the probability that counts in letters: of
their many clauses some sound like a wish by chance."""

TURNED = 0.6
"""Probability from which a clause says the opposite of what a phrase in it was read as: "Docker is
a dirty word here". Seven of the 275 are turned rightly (five from .8 on), and none of 917 tuning
requests wrongly."""

GAIN = 3.0
"""How much surer of the opposite, in the logarithm of the odds, a clause has to make than its
phrase alone: in the clauses that were learned "web app" stands in denials more often than not, and
"segment teeth, web app" denies nothing. Of 13 turned in 1,100 requests the five that were turned
wrongly gain 1.2 or less, and all but one of the eight others 2.1 or more; of requests that name the
browser in French or Italian beside words that were not learned, as "visionneuse DICOM dans un
navigateur web", six gain 2.4 to 2.7, and in 1,715 labelled ones no right one gains less than 5."""

TURNABLE = frozenset({"interface", "gpu", "licence"})
"""Kinds of wishes that both sides of are learned."""

IMPLIED = {
    ("interface", "command line", "unwanted"): ("interface", "graphical", "wanted"),
    ("licence", "GPL", "unwanted"): ("licence", "permissive", "wanted"),
}
"""Wishes that another one already says."""

LEARNED_AS = {"LGPL": "GPL"}
"""Values that no class of the model has, and the one that their clauses are learned as."""

FETCHED = re.compile(
    r"\b(?:install|download|obtain)\w*\s(?:it\s|them\s)?(?:via|from|through|by|with|using)\b",
    re.IGNORECASE,
)
"""How a tool gets onto a computer; the model knows "install" from clauses that ask for a browser,
which spares that."""

TINY = 1e-6
"""Added to probabilities before their logarithm."""

Side = Literal["wanted", "unwanted"]
Label = tuple[str, str, Side]
"""Kind, value and side of a wish, as a class of the model names them."""


def with_clauses(
    reading: Reading, mentions: Sequence[Mention], model: ClauseModel
) -> tuple[Mention, ...]:
    """The wishes of a text with those that clauses without a read wish state, in its order."""
    spans = list(stretches(reading.text))
    if not spans:
        return tuple(mentions)
    chances = model.chances(reading.text, spans)
    labels = [_label(name) for name in model.classes]
    revised_mentions = [
        replace(mention, wish=replace(mention.wish, strength="unwanted"))
        if _is_turned(mention, spans, chances, labels)
        and _gain(reading, mention, spans, chances, model) >= GAIN
        else mention
        for mention in mentions
    ]
    chances[:, model.classes.index(NO_WISH)] = 0.0
    sure = SURE if len(reading.words) <= LETTER else SURE_IN_LETTERS
    covered_spans = [(mention.start, mention.end) for mention in revised_mentions]
    covered_spans += needless_spans(reading)
    sides = {_side(mention.wish) for mention in revised_mentions}
    for at in sorted(range(len(spans)), key=lambda at: (-chances[at].max(), spans[at])):
        label, span = labels[int(chances[at].argmax())], spans[at]
        if chances[at].max() < sure or label is None:
            break
        if label[2] == "unwanted" and not is_phrased(reading.text, [span]):
            continue
        if label[1] == "browser" and FETCHED.search(reading.text, *span):
            continue
        if any(start < span[1] and end > span[0] for start, end in covered_spans):
            continue
        covered_spans.append(span)
        if not _is_said(label, sides):
            sides.add(label)
            revised_mentions.append(_mention(reading, span, label))
    return tuple(sorted(revised_mentions, key=lambda mention: mention.start))


def _label(name: str) -> Label | None:
    if name == NO_WISH:
        return None
    kind, value, side = name.split("|")
    return kind, value, "unwanted" if side == "unwanted" else "wanted"


def _side(wish: Wish) -> Label:
    value = LEARNED_AS.get(wish.value, wish.value)
    return wish.kind, value, "unwanted" if wish.strength == "unwanted" else "wanted"


def _is_said(label: Label, sides: Collection[Label]) -> bool:
    """Whether a phrase says something of the same thing, on whichever side, or says as much."""
    same = {(kind, value) for kind, value, _ in sides}
    dated = label[0] == "since" and any(kind == "since" for kind, _ in same)
    return label[:2] in same or dated or IMPLIED.get(label) in sides


def _around(mention: Mention, spans: Sequence[Span]) -> list[int]:
    """The stretches of a text that hold the phrase of a wish."""
    return [n for n, (a, b) in enumerate(spans) if a <= mention.start and mention.end <= b]


def _is_turned(
    mention: Mention, spans: Sequence[Span], chances: Floats, labels: Sequence[Label | None]
) -> bool:
    """Whether the clause around the phrase of a wish surely rules out what it names.

    What a phrase rules out stays so: of six that the model turned in 3,400 requests five were read
    rightly before ("nothing web-based", "sie darf keine GPU brauchen").
    """
    kind, value, side = _side(mention.wish)
    pair = [(kind, value, "wanted"), (kind, value, "unwanted")]
    around = _around(mention, spans)
    is_turnable = kind in TURNABLE and side == "wanted" and set(pair) <= set(labels)
    if not around or not is_turnable:
        return False
    as_read, opposite = chances[np.ix_(around, [labels.index(one) for one in pair])].T
    # "Avoid big models with CUDA": what "with CUDA" wishes alone, the whole clause denies.
    return bool(opposite.max() >= TURNED and not (as_read > opposite).any())


def _gain(
    reading: Reading, mention: Mention, spans: Sequence[Span], chances: Floats, model: ClauseModel
) -> float:
    """How much surer of the opposite the clause of a phrase is than the phrase, in log odds."""
    kind, value, _ = _side(mention.wish)
    pair = [model.classes.index(f"{kind}|{value}|{side}") for side in ("wanted", "unwanted")]
    clauses = chances[np.ix_(_around(mention, spans), pair)]
    alone = model.chances(reading.text, [(mention.start, mention.end)])[:, pair]
    surest = clauses[clauses[:, 1].argmax()]
    odds = [float(np.log((denied + TINY) / (read + TINY))) for read, denied in (surest, *alone)]
    return odds[0] - odds[1]


def _mention(reading: Reading, span: Span, label: Label) -> Mention:
    kind, value, side = label
    start, end = _trimmed(reading.text, span)
    placed = zip(reading.words, reading.spans, strict=True)
    words = tuple(word for word, (a, b) in placed if start <= a and b <= end)
    # "Not restricted to academic users" restricts nothing.
    denied = (n for n in range(len(words)) if reading.grammar.cue("unwanted", words, n))
    required = side == "wanted" and reading.cued("required", words[: next(denied, None)])
    strength: Strength = "required" if required else side
    wish = Wish(kind=kind, value=value, text=reading.text[start:end], strength=strength)
    return Mention(wish=wish, start=start, end=end, is_clause=True)


def _trimmed(text: str, span: Span) -> Span:
    inner = text[slice(*span)]
    start = span[0] + len(inner) - len(inner.lstrip())
    return start, start + len(inner.strip())
