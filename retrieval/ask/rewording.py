"""Strange words of a question put as a name of the graph: a misspelt one, or one that means it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrieval.ask.linker import EntityLinker, QuestionLinker, words_at
from retrieval.ask.reading import Reader, Reading
from retrieval.graph import FactBase

SHORTEST_SPELLED, LIKE = 6, 86.0
"""Characters and similarity (0 to 100) from which a strange word is read as a known name."""
MEANT, MOST_WORDS = 0.7, 4
"""Least cosine, and most words, of a phrase that is read as the name that means it."""
MEANINGFUL = frozenset({"operation", "anatomy", "modality", "domain", "interface", "format"})
"""Kinds of nodes that words of a question are read as by their meaning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A reading, and which words were read as which names."""

    reading: Reading
    reworded: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Rewording:
    """Reads a question; words that nothing understands are put right where one name fits."""

    reader: Reader
    linker: EntityLinker

    @property
    def base(self) -> FactBase:
        """The facts that are read over."""
        return self.reader.base

    def read(self, question: str, language: str = "") -> Read:
        """By its words, then with misspelt names put right, then with phrases by their meaning."""
        reading = self.reader.read(question, language)
        told: list[tuple[str, str]] = []
        for reword in (self._spelled, self._meant):
            found = reword(question, reading) if reading.unread else []
            for words, name in found:
                question = question.replace(words, name)
            if found:
                told.extend(found)
                reading = self.reader.read(question, language)
        return Read(reading=reading, reworded=tuple(told))

    def _spelled(self, question: str, reading: Reading) -> list[tuple[str, str]]:
        found = []
        for word in reading.unread:
            near = self.linker.names.fuzzy(word, 2, LIKE) if len(word) >= SHORTEST_SPELLED else []
            if near:
                found.append((word, self.base.label(near[0][0])))
        return found

    def _meant(self, question: str, reading: Reading) -> list[tuple[str, str]]:
        """For every strange word the phrase round it that means a name best, if one does."""
        meanings = self.linker.meanings
        if meanings is None:
            return []
        found: dict[str, str] = {}
        for word in reading.unread:
            if any(word in phrase for phrase in found):
                continue
            phrases = list(_phrases(question, word, self.reader.linker))
            hits = meanings.nearest(phrases, 3, MEANT)
            fits = [
                (-score, len(phrase), phrase, node)
                for phrase, near in zip(phrases, hits, strict=True)
                for node, score in near
                if self.base.kind(node) in MEANINGFUL
            ]
            if fits:
                _, _, phrase, node = min(fits)
                found[phrase] = self.base.label(node)
        return list(found.items())


def _phrases(question: str, word: str, linker: QuestionLinker) -> Iterator[str]:
    """The runs of words round a word, not over a name that is known, nor over a comma."""
    words = words_at(question)
    named = [(link.start, link.end) for link in linker.links(question)]
    at = next((n for n, one in enumerate(words) if one[0] == word), None)
    if at is None:
        return
    for first in range(max(0, at - MOST_WORDS + 1), at + 1):
        for last in range(at, min(len(words), first + MOST_WORDS)):
            start, end = words[first][1], words[last][2]
            crossed = any(a < end and start < b for a, b in named)
            if not crossed and not set(",;:?!") & set(question[start:end]):
                yield question[start:end]


def words_of(reworded: Sequence[tuple[str, str]]) -> str:
    """``belly read as abdomen``, one after the other."""
    return "; ".join(f"{words} read as {name}" for words, name in reworded)
