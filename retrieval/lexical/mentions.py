"""Which records name which other tools: what many others build on is well known."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import log1p, sqrt

import numpy as np
import Stemmer
from numpy.typing import NDArray

from retrieval.catalog import places, values_of
from retrieval.core import State, Tool, min_max

LONGEST = 3
"""Words a name may be written in."""

SHORTEST = 3
"""Characters of a name, folded; shorter ones name too much else."""

TOP = 50
"""So many of the candidates hand on what they name."""

Floats = NDArray[np.float64]
_WORD = re.compile(r"[A-Za-z0-9][\w.+-]*\w|\w")


def folded(name: str) -> str:
    """A name without case, spaces and punctuation."""
    return re.sub(r"[^a-z0-9]+", "", name.casefold())


class MentionTable:
    """Per tool the tools its description names, found by their folded names.

    A name that is an ordinary word (it occurs in other forms too: ``sort``, ``sorting``) counts
    only where it is written as a name, with a capital inside a sentence or with a digit.
    ``density`` is the number of others that a record names on average, 1 at most; ``known`` has for
    each tool (its place in ``rows``) ln(1 + records that name it).
    """

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._names: defaultdict[str, list[str]] = defaultdict(list)
        for tool in tools:
            if len(folded(tool.name)) >= SHORTEST:
                self._names[folded(tool.name)].append(tool.id)
        self._ordinary = self._plain_words(tools)
        self.named: dict[str, frozenset[str]] = {t.id: self._named_in(t) for t in tools}
        self.times = Counter(tool_id for ids in self.named.values() for tool_id in ids)
        self.density = min(1.0, self.times.total() / max(len(tools), 1))
        self.rows = places([tool.id for tool in tools])
        self.known = np.array([log1p(self.times.get(tool.id, 0)) for tool in tools])

    def is_ordinary(self, key: str) -> bool:
        """Whether a folded name is also a plain word of the catalog."""
        return key in self._ordinary

    def _plain_words(self, tools: Iterable[Tool]) -> frozenset[str]:
        stem = Stemmer.Stemmer("english").stemWord
        forms: defaultdict[str, set[str]] = defaultdict(set)
        for tool in tools:
            for word in set(re.findall(r"[A-Za-z]+", tool.description)):
                forms[stem(word.lower())].add(word.lower())
        single = (name for name in self._names if name.isalpha())
        return frozenset(name for name in single if len(forms.get(stem(name), ())) > 1)

    def _named_in(self, tool: Tool) -> frozenset[str]:
        text = tool.description
        words = [(m.group(), m.start()) for m in _WORD.finditer(text)]
        keys = [folded(word) for word, _ in words]
        ids: set[str] = set()
        for at, (word, start) in enumerate(words):
            for many in range(1, LONGEST + 1):
                key = "".join(keys[at : at + many])
                if key not in self._names:
                    continue
                if many == 1 and key in self._ordinary:
                    before = text[:start].rstrip()
                    opens = not before or before[-1] in ".:!?"
                    if not any(c.isupper() or c.isdigit() for c in (word[1:] if opens else word)):
                        continue
                ids.update(self._names[key])
        return frozenset(ids - {tool.id})


@dataclass(frozen=True)
class NamedByOthers:
    """What the best candidates name, each weighed by its own score, shared among the often named.

    A search whose results build on one tool is likely to want that tool.
    """

    table: MentionTable
    name: str = field(default="named by results")

    def values(self, state: State) -> Floats:
        """One number per candidate, (candidates,) float64.

        The sum of the min-max scores of the TOP results that name it, divided by the root of one
        more than the number of records that do.
        """
        handed: defaultdict[str, float] = defaultdict(float)
        top = state.candidates[:TOP]
        for candidate, weight in zip(top, min_max(top).tolist(), strict=True):
            for other in self.table.named.get(candidate.tool.id, ()):
                handed[other] += weight
        # Few candidates are named by any: only theirs are divided.
        shares = {other: sum_ / sqrt(1 + self.table.times[other]) for other, sum_ in handed.items()}
        return np.array([shares.get(c.tool.id, 0.0) for c in state.candidates])

    def trust(self, state: State, values: Floats) -> float:
        """How many others a record of this catalog names: where few name one, it tells little."""
        return self.table.density


@dataclass(frozen=True)
class WellKnown:
    """How many other records name each candidate, as a logarithm."""

    table: MentionTable
    name: str = field(default="well known")

    def values(self, state: State) -> Floats:
        """One number per candidate, (candidates,) float64: ln(1 + records that name it).

        0 for a tool that no other record names.
        """
        ids = [c.tool.id for c in state.candidates]
        return values_of(self.table.known, self.table.rows, ids)

    def trust(self, state: State, values: Floats) -> float:
        """How many others a record of this catalog names: where few name one, it tells little."""
        return self.table.density
