"""A typed chain of tools from a scan to a result: convert, preprocess, run, measure.

Every step reads the format of the scan or one that an earlier step writes. A fact that no source
states gets the verdict *unknown*; nothing is assumed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from retrieval.core import NO_LIMIT, OUT_OF_TIME, Deadline, Format, Modality, ScanInfo, Tool
from retrieval.fit import (
    LONGEST,
    Content,
    content_of,
    holding,
    opening_formats,
    stored_as,
    way_in,
)
from retrieval.planning.bridge import Chain, FormatBridge, suited_first
from retrieval.planning.checks import (
    MEASURES,
    NUMBERS,
    Material,
    checks_of,
    converted_check,
    output_of,
    requested_tasks,
    written_as,
)
from retrieval.planning.goals import asked_format
from retrieval.planning.partial import PartialPlan, data_words, is_proposal
from retrieval.planning.steps import NOTHING_TURNS, UNSTATED_OUTPUT, Plan, PlanStep

LIKE = 8
"""Number of preferred tools that vote on the task of a tool with several."""


def plan_of(
    tools: Mapping[str, Tool],
    goal_tool: Tool,
    scan: ScanInfo,
    *,
    others: Iterable[ScanInfo] = (),
    repairs: Iterable[str] = (),
    order: Sequence[str] = (),
    request: str = "",
    measure: bool = True,
    deadline: Deadline = NO_LIMIT,
) -> Plan:
    """The chain that ends in the chosen tool, or with ``measure`` in a measurement behind it.

    ``others`` are the other files of the upload: a tool may need several. Of all of them the plan
    starts from the one that the chosen tool fits, as on a card.
    ``repairs`` are tasks that the scan needs first, ``order`` the preferred ids, best first,
    ``request`` the text of the search; the result has the format that it asks for. After the
    deadline no further tool is tried, and a problem names the missing step. Does not raise: a
    chain that cannot be completed has problems.
    """
    place = {id: n for n, id in enumerate(order)}
    ordered_tools = sorted(tools.values(), key=lambda t: (place.get(t.id, len(tools)), t.id))
    preferred = [tools[id] for id in order if id in tools and id != goal_tool.id][:LIKE]
    scan, *others = suited_first(goal_tool, (scan, *others), tools.values())
    tasks = goal_tool.tasks
    if is_drawn := content_of(scan).what == "label" and not _takes_labels(goal_tool):
        # What a segmentation gives is there already.
        tasks = tuple(task for task in tasks if output_of(task) != "label") or tasks
    # Of several tasks those that the text names, else the one that most preferred tools do too.
    shared = {task: sum(task in tool.tasks for tool in preferred) for task in tasks}
    requested = requested_tasks(tasks, request)
    task = max(requested[:1] or tasks, key=shared.__getitem__, default="analysis")
    planner = _Planner(
        tools=tools,
        ranked=ordered_tools,
        chosen=goal_tool,
        material=Material(scan=scan, upload=tuple(others), request=request),
        task=task,
        goal=asked_format(request, (scan, *others)),
        deadline=deadline,
    )
    plan = planner.build(repairs, measure=measure and not is_drawn)
    if is_drawn and output_of(task) == "label":
        plan = plan.lacking(f"{goal_tool.name} draws labels, and the scan is a label map already")
    needs = dict.fromkeys(id for step in plan.steps for id in step.tool.requires_tool)
    used = {step.tool.id for step in plan.steps}
    return Plan(
        start=str(scan.format),
        steps=tuple(
            replace(step, also=requested[1:]) if step.tool is goal_tool else step
            for step in plan.steps
        ),
        missing=plan.problems,
        installs=tuple(id for id in needs if id not in used),
    )


def _takes_labels(tool: Tool) -> bool:
    """Whether the record states that the tool works on a label map."""
    return "label" in tool.needs.data or Modality.SEG in tool.modalities


@dataclass(frozen=True, kw_only=True)
class _Planner:
    """Appends steps to a chain; tools are tried in the order of ``ranked``."""

    tools: Mapping[str, Tool]
    ranked: Sequence[Tool]
    chosen: Tool
    material: Material
    task: str
    goal: Format | None
    deadline: Deadline

    @cached_property
    def bridge(self) -> FormatBridge:
        return FormatBridge(self.tools.values())

    def build(self, repairs: Iterable[str], *, measure: bool) -> PartialPlan:
        """Repairs, conversions, the chosen tool, and a measurement if requested."""
        tasks = self.chosen.tasks
        plan = PartialPlan(
            now=str(self.material.scan.format),
            content=content_of(self.material.scan),
            material=self.material,
        )
        for task in dict.fromkeys(repairs):
            if task not in {*tasks, "conversion"}:
                plan = self._repaired(plan, task)
        plan = self._converted(plan, self.chosen)
        plan = self._with(plan, self.chosen, self.task)
        if measure and not set(MEASURES) & set(tasks) and self.goal in (None, *NUMBERS):
            plan = self._measured(plan)
        return plan if self.goal is None else self._ended(plan, self.goal)

    def _ended(self, plan: PartialPlan, goal: Format) -> PartialPlan:
        """The plan with the conversions of its result to the format that is asked for.

        A converter that does not write that format itself, or gets it, is no step towards it.
        """
        last = plan.steps[-1]
        is_conversion = self.task == "conversion"
        before = (stored_as(self.material.scan), *(step.gives for step in plan.steps[:-1]))
        if is_conversion and not set(before).isdisjoint(holding(goal)):
            return plan.lacking(f"the data are in {goal} before {last.tool.name} gets them")
        if last.gives in holding(goal):
            return plan
        chain = None
        if last.gives and not is_conversion:
            chain = self._shortest(Format(last.gives), holding(goal), plan.content)
        if not chain:
            return plan.lacking(f"no source states that {last.tool.name} writes {goal}")
        steps = tuple(self._conversion(*one) for one in chain)
        return replace(plan, steps=(*plan.steps, *steps), now=chain[-1][-1])

    def _repaired(self, plan: PartialPlan, task: str) -> PartialPlan:
        """A step for a task that the scan needs, by the first tool whose edges pass."""
        goal_formats = [str(f) for f in self.chosen.formats_in]
        for tool in self.ranked:
            if self.deadline.passed:
                return plan.lacking(f"{OUT_OF_TIME}: no tool was chosen for {task}")
            if task not in tool.tasks or tool.id == self.chosen.id or not tool.formats_out:
                continue
            tried = self._with(self._converted(plan, tool), tool, task)
            onward = self._chain(tried, goal_formats) is not None
            verdicts = {check.fact: check.verdict for check in tried.steps[-1].checks}
            stated = verdicts.pop("format"), verdicts.pop("modality")
            passes = stated == ("pass", "pass") and "fail" not in verdicts.values()
            if tried.problems == plan.problems and onward and passes:
                return tried
        data = data_words(plan)
        return plan.lacking(f"no tool is known to do {task} on {data} and to pass it on")

    def _converted(self, plan: PartialPlan, tool: Tool) -> PartialPlan:
        """The shortest chain of converters to a format that the tool states it reads."""
        input_formats = [str(f) for f in tool.formats_in]
        if not input_formats or not self._opened(plan).isdisjoint(tool.formats_in):
            return plan
        chain = self._chain(plan, input_formats)
        if chain is None:
            formats = " or ".join(input_formats)
            return plan.lacking(f"{NOTHING_TURNS} {data_words(plan)} into {formats}")
        for before, id, after in chain:
            step = self._conversion(before, id, after)
            plan = replace(plan, steps=(*plan.steps, step), now=after)
        return plan

    def _conversion(self, before: str, id: str, after: str, *, beside: bool = False) -> PlanStep:
        return PlanStep(
            tool=self.tools[id],
            task="conversion",
            takes=before,
            gives=after,
            checks=(converted_check(before),),
            beside=beside,
        )

    def _with_image(self, plan: PartialPlan, tool: Tool) -> PartialPlan:
        """Conversions of the image, for a tool that needs it beside what was made of it."""
        material = plan.material
        image = material.scan
        opened = not opening_formats(image).isdisjoint(tool.formats_in)
        if not material.drawn or "image" not in tool.needs.data or opened:
            return plan
        # Image and result are best in one format.
        goal_formats = sorted(map(str, tool.formats_in), key=lambda one: one != plan.now)
        chain = self._shortest(stored_as(image), goal_formats, content_of(image))
        if not chain:
            return plan
        steps = tuple(self._conversion(*one, beside=True) for one in chain)
        converted_image = replace(image, format=Format(chain[-1][-1]))
        material = replace(material, scan=converted_image)
        return replace(plan, steps=(*plan.steps, *steps), material=material)

    def _opened(self, plan: PartialPlan) -> frozenset[Format]:
        """The formats by any of which a tool opens what the last step gives."""
        if plan.steps:
            return opening_formats(ScanInfo(format=Format(plan.now)))
        return opening_formats(self.material.scan)

    def _chain(self, plan: PartialPlan, goal_formats: Sequence[str]) -> Chain | None:
        """The shortest chain; of equally short ones the one to the format stated first."""
        if not self._opened(plan).isdisjoint(goal_formats):
            return ()
        have = Format(plan.now) if plan.steps else stored_as(self.material.scan)
        return self._shortest(have, goal_formats, plan.content)

    def _shortest(
        self, have: Format, goal_formats: Iterable[str], content: Content
    ) -> Chain | None:
        chains = (way_in(have, [one], content, self.bridge.chain) for one in goal_formats)
        # As on a card, a longer chain is none.
        short = (chain for chain in chains if chain is not None and len(chain) <= LONGEST)
        return min(short, key=len, default=None)

    def _with(self, plan: PartialPlan, tool: Tool, task: str) -> PartialPlan:
        """One more step; the format changes only if the tool states what it writes."""
        plan = self._with_image(plan, tool)
        goal = self.goal if tool is self.chosen or task in MEASURES else None
        gives = written_as(tool, task, plan.now, goal)
        checks = checks_of(tool, task, plan.now, plan.material, self.bridge.named_chain)
        step = PlanStep(tool=tool, task=task, takes=plan.now, gives=gives, checks=checks)
        content, material = plan.content, plan.material
        if not material.drawn:
            material = replace(material, scan=replace(material.scan, format=Format(plan.now)))
        kind = output_of(task)
        if kind is not None:
            modality = Modality.SEG if kind == "label" else content.modality
            content = replace(content, what=kind, modality=modality)
            material = replace(material, drawn=kind, parts=tool.anatomy, species=tool.species)
        return replace(
            plan,
            steps=(*plan.steps, step),
            now=gives or plan.now,
            content=content,
            material=material,
        )

    def _measured(self, plan: PartialPlan) -> PartialPlan:
        """A last step that measures what the chosen tool gives, where that can be measured.

        A tool that is known to fit comes before all others; one that a fact speaks against is none.
        """
        goal_tool, kind, last = self.chosen, self.material.scan.modality, plan.steps[-1].gives
        if output_of(self.task) is None:
            return plan
        if last is None:
            return plan.lacking(f"{goal_tool.name} {UNSTATED_OUTPUT}")
        ways: dict[str, PartialPlan] = {}
        for tool in self.ranked:
            if self.deadline.passed:
                return plan.lacking(f"{OUT_OF_TIME}: no tool was chosen for measurement")
            if tool.id == goal_tool.id or set(MEASURES).isdisjoint(tool.tasks):
                continue
            if self._chain(plan, [str(f) for f in tool.formats_in]) is None:
                continue
            task = next(task for task in tool.tasks if task in MEASURES)
            tried = self._with(self._converted(plan, tool), tool, task)
            if is_proposal(tried.steps[-1], kind):
                ways[tool.id] = tried
        if not ways:
            also = f" and works on {kind}" if kind else ""
            return plan.lacking(f"no tool states that it measures, reads {last}{also}")
        partners = {goal_tool.id, *goal_tool.compatible_with}

        def rank(id: str) -> tuple[int, int, bool, bool, int]:
            """Fewest open facts, short ways, compatible tools, those for numbers, task's place."""
            tool, tried = self.tools[id], ways[id]
            apart = not partners & {tool.id, *tool.compatible_with}
            no_numbers = NUMBERS.isdisjoint(map(str, tool.formats_out))
            first = next(n for n, task in enumerate(tool.tasks) if task in MEASURES)
            open_facts = sum(check.is_open for check in tried.steps[-1].checks)
            steps = sum(not step.beside for step in tried.steps)
            return open_facts, steps, apart, no_numbers, first

        return ways[min(ways, key=rank)]
