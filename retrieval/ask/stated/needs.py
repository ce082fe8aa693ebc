"""Needs of a language or of the program that a tool runs in: *needs MATLAB*, *without Python*.

No field of a record holds such a need by itself. Stated is one by the program that a tool runs in,
by a version of Python, or by an installer that only programs in one language have.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from retrieval.ask.grouping import Limit
from retrieval.ask.stated.lists import SYSTEMS

if TYPE_CHECKING:
    from retrieval.ask.cues import Cue
    from retrieval.ask.marked_text import Marked, Span
    from retrieval.graph import FactBase

NEEDS = "needs_program"
SPEAKING = (NEEDS, "written_in", "has_interface", "runs_on")
"""Relations of which any one says what a tool works with; without all of them nothing is stated."""

REACH = 12
"""Most characters from *need* to the name: "need a licence of" has more and asks for a licence."""

LISTED = 8
"""Most characters between two names of a list of tools that are left out."""

WITHOUT = frozenset({"without", "ohne", "sans", "sin", "sem"})
"""Words that deny a need when they stand right before a name."""


def needed_program(marked: Marked, span: Span, kind: str) -> Limit | None:
    """The need of a language or host program that a name is asked as; None for other names."""
    codes = [link.node.partition(":")[2] for link in span]
    code = next((one for one in codes if f"language:{one}" in marked.base), "")
    if not code or kind == "tool" or not _asks_need(marked, span):
        return None
    options = [(NEEDS, f"language:{code}"), ("runs_on", f"platform:{code}")]
    stated = any(marked.base.heads(*one) for one in options)
    # Of a language that no record states a need of, what is written in it says most.
    used = [] if stated else [("written_in", f"language:{code}")]
    options = [one for one in (*options, *used) if one[1] in marked.base]
    return Limit(options=tuple(options))


INPUTS = {"mask": "label map", "segmentation": "label map", "tractogram": "streamlines"}
"""Other words for what an input consists of."""


def needed_input(marked: Marked, span: Span) -> Limit | None:
    """The need of a kind of data or of a sequence: "require a label map", "need a T1 image".

    A plain image is left out, which nearly every record of images needs.
    """
    if not _asks_need(marked, span):
        return None
    words = marked.text[span[0].start : span[0].end].casefold().removesuffix("s")
    asked = {INPUTS.get(words, words), words.replace("-", " ").partition(" ")[0]}
    options = tuple(
        ("needs_input", item.id)
        for item in marked.base.items.values()
        if item.kind == "input" and not asked.isdisjoint(_parts(item.label) - {"image"})
    )
    return Limit(options=options) if options else None


WAYS = frozenset({"container", "desktop", "web", "notebook", "command line", "REST"})
"""Interfaces of which a tool may offer several; what it needs is the one that it offers alone."""


def is_needed_way(marked: Marked, span: Span) -> bool:
    """Whether an interface or operating system is asked for as a need: "need Docker"."""
    codes = {link.node.partition(":")[2] for link in span}
    systems = {link.node for link in span} & SYSTEMS
    ways = {code for code in codes & WAYS if f"interface:{code}" in marked.base}
    if not (systems or ways):
        return False
    return _asks_need(marked, span) and not is_without(marked, span[0].start)


def _parts(label: str) -> set[str]:
    """What an input has to have: "data: image and label map" are two things."""
    return set(label.casefold().partition(": ")[2].split(" and "))


def _asks_need(marked: Marked, span: Span) -> bool:
    at, end = span[0].start, span[0].end
    if marked.before("uses", at, 2) or marked.after("interface", end, 2):
        return False
    cue = marked.before("requires", at, REACH)
    # "Need no GPU and are not written in MATLAB" needs nothing else.
    named_between = cue and (
        marked.between("gpu", cue.end, at)
        or any(cue.end <= s[0].start and s[0].end <= at for s in marked.spans)
    )
    if cue and not named_between and not marked.between("or", cue.end, at):
        return True
    return is_without(marked, at)


def is_replaced(marked: Marked, at: int) -> bool:
    """Whether the name at a place is what something else is asked for: "replace MATLAB"."""
    cue = marked.before("instead", at, REACH)
    return bool(cue and not any(cue.end <= s[0].start < at for s in marked.spans))


def is_without(marked: Marked, at: int) -> bool:
    """Whether *without*, or a word for a replacement, stands right before a place."""
    if is_replaced(marked, at):
        return True
    denial = marked.before("negative", at, 1)
    return bool(denial and marked.text[denial.start : denial.end].casefold() in WITHOUT)


EXCEPT = frozenset(
    {"not", "except", "excluding", "other than", "but not", "nicht", "ausser", "ausgenommen", "pas",
     "sauf", "excepté", "hormis", "no", "excepto", "salvo", "não", "exceto"}
)  # fmt: skip
"""Words that rule out the tool itself when they stand right before its name, case-folded."""


def is_excluded(marked: Marked, at: int) -> bool:
    """Whether a tool is left out of the tools that are asked for: "other than FreeSurfer"."""
    denial = marked.before("negative", at, 1)
    if denial is None:
        return _continues_exclusion(marked, at)
    if marked.before("excluding", at, 1):
        return True
    if not marked.has("tools") or is_replaced(marked, at):
        return False
    word = marked.text[denial.start : denial.end].casefold()
    # "They need no FreeSurfer" speaks of a need, and "no" of Spanish denies what is.
    return word in EXCEPT and not (word == "no" and marked.language == "en")


def _continues_exclusion(marked: Marked, at: int) -> bool:
    """Whether a name stands in a list after a tool that is left out: "besides FSL and AFNI"."""
    ahead = [x[0] for x, kind in marked.meanings if kind == "tool" and x[0].end <= at]
    if not ahead or at - ahead[-1].end > LISTED:
        return False
    end = ahead[-1].end
    joined = marked.between("joins", end, at) or marked.between("or", end, at)
    listed = joined or marked.text[end:at].strip() == ","
    return listed and is_excluded(marked, ahead[-1].start)


def with_exclusions(marked: Marked) -> tuple[Cue, ...]:
    """The cues, of which *besides* and *apart from* before the name of a tool deny that tool."""
    tools = {span[0].start for span, kind in marked.meanings if kind == "tool"}
    cues: list[Cue] = []
    for cue in marked.cues:
        before_tool = any(0 <= at - cue.end <= 1 for at in tools)
        if cue.kind in ("besides", "apart_from") and before_tool:
            cues += [replace(cue, kind=kind) for kind in ("negative", "excluding")]
        else:
            cues.append(cue)
    return tuple(cues)


def without(base: FactBase, limit: Limit) -> Limit:
    """The denied need: no record fact may name the program, be it as need, language or interface.

    A tool that is written in Python may need it though its record states no version.
    """
    codes = dict.fromkeys(node.partition(":")[2] for _, node in limit.options)
    kinds = {"runs_on": "platform", "has_interface": "interface"}
    options = ((r, f"{kinds.get(r, 'language')}:{code}") for code in codes for r in SPEAKING)
    return Limit(options=tuple(one for one in options if one[1] in base), negated=True)
