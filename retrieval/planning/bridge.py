"""The shortest chain of converters from the format of a file to one that a tool reads.

A step is a pair of formats that a record states; nothing follows from what a tool reads and writes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from retrieval.catalog import modality_lineage
from retrieval.core import Format, ScanInfo, Tool
from retrieval.fit import ANY_IMAGE, PICTURES, SLIDES, Content, suited_scans

COMMAND = "command line"

CONVERTS, MAIN_TASKS = frozenset({"conversion", "reading and writing"}), 2
"""Tasks of a converter, and how many of its first tasks say what a tool is for."""

Chain = tuple[tuple[str, str, str], ...]
"""Steps of a conversion: format before, tool id, format after."""


ENDS = PICTURES | {Format.DICOM, Format.DICOM_SEG, Format.RTSTRUCT}
"""Formats that end a chain: a picture has lost the geometry of a volume, and a DICOM file that is
made of another format has a header that was made up."""


class FormatBridge:
    """A graph of formats for each kind of data; its edges are the stated pairs.

    Of several tools for one edge the one with the fewest tasks is used, of these one with a
    command line, then the first by id.
    """

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._steps: defaultdict[tuple[str, str], dict[str, list[Tool]]] = defaultdict(dict)
        self._paths: dict[tuple[str, Content], dict[str, Chain]] = {}
        self._names: dict[str, str] = {}
        self._converters: set[str] = set()
        ordered = sorted(tools, key=lambda t: (len(t.tasks), COMMAND not in t.interfaces, t.id))
        for tool in ordered:
            self._names[tool.id] = tool.name
            if not CONVERTS.isdisjoint(tool.tasks[:MAIN_TASKS]):
                self._converters.add(tool.id)
            # Two sources may state the same pair.
            for what, before, after in dict.fromkeys((c[2], c[0], c[1]) for c in tool.converts):
                self._steps[what, before].setdefault(after, []).append(tool)

    def chain(
        self, have: str, goal_formats: Sequence[str], content: Content = ANY_IMAGE
    ) -> Chain | None:
        """The shortest chain to any wanted format; empty when none is needed, None without one.

        Every step carries the content. Of chains of equal length the one with the fewest tools
        for something else is used, of these the one whose last format comes first alphabetically.
        Chains from a format are computed once (breadth-first).
        """
        if have in goal_formats:
            return ()
        if (have, content) not in self._paths:
            # A plan and its files take the plain text of a format.
            self._paths[have, content] = self._from(str(have), content)
        paths = self._paths[have, content]
        ends = [w for w in map(str, goal_formats) if w in paths]
        best = min(ends, key=lambda w: (len(paths[w]), self._others_in(paths[w]), w), default=None)
        return paths[best] if best else None

    def _others_in(self, chain: Chain) -> int:
        """Steps by tools that are for something else: a fit of perfusion is no converter."""
        return sum(tool_id not in self._converters for _, tool_id, _ in chain)

    def named_chain(
        self, have: str, goal_formats: Sequence[str], content: Content = ANY_IMAGE
    ) -> Chain | None:
        """The chain with the name of each converter in place of its id, for what visitors read."""
        chain = self.chain(have, goal_formats, content)
        return chain and tuple((before, self._names[id], after) for before, id, after in chain)

    def _from(self, have: str, content: Content) -> dict[str, Chain]:
        """The shortest chain to every reachable format, breadth-first."""
        chains: dict[str, Chain] = {have: ()}
        for before in (order := [have]):
            for after, tools in sorted(self._steps.get((content.what, before), {}).items()):
                tool = next((t for t in tools if _takes(t, before, after, content)), None)
                if after not in chains and tool is not None:
                    chains[str(after)] = (*chains[before], (before, tool.id, str(after)))
                    if after not in ENDS:
                        order.append(str(after))
        return chains


def _takes(tool: Tool, before: str, after: str, content: Content) -> bool:
    """Whether a converter is for images of this modality and dimension, by its own record.

    The modality counts for DICOM only, which stores every kind of image; labels and contours have
    none. A converter that states no modality may make a flat picture of any image; for a volume,
    what is not stated is no yes.
    """
    if content.dimension and tool.dimensions and content.dimension not in tool.dimensions:
        return False
    if content.what != "image" or before != Format.DICOM or content.modality is None:
        return True
    if tool.modalities:
        return not set(modality_lineage(content.modality)).isdisjoint(tool.modalities)
    return after in PICTURES and content.modality not in SLIDES


def suited_first(
    tool: Tool, scans: Sequence[ScanInfo], tools: Iterable[Tool]
) -> tuple[ScanInfo, ...]:
    """The scans of an upload, the one that a tool is run on before the others.

    ``tools`` are those of the catalog, which convert.
    """
    if len(scans) < 2:
        return tuple(scans)
    first = suited_scans(tool, scans, FormatBridge(tools).chain)[0]
    return first, *(one for one in scans if one is not first)
