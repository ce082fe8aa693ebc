"""Which mentions a text denies: ``no GPU``, ``not for CT``, ``sin contraste``, ``CT以外``.

The method resembles NegEx (Chapman and others, J Biomed Inform 2001): cue phrases before or after
a mention, with a limited reach. The cues (negation.json) and the reach are our own.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from typing import NamedTuple

MAX_FILLERS = 6
"""Words that may stand between a cue and the mention it denies: "do not need to use any"."""
_WORDS = json.loads(files("retrieval.catalog").joinpath("negation.json").read_text("utf-8"))
_FILLERS = frozenset(" ".join(_WORDS["fillers"]).split())
_HARMLESS = frozenset(_WORDS["harmless_after_cue"].split())
_REMOVING = frozenset(" ".join(_WORDS["removing"]).split())
_EVERYTHING = frozenset(_WORDS["everything"].split())
_AND = frozenset({"and", "y", "e", "ed", "et", "und", "和", "と"})
_OR = frozenset({"or", "nor", "o", "ou", "oppure", "oder", "noch", "ni", "nem", "或", "や"})
_NEXT_ONLY = frozenset({"non"})
_BE = frozenset({"is", "are", "be", "was", "were", "es", "est", "ist", "は", "が"})
_PORTUGUESE = frozenset(
    ["nao", "uma", "das", "dos", "pelo", "pela", "ao", "num", "numa", "nas", "nos"]
)
_PERHAPS_PORTUGUESE = frozenset(["em", "com", "na", "da", "do", "os", "as", "um", "sem"])


class Span(NamedTuple):
    """A mention as a run of words, with its concept's kind."""

    first: int
    last: int
    kind: str


def _table(lines: list[str]) -> dict[str, list[tuple[str, ...]]]:
    """Phrases, separated by bars, by their first word; the longest first."""
    table: dict[str, list[tuple[str, ...]]] = {}
    for phrase in "|".join(lines).split("|"):
        words = tuple(phrase.split())
        table.setdefault(words[0], []).append(words)
    return {k: sorted(v, key=len, reverse=True) for k, v in table.items()}


_CUE_TABLE, _AFTER_TABLE = _table(_WORDS["cues"]), _table(_WORDS["cues_behind"])


def negated(words: Sequence[str], joined: Sequence[bool], spans: Sequence[Span]) -> set[int]:
    """Positions of the spans that are denied. Words are folded; spans ascend and do not overlap.

    ``joined`` says of each word that no punctuation parts it from the one before. A denial
    reaches the first mention after it, those written together with it and those joined to it
    by *and* (of the same kind) or *or*; no further.
    """
    starts = {span.first: n for n, span in enumerate(spans)}
    inside = {i for span in spans for i in range(span.first, span.last)}
    reader = _Reader(words, joined, spans, starts)
    # In Portuguese "no" is "in the"; a suffix such as -cao, or two shared words, decide.
    portuguese = "no" in words and (
        any(word in _PORTUGUESE or word.endswith(("cao", "coes")) for word in words)
        or sum(word in _PERHAPS_PORTUGUESE for word in words) > 1
    )
    denied: set[int] = set()
    for i, word in enumerate(words):
        if word in _CUE_TABLE and i not in inside and not (portuguese and word == "no"):
            denied |= reader.denied_after(i)
    denied |= {n for n, span in enumerate(spans) if reader.is_denied_behind(span)}
    return denied


class _Reader(NamedTuple):
    words: Sequence[str]
    joined: Sequence[bool]
    spans: Sequence[Span]
    starts: dict[int, int]

    def _holds(self, at: int, phrases: Sequence[tuple[str, ...]]) -> int:
        """Where the longest of these phrases ends, or -1."""
        for phrase in phrases:
            end = at + len(phrase)
            if tuple(self.words[at:end]) == phrase and all(self.joined[at + 1 : end]):
                return end
        return -1

    def _skip(self, at: int) -> int:
        """The first place that is no filler."""
        stop = min(at + MAX_FILLERS, len(self.words))
        while at < stop and self.joined[at] and self.words[at] in _FILLERS:
            if at in self.starts:
                break
            at += 1
        return at

    def _mention(self, at: int) -> int | None:
        if at < len(self.words) and self.joined[at]:
            return self.starts.get(at)
        return None

    def denied_after(self, cue: int) -> set[int]:
        at = self._holds(cue, _CUE_TABLE[self.words[cue]])
        if at < 0 or (at < len(self.words) and self.words[at] in _HARMLESS):
            return set()
        # "Remove everything except the liver": what is excepted is what is wanted.
        before = self.words[max(0, cue - 5) : cue]
        if before and before[-1] in _EVERYTHING and not _REMOVING.isdisjoint(before):
            return set()
        denied: set[int] = set()
        here = self._mention(self._skip(at))
        while here is not None and here not in denied:
            denied.add(here)
            alone = self.words[cue] in _NEXT_ONLY
            here = None if alone else self._next(self.spans[here])
        return denied

    def _next(self, span: Span) -> int | None:
        """The mention that shares the denial of this one."""
        at = span.last
        adjacent = self._mention(at)
        if adjacent is not None:
            # "No deep learning segmentation" denies the method, not the task.
            return adjacent if span.kind != "method" else None
        if at >= len(self.words) or not self.joined[at]:
            return None
        after = self._mention(self._skip(at + 1))
        if after is None or self.words[at] not in _AND | _OR:
            return None
        same = self.spans[after].kind == span.kind
        return after if same or self.words[at] in _OR else None

    def is_denied_behind(self, span: Span) -> bool:
        at = span.last
        if at < len(self.words) and self.joined[at] and self.words[at] in _BE:
            at += 1
        if at >= len(self.words) or not self.joined[at]:
            return False
        return self._holds(at, _AFTER_TABLE.get(self.words[at], ())) > 0
