"""Amounts of memory, versions of Python and installers: *at least 16 GB*, *installed with pip*."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from retrieval.ask.cues import Cue

GB = re.compile(r"(\d+(?:[.,]\d+)?)\s*(GB|GiB|gigabytes?)(?!\w)", re.IGNORECASE)
PYTHON = re.compile(r"python\s*(?:version\s*)?(\d+\.\d+)(?:\.\d+)?", re.IGNORECASE)
INSTALLER = re.compile(
    r"(?:\b(?:with|via|using|through|by|mit|über|per|avec|con|mediante|com|or|and|oder|und|ou|o|et|y|e)\s+|[,用で使]\s*)"
    r"(pip|conda|mamba|docker|singularity|apptainer|brew|apt|npm)(?![a-z])",
    re.IGNORECASE,
)
BOUND = re.compile(r"(===?|~=|>=|<=|!=|>|<)\s*(\d+)(?:\.(\d+))?")
INSTALLS = "installs_with"
OF_MEMORY = {"gpu_memory": "needs_gpu_memory", "memory": "needs_memory"}
"""The relation that an amount stands for, by the kind of the cue beside it."""
BESIDE = 12
"""Most characters between an amount and the word for memory: "16 GB of free GPU memory" has 9."""
NEWEST = 99
"""A minor version that none reaches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """What a text says of an amount or version, and the place of those words in characters.

    Of an installer the name is the ``bound``.
    """

    start: int
    end: int
    relation: str
    value: float
    bound: str = ""

    def holds(self, stated: str) -> bool:
        """Whether what a record states is what is asked."""
        if self.relation == "needs_python":
            return self._fits(stated)
        if self.relation == INSTALLS:
            return self.bound in re.findall(r"\w+", stated.casefold())
        amount = float(stated.partition(" ")[0])
        return {
            "least": amount >= self.value,
            "more": amount > self.value,
            "most": amount <= self.value,
            "less": amount < self.value,
        }.get(self.bound, amount == self.value)

    def _fits(self, stated: str) -> bool:
        """Whether a tool runs with the version (*most*), or needs it: none below it will do."""
        minor = int(self.value)
        allowed = [one for one in range(NEWEST) if _admits(stated, one)]
        if self.bound == "most" or not allowed:
            return minor in allowed
        return allowed[0] >= minor if self.bound == "least" else allowed[0] == minor


def _admits(stated: str, minor: int) -> bool:
    """Whether a stated requirement such as ``>=3.10,<3.13`` admits Python 3 of a minor version."""
    tests = {"<": -1, "<=": 0}
    for sign, major, text in BOUND.findall(stated):
        limit = int(text or 0) if int(major) == 3 else (NEWEST if int(major) > 3 else -1)
        if sign in tests and minor > limit + tests[sign]:
            return False
        if sign in (">=", ">", "~=") and minor < limit:
            return False
        if sign in ("==", "===") and minor != limit:
            return False
    return True


@cache
def _phrases() -> tuple[tuple[str, str], ...]:
    text = files("retrieval.ask.stated").joinpath("measures.json").read_text("utf-8")
    rows = [(phrase, kind) for kind, phrases in json.loads(text).items() for phrase in phrases]
    return tuple(sorted(rows, key=lambda row: (-len(row[0]), row)))


def measured(text: str, cues: Sequence[Cue]) -> tuple[Measure, ...]:
    """The amounts of memory, the versions of Python and the installers of a text."""
    kinds = {cue.kind for cue in cues}
    measures: list[Measure] = []
    for match in GB.finditer(text):
        # An amount apart from the word is that of something else: "images of 100 GB".
        beside = [c for c in cues if _gap(match, c) <= BESIDE and c.kind in OF_MEMORY]
        if beside:
            relation = OF_MEMORY[min(beside, key=lambda cue: (_gap(match, cue), cue.start)).kind]
            measures.append(_measure(text, match, relation, kinds))
    measures += (_measure(text, m, "needs_python", kinds) for m in PYTHON.finditer(text))
    for match in INSTALLER.finditer(text) if "install" in kinds else ():
        name, (start, end) = match.group(1).casefold(), match.span(1)
        measures.append(Measure(start=start, end=end, relation=INSTALLS, value=0, bound=name))
    return tuple(measures)


def _gap(match: re.Match[str], cue: Cue) -> int:
    return max(cue.start - match.end(), match.start() - cue.end)


def _measure(text: str, match: re.Match[str], relation: str, kinds: set[str]) -> Measure:
    """A measure with the words of comparison around it.

    What a tool that *needs* an amount states is just that; what runs with it needs no more.
    """
    before, after = text[: match.start()].rstrip().casefold(), text[match.end() :].casefold()
    start, end = match.start(), match.end()
    bound = "" if "requires" in kinds else "most"
    for phrase, kind in _phrases():
        if kind != "or more" and before.endswith(phrase):
            bound, start = kind, len(before) - len(phrase)
            break
        place = after.find(phrase)
        if kind == "or more" and 0 <= place <= 2 * BESIDE:  # "16 GB of GPU memory or more"
            bound, end = "least", end + place + len(phrase)
            break
    if relation == "needs_python":
        return Measure(
            start=start,
            end=end,
            relation=relation,
            value=int(match.group(1).partition(".")[2]),
            bound={"more": "least", "less": "most"}.get(bound, bound),
        )
    value = float(match.group(1).replace(",", "."))
    return Measure(start=start, end=end, relation=relation, value=value, bound=bound)


def stated_values(measure: Measure, values: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The options of a constraint: the nodes, given with their labels, of values that fit."""
    for label, node in sorted(values):
        if measure.holds(label):
            yield measure.relation, node
