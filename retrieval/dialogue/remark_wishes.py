"""The wishes about software of one remark, by the words that state them, and what they replace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.core import Wish
from retrieval.query import Mention

COMPETING = (frozenset({"system"}), frozenset({"language", "host"}))
"""Kinds of wishes of which one takes the place of another: "no, in Python instead"."""

ONE_OF = ("since", "language")
"""Kinds of wishes of which the later one holds."""


def contradicts(new: Wish, old: Wish) -> bool:
    """Whether a wish is the opposite of an earlier one, or of a kind of which the later holds."""
    if old.kind != new.kind:
        return False
    is_turned = (old.strength == "unwanted") != (new.strength == "unwanted")
    return is_turned if old.value == new.value else old.kind in ONE_OF and not is_turned


def without_competing(text: str, mentions: Sequence[Mention], kind: str) -> str:
    """A text without its wanted wishes that one of this kind takes the place of."""
    kinds = next((group for group in COMPETING if kind in group), frozenset[str]())
    competing = [m for m in mentions if m.wish.kind in kinds and m.wish.strength != "unwanted"]
    return without_mentions(text, competing)


def without_mentions(text: str, mentions: Sequence[Mention]) -> str:
    """A text without the words of some of its wishes, which are in their order."""
    for mention in reversed(mentions):
        before, after = text[: mention.start].rstrip(" ,"), text[mention.end :].lstrip(" ,")
        text = ", ".join(part for part in (before, after) if part)
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class RemarkWishes:
    """Wishes of a remark; ``places`` are start and end of each of its words."""

    mentions: Sequence[Mention]
    places: Sequence[tuple[int, int]]

    def beginning(self, at: int) -> tuple[Mention | None, int]:
        """The wish that begins at a word, and its number of words; None and 0 without one."""
        start = self.places[at][0]
        mention = next((m for m in self.mentions if m.start == start), None)
        return mention, self._size_until(mention.end, at) if mention else 0

    def denied(self, at: int) -> tuple[Mention | None, int]:
        """The wish against what stands at a word, and its words from there on."""
        start = self.places[at][0] if at < len(self.places) else -1
        for mention in self.mentions:
            if mention.wish.strength == "unwanted" and mention.start <= start < mention.end:
                return mention, self._size_until(mention.end, at)
        return None, 0

    def _size_until(self, end: int, at: int) -> int:
        """Number of words from one on that end up to a place of the text; at least 1."""
        return max(1, sum(stop <= end for _, stop in self.places[at:]))
