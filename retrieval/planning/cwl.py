"""A plan as plain data, and as the skeleton of a CWL workflow (Common Workflow Language 1.2)."""

from __future__ import annotations

import re
from typing import Any

import yaml

from retrieval.planning.checks import OTHER_IMAGE
from retrieval.planning.steps import Plan, PlanStep

Json = dict[str, Any]

FILL_IN = "TODO-"
"""How every ``baseCommand`` begins: a skeleton leaves the command line to the user."""


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

    A step that measures what was made in an image gets the image as well.

    Every ``baseCommand`` begins with FILL_IN and is for the user to fill in.
    """
    steps: Json = {}
    source = image = "scan"
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
        else:
            source = f"{name}/output"
    workflow: Json = {
        "cwlVersion": "v1.2",
        "class": "Workflow",
        "doc": f"Skeleton for data in {plan.start}. Fill in every baseCommand.",
        "inputs": {"scan": {"type": "File", "label": plan.start}},
        "outputs": {"result": {"type": "File", "outputSource": source}},
        "steps": steps,
    }
    text: str = yaml.safe_dump(workflow, sort_keys=False, allow_unicode=True, width=100)
    return text


def needs_image(step: PlanStep) -> bool:
    """Whether a step takes the scan itself beside what was made of it."""
    return any(check.fact == OTHER_IMAGE for check in step.checks)


def _tool(step: PlanStep) -> Json:
    inputs = {"input": {"type": "File", "label": step.takes, "inputBinding": {"position": 1}}}
    if needs_image(step):
        inputs["image"] = {"type": "File", "inputBinding": {"position": 2}}
    return {
        "class": "CommandLineTool",
        "baseCommand": [f"{FILL_IN}{_name(step.tool.id)}"],
        "inputs": inputs,
        "outputs": {
            "output": {
                "type": "File",
                "label": step.gives or "not stated",
                "outputBinding": {"glob": "*"},
            }
        },
    }


def _name(id: str) -> str:
    return re.sub(r"[^A-Za-z0-9_]+", "_", id)
