"""Words that were not understood, replaced by names of the graph: by spelling or by meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from retrieval.ask.linker import EntityLinker, QuestionLinker, words_at
from retrieval.ask.reading import Reader, Reading

Replacements = list[tuple[str, str]]

SHORTEST_SPELLED, LIKE = 6, 86.0
"""Least characters and similarity (0 to 100) of an unknown word that is read as a name."""
SHORTEST_OFFERED, MOST_OFFERED = 5, 3
"""Least characters of an unknown word for which names are offered, and most names of one word.

The least similarity of an offer is that of the linker: HD-BTE is 80 of 100 like HD-BET."""
HYPHENATED = re.compile(r"\w+(?:-\w+)+")
LEAST_COSINE, MOST_WORDS = 0.7, 4
"""Least cosine, and most words, of a phrase that is read as a name of like meaning."""
MEANINGFUL = frozenset({"operation", "anatomy", "modality", "domain", "interface", "format"})
"""Kinds of nodes that a phrase may be read as by its meaning."""


@dataclass(frozen=True)
class Rewording:
    """Reads a question; words that were not understood are replaced where one name fits."""

    reader: Reader
    linker: EntityLinker

    def read(self, question: str, language: str = "") -> tuple[Reading, Replacements]:
        """The reading, and the pairs (words, name) that were replaced for it.

        It is read as typed, then with misspelt names, then with unknown phrases replaced; each
        later reading is tried only where unknown words remain. Where these stand as verbs before
        names, and nothing else is unknown, they are read by the names.
        """
        reading = self.reader.read(question, language)
        replacements: Replacements = []
        for reword in (self._by_spelling, self._by_meaning):
            matches = reword(question, reading)
            for words, name in matches:
                question = question.replace(words, name)
            if matches:
                replacements.extend(matches)
                reading = self.reader.read(question, language)
        if reading.unread:
            with_verbs = self.reader.read(question, language, any_verb=True)
            reading = with_verbs if with_verbs.understood else reading
        return replace(reading, likened=(*replacements, *reading.likened)), replacements

    def respelled(self, question: str, language: str) -> tuple[str, tuple[tuple[str, str], ...]]:
        """The question with misspelt names as the catalog writes them, and the pairs replaced."""
        matches = self._by_spelling(question, self.reader.read(question, language))
        for words, name in matches:
            question = question.replace(words, name)
        return question, tuple(matches)

    def near_names(self, question: str, words: Sequence[str]) -> tuple[str, ...]:
        """Names of tools that are spelled like unknown words, nearest first; for an offer only."""
        compounds = (one for one in HYPHENATED.findall(question) if {*one.split("-")} & {*words})
        labels = (
            self.reader.base.label(node)
            for word in (*compounds, *words)
            if len(word) >= SHORTEST_OFFERED
            for node, _ in self.linker.names.fuzzy(word, MOST_OFFERED)
            if self.reader.base.kind(node) == "tool"
        )
        return tuple(dict.fromkeys(labels))

    def _by_spelling(self, question: str, reading: Reading) -> Replacements:
        """Unknown words, and hyphenated ones that name a tool as a whole: ITK-SNP is no ITK."""
        names, matches = self.linker.names, []
        compounds = [one for one in HYPHENATED.findall(question) if not names.exact(one)]
        for word in (*compounds, *reading.unread):
            near = names.fuzzy(word, 2, LIKE) if len(word) >= SHORTEST_SPELLED else []
            is_tool = near and self.reader.base.kind(near[0][0]) == "tool"
            if near and (word not in compounds or is_tool):
                matches.append((word, self.reader.base.label(near[0][0])))
        return matches

    def _by_meaning(self, question: str, reading: Reading) -> Replacements:
        """For every unknown word the phrase around it that is nearest to a name in meaning."""
        meanings = self.linker.meanings
        if meanings is None or not reading.unread:
            return []
        names: dict[str, str] = {}
        parts = self.reader.linker.parts_of_names(question)
        for word in reading.unread:
            # A phrase may cover several unknown words; the later ones are done with it.
            if word in parts or any(word in phrase for phrase in names):
                continue
            phrases = list(_phrases(question, word, self.reader.linker))
            hits = meanings.nearest(phrases, 3, LEAST_COSINE)
            fits = [
                (-score, len(phrase), phrase, node)
                for phrase, near in zip(phrases, hits, strict=True)
                for node, score in near
                if self.reader.base.kind(node) in MEANINGFUL
            ]
            if fits:
                _, _, phrase, node = min(fits)
                names[phrase] = self.reader.base.label(node)
        return list(names.items())


def _phrases(question: str, word: str, linker: QuestionLinker) -> Iterator[str]:
    """The runs of words around a word that cross neither a linked name nor punctuation."""
    words = words_at(question)
    name_spans = [(link.start, link.end) for link in linker.links(question)]
    at = next((n for n, one in enumerate(words) if one[0] == word), None)
    if at is None:
        return
    for first in range(max(0, at - MOST_WORDS + 1), at + 1):
        for last in range(at, min(len(words), first + MOST_WORDS)):
            start, end = words[first][1], words[last][2]
            crossed = any(a < end and start < b for a, b in name_spans)
            if not crossed and not set(",;:?!") & set(question[start:end]):
                yield question[start:end]
