"""Whether a record says a whole request in its own words.

The keywords of a record and the phrases in which people ask for it are requests that it serves: one
that has every word of a text states all that the text asks for, whatever else is like the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from retrieval.catalog import FUNCTION_WORDS, Mention, english_stem, fold, words_of
from retrieval.core import Tool
from retrieval.explain.request_parts import is_cohort
from retrieval.explain.stated import StatedFacts, mask_of, words_in
from retrieval.explain.task_kinds import BOUND

_SENTENCES = re.compile(r"(?<=[.;:])\s")

_UNASKED = FUNCTION_WORDS["en"] | frozenset(
    files("retrieval.explain.known").joinpath("unasked.txt").read_text("utf-8").split()
)
"""Words of grammar, and those that ask for software, for any result or for a statistic of it, say
that it works by itself, or when something came to pass (what is left of "my licence ended last
month" beside a wish)."""

_COMMON_TASKS = frozenset(english_stem(task.split(":")[1].split()[-1]) for task in BOUND)
"""The stems of tasks that go with any thing: measurement, detection, counting."""

Passages = Callable[[Tool], Iterator[str]]


@dataclass(frozen=True, eq=False)
class OwnWords:
    """The words of records, phrase by phrase."""

    stated: StatedFacts

    def say(self, text: str, mentions: Sequence[Mention]) -> bool:
        """Whether a record says all that an English text asks for.

        One phrase or sentence has its words, beside those of the keywords. Words of
        grammar ask for nothing, nor whose disease it is, nor a task that goes with any thing: who
        states the ejection fraction measures it. So of 1,963 served requests 712 are said, and of
        1,229 that no record serves 3.
        """
        return self._hold(asked_stems(text, mentions) - _COMMON_TASKS, passages)

    def ask(self, text: str, is_usual: Callable[[str], bool]) -> bool:
        """Whether one phrase in which people ask for a record has all words of a text.

        A single word that is ``is_usual`` tells nothing: a story is no file of Minerva.
        """
        stems = asked_stems(text, ())
        words = [fold(word.text) for word in words_of(text)]
        is_open = len(stems) > 1 or not any(english_stem(w) in stems and is_usual(w) for w in words)
        return is_open and self._hold(stems, _phrases)

    def _hold(self, stems: frozenset[str], parts: Passages) -> bool:
        tools, records = self.stated.tools, self.stated.every if stems else 0
        for stem in stems:
            records &= self.stated.with_stems([stem], phrased=True)
        rows = np.flatnonzero(mask_of(records, len(tools))).tolist()
        return any(stems <= _stems(part) for row in rows for part in parts(tools[row]))


def asked_stems(text: str, mentions: Sequence[Mention]) -> frozenset[str]:
    """The stems of the words of a text that ask for a thing; none where all are tasks for any."""
    passed = [m for m in mentions if m.concept in BOUND or is_cohort(text, m)]
    return frozenset(
        english_stem(fold(word.text))
        for word in words_of(text)
        if fold(word.text) not in _UNASKED
        and not any(m.start <= word.start < m.end for m in passed)
    )


def passages(tool: Tool) -> Iterator[str]:
    """Each phrase and sentence of a record, with its keywords; fields say of no task on what."""
    always = ". ".join(tool.keywords)
    for phrase in (*tool.asked_as, *_SENTENCES.split(tool.description)):
        yield f"{phrase}. {always}"


def _phrases(tool: Tool) -> Iterator[str]:
    yield from tool.keywords
    yield from tool.asked_as


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(english_stem, words_in(text)))
