"""The role of a named tool, and the side of a format: what is read and what is written."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from retrieval.ask.cues import Cue
from retrieval.ask.stated.conversions import SIDES
from retrieval.ask.stated.directions import read_apart
from retrieval.ask.stated.needs import is_excluded, is_replaced, is_without
from retrieval.ask.stated.shared_names import opposed

if TYPE_CHECKING:
    from retrieval.ask.grouping import Role
    from retrieval.ask.marked_text import Marked, Span

BESIDE = 8
"""Most characters between two verbs that share a name: ``lesen oder schreiben`` has six."""


def near_relations(marked: Marked) -> tuple[str, ...]:
    """The relations between two tools that the cues of a question stand for."""
    return tuple(r for r in ("compatible_with", "co_used_with") if marked.has(r))


def role_of(marked: Marked, span: Span) -> Role:
    """The role of a named tool: the subject of the question, or a neighbour of what it asks for."""
    at, end = span[0].start, span[0].end
    # "Which tools write what FSL reads?"
    if marked.after("accepts", end, 14) and _elsewhere(marked, at, ("converts", "produces")):
        return "writes_input"
    # "Which tools convert DICOM for FSL?"
    if marked.has("converts") and marked.before("of", at, 5):
        return "writes_input"
    # "Which tools read what dcm2niix writes?"
    writes = marked.after("produces", end, 14)
    parted = writes and marked.between("joins", end, writes.start)
    if writes and not parted and _elsewhere(marked, at, ("accepts", "tools")):
        return "reads_output"
    # "Which tools read the output of dcm2niix?"
    produces = marked.before("produces", at, 12)
    its_output = produces and marked.between("of", produces.end, at)
    if produces and its_output and _elsewhere(marked, produces.start, ("accepts",)):
        return "reads_output"
    if near_relations(marked):
        return "near"
    if is_excluded(marked, at):
        return "excluded"
    # "What has to be there before MONAI?"
    if marked.before("ahead", at, 24) and not marked.has("requires"):
        return "required_by"
    several = marked.has("tools") or _other_tool(marked, at) or is_replaced(marked, at)
    if is_without(marked, at) and several:
        return "requires"
    # "Which plugins are there for napari?", "Which tools use ITK?"
    if marked.hosts(at, end) or (marked.before("uses", at, 2) and marked.has("tools")):
        return "requires"
    return _needs(marked, at, end)


def _other_tool(marked: Marked, at: int) -> bool:
    """Whether a tool is named before a place: "does fMRIPrep run without FSL"."""
    return any(kind == "tool" and span[0].end < at for span, kind in marked.meanings)


def _elsewhere(marked: Marked, at: int, kinds: tuple[str, ...]) -> bool:
    return any(c.kind in kinds and c.end <= at for c in marked.cues)


def _needs(marked: Marked, at: int, end: int) -> Role:
    cues = [c for c in marked.cues if c.kind == "requires" and not marked.after("gpu", c.end, 20)]
    ahead = [c for c in cues if 0 <= at - c.end <= 40]
    behind = [c for c in cues if 0 <= c.start - end <= 30]
    if ahead and not (behind and behind[0].start - end < at - ahead[-1].end):
        alone = marked.language != "en" and not marked.has("tools")
        required_by = alone or marked.between("of", ahead[-1].start, at)
        return "required_by" if required_by else "requires"
    if behind:
        passive = marked.text[behind[0].end :].lstrip().casefold().startswith("by ")
        has_as = " as " in marked.text[end : behind[0].start + 1].casefold()
        return "requires" if passive or has_as else "required_by"
    return "subject"


def format_roles(marked: Marked, span: Span) -> tuple[str, ...]:
    """``accepts``, ``produces`` or both, by the words around the name of a format."""
    at, end = span[0].start, span[0].end
    if verb := read_apart(marked, at, end):
        return (verb,)
    formats = [s[0].start for s, kind in marked.meanings if kind == "format"]
    from_to = _beside(marked, "from", formats[0], 8) and _beside(marked, "to", formats[-1], 8)
    if marked.has("converts") or (len(formats) > 1 and from_to):
        return (SIDES[_converted(marked, at, formats)],)
    if marked.language == "en" and marked.before("from", at, 8):
        return ("accepts",)
    verbs = [c for c in marked.cues if c.kind in {"accepts", "produces"}]
    earlier = [c for c in verbs if c.end <= at]
    later = [
        c for c in verbs if c.start >= end and not set(";,.") & set(marked.text[end : c.start])
    ]
    if later and _verb_final(marked, verbs):
        earlier = []
    if not earlier:
        return _both(marked, later[:2]) or ("accepts",)
    return _both(marked, earlier[-2:][::-1])


def _verb_final(marked: Marked, verbs: Sequence[Cue]) -> bool:
    """Whether verbs follow their formats, as in Japanese and in German subordinate clauses."""
    first = next(s[0].start for s, kind in marked.meanings if kind == "format")
    return marked.language == "ja" or (marked.language == "de" and first < verbs[0].start)


def _converted(marked: Marked, at: int, formats: list[int]) -> str:
    """The side of a conversion: by words beside the format, else the side left, else the order."""
    words = {"from": "accepts", "to": "produces", "accepts": "accepts", "produces": "produces"}
    sides = {}
    for place in formats:
        cues = ((_beside(marked, cue, place, 9), side) for cue, side in words.items())
        sides[place] = max(((cue.end, side) for cue, side in cues if cue), default=(0, ""))[1]
    for one, other in pairwise(formats):
        # "To NIfTI or NRRD": a further name of a list is on the side of the one before it.
        listed = marked.between("or", one, other) or marked.between("joins", one, other)
        if sides[one] and not sides[other] and (listed or "," in marked.text[one:other]):
            sides[other] = sides[one]
    if sides[at]:
        return sides[at]
    others = {side for place, side in sides.items() if place != at and side}
    if len(others) == 1:
        return "produces" if others == {"accepts"} else "accepts"
    return "produces" if len(formats) > 1 and at == formats[-1] else "accepts"


def _beside(marked: Marked, kind: str, at: int, reach: int) -> Cue | None:
    """The cue before a place without a verb between: *to* of "to turn DICOM" is an infinitive's."""
    cue = marked.before(kind, at, reach)
    parted = cue and any(marked.between(verb, cue.end, at) for verb in ("converts", *SIDES))
    return None if parted else cue


def _both(marked: Marked, cues: list[Cue]) -> tuple[str, ...]:
    """The relation of the nearest verb, and of the verb beside it: *read and write*."""
    if len(cues) == 2:
        one, other = sorted(cues, key=lambda cue: cue.start)
        name_between = any(one.end <= span[0].start < other.start for span in marked.spans)
        between = marked.text[one.end : other.start]
        beside = len(between) <= BESIDE and "," not in between and not name_between
        beside = beside and not opposed(marked, one, other)
        if beside and one.kind != other.kind:
            return tuple(sorted({one.kind, other.kind}))
    return (cues[0].kind,) if cues else ()
