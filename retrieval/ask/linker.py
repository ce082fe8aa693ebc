"""From words to nodes: exact, then fuzzy, then by meaning; every link names its method."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz, process
from rapidfuzz.distance import Prefix

from retrieval.ask.meaning import NO_ENCODER, MeaningIndex
from retrieval.catalog import LOOSE, ConceptAnnotator, is_part_of_name
from retrieval.graph import Item

MAX_WORDS = 8
"""Most words of a name that is looked for in a question."""
MAX_DIFFERENCE = 4
"""A fuzzy match differs from the words by at most so many characters in length."""
CUTOFF = 80.0
"""Least similarity of spelling (0 to 100) for a link."""
BEGINNING, SAME_STEM = 5, 0.7
"""Letters that forms of one word share at least, and their share of the word."""

SPACELESS = frozenset({"zh", "ja"})
"""Languages without blanks between words."""
CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_WORD = re.compile(rf"[{CJK}]|[^\W_{CJK}]+(?:\+\+|#(?!\w))?")

How = Literal["exact", "fuzzy", "concept", "meaning"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Words of a text (``start`` and ``end`` are characters) and the node they name."""

    text: str
    node: str
    score: float
    how: How
    start: int = 0
    end: int = 0
    negated: bool = False


def words_at(text: str) -> list[tuple[str, int, int]]:
    """The words of a text with their places; a Chinese or Japanese character is a word."""
    return [(m.group(), m.start(), m.end()) for m in _WORD.finditer(text)]


def squash(text: str) -> str:
    """Letters and digits alone, without case, width and accents: ``nnU-Net`` is ``nnunet``."""
    # NFKD splits accents from their letters and turns full-width forms to ASCII.
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in plain if c.isalnum() or c in "+#")


class NameIndex:
    """The names of nodes, for exact and fuzzy look-up; ties go to the smaller id."""

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        self._nodes: defaultdict[str, list[str]] = defaultdict(list)
        self._written: dict[str, str] = {}
        for name, node in names:
            key = squash(name)
            if key and node not in self._nodes[key]:
                self._nodes[key].append(node)
                self._written.setdefault(key, name)
        keys: defaultdict[int, list[str]] = defaultdict(list)
        for key in self._nodes:
            keys[len(key)].append(key)
        self._named = frozenset(node for nodes in self._nodes.values() for node in nodes)
        self._tasks: defaultdict[str, list[str]] = defaultdict(list)
        for key, nodes in sorted(self._nodes.items()):
            spoken = words_at(self._written[key])
            if len(spoken) == 1 and any(node.startswith("operation:") for node in nodes):
                self._tasks[key[:BEGINNING]].append(key)
        self._by_length = {length: sorted(several) for length, several in keys.items()}

    @classmethod
    def of(
        cls, items: Iterable[Item], more: Mapping[str, Sequence[str]] | None = None
    ) -> NameIndex:
        """The index of the labels, codes and other names (``more``, by id) of items."""
        return cls(
            (name, item.id)
            for item in items
            for code in [item.id.partition(":")[2] or item.id]
            for name in (item.label, code, *(more or {}).get(item.id, ()))
        )

    def holds(self, node: str) -> bool:
        """Whether a node has a name here."""
        return node in self._named

    def exact(self, text: str) -> tuple[str, ...]:
        """The nodes of exactly this name, whatever its case and punctuation.

        Several where a name is ambiguous, in the order of ids; empty for no match.
        """
        return tuple(sorted(self._nodes.get(squash(text), ())))

    def begun(self, word: str) -> tuple[str, ...]:
        """Nodes of one-word tasks that are another form of this word.

        A form shares BEGINNING letters and SAME_STEM of the word's length; the fewest differing
        letters win, then the name that sorts first.
        """
        key = squash(word)
        alike = [
            (len(key) + len(name) - 2 * shared, name)
            for name in self._tasks.get(key[:BEGINNING], ())
            if (shared := Prefix.similarity(key, name)) >= SAME_STEM * len(key)
        ]
        return tuple(sorted(self._nodes[min(alike)[1]])) if alike else ()

    def written(self, text: str) -> str:
        """The name as the graph writes it; empty for no name."""
        return self._written.get(squash(text), "")

    def fuzzy(self, text: str, topk: int = 3, cutoff: float = CUTOFF) -> list[tuple[str, float]]:
        """Nodes of names spelled like this with their similarity (0 to 100), best first.

        Similarity is rapidfuzz's normalised indel ratio of the squashed names. Only names whose
        length differs by at most MAX_DIFFERENCE are compared; ties go to the smaller id.
        """
        key = squash(text)
        if not key or topk < 1:
            return []
        scored: list[tuple[float, str]] = []
        # Buckets by length spare most of the comparisons in a catalog of thousands of names.
        for length in range(len(key) - MAX_DIFFERENCE, len(key) + MAX_DIFFERENCE + 1):
            keys = self._by_length.get(length, ())
            hits = process.extract(key, keys, scorer=fuzz.ratio, score_cutoff=cutoff, limit=topk)
            scored.extend((score, name) for name, score, _ in hits)
        # Rounded before sorting, so that the order does not depend on the last bits of a ratio.
        best: dict[str, float] = {}
        for score, name in sorted(scored, key=lambda hit: (-round(hit[0], 6), hit[1])):
            for node in sorted(self._nodes[name]):
                best.setdefault(node, round(score, 6))
        return sorted(best.items(), key=lambda hit: (-hit[1], hit[0]))[:topk]


