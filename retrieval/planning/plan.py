"""A typed chain of tools from a scan to a result: convert, preprocess, run, measure.

Every step reads the format of the scan or one that an earlier step writes. A fact that no source
states gets the verdict *unknown*; nothing is assumed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from retrieval.catalog import modality_lineage
from retrieval.core import NO_LIMIT, OUT_OF_TIME, Deadline, Fit, Format, Modality, ScanInfo, Tool
from retrieval.fit import (
    Content,
    content_of,
    dimension_fit,
    fact_words,
    field,
    modality_fit,
    stored_as,
    way_in,
)
from retrieval.planning.bridge import Chain, FormatBridge

Verdict = Literal["pass", "fail", "unknown"]
PlanFact = Literal["format", "modality", "dimension"]

MEASURES = ("measurement", "radiomics", "morphometry")
"""Tasks of a last step that turns a result into numbers."""

NUMBERS = frozenset({"CSV", "TSV", "JSON"})
"""Formats of numeric results."""

MADE_BY = {
    "surface reconstruction": "surface",
    "tractography": "streamlines",
    "reconstruction": "image",
}
"""What comes out of a task that turns its input into another kind of data."""

UNSTATED_OUTPUT = "does not state what it writes, so nothing can measure it safely"
"""The end of a problem that is a silence of the record alone."""

LIKE = 8
"""Number of preferred tools that vote on the task of a tool with several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One edge of the chain: the present value, the values the tool states, and the verdict."""

    fact: PlanFact
    verdict: Verdict
    have: str | None
    wants: tuple[str, ...]

    @property
    def words(self) -> str:
        """The verdict in the words of a card; a pass names its fact."""
        if self.verdict == "pass":
            return f"{self.fact.capitalize()} fits"
        stated = field(f"{self.fact}s", self.wants)
        fit = Fit(fact=self.fact, verdict=self.verdict, scan=self.have, tool=stated)
        return fact_words(fit)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStep:
    """One step: a tool, its task here, its input format and its output format."""

    tool: Tool
    task: str
    takes: str
    gives: str | None
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Steps in order; ``problems`` name what is missing, ``installs`` further tools required."""

    start: str
    steps: tuple[PlanStep, ...]
    problems: tuple[str, ...] = ()
    installs: tuple[str, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether no edge fails and nothing is missing."""
        verdicts = [check.verdict for step in self.steps for check in step.checks]
        return "fail" not in verdicts and not self.problems

    @property
    def output_unstated(self) -> bool:
        """Whether all that a plan lacks is what the chosen tool writes, which no source states."""
        verdicts = [check.verdict for step in self.steps for check in step.checks]
        unstated = [problem.endswith(UNSTATED_OUTPUT) for problem in self.problems]
        return "fail" not in verdicts and bool(unstated) and all(unstated)


def plan_of(
    tools: Mapping[str, Tool],
    goal_tool: Tool,
    scan: ScanInfo,
    *,
    repairs: Iterable[str] = (),
    order: Sequence[str] = (),
    measure: bool = True,
    deadline: Deadline = NO_LIMIT,
) -> Plan:
    """The chain that ends in the chosen tool, or with ``measure`` in a measurement behind it.

    ``repairs`` are tasks that the scan needs first, ``order`` the preferred ids, best first. After
    the deadline no further tool is tried, and a problem names the missing step. Does not raise: a
    chain that cannot be completed has problems.
    """
    place = {id: n for n, id in enumerate(order)}
    ordered_tools = sorted(tools.values(), key=lambda t: (place.get(t.id, len(tools)), t.id))
    preferred = [tools[id] for id in order if id in tools and id != goal_tool.id][:LIKE]
    # Of several tasks the one is meant that most of the preferred tools do too.
    shared = {task: sum(task in tool.tasks for tool in preferred) for task in goal_tool.tasks}
    task = max(goal_tool.tasks, key=shared.__getitem__, default="analysis")
    planner = _Planner(
        tools=tools, ranked=ordered_tools, chosen=goal_tool, scan=scan, task=task, deadline=deadline
    )
    plan = planner.build(repairs, measure=measure)
    needs = dict.fromkeys(id for step in plan.steps for id in step.tool.requires_tool)
    used = {step.tool.id for step in plan.steps}
    return Plan(
        start=str(scan.format),
        steps=plan.steps,
        problems=plan.problems,
        installs=tuple(id for id in needs if id not in used),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _PartialPlan:
    """An incomplete chain; its last step gives ``content`` in the format ``now``."""

    steps: tuple[PlanStep, ...] = ()
    problems: tuple[str, ...] = ()
    now: str
    content: Content

    def lacking(self, problem: str) -> _PartialPlan:
        return replace(self, problems=(*self.problems, problem))


@dataclass(frozen=True, kw_only=True)
class _Planner:
    """Appends steps to a chain; tools are tried in the order of ``ranked``."""

    tools: Mapping[str, Tool]
    ranked: Sequence[Tool]
    chosen: Tool
    scan: ScanInfo
    task: str
    deadline: Deadline

    @cached_property
    def bridge(self) -> FormatBridge:
        return FormatBridge(self.tools.values())

    def build(self, repairs: Iterable[str], *, measure: bool) -> _PartialPlan:
        """Repairs, conversions, the chosen tool, and a measurement if requested."""
        tasks = self.chosen.tasks
        plan = _PartialPlan(now=str(self.scan.format), content=content_of(self.scan))
        for task in dict.fromkeys(repairs):
            if task not in {*tasks, "conversion"}:
                plan = self._repaired(plan, task)
        plan = self._converted(plan, self.chosen)
        plan = self._with(plan, self.chosen, self.task)
        return self._measured(plan) if measure and not set(MEASURES) & set(tasks) else plan

    def _repaired(self, plan: _PartialPlan, task: str) -> _PartialPlan:
        """A step for a task that the scan needs, by the first tool whose edges pass."""
        goal_formats = [str(f) for f in self.chosen.formats_in]
        for tool in self.ranked:
            if self.deadline.passed:
                return plan.lacking(f"{OUT_OF_TIME}: no tool was chosen for {task}")
            if task not in tool.tasks or tool.id == self.chosen.id or not tool.formats_out:
                continue
            tried = self._with(self._converted(plan, tool), tool, task)
            onward = self._chain(tried, goal_formats) is not None
            checks = (c for c in tried.steps[-1].checks if c.fact != "dimension")
            passes = all(check.verdict == "pass" for check in checks)
            if tried.problems == plan.problems and onward and passes:
                return tried
        return plan.lacking(f"no tool of the catalog does {task} on {plan.now} and passes it on")

    def _converted(self, plan: _PartialPlan, tool: Tool) -> _PartialPlan:
        """The shortest chain of converters to a format that the tool states it reads."""
        input_formats = [str(f) for f in tool.formats_in]
        if not input_formats or plan.now in input_formats:
            return plan
        chain = self._chain(plan, input_formats)
        if chain is None:
            formats = " or ".join(input_formats)
            what = plan.content.what
            data = plan.now if what == "image" else f"{plan.now} ({what or 'no image'})"
            return plan.lacking(f"nothing in the catalog turns {data} into {formats}")
        for before, id, after in chain:
            check = Check(fact="format", verdict="pass", have=before, wants=(before,))
            step = PlanStep(
                tool=self.tools[id], task="conversion", takes=before, gives=after, checks=(check,)
            )
            plan = replace(plan, steps=(*plan.steps, step), now=after)
        return plan

    def _chain(self, plan: _PartialPlan, goal_formats: Sequence[str]) -> Chain | None:
        """The shortest chain; of equally short ones the one to the format stated first."""
        if plan.now in goal_formats:
            return ()
        have = Format(plan.now)
        if not plan.steps:
            have = stored_as(self.scan)
        chains = (way_in(have, [one], plan.content, self.bridge.chain) for one in goal_formats)
        return min((chain for chain in chains if chain is not None), key=len, default=None)

    def _with(self, plan: _PartialPlan, tool: Tool, task: str) -> _PartialPlan:
        """One more step; the format changes only if the tool states what it writes."""
        outs = [str(f) for f in tool.formats_out]
        gives = plan.now if plan.now in outs else outs[0] if outs else None
        checks = _checks(plan.now, tool, self.scan)
        step = PlanStep(tool=tool, task=task, takes=plan.now, gives=gives, checks=checks)
        content = replace(plan.content, what=MADE_BY.get(task, plan.content.what))
        if "segmentation" in task:
            content = replace(content, what="label", modality=Modality.SEG)
        return replace(plan, steps=(*plan.steps, step), now=gives or plan.now, content=content)

    def _measured(self, plan: _PartialPlan) -> _PartialPlan:
        """A last step that measures the output of the chosen tool, if its format is stated."""
        goal_tool, kind, last = self.chosen, self.scan.modality, plan.steps[-1].gives
        if last is None:
            return plan.lacking(f"{goal_tool.name} {UNSTATED_OUTPUT}")
        kinds = frozenset(modality_lineage(kind)) if kind else frozenset()
        ways: dict[str, Chain] = {}
        for tool in self.ranked:
            if self.deadline.passed:
                return plan.lacking(f"{OUT_OF_TIME}: no tool was chosen for measurement")
            if tool.id == goal_tool.id or set(MEASURES).isdisjoint(tool.tasks):
                continue
            way = self._chain(plan, [str(f) for f in tool.formats_in])
            if way is not None and (not kind or not kinds.isdisjoint(tool.modalities)):
                ways[tool.id] = way
        if not ways:
            also = f" and works on {kind}" if kind else ""
            return plan.lacking(f"no tool states that it measures, reads {last}{also}")
        partners = {goal_tool.id, *goal_tool.compatible_with}

        def rank(tool: Tool) -> tuple[int, bool, bool, int]:
            """Short ways, compatible tools, those that write numbers, then the task's place."""
            apart = not partners & {tool.id, *tool.compatible_with}
            no_numbers = NUMBERS.isdisjoint(map(str, tool.formats_out))
            first = next(n for n, task in enumerate(tool.tasks) if task in MEASURES)
            return len(ways[tool.id]), apart, no_numbers, first

        best = min((self.tools[id] for id in ways), key=rank)
        task = next(task for task in best.tasks if task in MEASURES)
        return self._with(self._converted(plan, best), best, task)


def _checks(have: str, tool: Tool, scan: ScanInfo) -> tuple[Check, ...]:
    """The format of this edge; modality and dimension of the scan as on a card of the list."""
    reads = tuple(map(str, tool.formats_in))
    verdict: Verdict = "unknown" if not reads else "pass" if have in reads else "fail"
    checks = [Check(fact="format", verdict=verdict, have=have, wants=reads)]
    compared: tuple[tuple[PlanFact, Fit, Sequence[str]], ...] = (
        ("modality", modality_fit(tool, scan), tool.modalities),
        ("dimension", dimension_fit(tool, scan), tool.dimensions),
    )
    for fact, fit, stated in compared:
        # Neither of them is ever changed by a conversion.
        verdict = "unknown" if fit.verdict == "after conversion" else fit.verdict
        wants = tuple(map(str, stated))
        checks.append(Check(fact=fact, verdict=verdict, have=fit.scan, wants=wants))
    return tuple(checks)
