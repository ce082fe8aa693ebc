"""A plan as plain data, and as the skeleton of a CWL workflow (Common Workflow Language 1.2)."""

from __future__ import annotations

import re
from typing import Any

import yaml

from retrieval.planning.checks import OTHER_IMAGE, output_of
from retrieval.planning.steps import Plan, PlanStep

Json = dict[str, Any]

FILL_IN = "TODO-"
"""How every ``baseCommand`` and ``glob`` begins: a skeleton leaves the command line to the user."""

ON_DISK = ("File", "Directory")
"""What an image is stored as; a DICOM series is a folder of files."""


def plan_json(plan: Plan) -> Json:
    """A plan as JSON values: steps with their checks, problems, and tools to install.

    ``not_known`` names the facts by which a step is not known to fit.
    """
    return {
        "start": plan.start,
        "sound": plan.sound,
        "verdict": plan.verdict,
        "ends_in_numbers": plan.ends_in_numbers,
        "steps": [_step(n, step) for n, step in enumerate(plan.steps, start=1)],
        "problems": list(plan.problems),
        "not_known": list(plan.open_facts),
        "installs": list(plan.installs),
    }


def _step(number: int, step: PlanStep) -> Json:
    return {
        "step": number,
        "id": step.tool.id,
        "name": step.tool.name,
        "task": step.task,
        "takes": step.takes,
        "gives": step.gives,
        "beside": step.beside,
        "verdict": step.verdict,
        "checks": [
            {"fact": c.fact, "verdict": c.verdict, "have": c.have, "wants": list(c.wants)}
            for c in step.checks
        ],
    }


def plan_cwl(plan: Plan) -> str:
    """A CWL 1.2 workflow as YAML; each step reads the output file of the one before.

    A step that measures what was drawn in an image gets the image as well, as the step that drew
    in it read it or as a step ``beside`` the others converted it.

    Every ``baseCommand`` and ``glob`` begins with FILL_IN and is for the user to fill in. ``doc``
    tells what speaks against the plan.
    """
    steps: Json = {}
    source, image, is_drawn = "scan", "scan", False
    for number, step in enumerate(plan.steps, start=1):
        name = f"step{number}_{_name(step.tool.id)}"
        inputs = {"input": image if step.beside else source}
        if needs_image(step):
            inputs["image"] = image
        steps[name] = {
            "label": f"{step.tool.name}: {step.task}",
            "in": inputs,
            "out": ["output"],
            "run": _tool(step),
        }
        if step.beside:
            image = f"{name}/output"
            continue
        source = f"{name}/output"
        is_drawn = is_drawn or output_of(step.task) is not None
        if not is_drawn:
            image = source
    workflow: Json = {
        "cwlVersion": "v1.2",
        "class": "Workflow",
        "doc": "\n".join(_remarks(plan)),
        "inputs": {"scan": {"type": [*ON_DISK], "label": plan.start}},
        "outputs": {"result": {"type": [*ON_DISK], "outputSource": source}},
        "steps": steps,
    }
    text: str = yaml.safe_dump(workflow, sort_keys=False, allow_unicode=True, width=100)
    return text


def _remarks(plan: Plan) -> list[str]:
    """What whoever fills a skeleton in has to know of its plan, a line each."""
    lines = [f"Skeleton for data in {plan.start}. Fill in every {FILL_IN}."]
    groups = (
        ("This plan does not work as it stands", plan.problems),
        ("Not known to fit", plan.open_facts),
        ("To be installed as well", plan.installs),
    )
    return lines + [f"{head}: {text}" for head, texts in groups for text in texts]


def needs_image(step: PlanStep) -> bool:
    """Whether a step takes the scan itself beside what was made of it."""
    return any(check.fact == OTHER_IMAGE for check in step.checks)


def _tool(step: PlanStep) -> Json:
    inputs = {"input": {"type": [*ON_DISK], "label": step.takes, "inputBinding": {"position": 1}}}
    if needs_image(step):
        inputs["image"] = {"type": [*ON_DISK], "inputBinding": {"position": 2}}
    return {
        "class": "CommandLineTool",
        "baseCommand": [f"{FILL_IN}{_name(step.tool.id)}"],
        "inputs": inputs,
        "outputs": {
            "output": {
                "type": [*ON_DISK],
                "label": step.gives or "not stated",
                "outputBinding": {"glob": f"{FILL_IN}output"},
            }
        },
    }


def _name(id: str) -> str:
    return re.sub(r"[^A-Za-z0-9_]+", "_", id)
