"""Fills the recipe of a tool with the facts of a scan and a machine; no side effects."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import isfinite

from retrieval.catalog import modality_lineage
from retrieval.core import Fit, Format, ScanInfo, Tool
from retrieval.fit import (
    ANY_IMAGE,
    Content,
    Machine,
    content_of,
    modality_fit,
    opening_formats,
    stored_as,
    suited_scans,
    way_in,
)
from retrieval.planning.bridge import FormatBridge
from retrieval.planning.direction import direction_note, is_opposite
from retrieval.planning.goals import asked_conversion
from retrieval.planning.recipes import PLACEHOLDER, Kind, RecipeRecord, Recipes, Rule

UNKNOWN = "not known"
Mismatch = tuple[str, tuple[str, ...]]
"""A code of the scan, and those that the tool states."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A placeholder filled by a fact; an empty ``value`` adds nothing to the text."""

    placeholder: str
    value: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """A placeholder that the reader fills in: the word shown for it, and its meaning."""

    placeholder: str
    shown: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A text to copy, the sources of its values, and the placeholders that remain.

    ``converts``: the scan's format and those the tool reads, where the scan's is none of them;
    ``content``: what the scan holds, which a conversion has to carry over;
    ``doubts``: the verdict on its modality where both are stated and it is no pass;
    ``install``: a line that gets the tool, empty where none is stated; ``ran_on``: the day on which
    the recipe ran on a sample, else ``not_run`` says why it did not.
    """

    tool: str
    kind: Kind
    title: str
    text: str
    filled: tuple[Filled, ...]
    missing: tuple[Missing, ...]
    outputs: tuple[str, ...]
    notes: tuple[str, ...]
    sources: tuple[str, ...]
    checked_on: date
    converts: Mismatch | None = None
    content: Content = ANY_IMAGE
    doubts: Fit | None = None
    install: str = ""
    ran_on: date | None = None
    not_run: str | None = None


def recipe_of(
    recipes: Recipes, tool: Tool, scan: ScanInfo | None = None, machine: Machine | None = None
) -> Recipe | None:
    """The tool's recipe for this scan on this machine; None without a sourced recipe.

    Values come from closed codes and numbers only, quoted where needed, so that the text is safe to
    run. A scan in a format that the tool does not read fills no word for a file.
    """
    record = recipes.by_tool.get(tool.id)
    if record is None:
        return None
    converts, doubts = _mismatches(record, tool, scan)
    readable_scan = None if converts else scan
    by_rule = {name: _filled(name, rule, scan, machine) for name, rule in record.filled.items()}
    filled = {name: one for name, one in by_rule.items() if one is not None}
    body = _fill(record.template, {name: one.value for name, one in filled.items()})
    missing = {name: _missing(name, record, readable_scan) for name in PLACEHOLDER.findall(body)}
    word_by_placeholder = {name: one.shown for name, one in missing.items()}
    text = _fill(body, word_by_placeholder)
    if record.kind != "notebook":
        # Empty values leave gaps in a command.
        lines = text.split("\n")
        text = "\n".join(re.sub(r"(?<=\S) {2,}", " ", line).rstrip() for line in lines)
    return Recipe(
        tool=tool.id,
        kind=record.kind,
        title=record.title,
        text=text,
        filled=tuple(
            replace(one, value=_fill(one.value, word_by_placeholder)) for one in filled.values()
        ),
        missing=tuple(missing.values()),
        outputs=record.outputs,
        notes=record.notes,
        sources=record.sources,
        checked_on=record.checked_on,
        converts=converts,
        content=ANY_IMAGE if scan is None else content_of(scan),
        doubts=doubts,
        install=record.install or next((line for _, line, _ in tool.install), ""),
        ran_on=record.ran_on,
        not_run=record.not_run,
    )


def recipe_of_upload(
    recipes: Recipes,
    tool: Tool,
    scans: Sequence[ScanInfo],
    tools: Iterable[Tool],
    machine: Machine | None = None,
    request: str = "",
) -> Recipe | None:
    """The tool's recipe for the scan of an upload that it fits, as on a card.

    Of several that fit alike the recipe takes the first that it reads: a command for contours is
    none for the dose beside them. ``tools`` are those of the catalog, which convert. None too where
    the recipe is for the opposite of the conversion that the ``request`` asks.
    """
    record, pair = recipes.by_tool.get(tool.id), asked_conversion(request, scans)
    if record is None or (pair and is_opposite(record, tool, pair)):
        return None
    suited = suited_scans(tool, scans, FormatBridge(tools).chain) if scans else (None,)
    filled = [recipe_of(recipes, tool, scan, machine) for scan in suited]
    recipe = next((one for one in filled if one and one.converts is None), filled[0])
    note = direction_note(record, tool, pair)
    return replace(recipe, notes=(note, *recipe.notes)) if recipe and note else recipe


def conversion_first(
    tools: Iterable[Tool], recipe: Recipe
) -> tuple[tuple[str, str, str], ...] | None:
    """The conversions before the recipe, each (format, tool id, format).

    None when no stated pairs lead there with all that the scan holds.
    """
    if recipe.converts is None:
        return ()
    have, tool_formats = recipe.converts
    return way_in(Format(have), tool_formats, recipe.content, FormatBridge(tools).chain)


def _mismatches(
    record: RecipeRecord, tool: Tool, scan: ScanInfo | None
) -> tuple[Mismatch | None, Fit | None]:
    """The scan's format with those the tool reads, where they differ; what is doubtful of kind."""
    if scan is None:
        return None, None
    converts = None
    reads = tuple(map(str, record.reads or tool.formats_in))
    if reads and opening_formats(scan).isdisjoint(reads):
        converts = str(stored_as(scan)), reads
    kind = modality_fit(tool, scan)
    is_doubtful = kind.verdict != "pass" and kind.scan is not None and kind.tool is not None
    return converts, kind if is_doubtful else None


