"""Letters of a name that deceive: they turn its order, are not seen, or pass for Latin ones.

Such a name is no error, since µManager and names in other scripts are honest; it is noted in the
sync report and beside the tool. The look-alikes (lookalikes.json, code points by script) are those
of Unicode's confusables (UTS 39) that most fonts draw as a Latin letter.
"""

from __future__ import annotations

import json
import re
import unicodedata
from importlib.resources import files

_ORDER = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Marks, embeddings, overrides and isolates of the bidirectional algorithm (UAX 9)."""

_FILLERS = "\u115f\u1160\u3164\uffa0\u034f"
"""Hangul fillers and the combining grapheme joiner: letters and marks without a shape."""

_MOST = 3
"""Characters listed in one remark."""


_TABLE = json.loads(files("retrieval.catalog").joinpath("lookalikes.json").read_text("utf-8"))
_LOOKALIKES = frozenset(chr(int(code, 16)) for codes in _TABLE.values() for code in codes.split())


def name_remarks(name: str) -> tuple[str, ...]:
    """Remarks on deceptive letters of a name, at most one of each kind; none for a usual name."""
    turned = _ORDER.findall(name)
    # Format characters and fillers take no room or are drawn as a blank.
    invisible = [c for c in name if unicodedata.category(c) == "Cf" or c in _FILLERS]
    hidden = [c for c in invisible if c not in turned]
    alike = [c for word in re.findall(r"\w+", name) for c in _passing(word)]
    remarks = (
        (turned, "holds characters that change its reading direction"),
        (hidden, "holds characters that are not visible"),
        (alike, "holds letters that look like Latin ones"),
    )
    texts = []
    for letters, text in remarks:
        distinct = list(dict.fromkeys(letters))
        names = [f"U+{ord(c):04X} {unicodedata.name(c, 'unnamed')}" for c in distinct[:_MOST]]
        more = [f"{len(distinct) - _MOST} more"] if len(distinct) > _MOST else []
        if letters:
            texts.append(f"{text} ({', '.join([*names, *more])})")
    return tuple(texts)


def _passing(word: str) -> list[str]:
    """The foreign letters of a word that can be read as a Latin word, in their order."""
    foreign = []
    for char in word:
        plain = "" if char.isascii() else unicodedata.normalize("NFKC", char)
        # NFKC makes a letter of another width or style an ASCII one.
        styled = plain.isascii() and plain.isalpha()
        if char.isalpha() and (char in _LOOKALIKES or styled):
            foreign.append(char)
    others = (c for c in word if c.isalpha() and c not in foreign)
    return foreign if all("LATIN" in unicodedata.name(c, "") for c in others) else []