@dataclass(frozen=True)
class EntityLinker:
    """Names to nodes: an exact name wins, else similar spelling, else similar meaning.

    ``meaning_gap`` states why nothing is linked by meaning at present; empty where it works.
    """

    names: NameIndex
    meanings: MeaningIndex | None = None
    topk: int = 3
    cutoff: float = CUTOFF

    @property
    def meaning_gap(self) -> str:
        """Why names are not linked by meaning at present; empty where they are."""
        return self.meanings.missing if self.meanings else NO_ENCODER

    def links(self, text: str, topk: int | None = None) -> list[Link]:
        """At most ``topk`` nodes for one name, best first.

        Scores are 0 to 100: 100 for an exact name, else the spelling similarity, else 100 times the
        cosine. A later method runs only where the earlier ones find nothing.
        """
        most = self.topk if topk is None else topk
        exact = self.names.exact(text)[:most]
        if exact:
            return [Link(text=text, node=node, score=100.0, how="exact") for node in exact]
        spelled = self.names.fuzzy(text, most, self.cutoff)
        if spelled or self.meanings is None:
            return [Link(text=text, node=n, score=s, how="fuzzy") for n, s in spelled]
        near = [] if self.meaning_gap else self.meanings.near(text, most)
        return [Link(text=text, node=n, score=round(100 * s, 6), how="meaning") for n, s in near]

    def link(self, texts: Iterable[str], topk: int | None = None) -> dict[str, list[Link]]:
        """The links of each name."""
        return {text: self.links(text, topk) for text in dict.fromkeys(texts) if text.strip()}