def _missing(name: str, record: RecipeRecord, scan: ScanInfo | None) -> Missing:
    rule = record.filled.get(name)
    reader_value = rule.left if rule and rule.left else record.left[name]
    word = (
        reader_value.by_format.get(Format(scan.format), reader_value.shown)
        if scan
        else reader_value.shown
    )
    return Missing(placeholder=name, shown=word, what=reader_value.what)


def _filled(name: str, rule: Rule, scan: ScanInfo | None, machine: Machine | None) -> Filled | None:
    """A placeholder by its rule; None where the reader has to fill it in."""
    fact, codes = _fact(rule, scan, machine)
    number = _number(rule, scan) if rule.give else None
    text = next((rule.cases[code] for code in codes if code in rule.cases), None)
    value = text if number is None else rule.before + number
    source = f"{fact}: {codes[0] if codes else UNKNOWN}"
    if value is None:
        value, source = rule.otherwise, f"{source}, so the usual"
    return None if value is None else Filled(placeholder=name, value=value, source=source)


def _fact(
    rule: Rule, scan: ScanInfo | None, machine: Machine | None
) -> tuple[str, tuple[str, ...]]:
    """The name of a fact, and its codes from narrowest to widest; no codes if unknown."""
    if rule.fact == "gpu":
        has = machine.gpu if machine else None
        return "graphics card", () if has is None else ("yes" if has else "no",)
    if scan is None:
        return rule.fact, ()
    if rule.fact == "modality" and scan.modality:
        return rule.fact, tuple(map(str, modality_lineage(scan.modality)))
    if rule.fact == "spacing":
        return rule.fact, (
            " x ".join(_mm(v) for v in scan.spacing) + " mm",
        ) if scan.spacing else ()
    value = getattr(scan, rule.fact)
    return rule.fact, () if value is None else (str(value),)


def _number(rule: Rule, scan: ScanInfo | None) -> str | None:
    """A number of the scan as text that is safe in a shell and in Python."""
    if scan is None:
        return None
    if rule.fact == "channels":
        return None if scan.channels is None else shlex.quote(str(int(scan.channels)))
    # A header may hold zeros or infinities; such a size would make a wrong command.
    sizes = tuple(v for v in (scan.spacing or ())[:3] if v > 0 and isfinite(v))
    return _SIZES[rule.give](sizes) if sizes and rule.give else None


_SIZES: Mapping[str, Callable[[tuple[float, ...]], str | None]] = {
    # The order of an array: slices, rows, columns.
    "slices first": lambda sizes: f"({', '.join(_mm(v) for v in (*sizes[2:], *sizes[:2]))})",
    # Slice spacing divided by in-plane spacing.
    "slice ratio": lambda sizes: _mm(sizes[2] / sizes[0]) if len(sizes) == 3 else None,
    "smallest": lambda sizes: _mm(min(sizes)),
    "smallest whole": lambda sizes: str(max(1, round(min(sizes)))),
}


def _mm(value: float) -> str:
    return f"{value:.6g}"


def _fill(text: str, values: Mapping[str, str]) -> str:
    """The text with values for the placeholders that have one."""
    return PLACEHOLDER.sub(lambda m: values.get(m[1], m[0]), text)
