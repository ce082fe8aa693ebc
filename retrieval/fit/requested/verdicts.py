"""Verdicts on a tool from a request and the files together.

A file that fits a tool may still not hold what is asked: the scan shows another part of the body,
or what is to be made is the file itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from retrieval.core import BodyPart, Fit, Format, Modality, Tool
from retrieval.fit.body_parts import may_show
from retrieval.fit.data import FACT as DATA
from retrieval.fit.data import NEEDS_MORE
from retrieval.fit.formats import CONVERTED, data_of, written_for, written_formats
from retrieval.fit.input import LABEL
from retrieval.fit.kinds import MAIN_TASKS
from retrieval.fit.requested.request import Request
from retrieval.fit.series import Kinds
from retrieval.fit.verdict import field, judged

PART = "requested part"
"""The fact of whether the scan shows the part of the body that the request names."""

OF_SUITE = "part of the suite"
"""The fact of what the record of a suite's own program for the task states."""

OUTPUT = "requested output"
"""The fact of whether a tool writes the format that the files are to become."""

OF_IMAGES = frozenset({"sequence", "spacing", "channels", "units", "slices", "orientation"})
"""Facts of how an image was made. Of a suite's programs one may be for another part of the body or
another kind of image, which does not speak against the suite."""

PLUGIN = "plugin"
"""Interface of what others add to a program; the program itself does the task in other ways."""

CONVERTS = frozenset({"conversion", "reading and writing"})
"""Main tasks of tools whose output format is their purpose."""

EDITS = frozenset({"viewing", "visualisation", "3D rendering", "annotation"}) | {
    "interactive segmentation"
}
"""Main tasks of tools in which a segmentation that is there is looked at and changed by hand."""


def part_fit(kinds: Kinds, request: Request) -> Fit | None:
    """Unknown for every tool where no scan shows what is named; None where one may, or is silent.

    The header says where the scan lies, and it may say it wrongly, so that no tool fails for it.
    """
    shown = list(dict.fromkeys(scan.body_part for scan in kinds.scans))
    named = [part for parts in request.parts for part in sorted(parts)]
    if not named or not shown or None in shown:
        return None
    if any(may_show(scan_part, part) for scan_part in shown if scan_part for part in named):
        return None
    scan_text = " and ".join(map(str, shown))
    return Fit(fact=PART, verdict="unknown", scan=scan_text, tool=f"request: {_joined(named)}")


def _joined(parts: Iterable[BodyPart]) -> str:
    return ", ".join(map(str, dict.fromkeys(parts)))


def segmented_fit(tool: Tool, kinds: Kinds, request: Request) -> Fit | None:
    """Fail for a tool that segments images where every file is a segmentation already.

    None for all other tools, requests and files: one that takes labels, or in which they are
    edited, does something with them.
    """
    if not request.segments or not kinds.scans:
        return None
    if any(data_of(scan) != "label" for scan in kinds.scans):
        return None
    tasks = [task for task in tool.tasks if "segmentation" in task]
    takes_labels = (
        "label" in tool.needs.data
        or Modality.SEG in tool.modalities
        or Format.DICOM_SEG in tool.formats_in
        or not EDITS.isdisjoint(tool.tasks[:MAIN_TASKS])
    )
    if not tasks or takes_labels:
        return None
    return judged(DATA, False, LABEL, f"{field('tasks', tasks[:1])}{NEEDS_MORE}an image")


def goal_fit(tool: Tool, fits: Sequence[Fit], request: Request) -> Fit | None:
    """Unknown in place of a failing format where a tool writes the format that is asked for.

    What it makes that format from is no field of most records; one that converts may make it of
    more than it names. A record that states the pairs to it names them all.
    """
    if not request.goal or request.goal not in map(str, tool.formats_out):
        return None
    if any(pair.after == request.goal for pair in tool.converts):
        return None
    if CONVERTS.isdisjoint(tool.tasks[:MAIN_TASKS]):
        return None
    failed = next((fit for fit in fits if fit.fact == "format" and fit.verdict == "fail"), None)
    return failed and replace(failed, verdict="unknown")


def output_fit(tool: Tool, request: Request) -> Fit | None:
    """Unknown for a tool whose record names what it writes, and not the format that is asked for.

    None where it names that one, or nothing: what is not stated is told of the input alone.
    """
    written = written_formats(tool)
    if not request.goal or not written or written_for(tool, Format(request.goal)):
        return None
    return Fit(
        fact=OUTPUT, verdict="unknown", scan=request.goal, tool=field("formats_out", written)
    )


def suite_failures(
    tools: Iterable[Tool], request: Request, fits_of: Callable[[Tool], Sequence[Fit]]
) -> Mapping[str, tuple[str, Fit]]:
    """By name of a suite its program for a requested task, and what of the scan that one fails.

    Only of suites all of whose listed programs for the task fail: a suite does a task by one of
    its programs, and its own record may be silent where theirs are not.
    """
    failures: dict[str, tuple[str, Fit]] = {}
    working: set[str] = set()
    for tool in tools:
        if not tool.suite or request.tasks.isdisjoint(tool.tasks) or PLUGIN in tool.interfaces:
            continue
        failed = [fit for fit in fits_of(tool) if fit.verdict == "fail"]
        if not failed:
            working.add(tool.suite)
        elif of_image := [fit for fit in failed if fit.fact in OF_IMAGES]:
            failures.setdefault(tool.suite, (tool.name, of_image[0]))
    return {suite: failure for suite, failure in failures.items() if suite not in working}


def suite_fit(
    tool: Tool, fits: Sequence[Fit], request: Request, failures: Mapping[str, tuple[str, Fit]]
) -> Fit | None:
    """Unknown for a suite whose program for the requested task fails; None for all others."""
    failure = failures.get(tool.name)
    if failure is None or request.tasks.isdisjoint(tool.tasks):
        return None
    name, failed = failure
    by_fact = {fit.fact: fit.verdict for fit in fits}
    if "fail" in by_fact.values() or by_fact.get(failed.fact) in ("pass", CONVERTED):
        # What the suite states itself counts.
        return None
    return Fit(fact=OF_SUITE, verdict="unknown", scan=failed.scan, tool=f"{name}, {failed.tool}")
