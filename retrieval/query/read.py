"""The stage that reads a query in another language as the concepts it names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from retrieval.catalog import Annotator
from retrieval.core import StageResult, State
from retrieval.query.tongues import is_foreign, may_be_foreign

_WORD = re.compile(r"[a-z]{4,}", re.IGNORECASE)
"""Shorter ones, such as ``de``, tell a language by being there."""


def _is_foreign_letter(letter: str) -> bool:
    """Whether English texts of the field do not use a letter: they write µm, Å and α."""
    if letter.isascii() or not letter.isalpha():
        return False
    return letter not in "µÅ" and not "\u0370" <= letter <= "\u03ff"


@dataclass(frozen=True)
class Read:
    """Adds the English labels of what a text names in Chinese, Spanish, French and so on.

    ``full`` knows all languages, ``english`` only English: what the first finds and the second
    does not was said in another language, and the whole is then read as labels. An English text
    is left as it is, and so is one in plain letters whose odd concepts lie in words ``known`` as
    English: a yoga class is no classification. A sentence is known by the words of its grammar as
    well, whatever it names. ``words`` gives the English of a foreign text word by word, concepts
    among them.
    """

    full: Annotator | None
    english: Annotator | None
    labels: Mapping[str, str]
    known: Callable[[str], bool] = lambda word: False
    words: Callable[[str], Sequence[str]] = lambda text: ()
    name: str = "read"

    def run(self, state: State) -> StageResult:
        """The state with ``query.reading`` filled; the note tells the reading."""
        if self.full is None or self.english is None:
            return StageResult(name=self.name, state=state, note="no concepts here", listed=False)
        text = state.query.text
        concepts, plain = self.full.concepts(text), set(self.english.concepts(text))
        beyond = not plain.issuperset(concepts)
        foreign = is_foreign(text) or (beyond and self._names_foreign(self.full, text, plain))
        if not foreign and may_be_foreign(text):
            foreign = any(map(_is_foreign_letter, text)) or self._says_twice(text)
        labelled = concepts if foreign else ()
        labels = [self.labels.get(c, c.split(":", 1)[-1]) for c in labelled]
        reading = tuple(dict.fromkeys((*(self.words(text) if foreign else ()), *labels)))
        note = f"read as: {', '.join(reading)}" if reading else "read as it stands"
        state = replace(state, query=replace(state.query, reading=reading))
        return StageResult(name=self.name, state=state, note=note, listed=False)

    def _says_twice(self, text: str) -> bool:
        """Whether words that are not known as English name what English ones name as well.

        "Wundheilung im Scratch-Assay auswerten" names one concept in two languages.
        """
        if self.full is None or self.english is None:
            return False
        strange = self._without_known(text)
        return not set(self.english.concepts(strange)).issuperset(self.full.concepts(strange))

    def _names_foreign(self, full: Annotator, text: str, plain: set[str]) -> bool:
        """Whether concepts beyond the plain ones are left without the words known as English."""
        if any(map(_is_foreign_letter, text)):
            return True
        return not plain.issuperset(full.concepts(self._without_known(text)))

    def _without_known(self, text: str) -> str:
        return _WORD.sub(lambda word: " " if self.known(word.group()) else word.group(), text)