@dataclass(frozen=True)
class QuestionLinker:
    """The nodes that a question names, with their places; the longest name wins.

    ``ordinary`` are words that name a node only when they are written as that node is.
    """

    names: NameIndex
    annotator: ConceptAnnotator | None = None
    ordinary: frozenset[str] = frozenset()

    def links(
        self, question: str, plain: Callable[[int, int], bool] | None = None
    ) -> tuple[Link, ...]:
        """Every link of the question in order; one place may name several nodes.

        With ``plain``, words that it rejects and that no name covers are matched by stem.
        """
        spans = [*self._exact(question), *self._concepts(question)]
        if plain is not None:
            spans.extend(self._begun(question, spans, plain))
        formats = [s for s in spans if s.how == "exact" and s.node.startswith("format:")]

        def precedence(link: Link) -> tuple[bool, int, bool, int]:
            """Loose concepts last, then longer before shorter, then names before concepts."""
            # A concept that contains the name of a format (*read DICOM*) counts as loose.
            is_format = link.node.startswith("format:")
            wraps = not is_format and any(not _apart(link, f) for f in formats)
            loose = link.how == "concept" and (link.node.startswith(LOOSE) or wraps)
            return loose, link.start - link.end, link.how != "exact", link.start

        disjoint_links: list[Link] = []
        for link in sorted(spans, key=precedence):
            # Names of several nodes share one place; other links may not overlap.
            if all(
                _apart(link, other)
                or ((link.start, link.end) == (other.start, other.end) and link.node != other.node)
                for other in disjoint_links
            ):
                disjoint_links.append(link)
        return tuple(sorted(disjoint_links, key=lambda link: (link.start, link.node)))

    def _exact(self, question: str) -> Iterator[Link]:
        words = words_at(question)
        for at in range(len(words)):
            for end in range(at + 1, min(at + MAX_WORDS, len(words)) + 1):
                start, stop = words[at][1], words[end - 1][2]
                text = question[start:stop]
                ordinary = end - at == 1 and text.casefold() in self.ordinary
                plain = ordinary and text != self.names.written(text)
                if "?" in text or ", " in text or plain or self._swallows(words[at][0], text):
                    continue
                for node in self.names.exact(text):
                    yield Link(
                        text=text, node=node, score=100.0, how="exact", start=start, end=stop
                    )

    def _swallows(self, first: str, text: str) -> bool:
        """Whether a name would take in a small word before it: *a GPL* is no AGPL."""
        name = [word.casefold() for word, _, _ in words_at(self.names.written(text))[:1]]
        return first.casefold() in self.ordinary and name != [first.casefold()]

    def _begun(
        self, question: str, spans: Sequence[Link], plain: Callable[[int, int], bool]
    ) -> Iterator[Link]:
        """Other forms of task names: ``anonymises`` shares its stem with ``anonymisation``."""
        for word, start, end in words_at(question):
            in_name = any(link.start <= start and end <= link.end for link in spans)
            # "The COVID-19 variant" speaks of a disease, and of no task of a like name.
            in_name = in_name or any(
                link.node.startswith("disease:") and not question[link.end : start].strip(" -")
                for link in spans
                if link.end <= start
            )
            if in_name or len(word) < BEGINNING or plain(start, end):
                continue
            for node in self.names.begun(word):
                yield Link(text=word, node=node, score=90.0, how="fuzzy", start=start, end=end)

    def parts_of_names(self, question: str) -> frozenset[str]:
        """Words that look like a concept and are a part of another name."""
        mentions = self.annotator.mentions(question) if self.annotator else ()
        places = (None, *mentions, None)
        return frozenset(
            word
            for before, this, after in zip(places, mentions, places[2:], strict=False)
            if is_part_of_name(question, before, this, after, self._is_known)
            for word, _, _ in words_at(question[this.start : this.end])
        )

    def _is_known(self, name: str) -> bool:
        """Whether a name is one of the graph's, or that of a concept."""
        return any(True for _ in self.names.exact(name)) or bool(
            self.annotator and self.annotator.mentions(name)
        )

    def _concepts(self, question: str) -> Iterator[Link]:
        mentions = self.annotator.mentions(question) if self.annotator else ()
        places = (None, *mentions, None)
        for before, mention, after in zip(places, mentions, places[2:], strict=False):
            has_name = self.names.holds(mention.concept)
            if not has_name or is_part_of_name(question, before, mention, after, self._is_known):
                continue
            yield Link(
                text=question[mention.start : mention.end],
                node=mention.concept,
                score=100.0,
                how="concept",
                start=mention.start,
                end=mention.end,
                negated=mention.negated,
            )


def _apart(one: Link, other: Link) -> bool:
    return one.end <= other.start or other.end <= one.start
