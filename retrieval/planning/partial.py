"""A plan that is not finished: the steps so far, and what the last of them gives."""

from __future__ import annotations

from dataclasses import dataclass, replace

from retrieval.core import Modality
from retrieval.fit import Content, in_words
from retrieval.planning.checks import Material
from retrieval.planning.steps import PlanStep


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialPlan:
    """An incomplete chain; its last step gives ``content`` in the format ``now``."""

    steps: tuple[PlanStep, ...] = ()
    problems: tuple[str, ...] = ()
    now: str
    content: Content
    material: Material

    def lacking(self, problem: str) -> PartialPlan:
        """The same with one problem more."""
        return replace(self, problems=(*self.problems, problem))


def is_proposal(step: PlanStep, kind: Modality | None) -> bool:
    """Whether a tool may stand behind the chosen one.

    No fact speaks against it, it is made for the same body and part of it as far as both are
    stated, and it states a kind of image where the scan does.
    """
    apart = any(c.is_open and c.have and c.fact in ("species", "body part") for c in step.checks)
    is_silent = kind is not None and not step.tool.modalities
    return step.verdict != "fail" and not apart and not is_silent


def data_words(plan: PartialPlan) -> str:
    """What is to be converted: its format, and what of it a conversion has to be stated for."""
    content = plan.content
    if not content.what and plan.material.scan.dimension:
        return f"{plan.now} of several frames or colours"
    if content.what != "image":
        return f"{plan.now} ({in_words([content.what]) if content.what else 'no image'})"
    facts = ", ".join(str(fact) for fact in (content.modality, content.dimension) if fact)
    return f"{plan.now} ({facts})" if facts else plan.now
