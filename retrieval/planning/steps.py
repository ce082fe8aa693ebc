"""The steps of a plan, and what is true of the plan as a whole."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.core import Tool
from retrieval.planning.checks import MEASURES, NUMBERS, Check, Verdict, output_of

UNSTATED_OUTPUT = "does not state what it writes, so nothing can measure it safely"
"""The end of a problem that is a silence of the record alone."""

NOTHING_TURNS = "nothing in the catalog turns"
"""How the problem of a missing conversion begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStep:
    """One step: a tool, its task here, its input format and its output format.

    ``also``: further tasks that the request names and the tool states. ``beside``: it converts the
    scan itself, which the next tool needs beside the last result.
    """

    tool: Tool
    task: str
    takes: str
    gives: str | None
    checks: tuple[Check, ...]
    beside: bool = False
    also: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The worst that is true of it; what the record or the scan leaves open is no pass."""
        if any(check.verdict == "fail" for check in self.checks):
            return "fail"
        return "unknown" if any(check.is_open for check in self.checks) else "pass"

    def words(self, verdict: Verdict) -> tuple[str, ...]:
        """What its checks with this verdict say, after its name."""
        checks = (
            c for c in self.checks if c.verdict == verdict and (c.is_open or verdict == "fail")
        )
        return tuple(f"{self.tool.name}: {check.words}" for check in checks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Steps in order; ``missing`` names what is missing, ``installs`` further tools required."""

    start: str
    steps: tuple[PlanStep, ...]
    missing: tuple[str, ...] = ()
    installs: tuple[str, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """What is missing, then every fact of a step that speaks against it."""
        is_told = any(problem.startswith(NOTHING_TURNS) for problem in self.missing)
        failed = [
            text
            for step in self.steps
            for text in step.words("fail")
            # A format that nothing makes is missing already.
            if not (is_told and text == f"{step.tool.name}: {step.checks[0].words}")
        ]
        return (*self.missing, *failed)

    @property
    def open_facts(self) -> tuple[str, ...]:
        """Every fact by which a step is not known to fit."""
        return tuple(text for step in self.steps for text in step.words("unknown"))

    @property
    def verdict(self) -> Verdict:
        """Fail with a problem, pass where every step is known to fit, else unknown."""
        if self.problems:
            return "fail"
        return "unknown" if any(step.verdict == "unknown" for step in self.steps) else "pass"

    @property
    def ends_in_numbers(self) -> bool:
        """Whether the last step writes a format of numbers, or measures an image or what it drew.

        A tool that measures as well makes no number of an image that it converts or shows.
        """
        last = self.steps[-1]
        tasks = (last.task, *last.also, *(last.tool.tasks if output_of(last.task) else ()))
        return last.gives in NUMBERS or not set(MEASURES).isdisjoint(tasks)

    @property
    def sound(self) -> bool:
        """Whether nothing is missing and every step is known to fit."""
        return self.verdict == "pass"

    @property
    def output_unstated(self) -> bool:
        """Whether all that a plan lacks is what the chosen tool writes, which no source states."""
        unstated = [problem.endswith(UNSTATED_OUTPUT) for problem in self.problems]
        return bool(unstated) and all(unstated)
