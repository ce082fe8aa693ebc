"""The constraints that a question sets on a tool, from its names and the cues beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from retrieval.ask.cues import Cue
from retrieval.ask.grouping import Item, Limit, Operator, Role, denied_items, grouped
from retrieval.ask.marked_text import Marked, Span
from retrieval.ask.sets import CONVERSION, FROM, PAIR, SIDES, TO, dated_items, paired
from retrieval.ask.stated.cue_limits import (
    GRAPHICAL,
    NO_GPU,
    NOT_OPEN,
    NOT_SELLABLE,
    REQUIRES_GPU,
    SELLABLE,
    WANTS_GPU,
    graphical,
    of_cues,
    of_measures,
)
from retrieval.ask.stated.needs import (
    NEEDS,
    is_replaced,
    is_without,
    needed_input,
    needed_program,
    without,
)
from retrieval.graph import FactBase

RELATION_OF = {
    "operation": "performs",
    "modality": "images",
    "anatomy": "applies_to",
    "domain": "member_of",
    "suite": "part_of",
    "license": "has_license",
    "platform": "runs_on",
    "interface": "has_interface",
    "language": "written_in",
    "dimension": "works_in",
}
"""The relation that joins a tool to a node of each kind; any other is ``associated_with``."""

BROAD = frozenset({"operation", "modality", "anatomy"})
"""Kinds where a constraint on a wider node includes the narrower ones."""

LICENCE_PART = re.compile(r"[\s()]+")

CPU_ONLY = "method:CPU-only"
"""What ``run on a CPU`` names; a record states it as its need of a GPU."""

BESIDE = 8
"""Most characters between two verbs that share a name: ``lesen oder schreiben`` has six."""


def narrower(base: FactBase, node: str) -> tuple[str, ...]:
    """The node and everything of its kind below it."""
    family = {node: None}
    level = [node] if base.kind(node) in BROAD else []
    while level:
        below = [h for n in level for h in base.heads("is_a", n) if base.kind(h) == base.kind(node)]
        level = [h for h in dict.fromkeys(below) if h not in family]
        family.update(dict.fromkeys(level))
    return tuple(family)


def containing(base: FactBase, licence: str) -> tuple[str, ...]:
    """The licence and the expressions that name it, as *Apache-2.0 OR MIT* names MIT."""
    code = base.label(licence)
    expressions = (
        item.id
        for item in base.items.values()
        if item.kind == "license" and code in LICENCE_PART.split(item.label)
    )
    return tuple(dict.fromkeys((licence, *sorted(expressions))))


def limits_of(marked: Marked) -> tuple[Limit, ...]:
    """The constraints of the question as one conjunction; alternatives are one limit of it."""
    dated = dated_items(marked.base, marked.years)
    found = (*_of_spans(marked), *of_cues(marked), *dated, *of_measures(marked))
    items = sorted(found, key=lambda item: item.start)
    denied = denied_items(marked, items)
    if not marked.has("negative"):
        # The concepts have their own words of negation, which count where no cue denies.
        spans = {span[0].start: span[0].negated for span in marked.spans}
        denied = [spans.get(item.start, False) for item in items]
    pairs = zip(items, denied, strict=True)
    settled = [_denied(marked.base, item) if no else item for item, no in pairs]
    limits = paired(marked.base, grouped(marked, settled, denied))
    conversion = Limit(options=(("performs", CONVERSION),), soft=True)
    ends = {r for limit in limits for r, _ in limit.options}
    if marked.has("converts") and ends.isdisjoint((FROM, TO, PAIR)):
        limits.append(conversion)
    return tuple(dict.fromkeys(limits))


def _denied(base: FactBase, item: Item) -> Item:
    """The item with its limits negated; of closed values the opposite ones are stated instead."""
    needs = dict.fromkeys((REQUIRES_GPU, WANTS_GPU), NO_GPU)
    opposite = {**needs, **NOT_OPEN, SELLABLE: NOT_SELLABLE}
    limits = (
        without(base, x)
        if x.options[0][0] == NEEDS
        else opposite.get(x, x if x.soft else replace(x, negated=True))
        for x in item.limits
    )
    return replace(item, limits=tuple(limits))


def _of_spans(marked: Marked) -> Iterator[Item]:
    for span, kind in marked.meanings:
        if limits := tuple(_of_span(marked, span, kind)):
            start, end = span[0].start, span[0].end
            either = len(limits) > 1 and _verbs_by_or(marked, start, end)
            split: Operator = "or" if either else "and"
            yield Item(start=start, end=end, limits=limits, split=split)


def _verbs_by_or(marked: Marked, start: int, end: int) -> bool:
    """Whether the two verbs nearest to a name are joined by *or*: ``read or write DICOM``."""
    verbs = [c for c in marked.cues if c.kind in {"accepts", "produces"}]
    ahead, behind = [c for c in verbs if c.end <= start][-2:], [c for c in verbs if c.start >= end]
    pair = ahead if len(ahead) == 2 else behind[:2]
    return len(pair) == 2 and marked.between("or", pair[0].end, pair[1].start)


def _of_span(marked: Marked, span: Span, kind: str) -> Iterator[Limit]:
    if kind == "tool":
        role = role_of(marked, span)
        relations = _near_relations(marked) if role == "near" else ("",)
        options = tuple((r, n) for r in relations for n in marked.nodes(span, "tool"))
        if role != "subject":
            yield Limit(kind=role, options=options)
        if is_replaced(marked, span[0].start):
            yield Limit(kind="is", options=options)
    elif kind == "format":
        for relation in _format_roles(marked, span):
            nodes = marked.nodes(span, "format")
            yield Limit(options=tuple((relation, n) for n in nodes))
    elif any(link.node == CPU_ONLY for link in span):
        yield NO_GPU
    elif any(link.node == GRAPHICAL for link in span):
        yield graphical(marked.base)
    elif need := needed_program(marked, span, kind) or needed_input(marked, span):
        yield need
    elif options := tuple(_options(marked, span, kind)):
        soft = all(relation == "associated_with" for relation, _ in options)
        yield Limit(options=options, soft=soft)


def _options(marked: Marked, span: Span, kind: str) -> Iterator[tuple[str, str]]:
    """The nodes of a span with the relations that may lead to them."""
    several = kind in {"operation", "modality", "anatomy", "domain"}
    if kind not in RELATION_OF:
        # ``method:command line`` is also the interface of that name.
        codes = [link.node.partition(":")[2] for link in span]
        kinds = ("interface", "platform", "language")
        alike = [(RELATION_OF[k], f"{k}:{code}") for code in codes for k in kinds]
        alike = [(relation, node) for relation, node in alike if node in marked.base]
        yield from alike
        span = () if alike else span
    for link in span:
        other = marked.base.kind(link.node)
        if other == kind or (several and other in RELATION_OF):
            relation = RELATION_OF.get(other, "associated_with")
            wider = containing if other == "license" else narrower
            for node in wider(marked.base, link.node):
                yield from _species(marked.base, node)
                yield relation, node
    if kind == "platform":
        yield from (("requires_tool", node) for node in marked.nodes(span, "tool"))


def _species(base: FactBase, node: str) -> Iterator[tuple[str, str]]:
    """The species that a concept of an animal or plant is, as records state it."""
    kind, _, name = node.partition(":")
    if kind == "anatomy" and (species := f"species:{name}") in base:
        yield "for_species", species


def _near_relations(marked: Marked) -> tuple[str, ...]:
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
    if _near_relations(marked):
        return "near"
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


def _format_roles(marked: Marked, span: Span) -> tuple[str, ...]:
    """``accepts``, ``produces`` or both, by the words around the name of a format."""
    at, end = span[0].start, span[0].end
    formats = [s[0].start for s, kind in marked.meanings if kind == "format"]
    from_to = marked.before("from", formats[0], 8) and marked.before("to", formats[-1], 8)
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
        cues = ((marked.before(cue, place, 9), side) for cue, side in words.items())
        sides[place] = max(((cue.end, side) for cue, side in cues if cue), default=(0, ""))[1]
    if sides[at]:
        return sides[at]
    others = {side for place, side in sides.items() if place != at and side}
    if len(others) == 1:
        return "produces" if others == {"accepts"} else "accepts"
    return "produces" if len(formats) > 1 and at == formats[-1] else "accepts"


def _both(marked: Marked, cues: list[Cue]) -> tuple[str, ...]:
    """The relation of the nearest verb, and of the verb beside it: *read and write*."""
    if len(cues) == 2:
        one, other = sorted(cues, key=lambda cue: cue.start)
        name_between = any(one.end <= span[0].start < other.start for span in marked.spans)
        between = marked.text[one.end : other.start]
        beside = len(between) <= BESIDE and "," not in between and not name_between
        if beside and one.kind != other.kind:
            return tuple(sorted({one.kind, other.kind}))
    return (cues[0].kind,) if cues else ()
