"""Words with a spelling slip, replaced by the word of the field that is meant.

Looked for as typed, "segmetation" matches no record and the encoder reads its pieces. Only a word
that nobody knows is replaced: no record, no list of English words, no label in another language.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz import process
from rapidfuzz.distance import OSA

from retrieval.catalog import foreign_stems
from retrieval.query.tongues import is_foreign

ONE_FROM, TWO_FROM = 5, 8
"""Letters from which one slip, and from which two, are forgiven; two that change places are one.

Shorter words are near to too many others: "cels" to "cell" and "gels".
"""

_WORD = re.compile(r"(?<![\w.-])[A-Za-z]?[a-z]{4,40}(?![\w]|[-.]\w)")
"""A word alone: a part of a compound or a file name may be anything."""

_RUN = re.compile(r"\S+")


@dataclass(frozen=True)
class Slips:
    """Rewords a text by the words of ``vocabulary``, each with the number of records that use it.

    A word stays that a record holds (``held``), that labels have in another language (``foreign``
    stems), or that is English; the last is asked of a model, and so only where a word is near. So
    does a whole text that ``is_other_tongue``.
    """

    vocabulary: Mapping[str, int]
    held: Callable[[str], bool]
    is_english: Callable[[str], bool]
    foreign: frozenset[str] = frozenset()
    is_other_tongue: Callable[[str], bool] = lambda text: False

    def reworded(self, text: str) -> str:
        """The text with every slip replaced, in the case it was typed in.

        One in another language stays: "automatisch" is no slip of "automatic".
        """
        if is_foreign(text):
            return text
        reworded = _WORD.sub(lambda match: self._correction(match.group()), text)
        # To read the concepts of a text takes longer than to look for its slips.
        return text if reworded != text and self.is_other_tongue(text) else reworded

    @cached_property
    def _alike(self) -> Mapping[tuple[str, int], list[str]]:
        # By first letter and length: a slip rarely hits the first letter (Pollock and Zamora,
        # CACM 1984), and so few words need to be compared.
        alike: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
        for word in sorted(self.vocabulary):
            alike[word[0], len(word)].append(word)
        return alike

    def _correction(self, typed: str) -> str:
        word = typed.lower()
        if self.held(word) or not self.foreign.isdisjoint(foreign_stems(word)):
            return typed
        near = self._nearest(word)
        if not near or self.is_english(word):
            return typed
        if OSA.distance(word, near) > 1:
            # A double letter written once is likelier than two slips: "conection" corrects nothing.
            real_words = (one for one in _doubled(word) if self.held(one) or self.is_english(one))
            near = next(real_words, near)
        return near.capitalize() if typed[0].isupper() else near

    def _nearest(self, word: str) -> str:
        """The word with the fewest slips, then that of the most records; "" where none is near."""
        if len(word) < ONE_FROM:
            return ""
        slips = 1 if len(word) < TWO_FROM else 2
        lengths = range(len(word) - slips, len(word) + slips + 1)
        near = [w for n in lengths for w in self._alike.get((word[0], n), ())]
        hits = process.extract(word, near, scorer=OSA.distance, score_cutoff=slips, limit=None)
        return min(((d, -self.vocabulary[w], w) for w, d, _ in hits), default=(0, 0, ""))[2]


def _doubled(word: str) -> Iterator[str]:
    """The words that differ from one by a double letter written once, or a single one twice."""
    for n, letter in enumerate(word):
        if word[n + 1 : n + 2] == letter:
            yield word[:n] + word[n + 1 :]
        else:
            yield word[:n] + letter + word[n:]


def as_typed(typed: str, reworded: str, start: int, end: int) -> tuple[int, int]:
    """The place in a text of a place in what ``Slips`` made of it.

    Words are replaced one for one, and none loses its first letter or what stands beside it.
    """
    places = list(zip(_RUN.finditer(reworded), _RUN.finditer(typed), strict=True))
    first = next((pair for pair in places if pair[0].end() > start), None)
    last = next((pair for pair in reversed(places) if pair[0].start() < end), None)
    if first is None or last is None:
        return start, end
    return first[1].start() + start - first[0].start(), last[1].end() + end - last[0].end()


def plain_words(spellings: Iterable[str]) -> frozenset[str]:
    """The lower-case words of spellings that are long enough to be replaced by."""
    words = (word for spelling in spellings for word in re.findall(r"[a-z]+", spelling.lower()))
    return frozenset(word for word in words if len(word) >= ONE_FROM - 1)
