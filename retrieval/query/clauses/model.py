"""What a stretch of text wishes of software, by a linear model of its words.

A multinomial logistic regression over words, pairs of words and pieces of words, which are hashed
(Weinberger et al. 2009, "Feature hashing for large scale multitask learning"), and over the meaning
of each word as a sentence encoder gives it. All of that adds up word by word, so only the sums are
stored, in 8 bits: no encoder runs here. ``python -m benchmarks.train_wishes`` learns it.
"""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO

import numpy as np
import numpy.typing as npt

from retrieval.query.clauses.windows import WORD, Span

Floats = npt.NDArray[np.float64]

BUCKETS = 1 << 15
"""Rows of hashed features; half and twice as many tell the same share of wishes."""

PIECES = (3, 4, 5)
"""Letters of a piece of a word; its ends count as letters."""

NO_WISH = "none"
"""Name of the class of stretches that wish nothing of software."""

EDGE = "|"
"""Stands before the first word of a stretch and behind its last, in pairs of words."""

RECENT_WORDS = 4_096
"""Words and pairs whose sums are kept: the same ones come again in other requests."""


@lru_cache(maxsize=RECENT_WORDS)
def bucket(kind: str, text: str) -> int:
    """The row of a hashed feature."""
    return zlib.crc32(f"{kind}:{text}".encode()) % BUCKETS


def pieces(word: str) -> Iterator[str]:
    """The runs of PIECES letters in a word with a space at both ends."""
    whole = f" {word} "
    for size in PIECES:
        yield from (whole[at : at + size] for at in range(len(whole) - size + 1))


@dataclass(frozen=True, eq=False)
class ClauseModel:
    """Weights of the classes, by feature.

    ``hashed``: (BUCKETS, classes) int8. ``meanings``: (words, classes) int8, rows as ``rows`` names
    them; ``rarity``: (words,) float32, 0 to 1, small for frequent words. ``scales``: what one step
    of the two tables is worth. ``bias``: (classes,) float64.
    """

    classes: tuple[str, ...]
    bias: Floats
    hashed: npt.NDArray[np.int8]
    meanings: npt.NDArray[np.int8]
    rows: Mapping[str, int]
    rarity: npt.NDArray[np.float32]
    scales: tuple[float, float]

    def chances(self, text: str, spans: Sequence[Span]) -> Floats:
        """The probability of each class for stretches of a text, shape (spans, classes)."""
        placed = [(match.group().lower(), match.start()) for match in WORD.finditer(text)]
        words, starts = [word for word, _ in placed], [start for _, start in placed]
        first = np.array([bisect_left(starts, start) for start, _ in spans])
        end = np.array([bisect_left(starts, end) for _, end in spans])
        sums = np.cumsum([np.zeros(3 * len(self.bias) + 2), *map(self._word, words)], axis=0)
        pairs = np.cumsum([0.0 * self.bias, *map(self._pair, [EDGE, *words], words)], axis=0)
        word_sums, piece_sums, meaning_sums, over = np.split(
            sums[end] - sums[first], [len(self.bias) * n for n in (1, 2, 3)], axis=1
        )
        edges = [
            self._pair(EDGE, words[a]) + self._pair(words[b - 1], EDGE)
            for a, b in zip(first, end, strict=True)
        ]
        word_sums = word_sums + pairs[end] - pairs[first + 1] + edges
        # Each group is over the root of its number, so that long stretches are no surer by length.
        spoken = word_sums / np.sqrt(2 * (end - first) + 1)[:, None] + piece_sums / np.sqrt(
            over[:, :1]
        )
        logits = (
            self.bias
            + self.scales[0] * spoken
            + self.scales[1] * meaning_sums / np.sqrt(over[:, 1:])
        )
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares: Floats = odds / odds.sum(axis=1, keepdims=True)
        return shares

    @lru_cache(maxsize=RECENT_WORDS)  # noqa: B019 - one model lives as long as the process
    def _word(self, word: str) -> Floats:
        """Weights of a word, of its pieces and of its meaning; number of pieces, rarity squared."""
        own, row = [bucket("c", piece) for piece in pieces(word)], self.rows.get(word)
        rarity = 1.0 if row is None else float(self.rarity[row])
        meaning = 0.0 * self.bias if row is None else rarity * self.meanings[row]
        spelt = self.hashed[own].sum(axis=0, dtype=np.int64)
        over = (len(own), rarity**2)
        parts: Floats = np.concatenate([self.hashed[bucket("w", word)], spelt, meaning, over])
        return parts

    @lru_cache(maxsize=RECENT_WORDS)  # noqa: B019 - one model lives as long as the process
    def _pair(self, before: str, word: str) -> Floats:
        row: Floats = self.hashed[bucket("b", f"{before} {word}")].astype(np.float64)
        return row


@cache
def clause_model(name: str) -> ClauseModel:
    """A model that is shipped, read once: ``wishes``, ``names`` (wished or not) or ``asides``."""
    data = files("retrieval.query.clauses").joinpath(f"{name}.npz").read_bytes()
    with np.load(BytesIO(data), allow_pickle=False) as stored:
        names = stored["words"].tobytes().decode("utf-8").split("\n")
        return ClauseModel(
            classes=tuple(map(str, stored["classes"])),
            bias=stored["bias"],
            hashed=stored["hashed"],
            meanings=stored["meanings"],
            rows={name: row for row, name in enumerate(names)},
            rarity=stored["rarity"],
            scales=(float(stored["scales"][0]), float(stored["scales"][1])),
        )
