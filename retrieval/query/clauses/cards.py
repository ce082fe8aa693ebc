"""The memory of a graphics card that a text names: "RTX 3060 with 12 GB"."""

from __future__ import annotations

from retrieval.query.clauses.staying import Staying
from retrieval.query.grammar import NUMBER, Words
from retrieval.query.tool_names import Names

LINKS = frozenset({"with", "has", "having", "of", "only", "mit", "nur", "avec", "de", "con", "com"})
"""Words between a card and its memory."""

UNITS = frozenset({"gb", "gib", "go", "g"})

NAMES_OF_MEMORY = frozenset({"of", "vram", "ram", "memory", "speicher", "grafikspeicher"})
"""Words behind a size that say of what it is."""


class Cards(Staying):
    """One text; ``card_end`` is the first word behind a card that was just read, or -1."""

    def __init__(self, text: str, names: Names) -> None:
        super().__init__(text, names)
        self.card_end = -1

    def card_memory_end(self, at: int) -> int:
        """The end of a size that begins at a word, "with 12 GB"; the word itself without one."""
        start = at
        while self.next_word(start) in LINKS:
            start += 1
        end = start + _size_words(self.shapes[start : start + 2])
        if end == start:
            return at
        while self.next_word(end) in NAMES_OF_MEMORY:
            end += 1
        return end


def _size_words(shapes: Words) -> int:
    """Words of a size that begins some shapes: one for ``12gb``, two for ``12 GB``."""
    if shapes and shapes[0].startswith(NUMBER) and shapes[0].removeprefix(NUMBER) in UNITS:
        return 1
    return 2 if shapes[:1] == (NUMBER,) and UNITS.issuperset(shapes[1:]) and shapes[1:] else 0
