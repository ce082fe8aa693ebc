"""A typed chain of tools from a scan to a result: convert, preprocess, run, measure.

Every step reads a format that was uploaded or that an earlier step writes; what no source states
is *unknown* and said so, never assumed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from retrieval.core.types import ScanInfo, Tool
from retrieval.graph import FormatBridge

Verdict = Literal["pass", "fail", "unknown"]
MEASURES = ("measurement", "radiomics", "morphometry")
"""Tasks of a last step that turns a result into numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One edge of the chain: what is there, what the tool states, and the verdict."""

    fact: Literal["format", "modality", "dimension"]
    verdict: Verdict
    have: str | None
    wants: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStep:
    """One tool at work: its task here, the format it takes and the one it gives."""

    tool: Tool
    task: str
    takes: str
    gives: str | None
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Steps in order; ``problems`` say what is missing, ``installs`` what the tools need."""

    start: str
    steps: tuple[PlanStep, ...]
    problems: tuple[str, ...] = ()
    installs: tuple[str, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether no edge fails and nothing is missing."""
        verdicts = [check.verdict for step in self.steps for check in step.checks]
        return "fail" not in verdicts and not self.problems


@dataclass(frozen=True, slots=True, kw_only=True)
class _Made:
    steps: tuple[PlanStep, ...] = ()
    problems: tuple[str, ...] = ()
    now: str = ""


def plan_of(
    tools: Mapping[str, Tool],
    chosen: Tool,
    scan: ScanInfo,
    *,
    repairs: Iterable[str] = (),
    order: Sequence[str] = (),
    measure: bool = True,
) -> Plan:
    """The chain that ends in the chosen tool, and in numbers when ``measure`` is asked for.

    ``repairs`` are tasks that the scan needs first, ``order`` the ids that are preferred.
    """
    bridge = FormatBridge(tools.values())
    preferred = {id: n for n, id in enumerate(order)}
    ranked = sorted(tools.values(), key=lambda t: (preferred.get(t.id, len(tools)), t.id))
    made = _Made(now=str(scan.format))
    for task in dict.fromkeys(repairs):
        if task not in {*chosen.tasks, "conversion"}:
            made = _repaired(made, ranked, chosen, scan, task, tools, bridge)
    made = _converted(made, chosen, scan, tools, bridge)
    made = _with(made, chosen, chosen.tasks[0] if chosen.tasks else "analysis", scan)
    if measure and not set(MEASURES) & set(chosen.tasks):
        made = _measured(made, ranked, chosen, scan)
    needs = dict.fromkeys(id for step in made.steps for id in step.tool.requires_tool)
    used = {step.tool.id for step in made.steps}
    return Plan(
        start=str(scan.format),
        steps=made.steps,
        problems=made.problems,
        installs=tuple(id for id in needs if id not in used),
    )


def _repaired(
    made: _Made,
    ranked: Sequence[Tool],
    chosen: Tool,
    scan: ScanInfo,
    task: str,
    tools: Mapping[str, Tool],
    bridge: FormatBridge,
) -> _Made:
    """A step for a task that the scan needs, by the first tool whose edges pass."""
    for tool in ranked:
        if task not in tool.tasks or tool.id == chosen.id or not tool.formats_out:
            continue
        tried = _with(_converted(made, tool, scan, tools, bridge), tool, task, scan)
        wanted = [str(f) for f in chosen.formats_in]
        onward = tried.now in wanted or bridge.chain(tried.now, wanted) is not None
        if len(tried.problems) == len(made.problems) and onward and not _fails(tried.steps[-1]):
            return tried
    told = f"no tool of the catalog does {task} on {made.now} and passes it on"
    return replace(made, problems=(*made.problems, told))


def _fails(step: PlanStep) -> bool:
    return any(check.verdict != "pass" for check in step.checks if check.fact != "dimension")


def _converted(
    made: _Made, tool: Tool, scan: ScanInfo, tools: Mapping[str, Tool], bridge: FormatBridge
) -> _Made:
    """The shortest chain of converters to a format that the tool states it reads."""
    wanted = [str(f) for f in tool.formats_in]
    if not wanted or made.now in wanted:
        return made
    chain = bridge.chain(made.now, wanted)
    if chain is None:
        told = f"nothing in the catalog turns {made.now} into {' or '.join(wanted)}"
        return replace(made, problems=(*made.problems, told))
    for before, id, after in chain:
        check = Check(fact="format", verdict="pass", have=before, wants=(before,))
        step = PlanStep(
            tool=tools[id], task="conversion", takes=before, gives=after, checks=(check,)
        )
        made = replace(made, steps=(*made.steps, step), now=after)
    return made


def _with(made: _Made, tool: Tool, task: str, scan: ScanInfo) -> _Made:
    """One more step; where it states what it writes, that is what is there afterwards."""
    outs = [str(f) for f in tool.formats_out]
    gives = made.now if made.now in outs else outs[0] if outs else None
    step = PlanStep(
        tool=tool, task=task, takes=made.now, gives=gives, checks=_checks(made, tool, scan)
    )
    return replace(made, steps=(*made.steps, step), now=gives or made.now)


def _checks(made: _Made, tool: Tool, scan: ScanInfo) -> tuple[Check, ...]:
    facts = (
        ("format", made.now, tuple(map(str, tool.formats_in))),
        ("modality", scan.modality and str(scan.modality), tuple(map(str, tool.modalities))),
        ("dimension", scan.dimension and str(scan.dimension), tuple(map(str, tool.dimensions))),
    )
    return tuple(
        Check(fact=fact, verdict=_verdict(have, wants), have=have, wants=wants)  # type: ignore[arg-type]
        for fact, have, wants in facts
    )


def _verdict(have: str | None, wants: tuple[str, ...]) -> Verdict:
    if have is None or not wants:
        return "unknown"
    return "pass" if have in wants else "fail"


def _measured(made: _Made, ranked: Sequence[Tool], chosen: Tool, scan: ScanInfo) -> _Made:
    """A last step that measures what the chosen tool writes; none when that is not stated."""
    last = made.steps[-1].gives
    if last is None:
        told = f"{chosen.name} does not state what it writes, so nothing can measure it safely"
        return replace(made, problems=(*made.problems, told))
    partners = {chosen.id, *chosen.compatible_with}
    fitting = [
        t
        for t in ranked
        if set(MEASURES) & set(t.tasks) and last in map(str, t.formats_in) and t.id != chosen.id
    ]
    fitting = [t for t in fitting if not scan.modality or scan.modality in t.modalities]
    if not fitting:
        return replace(made, problems=(*made.problems, f"no tool states that it measures {last}"))
    best = min(fitting, key=lambda t: (not partners & {t.id, *t.compatible_with},))
    task = next(task for task in MEASURES if task in best.tasks)
    return _with(made, best, task, scan)
