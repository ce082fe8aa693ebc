"""The constraints that a question sets on a tool, from its names and the cues beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from retrieval.ask.cues import Cue
from retrieval.ask.grouping import Item, Limit, Operator, denied_items, grouped
from retrieval.ask.marked_text import Marked, Span
from retrieval.ask.sets import dated_items
from retrieval.ask.stated.conversions import CONVERSION, FROM, PAIR, TO, paired
from retrieval.ask.stated.cue_limits import (
    GRAPHICAL,
    MAINTAINED,
    NO_GPU,
    NOT_OPEN,
    NOT_SELLABLE,
    REQUIRES_GPU,
    SELLABLE,
    UNMAINTAINED,
    WANTS_GPU,
    graphical,
    of_cues,
    of_measures,
)
from retrieval.ask.stated.directions import converted_again, ways_of
from retrieval.ask.stated.lists import alone, otherwise
from retrieval.ask.stated.needs import (
    NEEDS,
    is_needed_way,
    is_replaced,
    needed_input,
    needed_program,
    with_exclusions,
    without,
)
from retrieval.ask.stated.roles import format_roles, near_relations, role_of
from retrieval.ask.stated.scope import denied_fields, not_both, scoped, stated_fields
from retrieval.ask.stated.shared_names import shared_names
from retrieval.ask.stated.structure import Fault
from retrieval.ask.stated.word_pairs import without_pairs
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraints:
    """The constraints of a question as one conjunction; alternatives are one limit of it.

    ``faults`` are words that would change a constraint and that none takes, and words that are
    denied though no field of a record could deny them.
    """

    limits: tuple[Limit, ...]
    faults: tuple[Fault, ...] = ()


def constraints_of(marked: Marked) -> Constraints:
    """The constraints that the names, cues, years and amounts of a question set."""
    marked.cues = without_pairs(marked)
    marked.cues = with_exclusions(marked)
    dated = dated_items(marked.base, marked.years)
    fields = stated_fields(marked)
    cued = (*of_cues(marked), *of_measures(marked), *shared_names(marked))
    found = (*_of_spans(marked), *converted_again(marked), *cued, *dated, *fields)
    items = sorted(found, key=lambda item: item.start)
    excluded, apart = not_both(marked, items)
    denied = denied_items(marked, items)
    if not marked.has("negative"):
        # The concepts have their own words of negation, which count where no cue denies.
        spans = {span[0].start: span[0].negated for span in marked.spans}
        denied = [spans.get(item.start, False) for item in items]
    items, unsettled = scoped(marked, items, denied)
    pairs = zip(items, denied, strict=True)
    settled = [_denied(marked.base, item) if no else item for item, no in pairs]
    limits = paired(marked.base, grouped(marked, settled, denied), ways_of(marked))
    limits += [limit for item in excluded for limit in item.limits]
    conversion = Limit(options=(("performs", CONVERSION),), soft=True)
    ends = {r for limit in limits for r, _ in limit.options}
    if marked.has("converts") and ends.isdisjoint((FROM, TO, PAIR)):
        limits.append(conversion)
    unread = (unsettled, apart, denied_fields(marked, items))
    faults: list[Fault] = [("not read", words) for words in unread if words]
    faults += _undeniable(marked, items, denied)
    return Constraints(limits=tuple(dict.fromkeys(limits)), faults=tuple(faults))


def _undeniable(marked: Marked, items: Sequence[Item], denied: Sequence[bool]) -> Iterator[Fault]:
    """What is denied and stands in no field: a method of a description, or the upkeep of a tool.

    A record that does not mention deep learning may well be of a tool that uses it.
    """
    for item, no in zip(items, denied, strict=True):
        words = (marked.text[item.start : item.end],)
        if no and all(limit.soft for limit in item.limits):
            yield "no denial", words
        upkeep = [x for x in item.limits if x in (MAINTAINED, UNMAINTAINED)]
        if upkeep and no != (upkeep[0] == UNMAINTAINED):
            yield "no upkeep", words


def _denied(base: FactBase, item: Item) -> Item:
    """The item with its limits negated; of closed values the opposite ones are stated instead."""
    needs = dict.fromkeys((REQUIRES_GPU, WANTS_GPU), NO_GPU)
    opposite = {**needs, **NOT_OPEN, SELLABLE: NOT_SELLABLE}
    limits = (
        without(base, x)
        if x.options[0][0] == NEEDS
        else otherwise(base, x)
        if x.only
        else opposite.get(x, x if x.soft else replace(x, negated=True))
        for x in item.limits
    )
    return replace(item, limits=tuple(limits), split="and")


def _of_spans(marked: Marked) -> Iterator[Item]:
    for span, kind in marked.meanings:
        if limits := tuple(_of_span(marked, span, kind)):
            start, end = span[0].start, span[0].end
            verbs = _verb_pair(marked, start, end) if kind == "format" and len(limits) > 1 else ()
            either = len(verbs) == 2 and marked.between("or", verbs[0].end, verbs[1].start)
            split: Operator = "or" if either else "and"
            # What denies the first verb denies both: "do not read or write DICOM".
            start = min([start, *(verb.start for verb in verbs)])
            yield Item(start=start, end=end, limits=limits, split=split)


def _verb_pair(marked: Marked, start: int, end: int) -> Sequence[Cue]:
    """The two verbs nearest to a name that have it in common: ``read or write DICOM``."""
    verbs = [c for c in marked.cues if c.kind in {"accepts", "produces"}]
    ahead, behind = [c for c in verbs if c.end <= start][-2:], [c for c in verbs if c.start >= end]
    return ahead if len(ahead) == 2 else behind[:2]


def _of_span(marked: Marked, span: Span, kind: str) -> Iterator[Limit]:
    if kind == "tool":
        role = role_of(marked, span)
        relations = near_relations(marked) if role == "near" else ("",)
        options = tuple((r, n) for r in relations for n in marked.nodes(span, "tool"))
        if role not in ("subject", "excluded"):
            yield Limit(kind=role, options=options)
        if role == "excluded" or is_replaced(marked, span[0].start):
            yield Limit(kind="is", options=options)
    elif kind == "format":
        for relation in format_roles(marked, span):
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
        limit = Limit(options=options, soft=soft)
        yield alone(marked.base, limit) if is_needed_way(marked, span) else limit


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


def asked_needs(
    marked: Marked, limits: tuple[Limit, ...]
) -> tuple[tuple[str, ...], tuple[Limit, ...]]:
    """The tools whose needs a question asks for, and the needs that it asks about.

    No tools where it asks for none, with the constraints as they came; no needs where all of
    them are asked for.
    """
    if needing := _needing(marked, limits):
        return needing, ()
    if not (checked := _checked_need(marked, limits)):
        return (), limits
    # "Doesn't X need Y" has its negation before X.
    denied = any(limit.negated and limit.kind == "required_by" for limit in limits)
    needs = (limit for limit in limits if limit.kind != "required_by")
    return checked, tuple(replace(need, negated=need.negated or denied) for need in needs)


def _needing(marked: Marked, limits: tuple[Limit, ...]) -> tuple[str, ...]:
    """The tools of "what does X need", which asks for all of their needs and not for tools only."""
    counts = marked.has("count") and not marked.has("memory", "gpu_memory")
    if counts or marked.has("tools", "ahead") or len(limits) != 1:
        return ()
    only = limits[0]
    alone = only.kind == "required_by" and not only.negated
    return tuple(node for _, node in only.options) if alone else ()


def _checked_need(marked: Marked, limits: tuple[Limit, ...]) -> tuple[str, ...]:
    """The tools of "does X need Y", which asks whether the record of X states that need."""
    by = [one for one in limits if one.kind == "required_by"]
    others = [one for one in limits if one.kind in ("has", "requires")]
    if marked.has("tools", "ahead", "count") or len(by) != 1 or len(others) + 1 != len(limits):
        return ()
    return tuple(node for _, node in by[0].options) if others else ()
