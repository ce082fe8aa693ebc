"""Removes or replaces words of a query by the concepts they name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import structs

from retrieval.catalog import Meaning, kind_of
from retrieval.core import Modality, Query
from retrieval.dialogue.rules import longest, vocabulary, words_of

MOST_WORDS = 4
"""Longest span, in words, that is looked up as one concept."""

RESULTS = frozenset(
    f"modality:{code}"
    for code in (
        *(Modality.SEG, Modality.RTSTRUCT, Modality.RTPLAN, Modality.RTDOSE),
        *(Modality.SR, Modality.PR, Modality.KO, Modality.REG),
    )
)
"""What is made from images; it takes no place of theirs: "on CT", then "it must write RTSTRUCT"."""

_DANGLING = re.compile(r"(?:\s+(?:in|on|of|for|from|with|and|or|to|the|a))+$", re.IGNORECASE)


def with_words(query: Query, words: str) -> Query:
    """The query with words that it does not hold yet, as a clause of their own.

    A comma parts them: what stands before may end in a wish or in what is not wanted ("not
    MRtrix"), of which they would otherwise be read as a part.
    """
    if re.search(rf"(?<!\w){re.escape(words)}(?!\w)", query.text, re.IGNORECASE):
        return query
    before, comma, last = query.text.rpartition(",")
    if longest(words_of(last), 0, vocabulary().cues["leave out"]):
        # After "not FSL" a name would be one more of those that are left out.
        return structs.replace(query, text=f"{before}{comma and ', '}{words}, {last.strip()}")
    joint = ", " if query.text else ""
    return structs.replace(query, text=f"{query.text}{joint}{words}")


def clause_end(text: str, places: Sequence[tuple[int, int]], start: int) -> int:
    """The word after the last one before a comma: "instead of vessels, the optic disc"."""
    gaps = ((at, text[places[at - 1][1] : places[at][0]]) for at in range(start + 1, len(places)))
    return next((at for at, gap in gaps if "," in gap), len(places))


@dataclass(frozen=True)
class Rewording:
    """A text as a sequence of spans that each name a concept."""

    meaning: Meaning
    text: str

    def without(self, concepts: set[str]) -> str:
        """The text without the words that name one of these concepts or a narrower one.

        Prepositions and articles that would end the text are removed as well.
        """
        pieces, last = [], 0
        for start, end, span_concepts in self._spans():
            if any(not concepts.isdisjoint(self.meaning.wider([c])) for c in span_concepts):
                pieces.append(self.text[last:start])
                last = end
        pieces.append(self.text[last:])
        text = " ".join("".join(pieces).split())
        return _DANGLING.sub("", text)

    def swapped(
        self, words: str, concepts: Sequence[str], *, every: bool, joint: str = ""
    ) -> tuple[str, str] | None:
        """The text with ``words`` in place of a competing span, and the words of that span.

        Modalities of images compete with each other, and species with species; with ``every`` all
        concepts of the same kind do. The first competing span is replaced, or stays before
        the words with a ``joint`` between; None when there is none.
        """
        species = vocabulary().species

        def compete(new: str, old: str) -> bool:
            parted = any((new in group) != (old in group) for group in (species, RESULTS))
            if new == old or kind_of(new) != kind_of(old) or parted:
                return False
            return every or kind_of(new) == "modality" or new in species

        for start, end, span_concepts in self._spans():
            if any(compete(one, other) for one in concepts for other in span_concepts):
                old = self.text[start:end]
                new = f"{old} {joint} {words}" if joint else words
                return " ".join(f"{self.text[:start]}{new}{self.text[end:]}".split()), old
        return None

    def _spans(self) -> list[tuple[int, int, tuple[str, ...]]]:
        """Spans that name concepts, as start, end and concepts: leftmost first, longest wins."""
        words = [(m.start(), m.end()) for m in re.finditer(r"[^\W_](?:[\w+/-]*[\w+])?", self.text)]
        spans, at = [], 0
        while at < len(words):
            size, concepts = self._longest(words, at)
            if size:
                spans.append((words[at][0], words[at + size - 1][1], concepts))
            at += max(1, size)
        return spans

    def _longest(self, words: Sequence[tuple[int, int]], at: int) -> tuple[int, tuple[str, ...]]:
        """Of the spans that begin here and name one concept alone, the longest."""
        best: tuple[int, tuple[str, ...]] = (0, ())
        for size in range(1, min(MOST_WORDS, len(words) - at) + 1):
            span = self.text[words[at][0] : words[at + size - 1][1]]
            concepts = self.meaning.annotator.concepts(span)
            inner = self.text[words[at + 1][0] : words[at + size - 1][1]] if size > 1 else ""
            if len(concepts) > 1 or (
                concepts and self.meaning.annotator.concepts(inner) == concepts
            ):
                break
            if concepts and concepts != best[1]:
                best = (size, concepts)
        return best
