"""What a text sets aside, left out of what is searched: "stitching, not registration".

A model of meaning and an index of words find what is named, whether it is wanted or not.
"""

from __future__ import annotations

import re

from retrieval.catalog import ConceptAnnotator

_CUE = re.compile(
    r"(?:[,;(]\s*|\s-\s)?(?:\b(?:but|and|sino|aber|mais|mas|ma)\s+)?"
    r"\b(?:not|no|except|excluding|rather than|instead of|other than"
    r"|nicht|statt|anstatt|pas|au lieu de|en vez de|en lugar de|não|nao|em vez de|non|invece di)"
    r"(?:\s+(?:for|the|a|an|any|of|in|on|das|die|den|der|la|le|el|il|lo|los|las|o|do))*\s*$",
    re.IGNORECASE,
)
"""Words that set one thing against another. "Without" is not among them: a brain without skull."""

_JOINT = re.compile(r"\s*(?:,|/|and|or|nor|y|o|et|ou|und|oder|e)?\s*(?:the\s+)?$", re.IGNORECASE)


def is_denied(before: str) -> bool:
    """Whether a text ends in words that set aside what follows."""
    return bool(_CUE.search(before))


def without_denied(text: str, annotator: ConceptAnnotator) -> str:
    """The text less what it denies, where something else of that kind is asked for.

    Only a contrast is left out: where nothing of the kind remains, the denied word may be all
    that tells what the text is about.
    """
    mentions = annotator.mentions(text)
    wanted = {_kind(m.concept) for m in mentions if not m.negated}
    cuts: list[tuple[int, int]] = []
    for mention in mentions:
        if not mention.negated or _kind(mention.concept) not in wanted:
            continue
        if cuts and _JOINT.match(text[cuts[-1][1] : mention.start]):
            cuts[-1] = (cuts[-1][0], max(cuts[-1][1], mention.end))
        elif cue := _CUE.search(text[: mention.start]):
            cuts.append((cue.start(), mention.end))
    rest = text
    for start, end in reversed(cuts):
        rest = f"{rest[:start].rstrip()} {rest[end:].lstrip(' ,;')}"
    return " ".join(re.sub(r"\(\s*\)", " ", rest).split()).strip(" ,;") if cuts else text


def _kind(concept: str) -> str:
    return concept.partition(":")[0]
